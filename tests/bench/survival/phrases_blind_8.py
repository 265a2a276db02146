"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "[no] raw sql in {m}, it goes through the query builder or not at all",
        "hey, [leave] {m} [alone], Priya has half a branch open on it",
        "{m} is vendored, [we take it as it comes] and patch upstream",
        "Please [do not] log request bodies in {m}; they contain patient data.",
        "the {m} fixtures are signed off by the lab so [hands off]",
        "[dont] put sleeps in the {m} specs, theyre flaky enough",
        "adding retries inside {m} is [out of the question], the broker does that",
        "{m} gets published to customers, [keep] internal hostnames [out of] it",
        "[I'd be unhappy to find] another global in {m}",
        "nobody [but me] tags releases of {m}",
        "secrets [have no business] in {m}",
        "we [stopped] using moment in {m} last year, [don't] bring it back",
        "{m} [must not] allocate inside the audio callback",
        "[never] squash the history of {m}, legal wants every commit",
        "could you [hold off] on {m} until the auditors have left",
        "the column order in {m} is [frozen], a cobol job downstream reads it by position",
        "[stop] reformatting {m} every time you open it!!",
        "[pls dont] run {m} with --force, last time it wiped the staging bucket",
        "{m} [shouldn't] know anything about http",
        "Drivers in {m} [may not] block, this is an interrupt context.",
        "[at no point] should {m} write outside its own tmp dir",
        "comments in {m} that just repeat the code: [no thanks]",
        "i [cant have] you pushing to {m} while the store is open",
        "{m} is [read only] as far as you're concerned",
    ),
    "zh": (
        "{m} 是别的组在维护,[别]去碰",
        "[禁止]在 {m} 里写死密码",
        "{m} 里[不允许]出现同步请求,会卡界面",
        "没我同意[不能]往 {m} 里加字段",
    ),
    "pt": (
        "[não] quero [mais] print perdido no {m}",
        "[nunca] suba o {m} direto na main, já deu problema",
        "o {m} é do time fiscal, [ninguém] altera por aqui",
    ),
    "fr": (
        "[interdiction de] pousser sur {m} avant lundi",
        "[plus de] any dans {m} svp",
        "{m} [ne doit jamais] appeler le réseau pendant les tests",
    ),
    "es": (
        "[prohibido] tocar {m} mientras dure el cierre contable",
        "[ni se te ocurra] borrar datos de {m}",
        "en {m} [no se permiten] consultas sin límite",
    ),
}

OBLIGATIONS = {
    "en": (
        "amounts in {m} [are] integer cents, currency in its own column",
        "tests for {m} [live next to] the source, same name plus _test",
        "[always] open the {m} connection with a timeout",
        "if you add a setting to {m}, [document it] in the sample config too",
        "public functions in {m} [get] type hints",
        "you [have to] run the {m} simulator before you say a change works",
        "branch names for {m} [start with] the ticket number",
        "Every migration in {m} [must] be reversible, please.",
        "i [want to see] the plan before you start on {m}",
        "[stick to] the stdlib in {m}, the boards have 4 mb of flash",
        "in {m} [we write] british english, colour with a u",
        "{m} [ought to] degrade gracefully when the sensor is unplugged",
        "[double check] the units whenever a number goes into {m}",
        "when {m} changes shape the openapi file [changes with it]",
        "{m} [needs to] keep building with gcc 9, the cluster has nothing newer",
        "[dont forget to] clear the {m} cache after editing templates",
        "strings for {m} [come from] the translators sheet",
        "from today [all] the {m} queries take a tenant id",
        "[mandatory] for {m}: two reviewers and a green pipeline",
        "pls [use] the existing button from {m} instead of rolling ur own",
        "one {m} change, one commit, [that's how we do it here]",
        "Feature flags in {m} [default to] off.",
        "[it is essential that] {m} stays deterministic, seed everything",
        "answers about {m} [in short], I read them on my phone",
    ),
    "zh": (
        "{m} 的金额[全部按]分存,别用浮点",
        "每次改完 {m} [记得]更新文档",
        "{m} 的函数名[要用]下划线风格",
        "[务必]保证 {m} 能在离线环境下编译",
    ),
    "pt": (
        "no {m} as datas [vão em] iso, sem exceção",
        "[antes de] mexer no {m}, faz um backup",
        "os nomes das tabelas do {m} [têm que] ficar no singular",
    ),
    "fr": (
        "chaque écran de {m} [a droit à] son test visuel",
        "[il faut] documenter tout nouveau paramètre de {m}",
        "dans {m} [on met] les montants en centimes",
    ),
    "es": (
        "[acuérdate de] regenerar {m} cuando cambie el esquema",
        "los errores de {m} [deben] salir en castellano",
        "en {m} [trabajamos con] ramas cortas, un día como mucho",
    ),
}

LIFTED = {
    "en": (
        ("[please don't] edit {m}, Tom is in there", "Tom merged his stuff, edit {m} as you like"),
        (
            "[never] hit the live {m} api",
            "we got a sandbox key, so calling {m} is okay from now on",
        ),
        (
            "every {m} change [needs] my approval",
            "just go ahead with {m} changes without asking me",
        ),
        ("[no] async code in {m}", "async in {m} is allowed after all"),
        ("{m} [stays] on java 8", "the last java 8 box is gone, {m} doesn't have to stay there"),
        ("[run] {m} after each edit", "you can stop running {m} after each edit, takes ages"),
        ("[hands off] {m} till thursday", "its thursday, the {m} ban is lifted"),
        ("you [mustn't] rename columns in {m}", "scrap the rule about column names in {m}"),
        ("[always] squash commits in {m}", "squashing in {m} is optional from now on"),
        ("{m} is [frozen]", "we unfroze {m} this morning"),
        ("[only] Dana deploys {m}", "dana left the team, so you're welcome to deploy {m} yourself"),
        ("[dont] upgrade {m}, the plugin breaks", "plugin got fixed, feel free to upgrade {m}"),
        (
            "we [write] {m} without semicolons",
            "ignore the semicolon thing for {m}, prettier decides",
        ),
    ),
    "zh": (
        ("{m} [先不要]上线", "客户确认了,{m} 可以上线了"),
        ("改 {m} [一定要]先问我", "以后改 {m} 不需要问我了"),
    ),
    "pt": (
        ("[nada de] deploy do {m} essa semana", "liberado o deploy do {m}"),
        ("o {m} [tem que] rodar no php 7", "o {m} não precisa mais ficar no php 7"),
    ),
    "fr": (
        ("[interdit de] modifier {m}", "finalement tu as le droit de modifier {m}"),
        ("[il faut] lancer {m} à chaque fois", "tu n'es plus obligé de lancer {m}"),
    ),
    "es": (
        ("[prohibido] desplegar {m}", "se levantó la prohibición, despliega {m} cuando quieras"),
        ("[hay que] revisar {m} a mano", "ya no hay que revisar {m} a mano"),
    ),
}

OBJECTIVES = {
    "en": (
        "good, that's enough for that one. Next I'd like {m} to send a weekly digest mail",
        "drop the styling stuff, support is on fire: {m} double charges people, find out why",
        "new job for you: turn {m} into a proper pip package",
        "ok different topic. we have to make {m} work on ipads before the trade fair",
        "lets pause here and instead build a dry run mode for {m}",
        "My boss just called, what matters now is getting {m} to read the old dbf files.",
        "that can wait. please rewrite {m} so it streams rather than loading it all",
        "todays mission: cut the cold start of {m} in half",
        "never mind the dashboard, we want {m} to talk mqtt",
        "now that the parser is done lets do {m}, it should print receipts on the thermal printer",
        "we're dropping the plugin idea. Instead, {m} becomes a plain cron job",
        "could you start on {m} now? teachers should be able to grade in bulk with it",
        "The focus from here on is {m}: get its test coverage over 80 percent",
    ),
    "zh": ("那个先放一放,现在要做的是让 {m} 支持批量导入", "换个任务,把 {m} 从 vue2 升到 vue3"),
    "pt": (
        "esquece o relatório, o urgente agora é fazer o {m} emitir nota fiscal",
        "próxima tarefa: colocar notificação por e-mail no {m}",
    ),
    "fr": (
        "bon, on passe à autre chose : je voudrais que {m} génère des factures en pdf",
        "nouvelle priorité, réduire le temps de démarrage de {m}",
    ),
    "es": (
        "aparca lo anterior, ahora toca que {m} funcione con lector de códigos",
        "siguiente tarea: traducir {m} al catalán y al gallego",
    ),
}

ANSWERS = (
    ("Where should the {m} uploads be stored?", "{m}-minio", "{r} must stay in our own building"),
    ("Which queue should {m} use?", "{m}-nats", "nobody on call knows how to operate {r}"),
    (
        "Generate the {m} client or write it by hand?",
        "{m}-handmade",
        "the spec of {r} is full of holes",
    ),
)

DECISIONS = {
    "en": (
        "lets go for {m}, {r} costs extra per seat",
        "Decision from the architecture call: {m}, because {r} cannot run on premises.",
        "we'll take {m}. the thing is {r} only has a windows driver",
        "I slept on it and I want {m}, {r} would lock us in",
        "{m} wins, benchmarks say {r} is three times slower on the pi",
        "going w/ {m} bc {r} has no arm wheels",
        "Final answer is {m}, as {r} is what the auditors already know",
        "between the two i prefer {m}, simply because {r} needs root",
        "stay with {m} please, swapping it would mean retraining everyone on {r}",
        "we agreed on {m} in standup since {r} blew up twice this month",
        "rather {m} than the other one: {r} keeps breaking on unicode",
    ),
    "zh": ("讨论过了,选 {m},{r} 的授权费太贵", "还是用 {m} 好,毕竟 {r} 没人会维护"),
    "pt": (
        "decidimos usar {m}, o {r} não tem suporte a arm",
        "melhor {m} mesmo, porque {r} exige licença",
    ),
    "fr": ("ce sera {m}, vu que {r} ne gère pas l'utf-8", "on garde {m} car {r} coûte trop cher"),
    "es": (
        "hemos decidido usar {m} porque {r} consume demasiada memoria",
        "mejor {m}, {r} no lo conoce nadie en el equipo",
    ),
}

TODOS = (
    "Write a rollback script for {m}",
    "check {m} on a real phone",
    "replace the hardcoded vat rate in {m}",
    "Add an index for the {m} lookup",
    "{m}: trim whitespace in names",
    "measure how long {m} takes with 10k rows",
    "Tell accounting that {m} is changing",
    "remove the feature flag around {m}",
)

VALUES = {
    "en": {
        "url": (
            "the new home of {m} is {v}",
            "heres the staging link for {m} {v}",
            "docs for {m} live at {v}, bookmark it",
            "{m} webhook target: {v}",
        ),
        "port": (
            "I changed {m} to {v}, the old port was taken by airplay",
            "{m} is exposed on port {v} in compose",
            "the debugger for {m} attaches on {v}",
        ),
        "version": (
            "customers are still on {m} {v}",
            "just upgraded {m} to {v}",
            "ci image ships {m} {v}",
        ),
        "id": (
            "ticket for {m}: {v}",
            "see {v}, that's where we discuss {m}",
            "the {m} order that fails is {v}",
        ),
    },
    "zh": {
        "url": ("{m} 的测试环境地址是 {v}",),
        "port": ("{m} 的端口改成 {v} 了",),
        "version": ("{m} 目前用的版本是 {v}",),
        "id": ("{m} 这个问题的编号是 {v}",),
    },
    "pt": {
        "url": ("o endereço novo do {m} é {v}",),
        "port": ("o {m} tá escutando na {v}",),
        "version": ("o cliente ainda usa {m} {v}",),
        "id": ("abri o {v} por causa do {m}",),
    },
    "fr": {
        "url": ("l'adresse de {m}, c'est {v}",),
        "port": ("j'ai mis {m} sur le port {v}",),
        "version": ("on est restés sur {m} {v}",),
        "id": ("voir {v} pour le souci avec {m}",),
    },
    "es": {
        "url": ("la url de {m} es {v}",),
        "port": ("{m} escucha en el {v}",),
        "version": ("en producción tenemos {m} {v}",),
        "id": ("el ticket de {m}: {v}",),
    },
}

FILES = {
    "en": (
        "can u open {f} and make {r} case insensitive",
        "{f} rounds {r} the wrong way, invoices are a cent off",
        "pull {r} out of {f}, it has grown too big",
        "I suspect {f}: {r} is empty after the second login",
        "Add {r} to {f}, right after the header.",
    ),
    "zh": ("看一下 {f},{r} 有时候会是空的",),
    "pt": ("no {f} o {r} tá saindo com acento quebrado, vê isso",),
    "fr": ("regarde {f}, {r} disparaît quand on recharge",),
    "es": ("en {f} falta validar {r}, añádelo",),
}

FAILURES = (
    "{m} is still failing: the second run hangs after the login step.",
    "My change did not help, {m} returns an empty list as before.",
    "I was unable to build {m}; the linker cannot find libusb.",
    "The cause is not clear to me yet, {m} crashes only on the third start.",
)
FAILING = ("go test ./... -run {m}", "panic: assignment to entry in nil map ({m})")

CHECKS = {
    "test": "pytest -q tests/{m}",
    "build": "npm run build --workspace {m}",
    "lint": "npx eslint src/{m}",
}

DECOYS = {
    "log": (
        "{n} ERROR [{m}] password must contain at least 12 characters",
        "{n} INFO {m} never restart this worker by hand, the supervisor does it",
    ),
    "code": (
        "-- {m} must never be null\nCREATE VIEW {m} AS SELECT 1;",
        "def {m}(x):\n    # TODO always close the handle, do not reuse it\n    return x",
    ),
    "output": (
        "# Contributing\n1. Always open an issue first\n2. Do not vendor {m}",
        "Usage of {m}:\n  You must pass --yes.\n  Never run this on a shared host.",
    ),
    "quotation": (
        'the sticker on the server says "never unplug {m}", made me laugh',
        'sonar complains "{m} should not be empty" on every file, is that a bug in sonar?',
    ),
    "question": (
        "must {m} always run before the importer?",
        "why is it that we never call {m} from the worker?",
    ),
}

ORDINARY = (
    "what does this regex match",
    "pdf looks good now, the logo is a bit blurry tho",
    "open the pr as a draft",
    "it hangs at 97%",
    "and on windows?",
    "put the totals in bold",
    "sorry wrong window",
    "use the second screenshot, the first is from the old build",
    "undo the last change",
    "how long would it take to get the map tiles offline",
    "I think you mixed up width and height",
    "hm no still crashes, here's the trace",
    "add a column for the supplier",
    "which of these is faster?",
    "perfect, ship it",
    "the barcode scanner sends an enter at the end, can we strip that",
    "bump the patch version",
    "back from lunch, where were we",
    "the motor turns the wrong way round",
    "make it a dropdown",
    "why are there two config files",
    "Could you summarise what you changed since this morning?",
    "teh tooltip is cut off on small screens",
    "run the seed script and show me the first ten rows",
    "cool",
    "try it with an empty cart",
    "I renamed the folder, have another look",
    "how do I read this flame graph",
    "好的,继续",
    "agora deu certo, valeu",
    "tu peux m'expliquer cette ligne ?",
    "vale, sube los cambios",
)
