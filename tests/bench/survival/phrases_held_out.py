"""Phrasings that published numbers come from, written after the last change and not developed on.

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
    ),
    "zh": ("换一个任务:实现 {m} 的撤销功能。", "先把这个放下,做 {m} 的归档。"),
    "pt": ("Novo objetivo: implementar o arquivo de {m}.",
           "Vamos passar para a migração de {m}."),
    "fr": ("Nouvel objectif : écrire l'archive de {m}.", "Passons à la migration de {m}."),
    "es": ("Nuevo objetivo: implementar el archivo de {m}.", "Pasemos a la migración de {m}."),
}  # fmt: skip

ANSWERS = (
    ("What should {m} fall back to?", "{m}-local", "because {r} is down too often"),
    ("Which format for the {m} dump?", "{m}-parquet", "the analysts read {r} anyway"),
    ("Who triggers the {m} sync?", "{m}-webhook", "since {r} polls too slowly"),
)

DECISIONS = {
    "en": (
        "Let's choose {m} because {r} needs a license. Go ahead then.",
        "We have decided to keep {m} since {r} loses events.",
        "I'll go with {m}, because {r} is hard to test.",
        "We agreed on {m} because {r} has no maintainer.",
    ),
    "zh": ("我们决定保留 {m},因为 {r} 会丢数据。", "用 {m} 吧,因为 {r} 要收费。"),
    "pt": ("Vamos com {m} porque {r} perde eventos.", "Escolho {m} porque {r} exige licença."),
    "fr": ("On part sur {m} car {r} perd des messages.", "Je prends {m} parce que {r} est payant."),
    "es": ("Vamos con {m} porque {r} pierde eventos.", "Hemos elegido {m} porque {r} es de pago."),
}

TODOS = (
    "Paginate the {m} list",
    "Translate the {m} errors",
    "Replace the {m} mock by a fixture",
    "Check {m} under load",
    "Delete unused {m} images",
    "Explain {m} in the handbook",
)

VALUES = {
    "en": {
        "url": ("You find the {m} board at {v}.", "Test {m} against {v}."),
        "port": ("Bind {m} to port {v}.", "Port {v} belongs to {m}."),
        "version": ("{m} broke with {v}.", "Our fork of {m} is based on {v}."),
        "id": ("{v} describes how {m} should react.", "Reference {v} in everything about {m}."),
    },
    "zh": {"url": ("{m} 的文档在 {v} 。",), "port": ("本地 {m} 跑在端口 {v}。",),
           "version": ("最后一个正常的 {m} 版本是 {v}。",), "id": ("{m} 的编号是 {v}。",)},
    "pt": {"url": ("A documentação de {m} está em {v}.",), "port": ("Rode {m} na porta {v}.",),
           "version": ("O último {m} bom foi o {v}.",), "id": ("O número de {m} é {v}.",)},
    "fr": {"url": ("La documentation de {m} est ici : {v}.",), "port": ("Lance {m} sur le port"
           " {v}.",), "version": ("Le dernier {m} correct était {v}.",),
           "id": ("Le numéro de {m} est {v}.",)},
    "es": {"url": ("La documentación de {m} está en {v}.",), "port": ("Lanza {m} en el puerto"
           " {v}.",), "version": ("El último {m} bueno fue {v}.",),
           "id": ("El número de {m} es {v}.",)},
}  # fmt: skip

FILES = {
    "en": (
        "{f} crashes on {r}, please repair it.",
        "Move the {r} handling in {f} to the end.",
        "Let {f} log {r} once instead of twice.",
    ),
    "zh": ("{f} 里的 {r} 默认值不对,改一下。",),
    "pt": ("Em {f} o valor de {r} está errado, ajuste.",),
    "fr": ("Dans {f} la valeur de {r} est fausse, corrige-la.",),
    "es": ("En {f} el valor de {r} está mal, ajústalo.",),
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
    "log": "{n} [main] INFO {m} - clients should never reuse this id",
    "code": "-- {m} must always be locked first\nSELECT * FROM {m};",
    "output": "Usage: {m} [OPTIONS]\nNote: never pass --force.\nYou must always set {m}_HOME.",
    "quotation": '"You must never call {m} directly", says the manual. Does that hold for us?',
    "question": "Is it true that we should never call {m} twice?",
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
