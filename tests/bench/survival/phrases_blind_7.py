"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "hands [off] {m} please, finance is reconciling it this week",
        "[do not ever] log patient names from {m}",
        "{m} [is frozen], so work around it",
        "I [dont want] any more feature flags in {m}",
        "the plc code in {m} [must not] be reformatted, certification stuff",
        "and [no] emojis in {m}, the client hates them",
        "[leave] {m} [alone], Priya is halfway through a rewrite",
        "[nver] run {m} without the dry run switch",
        "{m} [shall not] allocate after startup",
        "anything that blocks in {m} [is a bug], the audio thread lives there",
        "raw sql inside {m} [won't get past] review",
        "you [may not] send real emails from {m}, stub them",
        "the {m} column [can never] be null or negative, dont loosen that",
        "[stop] wrapping {m} in try/except, I want it to crash",
        "[without] my ok [nothing] from {m} leaves this laptop",
        "{m} is shared with the android team, so [no one] renames stuff in there",
        "Our lawyers [forbid] shipping {m} with telemetry turned on.",
        "pleas [dont] autoformat {m}, the diff gets unreadable",
        "copying from {m} into the gpl part [is out of the question]",
        "[steer clear of] {m}, half the shaders depend on its quirks",
        "I [hate] it when {m} gets inlined everywhere, so [cut that out]",
        "globals in {m}? [nope]. pass things in",
        "{m} [takes no] new parameters, it has eleven already",
        "the seeds in {m} [are read only] for us, the lab owns them",
    ),
    "zh": (
        "{m} 那边[千万别]碰,客户正在验收",
        "[禁止]在 {m} 里硬编码密钥",
        "{m} 的配置[谁都不能]改,运维会骂人的",
        "[别再]给 {m} 加全局变量了",
        "{m} 到月底[都是冻结的],有问题绕过去",
    ),
    "pt": (
        "[para de] criar arquivo novo dentro do {m}",
        "o {m} [é proibido] de acessar a internet, ambiente fechado",
        "no {m} [ninguém mexe] até sair a homologação",
    ),
    "fr": (
        "[interdiction de] renommer quoi que ce soit dans {m}",
        "{m}, [on n'y touche plus] avant la mise en prod",
        "[arrête de] mettre des print dans {m} stp",
    ),
    "es": (
        "[queda prohibido] hacer push directo a {m}",
        "[deja de] meter lógica de negocio en {m}",
        "{m} [está congelado] hasta que pase la auditoría",
    ),
}

OBLIGATIONS = {
    "en": (
        "money amounts in {m} [are] integer cents, all of them",
        "[double check] with me when {m} needs a schema change",
        "every chart in {m} [gets] an alt text",
        "if you add a sensor to {m} you [also] add its unit",
        "[alwyas] run {m} with the sanitizer on",
        "variable names in {m} [match] the paper, greek letters spelled out",
        "you [need to] reset the {m} emulator between runs",
        "the rule for {m} is simple: one migration, [one] commit",
        "public functions of {m} [carry] a docstring with an example",
        "I'd like you to [stick to] the builder pattern in {m}",
        "{m} [has got to] boot in under two seconds",
        "before touching {m} [take] a backup, every single time",
        "please [write] the {m} tests first, code after",
        "feature work on {m} [happens on] a branch, main is for releases",
        "translations for {m} [come from] the sheet, not from your head",
        "as of today all {m} requests [are required to] send a correlation id",
        "[let me see] the plan before you start on {m}",
        "{m} [should stay] readable for interns, so comment the odd bits",
        "[be sure to] free the {m} handles, we leak on windows",
        "dates coming out of {m} [look like] 2031-04-09 and nothing else",
        "Whoever changes {m} [updates] the runbook in the same PR.",
        "[everything] in {m} gets a type hint, yes private stuff too",
        "the {m} bom [must] list a second source for each part",
        "when {m} fails [show me] the full output and not a summary",
    ),
    "zh": (
        "{m} 每次改完[都得]更新文档",
        "[务必]给 {m} 的接口加上超时",
        "{m} 里的金额[一律用]分做单位",
        "动 {m} 之前[记得]备份一下数据库",
        "{m} 的注释[写中文],变量名还是英文",
    ),
    "pt": (
        "os nomes no {m} [ficam em] inglês, comentário pode ser em português",
        "[não esquece de] atualizar o changelog quando mudar o {m}",
        "o {m} [tem que] responder em menos de 300ms",
    ),
    "fr": (
        "chaque fonction de {m} [a droit à] son test",
        "[il faut] me montrer le diff avant de pousser sur {m}",
        "dans {m} les montants [sont] en centimes, partout",
    ),
    "es": (
        "[acuérdate de] regenerar {m} cuando cambie el esquema",
        "los commits de {m} [van] en inglés y en imperativo",
        "antes de tocar {m} [debes] avisarme",
    ),
}

LIFTED = {
    "en": (
        ("[please don't] rename anything in {m}", "renames in {m} are ok from here on"),
        (
            "[every] change to {m} needs a ticket",
            "we dropped the ticket thing for {m}, just change it",
        ),
        ("{m} [is frozen] until monday", "monday came, {m} is open for business"),
        ("[never] print from {m}", "print from {m} as much as you like, I turned the filter on"),
        ("[ask] before you restart {m}", "dont bother asking about {m} restarts, just do it"),
        (
            "{m} [must] work on internet explorer",
            "nobody uses IE now so {m} doesnt have to care about it",
        ),
        ("[no] async in {m}", "I take back the async ban for {m}"),
        ("you [can't] touch the {m} fixtures", "Lena gave her ok, the {m} fixtures can be edited"),
        (
            "[keep] {m} in a single file",
            "{m} has grown too much, splitting it is allowed after all",
        ),
        ("[always] squash {m} commits", "no more squashing for {m} please, we need the history"),
        (
            "[do not] query {m} during office hours",
            "we got a replica so query {m} whenever you want",
        ),
        (
            "[run] the full {m} suite after each edit",
            "the full {m} suite each time is overkill, you can stop that",
        ),
        ("{m} [stays out of] docker", "scrap the no docker thing for {m}"),
    ),
    "zh": (
        ("[别]往 {m} 里加新字段", "{m} 可以加字段了,之前说的作废"),
        ("每次改 {m} [都要]先问我", "{m} 以后不用问我了,直接改"),
    ),
    "pt": (
        (
            "[nada de] biblioteca nova no {m}",
            "aquela regra das bibliotecas no {m} caiu, pode instalar",
        ),
        (
            "o {m} [precisa] rodar no python 3.8",
            "ninguém mais usa 3.8, o {m} não precisa rodar nele",
        ),
    ),
    "fr": (
        ("[interdit de] modifier {m}", "{m} n'est plus interdit, vas-y"),
        (
            "[il faut] me prévenir quand tu relances {m}",
            "inutile de me prévenir pour {m} désormais",
        ),
    ),
    "es": (
        ("{m} [no se puede] reiniciar", "lo de no reiniciar {m} ya no aplica"),
        ("[hay que] pedir permiso para cambiar {m}", "ya no hace falta pedir permiso con {m}"),
    ),
}

OBJECTIVES = {
    "en": (
        "good, that's shipped. Now for the fun part: teach {m} to read barcode scans",
        "drop what you're doing, {m} double-charges customers and that comes first",
        "today I'd like to end up with a working prototype of {m}",
        "new plan: {m} becomes a browser extension",
        "ok enough of that. lets turn {m} into a proper package people can pip install",
        "we got a bigger fish: {m} needs to survive a power cut without losing readings",
        "park the dashboards. I need {m} to print shipping labels before the warehouse opens",
        "the next milestone is having {m} run on the raspberry pi",
        "could we instead focus on making {m} twice as fast?",
        "Different topic. Please build me a small page where teachers can upload {m} grades.",
        "never mind the colours, what I'm really after is undo/redo in {m}",
        "so the job is now to replace the old {m} parser by a streaming one",
    ),
    "zh": ("计划变了,现在的目标是让 {m} 支持多租户", "这个做完了,下面来写 {m} 的导入功能"),
    "pt": (
        "esquece o relatório, o que eu preciso agora é o {m} emitindo nota fiscal",
        "próxima tarefa: integrar o {m} com o pix",
    ),
    "fr": (
        "nouvelle priorité : {m} doit pouvoir exporter en pdf",
        "bon, on passe à autre chose, ajoute un mode hors ligne à {m}",
    ),
    "es": (
        "ahora lo importante es que {m} aguante mil usuarios a la vez",
        "siguiente cosa: hazme un bot que use {m} para las reservas",
    ),
}

ANSWERS = (
    ("Where should {m} keep its state?", "{m}-sqlite", "{r} cannot reach the network"),
    ("Which queue do you want for {m}?", "{m}-nats", "nobody here knows how to run {r}"),
    ("Should {m} render on the server or the client?", "{m}-ssr", "crawlers ignore what {r} draws"),
)

DECISIONS = {
    "en": (
        "lets take {m}, with {r} we would pay per seat",
        "ok {m} wins, {r} chokes on big files",
        "talked it over with Jonas and we'll use {m}, {r} has no arm build",
        "decision: {m}. Reason: {r} needs root",
        "I'm sold on {m}, because nobody on the team can debug {r}",
        "we'll stay with {m} as moving to {r} buys us nothing",
        "since {r} lost our data twice, {m} is what we go for",
        "{m} then. {r} looked nice but the docs are awful",
        "after the benchmark I prefer {m}, {r} needed 3x the memory",
        "Final answer from the board: {m}, on account of {r} being hosted overseas.",
    ),
    "zh": ("想了想还是选 {m},{r} 的授权费太贵", "和老板商量过了,用 {m},因为 {r} 没人维护"),
    "pt": (
        "decidimos pelo {m}, o {r} trava com arquivo grande",
        "fica o {m} mesmo, porque ninguém aqui conhece o {r}",
    ),
    "fr": (
        "finalement ce sera {m}, vu que {r} coûte une fortune",
        "on garde {m} parce que {r} ne gère pas les transactions",
    ),
    "es": (
        "decidido: {m}, porque {r} no corre en windows",
        "me quedo con {m}, {r} es demasiado lento",
    ),
}

TODOS = (
    "Write the rollback script for {m}",
    "{m}: validate the iban before saving",
    "Move the {m} secrets into the vault",
    "figure out who still calls {m}",
    "Add a loading spinner to {m}",
    "Measure {m} with 10k rows",
    "send Marta the {m} screenshots",
)

VALUES = {
    "en": {
        "url": (
            "staging of {m} lives under {v} now",
            "the docs I follow for {m} are here {v}",
            "use {v} as the base for {m} calls",
            "webhook for {m}: {v}, dont lose it",
        ),
        "port": (
            "I had to put {m} on {v} because the default was taken",
            "{m} answers on port {v} inside the container",
            "the debugger for {m} attaches at {v}",
        ),
        "version": (
            "our customers are still at {m} {v}",
            "the last good {m} was {v}",
            "I just upgraded {m} to {v}",
        ),
        "id": (
            "the {m} ticket is {v}",
            "see {v} for the whole {m} story",
            "{m} device under test has serial {v}",
        ),
    },
    "zh": {
        "url": ("{m} 的测试环境地址是 {v}",),
        "port": ("我本地 {m} 用的端口是 {v}",),
        "version": ("{m} 升到 {v} 了",),
        "id": ("{m} 这个问题的编号是 {v}",),
    },
    "pt": {
        "url": ("a homologação do {m} é {v}",),
        "port": ("aqui o {m} escuta na {v}",),
        "version": ("o cliente usa o {m} na versão {v}",),
        "id": ("a tarefa do {m} no jira é {v}",),
    },
    "fr": {
        "url": ("la recette de {m} est sur {v}",),
        "port": ("chez moi {m} tourne sur le port {v}",),
        "version": ("on est bloqués sur {m} {v}",),
        "id": ("le numéro du bug {m} c'est {v}",),
    },
    "es": {
        "url": ("el entorno de pruebas de {m} es {v}",),
        "port": ("yo levanto {m} en el {v}",),
        "version": ("el cliente sigue con {m} {v}",),
        "id": ("el caso de {m} lleva el número {v}",),
    },
}

FILES = {
    "en": (
        "open {f}, {r} is computed before the config is loaded",
        "{f} forgets to close {r}, pls fix",
        "can you make {f} accept {r} as a list too?",
        "i think {r} in {f} has the sign the wrong way round",
    ),
    "zh": ("看下 {f},{r} 没有做空值判断",),
    "pt": ("no {f} o {r} tá duplicando, dá uma olhada",),
    "fr": ("regarde {f}, {r} n'est jamais remis à zéro",),
    "es": ("en {f} falta validar {r}, ponlo",),
}

FAILURES = (
    "The {m} step keeps failing and my two attempts changed nothing.",
    "{m} is still broken: the handshake ends after the first packet.",
    "I was unable to reproduce the {m} crash, so it remains open.",
)
FAILING = ("go test ./{m}/...", "panic: runtime error: index out of range [3] with length 3 ({m})")

CHECKS = {
    "test": "pytest -q tests/{m}",
    "build": "make -C {m} all",
    "lint": "npx eslint {m} --max-warnings 0",
}

DECOYS = {
    "log": (
        "{n} ERROR {m}: credentials must never be empty, aborting",
        "{n} [{m}] deprecated option, please do not set it any more",
    ),
    "code": (
        "// must hold the {m} lock here, never release it early\nint {m}(int fd);",
        '"""Do not call {m} from a signal handler."""\n{m} = None',
    ),
    "output": (
        "CONTRIBUTING\n* always squash before merging {m}\n* no tabs in {m}",
        "hint: you should never rebase {m} once it is published.\nhint: Always fetch {m} first.",
    ),
    "quotation": (
        'their support told us "you must reinstall {m} every month", funny right',
        'the warning reads "never expose {m} to the internet", is that serious?',
    ),
    "question": (
        "is it true that you can never restart {m} while it syncs?",
        "should {m} always return a list or is None fine?",
    ),
}

ORDINARY = (
    "why is the fan on the ci box so loud lol",
    "do it",
    "whats in that json",
    "the tooltip sits behind the modal",
    "give me three name ideas for the helper",
    "undo the last edit",
    "which of these two queries is faster you think",
    "nice, that fixed it",
    "make the font a little bigger on the login screen",
    "still red",
    "how do i run only one test here",
    "the import took 40 min yesterday, usually its 5",
    "put the constants in their own file",
    "I dont get line 88, what is the mask for",
    "and the same for the supplier page",
    "it printed nothing at all",
    "hold on, wrong terminal",
    "compare that with what we had on friday",
    "the map shows berlin in the ocean, lat and lon swapped?",
    "add the missing translation for checkout",
    "ok and now in plain english",
    "push it",
    "can you draw the tables as ascii",
    "the motor spins the wrong way when I press left",
    "second option sounds fine to me",
    "hmm weird. works in firefox tho",
    "page 3 of the report is empty",
    "draft a short message to the customer about the delay",
    "再看一下日志",
    "valeu, agora mostra o resultado",
    "bof, le bouton est toujours décalé",
    "a ver, enséñame el error completo",
)
