"""Phrasings that published numbers come from; nothing is developed on them.

`{m}` is a plant's marker, `{r}` its reason's, `{v}` a value, `{f}` a file. What stands in square
brackets is the modality: it must survive beside the marker.
"""

PROHIBITIONS = {
    "en": (
        "[Never] call {m} from a request handler.",
        "[Don't] log anything that {m} returns.",
        "You [must not] reorder the {m} columns.",
        "[Do not] vendor {m} into this repository.",
        "[Please never] bump {m} past its minor version.",
        "The {m} package [must never] import the web layer.",
        "I [don't want] any new flags on {m}.",
        "[No] network access in the {m} tests, please.",
        "{m} [is not to be] reformatted, it is generated.",
        "[Leave] the {m} directory [alone].",
        "[Keep your hands off] {m}.",
        "The {m} config [is off limits].",
        "[Avoid] global state in {m}.",
        "[Nothing] in {m} [may] write to disk.",
        "[Stay out of] the {m} submodule.",
    ),
    "zh": ("[不要]修改 {m} 的接口。", "[禁止]在 {m} 里写日志。", "{m} 这个目录[别动]。"),
    "pt": ("[Nunca] altere o esquema de {m}.", "[Não mexa] na pasta {m}.",
           "[Evite] dependências novas em {m}."),
    "fr": ("[Ne touche pas] au module {m}.", "[Jamais] de requête directe dans {m}.",
           "[Évite] les variables globales dans {m}."),
    "es": ("[Nunca] borres los registros de {m}.", "[No toques] el servicio {m}.",
           "[Evita] las consultas anidadas en {m}."),
}  # fmt: skip

OBLIGATIONS = {
    "en": (
        "[Always] regenerate the {m} fixtures after a schema change.",
        "Every migration [must] carry the {m} prefix.",
        "You [have to] run the {m} script [before] each release.",
        "[Make sure] that all {m} dates are in UTC.",
        "[Use] {m} [instead of] the standard parser.",
        "[Ask me before] you change anything in {m}.",
        "All {m} messages [should be] in the present tense.",
        "[From now on] log through {m}.",
        "[Prefer] {m} over plain dictionaries.",
        "[Only] I merge into {m}.",
        "Each {m} test [needs] a docstring.",
        "[Stick to] the {m} naming scheme.",
        "[Remember:] {m} comes first in every import block.",
        "We [only] support {m} on Linux.",
        "I [want] a changelog line [for every] {m} change.",
    ),
    "zh": ("[必须]通过 {m} 发送通知。", "以后[都要]给 {m} 写单元测试。", "[始终]用 {m} 解析日期。"),
    "pt": ("[Sempre] rode o {m} antes do commit.", "Todo arquivo de {m} [deve] ter cabeçalho.",
           "[Use] {m} [em vez de] regex."),
    "fr": ("Lance [toujours] {m} avant de pousser.", "Chaque fonction de {m} [doit] être typée.",
           "[Préfère] {m} aux listes simples."),
    "es": ("[Siempre] ejecuta {m} antes de subir.", "Cada cambio en {m} [debe] llevar prueba.",
           "[Usa] {m} [en lugar de] mocks."),
}  # fmt: skip

LIFTED = {
    "en": (
        ("[Don't] use threads in {m}.", "Threads in {m} are fine now."),
        ("[Never] retry {m} requests.", "You may retry {m} requests again."),
        ("[Always] sign the {m} commits.", "No need to sign the {m} commits any more."),
        ("[Use] {m} [instead of] curl.", "Forget the rule about {m}."),
        ("[Keep your hands off] the {m} styles.", "You can change the {m} styles after all."),
        ("Every {m} view [must] have a snapshot.", "The snapshots for {m} views are not needed"
         " any longer."),
    ),
    "zh": (("[不要]缓存 {m} 的结果。", "现在可以缓存 {m} 的结果了。"),
           ("[必须]给 {m} 加锁。", "{m} 不用再加锁了。")),
    "pt": (("[Não use] cache em {m}.", "Agora pode usar cache em {m}."),
           ("[Sempre] compacte os arquivos {m}.", "Não precisa mais compactar os arquivos {m}.")),
    "fr": (("[N'utilise pas] de cache dans {m}.", "Tu peux maintenant utiliser le cache dans {m}."),
           ("Trie [toujours] les sorties {m}.", "Plus besoin de trier les sorties {m}.")),
    "es": (("[No uses] hilos en {m}.", "Ya puedes usar hilos en {m}."),
           ("[Siempre] comprime los informes {m}.", "Ya no hace falta comprimir los informes"
            " {m}.")),
}  # fmt: skip

OBJECTIVES = {
    "en": (
        "Leave that for later. What we need now is an importer for {m} feeds.",
        "Change of plan: build the {m} dashboard first.",
        "Let's switch to the {m} exporter, that is more urgent.",
        "Forget the previous task, please work on {m} pagination now.",
        "New task: replace the {m} scheduler with a queue.",
        "Next we tackle the {m} login flow.",
    ),
    "zh": ("先放下这个,现在开始做 {m} 的导入功能。", "新任务:重写 {m} 的调度模块。"),
    "pt": ("Mudança de planos: agora vamos fazer o painel {m}.",
           "Nova tarefa: reescrever o agendador de {m}."),
    "fr": ("Changement de plan : on construit d'abord le tableau {m}.",
           "Nouvelle tâche : réécrire le planificateur {m}."),
    "es": ("Cambio de planes: ahora hacemos el panel {m}.",
           "Nueva tarea: reescribir el planificador {m}."),
}  # fmt: skip

ANSWERS = (
    ("Where should {m} sessions be stored?", "{m}-redis", "because {r} is already deployed"),
    ("How do we version the {m} API?", "{m}-header", "the proxies strip {r} paths"),
    ("Which queue does {m} use?", "{m}-rabbit", "since {r} needs ordering"),
)

DECISIONS = {
    "en": (
        "We'll go with {m} for the storage because {r} cannot handle large rows.",
        "I decided to use {m} since {r} is too slow.",
        "Let's take {m}, because the {r} license does not fit. Then carry on.",
        "We settled on {m} as {r} is unmaintained.",
    ),
    "zh": ("我们决定用 {m},因为 {r} 太慢。", "就用 {m} 吧,因为 {r} 不再维护。"),
    "pt": ("Decidimos usar {m} porque {r} é lento demais.", "Vamos de {m}, já que {r} saiu do ar."),
    "fr": (
        "On part sur {m} parce que {r} est trop lent.",
        "Je choisis {m}, car {r} est abandonné.",
    ),
    "es": ("Decidimos usar {m} porque {r} es muy lento.", "Vamos con {m}, ya que {r} no escala."),
}

TODOS = (
    "Write the {m} migration guide",
    "Backfill the {m} table",
    "Handle timeouts in the {m} client",
    "Move {m} credentials to the vault",
    "Profile the {m} endpoint",
    "Rename the {m} metrics",
)

VALUES = {
    "en": {
        "url": ("The {m} mirror lives at {v}.", "{m} metrics go to {v} by the way."),
        "port": ("{m} listens on port {v}.", "The tunnel for {m} is on port {v}."),
        "version": ("Production runs {m} {v}.", "The customer is still on {m} {v}."),
        "id": ("The ticket for {m} is {v}.", "This is about {v}, the {m} incident."),
    },
    "zh": {"url": ("{m} 的地址是 {v} 。",), "port": ("{m} 用的是端口 {v}。",),
           "version": ("线上的 {m} 版本是 {v}。",), "id": ("{m} 的工单号是 {v}。",)},
    "pt": {"url": ("O espelho de {m} fica em {v}.",), "port": ("O {m} escuta na porta {v}.",),
           "version": ("Em produção temos {m} {v}.",), "id": ("O chamado de {m} é o {v}.",)},
    "fr": {"url": ("Le miroir de {m} est sur {v}.",), "port": ("{m} écoute sur le port {v}.",),
           "version": ("La production tourne avec {m} {v}.",), "id": ("Le ticket {m} est {v}.",)},
    "es": {"url": ("El espejo de {m} está en {v}.",), "port": ("{m} escucha en el puerto {v}.",),
           "version": ("Producción usa {m} {v}.",), "id": ("El ticket de {m} es {v}.",)},
}  # fmt: skip

FILES = {
    "en": (
        "{f} drops the last row when {r} is empty, please fix that.",
        "Rework the retry loop in {f}, it floods {r}.",
        "Add a guard to {f} so that {r} cannot be negative.",
    ),
    "zh": ("修一下 {f},{r} 为空时会崩溃。",),
    "pt": ("Corrija {f}: o {r} chega vazio.",),
    "fr": ("Corrige {f} : {r} arrive vide.",),
    "es": ("Corrige {f}: {r} llega vacío.",),
}

FAILURES = (
    "The {m} suite still fails with a deadlock.",
    "Known issue: {m} loses its connection after a minute.",
    "I am blocked by {m}: its credentials have expired.",
)
FAILING = ("pytest tests/{m} -x", "AssertionError: {m} returned 3 rows instead of 4")

CHECKS = {
    "test": "pytest -q tests/{m}_suite --maxfail=1",
    "build": "npm run build -- --profile {m}",
    "lint": "ruff check src/{m} --select ALL",
}

DECOYS = {
    "log": "[{n}] WARN {m}: you must always close the handle",
    "code": "# never call {m} twice\ndef run():\n    return {m}()",
    "output": "## Contributing\n- Always squash {m} commits.\n- Never edit {m} by hand.",
    "quotation": 'The vendor\'s page says "never restart {m} during the day". Odd, what do you make'
    " of that?",
    "question": "Do we always have to restart {m} after a deploy?",
}

ORDINARY = (
    "Why does the export take so long for the bigger accounts?",
    "ok, and now the same for the invoices view",
    "Show me where the session cookie is set.",
    "The button overlaps the footer on small screens, can you fix it?",
    "thanks, looks good",
    "Extract the validation from create_order into its own function.",
    "That works. Commit it.",
    "run the tests again",
    "Hm, the second chart is still empty.",
    "Add a column for the discount to the order table and fill it from the old one.",
    "What does parse_header do with an empty string?",
    "Please write a test for the case with two currencies.",
    "I think the cache key lacks the tenant.",
    "yes",
    "Go ahead with the first option.",
    "The upload fails with a 413 for files above 10 MB, have a look.",
    "Can you explain the difference between the two retry helpers?",
    "Rename fetchAll to loadEverything in src/api/client.ts.",
    "It still says undefined in the header.",
    "Update the readme for the new command line option.",
    "Let's have a look at the worker first, it restarts every few minutes.",
    "Could you split the big component in three?",
    "The date in the report is one day off in Lisbon.",
    "continue",
    "Good. Next the search field: it should ignore accents.",
    "I pulled the latest changes, please check whether anything broke.",
    "Where do we read the feature flags?",
    "Sort the list by name and show the newest first when names are equal.",
)
