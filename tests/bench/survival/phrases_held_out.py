"""Phrasings that published numbers come from; nothing is developed on them.

`{m}` is a plant's marker, `{r}` its reason's, `{v}` a value, `{f}` a file. What stands in square
brackets is the modality: it must survive beside the marker.
"""

PROHIBITIONS = {
    "en": (
        "[Never] let {m} write into the shared cache.",
        "[Don't] split {m} into more files.",
        "[You must not] change how {m} sorts.",
        "[Do not] delete {m}, other teams read it.",
        "[Please do not] mock {m}.",
        "The {m} job [must never] run twice at once.",
        "[I don't ever want] {m} in the bundle.",
        "[No] TODO comments in {m}.",
        "{m} [is off-limits].",
        "[Leave] {m} [alone].",
        "[Hands off] the {m} certificates.",
        "The {m} api [is frozen] until March.",
        "[Avoid] touching {m} where you can.",
        "[Nobody] merges into {m} without a review.",
        "[Stop] adding flags to {m}.",
        "[don't even think about] caching {m}",
        "{m} [has no business being] in the core package",
        "[zero] tolerance for todo comments in {m}",
        "{m} is read only for you, [so no writes]",
        "[hold off on] any schema change to {m}",
        "i [dont want to see] sleeps in {m} ever again",
    ),
    "zh": ("[不要]在 {m} 里打印日志。", "[不许]改 {m} 的结构。", "[禁止]把 {m} 提交到仓库。"),
    "pt": ("[Nunca] apague os dados de {m}.", "[Não crie] novas tabelas em {m}.",
           "[Não use] {m} nos testes."),
    "fr": ("[Ne modifie jamais] le schéma de {m}.", "[N'ajoute pas] de colonnes à {m}.",
           "[Ne lance pas] {m} en local."),
    "es": ("[Nunca] escribas en {m} directamente.", "[No agregues] columnas a {m}.",
           "[No uses] {m} en las pruebas."),
}  # fmt: skip

OBLIGATIONS = {
    "en": (
        "[Always] go through {m} when you read the settings.",
        "New endpoints [must] be listed in {m}.",
        "You [need to] update {m} [whenever] the schema changes.",
        "[Ensure] that {m} keeps working offline.",
        "[Use] {m} for dates, [not] moment.",
        "[Tell me before] you add anything to {m}.",
        "All logs [should] go through {m}.",
        "[From here on], every change to {m} gets its own commit.",
        "[We prefer] {m} to handwritten SQL.",
        "[Only] the nightly job writes to {m}.",
        "Every function in {m} [needs] a type.",
        "[Keep] the {m} functions short.",
        "[Remember:] {m} is read-only.",
        "[Run] {m} [before every] commit.",
        "[I'd like] {m} to be used for [all] new forms.",
        "[be sure to] lock {m} before writing",
        "the {m} tests [run] in order, keep it that way",
        "all our {m} queries [go via] the pool",
        "docs for {m} [live] next to the code",
        "i [like] my {m} imports sorted, do that please",
        "{m} [is supposed to] work without javascript, so check that each time",
    ),
    "zh": ("[必须]用 {m} 处理时间。", "每次修改 {m} [都要]加测试。", "[请用] {m} [而不是] axios。"),
    "pt": ("[Sempre] use {m} para datas.", "Toda rota nova [deve] passar por {m}.",
           "[A partir de agora] registre tudo em {m}."),
    "fr": ("[Toujours] passer par {m} pour les dates.", "Tout nouvel appel [doit] passer par {m}.",
           "[À partir de maintenant] note tout dans {m}."),
    "es": ("[Siempre] pasa por {m} para las fechas.", "Toda ruta nueva [debe] pasar por {m}.",
           "[A partir de ahora] anota todo en {m}."),
}  # fmt: skip

LIFTED = {
    "en": (
        ("[Don't] restart {m}.", "You may restart {m} now."),
        ("[Never] merge {m} pull requests.", "Merging {m} pull requests is fine from now on."),
        ("[Always] run the {m} checks twice.", "You don't need to run the {m} checks twice any"
         " more."),
        ("[Use] {m}, [not] lodash.", "Drop the rule about {m}."),
        ("[Leave] the {m} logo [alone].", "The {m} logo can be replaced now."),
        ("Every {m} class [must] have a test.", "Tests for {m} classes are no longer necessary."),
        ("[hold off on] {m} changes", "{m} is unfrozen, go ahead"),
        ("[don't] log to {m}", "logging to {m} is allowed again"),
        ("[make sure] {m} is rebuilt every time", "drop the {m} rebuild thing, not needed"),
        ("[no] edits in {m}", "we can edit {m} again since the release is out"),
    ),
    "zh": (("[不要]删除 {m} 的缓存。", "{m} 的缓存现在可以删除了。"),
           ("[必须]检查 {m} 的权限。", "不用再检查 {m} 的权限了。")),
    "pt": (("[Não apague] os backups de {m}.", "Agora pode apagar os backups de {m}."),
           ("[Sempre] traduza as mensagens {m}.", "Não precisa mais traduzir as mensagens {m}.")),
    "fr": (("[Ne supprime pas] les copies {m}.", "Tu peux maintenant supprimer les copies {m}."),
           ("Traduis [toujours] les messages {m}.", "Plus besoin de traduire les messages {m}.")),
    "es": (("[No borres] las copias de {m}.", "Ahora puedes borrar las copias de {m}."),
           ("[Siempre] traduce los mensajes {m}.", "Ya no hace falta traducir los mensajes {m}.")),
}  # fmt: skip

OBJECTIVES = {
    "en": (
        "Let's pause this. I want you to build the {m} archive instead.",
        "Something else now: the {m} upload must resume after a break.",
        "Please switch over to the {m} migration.",
        "New plan: we rewrite {m} in Go.",
        "Drop that and start on the {m} report.",
        "The next task is {m}: users shall be able to undo.",
        "ok enough of that, lets get {m} deployed on the staging box",
        "different topic: i want {m} to send a weekly digest",
        "hold that thought. the urgent thing is {m}, users cannot log in",
        "now for something new, build a dashboard for {m}",
    ),
    "zh": ("换一个任务:实现 {m} 的撤销功能。", "先把这个放下,做 {m} 的归档。"),
    "pt": ("Novo objetivo: implementar o arquivo de {m}.",
           "Vamos passar para a migração de {m}."),
    "fr": ("Nouvel objectif : écrire l'archive de {m}.", "Passons à la migration de {m}."),
    "es": ("Nuevo objetivo: implementar el archivo de {m}.", "Pasemos a la migración de {m}."),
}  # fmt: skip

ANSWERS = (
    ("Where do {m} uploads go?", "{m}-bucket", "{r} fills its disk every week"),
    ("Who may call {m}?", "{m}-internal", "{r} would need an audit first"),
    ("Split {m} now or later?", "{m}-later", "{r} is being rewritten anyway"),
    ("How are {m} errors shown?", "{m}-toast", "a dialog hides {r}"),
)

DECISIONS = {
    "en": (
        "Let's choose {m} because {r} needs a license. Go ahead then.",
        "We have decided to keep {m} since {r} loses events.",
        "I'll go with {m}, because {r} is hard to test.",
        "We agreed on {m} because {r} has no maintainer.",
        "fine, {m}. {r} is not worth the trouble",
        "team voted for {m} because {r} is hard to debug",
        "I'm leaning {m}, {r} worries me, so do that",
        "sticking with {m} because {r} would break the old clients",
    ),
    "zh": ("我们决定保留 {m},因为 {r} 会丢数据。", "用 {m} 吧,因为 {r} 要收费。"),
    "pt": ("Vamos com {m} porque {r} perde eventos.", "Escolho {m} porque {r} exige licença."),
    "fr": ("On part sur {m} car {r} perd des messages.", "Je prends {m} parce que {r} est payant."),
    "es": ("Vamos con {m} porque {r} pierde eventos.", "Hemos elegido {m} porque {r} es de pago."),
}

TODOS = (
    "Move {m} to the shared folder",
    "Give {m} a timeout",
    "Write down how {m} is restored",
    "Compare {m} with the old output",
    "Let {m} accept an empty list",
    "Throw out the {m} workaround",
)

VALUES = {
    "en": {
        "url": ("If you want to try {m}, it runs on {v}.", "{m} redirects to {v} these days"),
        "port": ("my {m} container maps {v}", "Start {m} on port {v}, the other one is taken."),
        "version": ("{m} has to stay compatible with {v}", "we upgraded {m} to {v} last week"),
        "id": ("see {v} for the {m} discussion", "my {m} tenant is {v}"),
    },
    "zh": {
        "url": ("测试 {m} 请用 {v}",),
        "port": ("{m} 监听 {v}",),
        "version": ("{m} 现在用 {v}",),
        "id": ("{m} 对应的编号是 {v}",),
    },
    "pt": {
        "url": ("dá pra acessar o {m} por {v}",),
        "port": ("a porta do {m} aqui é {v}",),
        "version": ("a versão do {m} em produção é {v}",),
        "id": ("o {m} foi registrado como {v}",),
    },
    "fr": {
        "url": ("{m} est joignable sur {v}",),
        "port": ("le port de {m}, c'est {v}",),
        "version": ("notre {m} est en version {v}",),
        "id": ("{m} porte le numéro {v}",),
    },
    "es": {
        "url": ("la doc de {m} vive en {v}",),
        "port": ("para {m} el puerto es {v}",),
        "version": ("{m} va por la {v}",),
        "id": ("{m} quedó anotado como {v}",),
    },
}

FILES = {
    "en": (
        "have {f} skip {r} when it is older than a day",
        "{f} should ask {r} only once",
        "there's a race between {f} and {r}, please sort it out",
    ),
    "zh": ("把 {f} 里处理 {r} 的逻辑抽出来",),
    "pt": ("no {f} falta validar {r}",),
    "fr": ("{f} plante dès que {r} est vide, répare ça",),
    "es": ("haz que {f} no dependa de {r}",),
}

FAILURES = (
    "The {m} job is still crashing on startup.",
    "Known problem: {m} swallows the second argument.",
    "Two requests to {m} remain unresolved.",
)
FAILING = ("go test ./internal/{m}", "panic: {m}: index out of range")

CHECKS = {
    "test": "./gradlew :{m}:test",
    "build": "make {m}-build",
    "lint": "golangci-lint run ./pkg/{m}/...",
}

DECOYS = {
    "log": (
        "{n} [main] INFO {m} - clients should never reuse this id",
        "{n} <3> {m}: refusing connection, clients must not reuse tickets",
    ),
    "code": (
        "-- {m} must always be locked first\nSELECT * FROM {m};",
        "if (!{m}) throw new Error('always pass {m}')  // never null",
    ),
    "output": (
        "Usage: {m} [OPTIONS]\nNote: never pass --force.\nYou must always set {m}_HOME.",
        "error: {m} must be declared before use, never after\n",
    ),
    "quotation": (
        '"You must never call {m} directly", says the manual. Does that hold for us?',
        'The vendor wrote to us: "customers must never call {m} directly". Is that why?',
    ),
    "question": (
        "Is it true that we should never call {m} twice?",
        "isn't it so that you should always close {m}?",
    ),
}

ORDINARY = (
    "Where does the invoice number come from?",
    "and for the customers, too",
    "Have a look at the router and explain the order of the middlewares.",
    "The menu closes when I click inside it, please repair that.",
    "great",
    "Inline the two helpers at the end of src/lib/format.ts.",
    "Looks right. Commit, please.",
    "once more",
    "Now two tests are red.",
    "Write an endpoint for the monthly totals.",
    "What is returned by loadProfile for a deleted user?",
    "Cover the branch with the negative amount.",
    "Maybe the lock is taken twice.",
    "nope",
    "The first one.",
    "The import of 40 MB files takes 9 minutes, find out why.",
    "Which of the two clients is the old one?",
    "Turn order_id into a uuid in the model and in the form.",
    "It is red again, the same line.",
    "Align the labels in the dialog.",
    "Begin with the queue, it loses jobs.",
    "Could this be done without the loop?",
    "The total is off by one cent.",
    "proceed",
    "Fine. After that the sidebar: it should stay open.",
    "I merged main, is everything still green?",
    "Who calls this function?",
    "List the newest entries first and hide the archived ones.",
)
