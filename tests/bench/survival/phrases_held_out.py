"""Phrasings that published numbers come from, written after the last change and not developed on.

`{m}` is a plant's marker, `{r}` its reason's, `{v}` a value, `{f}` a file. What stands in square
brackets is the modality: it must survive beside the marker.
"""

PROHIBITIONS = {
    "en": (
        "[Never ever] drop the {m} table.",
        "[don't] rename anything in {m}",
        "We [must not] break the {m} contract.",
        "[Do not] write to {m} from the tests.",
        "Also, [please never] swallow errors in {m}.",
        "{m} [must never] block the main thread.",
        "I [never want] to see {m} in the public API.",
        "[No] new packages for {m}.",
        "The {m} assets [are not to be] compressed.",
        "[Leave] the {m} indentation [untouched].",
        "[Keep out of] {m}.",
        "The {m} release notes [are frozen].",
        "[Avoid] recursion inside {m}.",
        "[Nothing but] the {m} worker may open that socket.",
        "[Refrain from] editing {m} by hand.",
    ),
    "zh": ("[不要]升级 {m}。", "[严禁]在 {m} 里硬编码路径。", "[千万别]删 {m} 的备份。"),
    "pt": ("[Nunca] commite arquivos de {m}.", "[Não remova] os comentários de {m}.",
           "[Evite] laços aninhados em {m}."),
    "fr": ("[Ne supprime jamais] les journaux {m}.", "[Ne renomme pas] les champs de {m}.",
           "[Évite] la récursion dans {m}."),
    "es": ("[Nunca] cambies el puerto de {m}.", "[No borres] los comentarios de {m}.",
           "[Evita] la recursión en {m}."),
}  # fmt: skip

OBLIGATIONS = {
    "en": (
        "[Always] close the {m} handle yourself.",
        "The {m} response [must] be valid JSON.",
        "You [must] check {m} [before] every push.",
        "[Please make sure] the {m} output stays deterministic.",
        "[Use] {m} [rather than] shelling out.",
        "[Check with me before] you delete {m} rows.",
        "Every {m} query [should have] a timeout.",
        "[Going forward], name the {m} branches after the ticket.",
        "I [prefer] {m} over the new framework.",
        "[Only] admins may see the {m} page.",
        "Each {m} commit [needs] a ticket number.",
        "[Stay] within 80 columns in {m}.",
        "[Note:] {m} has to run on Windows too.",
        "We [only] use {m} for logging.",
        "I [want] tests [for every] {m} bug.",
    ),
    "zh": ("[务必]先备份 {m}。", "所有 {m} 的改动[都要]写进日志。", "[只用] {m} 做序列化。"),
    "pt": ("[Sempre] valide a entrada de {m}.", "Cada teste de {m} [deve] ser rápido.",
           "[Mantenha] {m} compatível com Linux."),
    "fr": ("Valide [toujours] les entrées de {m}.", "Chaque test de {m} [doit] rester rapide.",
           "[Utilise] {m} [plutôt que] des expressions régulières."),
    "es": ("[Siempre] valida la entrada de {m}.", "Cada prueba de {m} [debe] ser rápida.",
           "[Mantén] {m} compatible con Linux."),
}  # fmt: skip

LIFTED = {
    "en": (
        ("[Don't] use recursion in {m}.", "Recursion in {m} is allowed again."),
        ("[Never] write to the {m} bucket.", "You can now write to the {m} bucket."),
        ("[Always] prefix {m} events.", "We no longer have to prefix {m} events."),
        ("[Use] {m} [rather than] fetch.", "Ignore what I said about {m}."),
        ("[Keep out of] the {m} plugins.", "Feel free to change the {m} plugins."),
        ("Every {m} route [must] be rate limited.", "The rate limit rule for {m} routes no longer"
         " applies."),
    ),
    "zh": (("[不要]合并 {m} 分支。", "现在可以合并 {m} 分支了。"),
           ("[必须]给 {m} 签名。", "不需要再给 {m} 签名了。")),
    "pt": (("[Não altere] os preços de {m}.", "Já pode alterar os preços de {m}."),
           ("[Sempre] ordene a lista de {m}.", "Não precisa mais ordenar a lista de {m}.")),
    "fr": (("[Ne change pas] les prix de {m}.", "Tu peux de nouveau changer les prix de {m}."),
           ("Arrondis [toujours] les montants {m}.", "Plus besoin d'arrondir les montants {m}.")),
    "es": (("[No cambies] los precios de {m}.", "Ahora ya puedes cambiar los precios de {m}."),
           ("[Siempre] redondea los importes {m}.", "Ya no es necesario redondear los importes"
            " {m}.")),
}  # fmt: skip

OBJECTIVES = {
    "en": (
        "Put that aside, we should get the {m} sync working first.",
        "Different topic: the {m} invoices need a PDF export.",
        "Let's move on to the {m} search page.",
        "Never mind the styling, please write the {m} parser now.",
        "A new job for you: port {m} to the async client.",
        "OK, on to the next thing: {m} notifications by mail.",
    ),
    "zh": ("别管那个了,先实现 {m} 的搜索。", "下一个任务:把 {m} 迁移到新接口。"),
    "pt": ("Próxima tarefa: migrar {m} para o novo cliente.",
           "Esquece isso, vamos fazer a busca de {m}."),
    "fr": ("Prochaine tâche : migrer {m} vers le nouveau client.",
           "Oublie ça, faisons la recherche {m}."),
    "es": ("Siguiente tarea: migrar {m} al nuevo cliente.",
           "Olvida eso, hagamos la búsqueda de {m}."),
}  # fmt: skip

ANSWERS = (
    ("What should {m} fall back to?", "{m}-local", "because {r} is down too often"),
    ("Which format for the {m} dump?", "{m}-parquet", "the analysts read {r} anyway"),
    ("Who triggers the {m} sync?", "{m}-webhook", "since {r} polls too slowly"),
)

DECISIONS = {
    "en": (
        "Let's stick with {m} because {r} would need a rewrite. Please adapt the docs.",
        "We're going with {m} since {r} has no Windows build.",
        "I've picked {m}, because {r} crashed in the trial.",
        "We opted for {m} due to {r} being closed source.",
    ),
    "zh": ("我们决定采用 {m},因为 {r} 太复杂。", "选择 {m},因为 {r} 没有文档。"),
    "pt": ("Ficamos com {m} porque {r} não escala.", "Decidimos por {m}, pois {r} é complexo."),
    "fr": ("Nous avons décidé de garder {m} parce que {r} est lourd.",
           "Je choisis {m} car {r} est trop complexe."),
    "es": ("Nos quedamos con {m} porque {r} no escala.", "Elijo {m} porque {r} es complejo."),
}  # fmt: skip

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
        "url": ("Please read {v} before you touch {m}.", "{m} is deployed to {v}."),
        "port": ("Start {m} on port {v} locally.", "The {m} debugger waits on port {v}."),
        "version": ("The last good {m} was {v}.", "{m} must not go above {v}."),
        "id": ("Put {v} into the {m} commit message.", "The {m} epic has the number {v}."),
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
        "{f} should skip {r} when it is missing.",
        "Can you make {f} cache {r}? It is fetched for every row.",
        "The {r} default in {f} is wrong, set it from the settings.",
    ),
    "zh": ("{f} 里的 {r} 默认值不对,改一下。",),
    "pt": ("Em {f} o valor de {r} está errado, ajuste.",),
    "fr": ("Dans {f} la valeur de {r} est fausse, corrige-la.",),
    "es": ("En {f} el valor de {r} está mal, ajústalo.",),
}

FAILURES = (
    "The {m} check is still broken after the last change.",
    "One open problem: {m} times out on the second call.",
    "This is blocked on {m}, which rejects our token.",
)
FAILING = ("npx jest packages/{m}", "TypeError: {m} is not a function")

CHECKS = {
    "test": "npm test -- --project {m}",
    "build": "cargo build --package {m}",
    "lint": "mypy --strict src/{m}",
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
