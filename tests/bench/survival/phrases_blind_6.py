"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "[don't] touch {m} while you're in there, marta has a branch open on it",
        "please [do not] add {m} as a dependency",
        "[never] call {m} from the request thread, it locks up",
        "you [must not] write to {m} directly",
        "[no] drive-by cleanup in {m} pls, makes the review hell",
        "{m} [should not] know anything about the database",
        "[avoid] {m} wherever you can, it drags in half of npm",
        "from now on we [stop using] {m} for new screens",
        "you [can't] use {m} here, the build box is air gapped",
        "I [don't want] {m} to end up in the docker image",
        "careful, [don't let] {m} import from the ui package",
        "[leave] {m} [alone], I mean it this time",
        "{m} [isn't allowed] in production code, it's a test helper",
        "[Under no circumstances] delete rows from {m}.",
        "whatever else you do, [not a single] change to {m} today",
        "we agreed in standup that {m} [won't be] upgraded this quarter",
        "{m} [is off the table], compliance was pretty clear",
        "treat {m} [like a museum exhibit]",
        "[steer clear of] {m}, there be dragons",
        "if you find yourself editing {m}, [you've taken a wrong turn]",
        "{m} [stays shut] until the auditors have left",
        "[I'd rather eat my keyboard than] see {m} in this codebase again",
        "[let sleeping dogs lie] with {m}, it works and no one knows why",
        "that's a [hard pass] on {m} from me",
    ),
    "zh": (
        "{m} [先不要]改,等我回来再说",
        "以后[禁止]在 {m} 里直接拼 SQL",
        "{m} 这块[碰都不要碰],出过事故",
        "[不准]把 {m} 提交到仓库",
        "[绝不能]在生产环境跑 {m}",
    ),
    "pt": (
        "por favor [não] atualize o {m} ainda",
        "[nada de] gambiarra no {m}",
        "{m} nos testes [nem pensar]",
        "o {m} [não pode] ir pro repositório",
    ),
    "fr": (
        "[ne] modifie [pas] {m}, c'est du code généré",
        "[évite] d'appeler {m} dans une boucle",
        "[pas de] {m} en prod, merci",
        "on [laisse] {m} [tranquille] jusqu'à la release",
    ),
    "es": (
        "[no] actualices {m}, rompe el build",
        "la lógica de negocio [no va] en {m}",
        "{m} en el frontend [ni de broma]",
        "{m} [no se puede] usar en producción",
    ),
}

OBLIGATIONS = {
    "en": (
        "you should [always] take the lock before writing to {m}",
        "[make sure] {m} still compiles on node 18",
        "{m} changed? then you [have to] bump its version",
        "errors from {m} [must] be wrapped before they reach the controller",
        "[remember to] regenerate the client whenever {m} changes",
        "from now on dates [get formatted by] {m}",
        "please [write] the commit messages for {m} in the imperative",
        "http calls [only] via {m} please",
        "{m} [needs] a changelog entry for each fix, however small",
        "[Before] you edit {m}, [make a backup].",
        "I [expect] a test for each bug you fix in {m}",
        "{m} [should] work with python 3.8 as well, some customers are stuck there",
        "when you add an endpoint to {m}, [document] it in openapi.yaml too",
        "in this repo we [wrap] anything that talks to {m} in a retry",
        "[stick to] the existing layout in {m}",
        "{m} migrations [are required to] be reversible, ops insists",
        "{m} is our [single source of truth] for prices",
        "[small steps] in {m} pls, one commit per idea",
        "[belt and braces] with {m}: validate on the way in and on the way out",
        "as far as auth is concerned, [all roads lead through] {m}",
        "{m} without a green pipeline [doesn't exist for me]",
        "[measure twice, cut once] with {m}: dry run, afterwards the real thing",
        "[first] the failing test, [then] the fix, that's how {m} is done",
        "anything added to {m} [earns its place with] a benchmark",
    ),
    "zh": (
        "写 {m} 之前[先]看一下现有的实现",
        "{m} 的金额[统一]用分做单位",
        "以后所有请求[必须]经过 {m}",
        "{m} 的注释[请用]中文写",
        "[务必]给 {m} 加上超时",
    ),
    "pt": (
        "[sempre] roda os testes do {m} antes do commit",
        "[lembra de] fechar a conexão do {m}",
        "todo erro do {m} [tem que] ir pro sentry",
        "[antes de] alterar o {m}, [me avisa]",
    ),
    "fr": (
        "[pense à] prévenir l'équipe quand {m} change",
        "[il faut] passer par {m} pour les dates",
        "[toujours] fermer {m} dans un finally",
        "{m} : [d'abord] un plan, [ensuite] le code",
    ),
    "es": (
        "cada cambio de {m} [termina con] los tests en verde",
        "[siempre] pasa los ids de {m} como texto",
        "cada error de {m} [debe] quedar en el log",
        "los cambios en {m} [los reviso yo] primero",
    ),
}

LIFTED = {
    "en": (
        ("deploying {m} [is my job]", "from now on you may deploy {m} yourself"),
        (
            "{m} [must stay] on java 8",
            "the java 8 restriction on {m} is history, upgrade if you like",
        ),
        ("[keep] lambdas [out of] {m}", "scratch what I said about lambdas in {m}"),
        ("[only] Priya edits {m}", "Priya left the team, so {m} is open to you as well"),
        (
            "please [run] the linter after each change to {m}",
            "you can stop running the linter on {m}",
        ),
        ("[no] network calls from {m}", "turns out {m} does need the network, so that rule is off"),
        ("{m} [has to] support ie11", "good news, we killed ie11 support for {m}"),
        ("[leave] {m} [as it is] till the demo", "demo is over, {m} is fair game"),
        ("I [want] two reviewers on {m} changes", "one pair of eyes is enough for {m} these days"),
        ("[nothing] that {m} returns is logged", "logging the output of {m} is fine after all"),
        (
            "[each] call to {m} [needs] a feature flag",
            "we're past the rollout, flags around {m} are not needed any more",
        ),
        ("{m} [is held to] 100% coverage", "forget the coverage target for {m}"),
        ("the worker [may not] import {m}", "the import ban on {m} has been lifted"),
        ("[stay with] plain js in {m}", "typescript in {m}? sure, I changed my mind"),
        ("{m} [is out of bounds] this sprint", "new sprint, you're welcome to work on {m} again"),
        (
            "[mirror] each {m} change in the wiki",
            "the wiki got shut down, so never mind it when you change {m}",
        ),
    ),
    "zh": (
        ("[不要]升级 {m}", "{m} 可以升级了,兼容问题解决了"),
        ("每次改 {m} [都要]写文档", "{m} 的文档以后不用写了"),
        ("{m} [只能]我来改", "之前说 {m} 只能我改,现在取消这个限制"),
    ),
    "pt": (
        ("[não] faz deploy do {m}", "pode fazer deploy do {m}, já liberaram"),
        ("[sempre] me pergunta antes de mudar o {m}", "não precisa mais me perguntar sobre o {m}"),
        ("deixa o {m} [quieto]", "o {m} tá liberado, pode alterar"),
    ),
    "fr": (
        ("{m} [reste en] version 2", "tu peux mettre à jour {m} maintenant"),
        ("[il faut] documenter chaque fonction de {m}", "plus besoin de documenter {m}"),
        ("[évite] {m} pour l'instant", "oublie ce que j'ai dit sur {m}, sers-t'en"),
    ),
    "es": (
        ("[no] toques {m}", "lo de no tocar {m} ya no aplica"),
        ("[hay que] probar {m} a mano", "deja de probar {m} a mano, ya está automatizado"),
        ("{m} [está prohibido] en este repo", "levantaron la prohibición de {m}"),
    ),
}

OBJECTIVES = {
    "en": (
        "Next up: {m}. I want users to be able to reset their password there.",
        "right, let's move on to {m}, we need pagination in it",
        "New task. Port {m} from python 2 to 3.",
        "drop what you're doing, {m} is down in prod and we have to get it back up",
        "now that this is merged I want you to build a cli for {m}",
        "the customer is asking for dark mode in {m}, can you do that now",
        "switching gears: {m} has a memory leak and I want it found",
        "Your goal for this session is to get {m} under 200ms per request.",
        "let's leave that for later. what I really need is {m} speaking grpc",
        "moving on, please implement sso for {m}",
        "so the actual job: turn {m} into a library plus a thin app",
        "change of plan after lunch, we're doing the {m} search box first",
        "help me get {m} onto kubernetes, that's the main thing this week",
        "ok forget the css, i need {m} to import csv files from the bank",
        "Time to give {m} some love: it has zero tests and I want a decent suite.",
        "would you take over {m}? half of the webhooks are still missing",
    ),
    "zh": (
        "接下来的任务:给 {m} 加上权限控制",
        "先放一放,线上 {m} 挂了,赶紧修复",
        "我想让 {m} 支持多语言,今天就做这个",
    ),
    "pt": (
        "agora vamos pro {m}, preciso de login com google nele",
        "nova tarefa: migrar o {m} pra typescript",
        "mudança de planos, quero o {m} rodando em docker",
    ),
    "fr": (
        "nouvelle tâche : ajouter la pagination à {m}",
        "laisse tomber, on doit d'abord réparer {m} qui plante en prod",
        "maintenant je voudrais que {m} envoie des notifications",
    ),
    "es": (
        "siguiente tarea: migrar {m} a postgres",
        "cambio de planes, vamos a arreglar la fuga de memoria de {m}",
        "ahora quiero que {m} tenga modo oscuro",
    ),
}

ANSWERS = (
    ("Which backend should {m} write to?", "{m}-sqlite", "{r} needs a server of its own"),
    ("How do we want to authenticate against {m}?", "{m}-oauth", "{r} keeps passwords in clear"),
    ("Is {m} going to be one package or several?", "{m}-mono", "{r} made releases a pain"),
    ("What format does {m} export?", "{m}-parquet", "{r} took an hour per file"),
)

DECISIONS = {
    "en": (
        "let's use {m}, {r} doesn't support windows",
        "go with {m} because {r} is way too heavy for this",
        "We decided on {m} since {r} has hardly any docs.",
        "switch to {m} please, {r} hasn't had a release in two years",
        "after talking to the team: {m}. {r} would mean retraining half of them",
        "I prefer {m}, mainly because {r} eats so much memory",
        "Final answer {m}; {r} clashes with our licence.",
        "replace {r} with {m}, it breaks on every minor update",
        "we're going to standardise on {m} given that {r} only runs on x86",
        "Option 2, {m}. The open CVE rules {r} out.",
        "take {m} for the queue, we tried {r} once and lost messages",
        "{r} looked nice but the pricing killed it, so {m}",
        "Security won't sign off {r}, which leaves us with {m}",
        "do it using {m} please, {r} can't stream",
        "my money's on {m}, {r} smells like vendor lock-in",
        "{m} it is, {r} gave me nightmares at my last job",
        "{r} had its chance and corrupted the index twice. {m} gets the job.",
        "coin flip says {m}, and honestly {r} was losing anyway on startup time",
        "hello {m}, goodbye {r}, not one of us can debug its macros",
        "boring is good: {m}. {r} is still in beta",
    ),
    "zh": (
        "决定用 {m} 了,{r} 的文档太少",
        "就 {m} 吧,因为 {r} 不支持 arm",
        "{r} 内存占用太高,改成 {m}",
    ),
    "pt": (
        "vamos de {m}, o {r} é pesado demais",
        "decidi usar {m} porque o {r} não tem suporte",
        "o {r} vive quebrando, melhor o {m}",
    ),
    "fr": (
        "on part sur {m}, {r} est trop lent",
        "j'ai choisi {m} parce que {r} ne gère pas unicode",
        "{r} n'est plus maintenu, donc {m}",
    ),
    "es": (
        "al final {m}: {r} no funciona en windows",
        "me quedo con {m} porque {r} pesa demasiado",
        "cambia {r} por {m}, ya nadie lo mantiene",
    ),
}

TODOS = (
    "add retries to {m}",
    "Write a test for {m} with empty input",
    "document the env vars of {m}",
    "Remove the dead code around {m}",
    "measure {m} under load",
    "Ask design about the {m} icon",
    "rename {m} consistently",
)

VALUES = {
    "en": {
        "url": (
            "the staging instance of {m} is at {v}",
            "here's the link for {m}: {v}",
            "{m} moved, it lives under {v} these days",
        ),
        "port": (
            "{m} listens on {v}",
            "I've put {m} on port {v} because the default was taken",
            "you reach {m} on localhost, port {v}",
        ),
        "version": (
            "we're running {m} {v} in prod",
            "pin {m} to {v} please",
            "the bug showed up with {m} {v}",
        ),
        "id": (
            "the ticket for {m} is {v}",
            "look at record {v} in {m}, that's the broken one",
            "it's about {v}, a {m} case from yesterday",
        ),
    },
    "zh": {
        "url": ("{m} 的测试环境在 {v}", "文档地址 {v},是 {m} 的"),
        "port": ("{m} 监听 {v} 端口", "本地起的 {m} 用的是 {v}"),
        "version": ("线上的 {m} 是 {v} 版本", "请把 {m} 锁定在 {v}"),
        "id": ("{m} 的工单号 {v}", "看一下 {m} 里的 {v} 这条记录"),
    },
    "pt": {
        "url": ("o staging do {m} fica em {v}", "segue o link do {m}: {v}"),
        "port": ("o {m} escuta na porta {v}", "subi o {m} na {v} aqui"),
        "version": ("em produção roda o {m} {v}", "fixa o {m} em {v}"),
        "id": ("o ticket do {m} é o {v}", "olha o registro {v} no {m}"),
    },
    "fr": {
        "url": ("la préprod de {m} est sur {v}", "voilà le lien de {m} : {v}"),
        "port": ("{m} écoute sur {v}", "j'ai lancé {m} sur le port {v}"),
        "version": ("en prod on a {m} en {v}", "fixe {m} à {v}"),
        "id": ("le ticket de {m}, c'est {v}", "regarde la ligne {v} dans {m}"),
    },
    "es": {
        "url": ("el staging de {m} está en {v}", "te paso el enlace de {m}: {v}"),
        "port": ("{m} escucha en el {v}", "levanté {m} en el puerto {v}"),
        "version": ("en producción corre {m} {v}", "fija {m} en {v}"),
        "id": ("el ticket de {m} es {v}", "revisa el registro {v} en {m}"),
    },
}

FILES = {
    "en": (
        "can you rename {r} in {f}, the name is misleading",
        "there's a bug in {f}, {r} comes back empty",
        "{r} belongs in {f}, move it over",
        "open {f} and have a look at how {r} is built",
    ),
    "zh": ("在 {f} 里加上 {r}", "{f} 里的 {r} 好像写错了"),
    "pt": ("o {r} em {f} tá duplicado, arruma", "cria o {r} dentro de {f}"),
    "fr": ("dans {f}, {r} renvoie null", "déplace {r} vers {f}"),
    "es": ("en {f} falla {r}, míralo", "agrega {r} en {f}"),
}

FAILURES = (
    "{m} times out on the second request and I can't tell why yet.",
    "The migration went through, but {m} is red in CI.",
    "I was not able to reproduce the {m} race locally.",
    "Not solved so far: {m} drops the last row.",
)
FAILING = ("cargo test -p {m}", "thread 'main' panicked: index out of bounds ({m})")

CHECKS = {
    "test": "pytest -q tests/{m}",
    "build": "make -C {m} all",
    "lint": "golangci-lint run ./{m}/...",
}

DECOYS = {
    "log": (
        "{n} WARN {m}: connections should never exceed 50",
        "{n} [worker-2] {m} rejected: token must be renewed",
        "{n} DEBUG {m} always retries, attempt 3",
    ),
    "code": (
        "# never mutate {m} here\n{m} = dict({m})",
        'assert {m} is not None, "{m} must be set"',
        "// only call {m} after init()\nconst x = {m}();",
    ),
    "output": (
        "warning: do not use {m} in production\n1 warning generated.",
        "## Contributing\n\n- Always sign off commits to {m}.",
        "npm WARN deprecated {m}: switch to the maintained fork",
    ),
    "quotation": (
        'I get "you must not call {m} twice" in the console, where does it come from?',
        'the old readme says "never run {m} as root", is there a story behind it',
        'a user wrote us "please always show {m} first", what would that cost?',
    ),
    "question": (
        "should I never restart {m} by hand?",
        "must {m} run before the migrations or doesn't it matter?",
        "do we always ship {m} with debug symbols?",
    ),
}

ORDINARY = (
    "can you explain what this regex does",
    "I never saw that error before, what is it",
    "it always crashes on the third click",
    "only two tests left, nice",
    "that must have been the cache",
    "never mind, found it",
    "rename the button to Save",
    "run the tests again",
    "why did you remove the import",
    "looks good, commit it",
    "still red on ci",
    "the page only loads half of the images",
    "show me the diff",
    "I must admit this is pretty neat",
    "hmm no, the other one",
    "what's the difference between the two",
    "it should be green now, right?",
    "the tooltip doesn't go away on mobile",
    "i always forget the flag for that, what is it again",
    "split the last commit into two",
    "could you check whether the cron ran last night",
    "sorry, wrong window",
    "it used to work yesterday",
    "add a loading state to the table",
    "yes do that",
    "the query takes 40 seconds, any idea",
    "pull main and rebase",
    "I don't get it, say it more simply",
    "there is a typo in the header",
    "make the error text a bit friendlier",
    "is this the only place where we parse it?",
    "thanks, that did the trick",
    "my laptop died, where were we",
    "give me three names for this function",
    "the csv has a bom, that was it",
    "这个报错是什么意思",
    "再跑一遍测试",
    "pode rodar de novo?",
    "nunca vi esse erro antes",
    "montre-moi le résultat",
    "ça plante toujours au démarrage",
    "gracias, ahora funciona",
    "¿por qué tarda tanto?",
)
