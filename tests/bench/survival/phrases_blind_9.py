"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "hands [off] {m} till Priya is back from leave",
        "the auditors froze {m} on monday, so [no edits] in there please",
        "[stop] reformatting {m} every time you open it, the diffs are unreadable",
        "patient names [have no business] in {m}",
        "you're [not supposed to] write to {m} from the worker, it is read only for us",
        "[do not ever] commit the .env that sits next to {m}",
        "{m} [shouldnt] know anything about billing",
        "if a test in {m} is flaky tell me, [don't] just put a retry around it",
        "Our warehouse scanners still run the old firmware, so {m} [cannot] use websockets.",
        "raw sql in {m} is [a hard no] from the dba team",
        "[leave] {m} [alone], it's held together with tape",
        "[never] print the contents of {m}, theres card numbers in it",
        "Kindly [abstain from] upgrading {m}; the plugin vendor pins it.",
        "we got burned by {m} last winter, [let's not] pull it in again",
        "i'm [done with] globals in {m}",
        "{m} is [forbidden] in the firmware build, not enough flash",
        "[without] my ok [nothing] gets published from {m}",
        "the game designers own {m}, [it isn't ours to] change",
        "[No one] pushes to {m} during the school exams, that includes you",
        "comments in {m} that just repeat the code: [drop that habit]",
        "the kiosk has no mouse, so hover effects in {m} [are out]",
        "you [may not] rename columns of {m}, the tax office imports them by name",
        "[dont] evr run the {m} seeder against staging, it wipes the bookings",
    ),
    "zh": (
        "{m} 是客户那边维护的,[咱们别碰]",
        "[千万别]在生产环境跑 {m}",
        "{m} 里[禁止]写死密钥",
        "月底结账之前,{m} [不能]再加字段了",
    ),
    "pt": (
        "[para de] colocar print no {m}, polui o log todo",
        "o pessoal da contabilidade pediu: [ninguém] altera o {m} até o fechamento",
        "[nunca] dá push direto no {m}",
    ),
    "fr": (
        "{m}, [c'est chasse gardée], l'équipe paie s'en occupe",
        "[arrête de] mettre des any partout dans {m}",
        "[interdit de] lancer {m} sur la base de prod",
    ),
    "es": (
        "[deja de] meter lógica en {m}, eso es solo una vista",
        "{m} [queda prohibido] hasta que legal diga algo",
        "[ni se te ocurra] borrar {m}, lo usa la gente de almacén",
    ),
}

OBLIGATIONS = {
    "en": (
        "prices in {m} [are] integers, cents, for the whole shop",
        "before you open a PR on {m}, [squash it down] to one commit",
        "[don't forget to] update the {m} changelog, support reads it",
        "anything that lands in {m} [gets] a feature flag",
        "new {m} screens [come with] a storybook entry",
        "our clinic is audited so each write to {m} [has to] leave a trace in the journal",
        "I [want] type hints on all of {m}, no exceptions",
        "[always] use the metric system in {m}, the lab is in Zurich",
        "dates in {m}: [iso 8601 or bust]",
        "[stick to] the stdlib for {m}, the target box has no internet",
        "You [must] quote every path in the {m} scripts, half of our folders have spaces.",
        "when {m} changes, the sensor calibration [is rerun] the same day",
        "please [check with] Tomasz before anything in {m} gets merged",
        "{m} [ought to] start in under two seconds, the cashiers wont wait longer",
        "[make it a habit to] dry-run {m} first",
        "[every] query on {m} [carries] a tenant id",
        "branches for {m} [are named after] the ticket",
        "you'll [need to] keep {m} compiling on msvc as well, the studio is on windows",
        "[show me] the plan for {m} [before] writing any code",
        "secrets for {m} [live in] vault, nowhere else",
        "[be sure that] {m} keeps workin with screen readers",
        "we [require] two reviewers on {m} since the outage",
        "each time you're finished with {m} i'd [like to see] the output of the smoke test",
    ),
    "zh": (
        "动 {m} 的时候[记得]同步更新文档",
        "{m} 的变量名[跟着]老代码的风格走",
        "每次发版前[务必]备份 {m}",
        "{m} 里的金额[全部按]分来存",
    ),
    "pt": (
        "[antes de] subir qualquer coisa no {m}, [me mostra] o diff",
        "no {m} os nomes das variáveis [ficam] em português mesmo",
        "o {m} [tem que] rodar no tablet dos vendedores, que é bem fraco",
    ),
    "fr": (
        "[chaque] migration de {m} [a] son rollback",
        "[relance] les tests de {m} [dès que] tu changes une ligne",
        "il [faut] garder {m} compatible avec php 7, l'hébergeur suit pas",
    ),
    "es": (
        "[acuérdate de] regenerar {m} cuando cambie el esquema",
        "los textos de {m} [van] en castellano y en catalán",
        "[hay que] documentar cada función pública de {m}",
    ),
}

LIFTED = {
    "en": (
        ("[hands off] {m} until the demo", "demo went great, feel free to edit {m}"),
        (
            "[don't] upgrade {m}, the vendor pins it",
            "vendor unpinned {m}, so upgrading is ok from here on",
        ),
        ("[always] ask Marta before merging {m}", "Marta left the team, merge {m} without asking"),
        ("{m} [must] stay on java 8", "we dropped java 8, {m} doesn't have to stay on it"),
        ("[never] log requests in {m}", "legal cleared it: logging requests in {m} is allowed now"),
        (
            "[every] change to {m} [needs] two reviewers",
            "one reviewer is enough for {m} these days",
        ),
        ("[stop] writing tests for {m}", "please start writing tests for {m} again"),
        ("{m} is [frozen] till the end of the quarter", "the freeze on {m} has been lifted"),
        (
            "[run] the {m} linter [before] each push",
            "skip the {m} linter, it's part of the hook now",
        ),
        ("you [can't] import {m} from the ui", "ignore the ban on importing {m} in the ui"),
        (
            "[keep] {m} under 300 lines",
            "dont worry about the length of {m} any more, i was being silly",
        ),
        ("[only] Deepak edits {m}", "Deepak says anyone can edit {m} now, you included"),
    ),
    "zh": (
        ("[别]碰 {m},还在审计", "审计过了,{m} 随便改吧"),
        ("改 {m} [一定要]先问我", "{m} 以后不需要问我了,你自己定"),
    ),
    "pt": (
        (
            "[nada de] dependência nova no {m}",
            "esquece a regra do {m}, dependência nova tá liberada",
        ),
        ("o {m} [precisa] passar pelo João", "o {m} já não precisa passar pelo João"),
    ),
    "fr": (
        ("[interdiction de] déployer {m}", "l'interdiction sur {m} est levée, tu peux déployer"),
        ("{m} [doit] rester en php 7", "finalement {m} n'a plus à rester en php 7"),
    ),
    "es": (
        ("{m} está [congelado]", "{m} ya no está congelado, adelante"),
        ("[hay que] avisar antes de cambiar {m}", "para {m} ya no hace falta avisar a nadie"),
    ),
}

OBJECTIVES = {
    "en": (
        "next thing on my list: teach {m} to read barcodes from a photo",
        "ok different topic. our {m} dashboard should show occupancy per ward",
        "drop what you're doing, {m} is double charging customers and that needs fixing first",
        "I'd like you to turn {m} into a proper plugin now",
        "that one can wait. Today we're making {m} work with arabic text",
        "new sprint, new goal: cut the {m} build from 12 minutes to under 4",
        "could we do {m} instead? it has to print shipping labels by thursday",
        "never mind the css, the real job is getting {m} to sync with the tills",
        "so the next step is splitting {m} into a reader and a writer",
        "Boss just called, {m} needs a dark mode before the trade fair.",
        "lets put that aside & rewrite the {m} parser, its full of holes",
        "from now on we're working on {m}: users want to undo a booking",
    ),
    "zh": ("那个放一放,现在要让 {m} 支持批量导入", "新任务:把 {m} 的启动时间降到一秒以内"),
    "pt": (
        "esse aí fica pra semana que vem, agora o foco é fazer o {m} emitir nota fiscal",
        "nova tarefa: quero que o {m} mande aviso por whatsapp",
    ),
    "fr": (
        "on met ça de côté, maintenant je veux que {m} gère les remboursements",
        "prochaine étape : découper {m} en deux services",
    ),
    "es": (
        "aparca eso, lo urgente es que {m} imprima las etiquetas",
        "siguiente tarea: que {m} lea los pedidos desde un excel",
    ),
}

ANSWERS = (
    ("Which queue do we put behind {m}?", "{m}-nats", "nobody here can operate {r}"),
    ("Where should {m} store the scans?", "{m}-bucket", "{r} fills up every weekend"),
    ("Render {m} on the server or the client?", "{m}-server", "the kiosks choke on {r}"),
)

DECISIONS = {
    "en": (
        "let's take {m}, {r} costs more than the server it runs on",
        "The lab voted and it's {m}, because {r} loses precision.",
        "i decided on {m} in the end. {r} has no arm builds",
        "we'll stay with {m} seeing that {r} would mean retraining the nurses",
        "{m} wins, simply because {r} can't run offline",
        "go with {m} pls, {r} gave us nothing but trouble last season",
        "Between the two I prefer {m} as {r} is a pain to debug",
        "final answer {m}. reason: {r} isnt gdpr compliant",
        "the customer signed off on {m} since {r} needs a dongle",
        "ditching the other idea, {m} it'll be, {r} crashed twice in the pilot",
    ),
    "zh": ("最后选了 {m},主要是 {r} 授权费太贵", "那就定 {m} 了,因为 {r} 没人会维护"),
    "pt": (
        "batemos o martelo no {m} porque o {r} não tem suporte no Brasil",
        "prefiro o {m}, o {r} travou duas vezes no piloto",
    ),
    "fr": (
        "ce sera {m}, vu que {r} ne marche pas hors ligne",
        "décision prise avec le client : {m}, car {r} coûte trop cher",
    ),
    "es": (
        "me quedo con {m}, {r} pide demasiada memoria",
        "hemos decidido usar {m} porque {r} no pasa la auditoría",
    ),
}

TODOS = (
    "write a rollback for the {m} migration",
    "Chase legal about the {m} licence",
    "replace the hardcoded tax rate in {m}",
    "{m}: trim whitespace before comparing",
    "Measure how long {m} takes on the old tablets",
    "add pagination to {m} search",
    "Clean up the temp files {m} leaves behind",
)

VALUES = {
    "en": {
        "url": (
            "{m} lives at {v} since the move",
            "use {v} when you call {m}",
            "heres the {m} wiki, {v}",
            "the staging copy of {m} answers on {v}, same login",
        ),
        "port": (
            "{m} got bumped to port {v} because of a clash",
            "try {v} for {m}, thats the port in the compose file",
            "I exposed {m} on {v}",
        ),
        "version": (
            "the hospital still has {m} {v} installed",
            "anything older than {m} {v} is unsupported",
            "upgraded {m} to {v} this morning",
        ),
        "id": (
            "the ticket for {m} is {v}",
            "see {v} for the {m} crash",
            "{v} is the order that breaks {m}",
        ),
    },
    "zh": {
        "url": ("{m} 的文档在这里:{v}",),
        "port": ("{m} 的端口改成 {v} 了",),
        "version": ("我们用的是 {m} {v}",),
        "id": ("{m} 这个问题对应 {v}",),
    },
    "pt": {
        "url": ("o endereço do {m} agora é {v}",),
        "port": ("a porta do {m} é a {v}",),
        "version": ("o cliente usa o {m} {v}",),
        "id": ("abri o {v} pro problema do {m}",),
    },
    "fr": {
        "url": ("{m} est hébergé sur {v}",),
        "port": ("le port de {m}, c'est {v}",),
        "version": ("le client tourne encore avec {m} {v}",),
        "id": ("le bug de {m} est suivi dans {v}",),
    },
    "es": {
        "url": ("la api de {m} responde en {v}",),
        "port": ("el puerto de {m} es el {v}",),
        "version": ("el cliente sigue con {m} {v}",),
        "id": ("abrí {v} por lo de {m}",),
    },
}

FILES = {
    "en": (
        "someone broke {f} yesterday, {r} comes back as null",
        "open {f} and move {r} out of the loop",
        "{r} prints twice on the receipts, start with {f}",
        "can you make {f} accept {r} as an optional argument",
    ),
    "zh": ("看一下 {f},{r} 显示成乱码了",),
    "pt": ("dá uma olhada no {f}, o {r} aparece duplicado no recibo",),
    "fr": ("regarde {f}, {r} s'affiche en double sur le ticket",),
    "es": ("mira {f}, {r} llega vacío desde el formulario",),
}

FAILURES = (
    "The fix did not hold: {m} crashes again on the second import.",
    "I tried three approaches and {m} is still losing rows; the cause is unclear.",
    "{m} does not start, the driver rejects the handshake.",
)
FAILING = ("pytest -k {m} -x", "KeyError: '{m}' not found in registry")

CHECKS = {"test": "go test ./{m}/...", "build": "gradle :{m}:assemble", "lint": "eslint src/{m}"}

DECOYS = {
    "log": (
        "{n} ERROR {m} - never received ack, always retry with backoff",
        "{n} [info] {m}: clients should not connect before warmup",
    ),
    "code": (
        "// Do not call {m} from an interrupt.\nvoid {m}(int irq) {{}}",
        '"""Callers must close {m} themselves."""\nclass {m}:\n    pass',
    ),
    "output": (
        "CONTRIBUTING\n* Always run {m} before pushing\n* Never squash {m} commits",
        "warning: {m} must not be used in production.\nUsers should never edit {m} by hand.",
    ),
    "quotation": (
        'the old readme says "always restart {m} after lunch", no clue who wrote that',
        'customer mailed: "you must never show {m} to guests", I\'ll ask what they mean',
    ),
    "question": (
        "are we never allowed to cache {m}, or was that just for the pilot?",
        "should {m} always run as a separate process?",
    ),
}

ORDINARY = (
    "why is the invoice total negative here",
    "nice, ship it",
    "the spinner keeps spinning after the upload",
    "what did you change in the last step?",
    "add a column for the supplier's phone number",
    "undo that",
    "can you paste the full stack trace",
    "the chart labels overlap on my phone",
    "extract the parsing bit into its own file",
    "cheers",
    "convert those callbacks to async await",
    "one more time with the bigger dataset",
    "git says the branch has diverged, now what",
    "perfect, on to the tests",
    "draft a release note for the nurses, two sentences",
    "works for me but not for Ana",
    "use the second approach then",
    "which file holds the tax table?",
    "give the login page a bit more padding",
    "rebase on develop and tell me about conflicts",
    "is it the cache again? feels like it",
    "it took 40 seconds to load the map",
    "nope, i meant the left sidebar",
    "walk me through how the scheduler picks a job",
    "帮我看看这个函数为什么返回空",
    "roda os testes e me fala o resultado",
    "c'est bon, on continue",
    "enséñame el diff otra vez",
)
