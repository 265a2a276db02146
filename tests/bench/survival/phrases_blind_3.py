"""Phrasings written without a look at the extraction or its results; see `phrases_held_out`.

Since they were first run they are developed on.
"""

PROHIBITIONS = {
    "en": (
        "pls [no more] commits that touch {m}, it breaks the nightly",
        "we [don't do] default exports in {m}",
        "just so you know, {m} is [off limits] until the audit is over",
        "whatever you do, [dont] run the {m} migration against prod",
        "{m} [stays out of] the public api",
        "I [would rather not] see {m} imported from the ui layer",
        "[quit] adding type: ignore to {m}",
        "nothing under {m}/ [gets deleted without] me looking at it",
        "{m} [isn't allowed to] talk to the database directly",
        "the {m} snapshots are generated, [editing them is a no-go]",
        "[under no circumstances] bump the {m} protobuf version",
        "[never ever] force push to {m}",
        "you [can't] use {m} here, licence problem",
        "One thing: {m} [must stay untouched] while we migrate.",
        "please [refrain from] renaming anything in {m}",
        "[skip] the {m} tests from now on, they need a gpu",
        "{m} is deprecated so [new code shouldn't] use it",
        "[Don't] let {m} grow any new arguments",
        "we [never] mock {m}, use the real thing",
        "[not a fan of] lambdas in {m}, leave them out",
        "[the last thing I want] is {m} ending up in the bundle",
        "[Nothing but] bug fixes goes into {m} until the release.",
    ),
    "zh": (
        "{m} 这个模块[先别动]",
        "[以后不准]直接改 {m} 的表结构",
        "[不要]在 {m} 里打日志,会泄露信息",
        "{m} 的接口[一律不许]改名",
    ),
    "pt": (
        "[nada de] mexer no {m} sem falar comigo",
        "o {m} [não pode] depender do django",
        "[evita] rodar o {m} em produção",
    ),
    "fr": (
        "[pas question de] toucher à {m}",
        "[ne] modifie [surtout pas] {m} à la main",
        "on [n'utilise pas] {m} dans ce projet",
    ),
    "es": (
        "[nada de] imports desde {m}",
        "{m} [no se toca]",
        "[no] subas [nunca] {m} al repositorio",
    ),
}

OBLIGATIONS = {
    "en": (
        "every PR that changes {m} [needs] a changelog line",
        "commits in {m} [follow] conventional commits",
        "[make sure] {m} is regenerated whenever the schema changes",
        "in {m} we [use] tabs, like it or not",
        "from here on [run] make {m} before you tell me you're done",
        "[only] talk to {m} through the gateway",
        "{m} [stays] on python 3.9",
        "all timestamps in {m} [are to be] utc",
        "[keep] {m} below 200 lines",
        "anything user facing in {m} [goes through] i18n",
        "whenever you touch {m} [rerun] the contract tests",
        "new endpoints [belong in] {m}",
        "i [expect] a test for each bug you fix in {m}",
        "[follow the lead of] {m} when you name things",
        "[remember to] bump {m} when the api changes",
        "errors from {m} [have to] be wrapped",
        "[always] rebase {m}, we like a linear history",
        "you [must] sign off {m} commits",
        "logs of {m} [should] be json, one object per line",
        "[ask me first] before you add anything to {m}",
        "For {m}, [prefer] composition.",
        "[each] {m} handler returns a Result",
    ),
    "zh": (
        "改 {m} 之前[先]问我",
        "{m} 的提交信息[统一用]英文",
        "以后[都要]跑一遍 {m} 的测试再提交",
        "{m} [必须]兼容 node 16",
    ),
    "pt": (
        "toda alteração no {m} [precisa de] teste",
        "[sempre que] mexer no {m}, roda o lint",
        "[mantém] o {m} compatível com a versão antiga",
    ),
    "fr": (
        "[pense à] lancer {m} avant chaque commit",
        "les messages de {m} [doivent] rester en français",
        "on [passe toujours par] {m} pour les requêtes",
    ),
    "es": (
        "[usa siempre] {m} para las fechas",
        "cada cambio en {m} [lleva] su test",
        "{m} [tiene que] seguir funcionando sin red",
    ),
}

LIFTED = {
    "en": (
        ("[don't] touch {m} for now", "the audit is done so {m} is fair game again"),
        ("[always] run {m} before committing", "forget what I said about running {m}, ci does it"),
        ("[no] new dependencies in {m}", "that rule about dependencies in {m} no longer applies"),
        ("you [must] ask me before changing {m}", "you no longer need to ask me about {m}"),
        ("[never] use {m} in tests", "actually using {m} in tests is fine now"),
        ("[keep] {m} on the old api", "{m} can move to the new api now, the freeze is over"),
        ("[stay away from] {m}", "you can go into {m} again"),
        ("we [don't] write docstrings in {m}", "changed my mind on the {m} docstrings, write them"),
        ("the {m} folder is [off limits]", "{m} isn't off limits anymore"),
        (
            "[only] use {m} through the wrapper",
            "no need for the wrapper anymore, call {m} directly",
        ),
        ("[do not] deploy {m} this week", "ok you may deploy {m}"),
        ("[avoid] {m} in new code", "avoiding {m} is not necessary any longer"),
    ),
    "zh": (("[不要]改 {m}", "{m} 现在可以改了"), ("提交前[必须]跑 {m}", "{m} 不用再跑了")),
    "pt": (
        ("[não] mexe no {m}", "pode mexer no {m} de novo"),
        ("[sempre] roda o {m} antes do commit", "não precisa mais rodar o {m}"),
    ),
    "fr": (
        ("[ne] touche [pas] à {m}", "c'est bon, tu peux toucher à {m}"),
        ("[toujours] demander avant de modifier {m}", "plus besoin de demander pour {m}"),
    ),
    "es": (
        ("[no] uses {m}", "ya puedes usar {m}"),
        ("[siempre] pasa {m} antes de subir", "olvida lo de {m}, ya no hace falta"),
    ),
}

OBJECTIVES = {
    "en": (
        "ok parking this. next up: get {m} to compile on arm",
        "change of plans, we need {m} to support sso by friday",
        "forget the refactor, what i actually need is a way to export {m} as csv",
        "new task: write an importer for {m}",
        "alright that's merged. now I want you to port {m} to typescript",
        "let's switch gears and look at why {m} leaks memory",
        "actually, priority is {m} now: find out why it times out under load",
        "Put this on hold please. The customer needs {m} to accept xlsx files.",
        "scratch that, we're building {m} as a separate service instead",
        "moving on to {m}. it should be able to resume interrupted uploads",
        "The goal for today has changed: make {m} pass the accessibility audit",
        "can you leave that and implement the retry queue for {m}?",
    ),
    "zh": ("先不管这个了,帮我把 {m} 做成一个命令行工具", "接下来做别的:给 {m} 加上缓存"),
    "pt": (
        "muda de plano: agora precisamos que o {m} funcione offline",
        "deixa isso pra depois e cria uma tela de login pro {m}",
    ),
    "fr": (
        "on change d'objectif : il faut que {m} tourne sous docker",
        "laisse tomber ça, écris plutôt un client pour {m}",
    ),
    "es": ("cambio de planes: hay que migrar {m} a postgres", "deja eso y añade paginación a {m}"),
}

ANSWERS = (
    ("What should back the {m} cache?", "{m}-valkey", "{r} runs out of memory"),
    ("Keep {m} in this repository?", "{m}-split", "{r} wants to release on its own"),
    ("How should {m} report progress?", "{m}-polling", "websockets do not get past {r}"),
)

DECISIONS = {
    "en": (
        "{m} it is, {r} would take too long to set up",
        "we're going with {m}; {r} is not maintained anymore",
        "I'd pick {m} over the alternatives, mainly because of {r}",
        "ok let's do {m} then, since {r} can't be changed on our side",
        "settled on {m} with the team today, reason being {r}",
        "use {m} for this, {r} was too slow when we tried it",
        "after talking to ops: {m}, as {r} has no support contract",
        "option two, {m}. {r} doesn't scale.",
        "we chose {m} because {r} is what the rest of the company runs",
        "my vote goes to {m} given that {r} is eol next year",
    ),
    "zh": ("就用 {m} 吧,{r} 太慢了", "决定采用 {m},因为 {r} 不支持事务"),
    "pt": ("vamos de {m}, porque o {r} não aguenta o volume", "fechado: {m}, já que {r} é pago"),
    "fr": (
        "on part sur {m}, {r} est trop lourd",
        "j'ai choisi {m} parce que {r} n'est plus maintenu",
    ),
    "es": (
        "nos quedamos con {m} porque {r} da problemas",
        "al final {m}, ya que {r} no tiene soporte",
    ),
}

TODOS = (
    "handle {m} timeouts",
    "Backfill {m} for old accounts",
    "Find out why {m} is called twice",
    "delete dead code in {m}",
    "{m}: return 404 instead of 500",
    "Ask design about the {m} empty state",
    "Port {m} fixtures to the new format",
)

VALUES = {
    "en": {
        "url": (
            "fyi {m} moved to {v}",
            "point {m} at {v}",
            "the swagger for {m}: {v}",
            "you can reach {m} on {v} from inside the vpn",
        ),
        "port": (
            "{m} listens on {v} on my machine",
            "port for {m} is {v}",
            "tunnel is up, {m} => localhost:{v}",
        ),
        "version": (
            "we're pinned to {m} {v} for the time being",
            "{m} broke in {v}, keep that in mind",
            "prod runs {m} {v}",
        ),
        "id": (
            "{m} is tracked as {v}",
            "this is about {v}, the {m} thing",
            "test account for {m}: {v}",
        ),
    },
    "zh": {
        "url": ("{m} 部署在 {v}",),
        "port": ("{m} 跑在 {v} 端口",),
        "version": ("线上的 {m} 是 {v} 版本",),
        "id": ("{m} 的工单号:{v}",),
    },
    "pt": {
        "url": ("o {m} fica em {v}",),
        "port": ("o {m} sobe na porta {v}",),
        "version": ("estamos no {m} {v}",),
        "id": ("o chamado do {m} é {v}",),
    },
    "fr": {
        "url": ("pour {m} c'est {v}",),
        "port": ("{m} écoute sur le {v}",),
        "version": ("en prod on a {m} {v}",),
        "id": ("le ticket de {m} : {v}",),
    },
    "es": {
        "url": ("{m} está en {v}",),
        "port": ("{m} corre en el puerto {v}",),
        "version": ("usamos {m} {v}",),
        "id": ("la incidencia de {m} es {v}",),
    },
}

FILES = {
    "en": (
        "{f} blows up if {r} is missing, can you take a look",
        "in {f} we should cache {r} instead of asking every time",
        "tweak {f} so that {r} shows up first",
        "{r} is duplicated, I think it's {f}",
    ),
    "zh": ("{f} 里的 {r} 算错了,改一下",),
    "pt": ("arruma o {f}, o {r} está vindo vazio",),
    "fr": ("dans {f}, {r} est compté deux fois, corrige",),
    "es": ("arregla {f}, {r} sale desordenado",),
}

FAILURES = (
    "{m} still times out and I don't know why yet.",
    "Not fixed: {m} drops the second message.",
    "I could not get {m} to work, it refuses the certificate.",
)
FAILING = ("npm test -- {m}", "TypeError: cannot read properties of undefined ({m})")

CHECKS = {"test": "npx vitest run {m}", "build": "cargo build -p {m}", "lint": "ruff check {m}"}

DECOYS = {
    "log": (
        "{n} WARN [{m}] do not use this endpoint, it will be removed",
        "{n} {m}: you must call init() first",
    ),
    "code": (
        "# never call {m} twice\ndef {m}():\n    return None",
        "/* Always free {m} after use. */\nvoid {m}(void);",
    ),
    "output": (
        "## Style\n- never abbreviate {m}\n- {m} must be sorted",
        "{m} should always be run as root.\nDo not edit {m}.",
    ),
    "quotation": (
        'a colleague wrote "never touch {m} on a friday" in the ticket lol',
        'the linter says "do not import {m} here", what does that mean',
    ),
    "question": ("do we always have to build {m} first?", "why must {m} never be null?"),
}

ORDINARY = (
    "whats the difference between the two loaders",
    "ok run it again",
    "hmm the button is still grey",
    "can you check why the second test hangs",
    "add a flag for verbose output",
    "yes go ahead",
    "show me the diff",
    "the date is off by one in the export, timezone probably",
    "split that function, it's too long",
    "thx",
    "rename fetchAll to load_all and update the callers",
    "commit this",
    "I get a 403 when I open the settings",
    "looks good, whats next?",
    "could you write a short readme section about caching",
    "it doesn't work on my machine",
    "try with the other driver",
    "where do we set the locale?",
    "make the error message a bit friendlier",
    "merge main into this branch first",
    "I think the index is missing, can you confirm?",
    "this is slow, any idea?",
    "no, the other one",
    "explain the retry logic to me like I'm new here",
    "这个报错是什么意思",
    "testa de novo por favor",
    "ça marche pas, regarde les logs",
    "prueba otra vez",
)
