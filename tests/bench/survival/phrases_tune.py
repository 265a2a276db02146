"""Phrasings to develop on; see `phrases_held_out` for the notation."""

PROHIBITIONS = {
    "en": (
        "[Never] push the {m} branch to origin.",
        "[Don't] add comments to {m}.",
        "You [must not] catch exceptions in {m}.",
        "[Do not] upgrade {m} without telling me.",
        "[Please don't] create new files under {m}.",
        "The {m} service [must never] read the user table.",
        "I [don't want] mocks in {m}.",
        "[No] print statements in {m}, please.",
        "{m} [is not to be] touched.",
        "[Leave] {m} [as it is].",
        "[Hands off] {m}.",
        "The {m} schema [is frozen].",
        "[Avoid] inheritance in {m}.",
        "[Nobody] edits {m} by hand.",
        "[Stay away from] the {m} folder.",
    ),
    "zh": ("[不要]直接调用 {m}。", "[禁止]删除 {m} 的测试。", "[别]改 {m} 的配置。"),
    "pt": ("[Nunca] faça push para {m}.", "[Não altere] o módulo {m}.",
           "[Evite] herança em {m}."),
    "fr": ("[Ne modifie pas] le dossier {m}.", "[Jamais] de print dans {m}.",
           "[N'utilise jamais] {m} en production."),
    "es": ("[Nunca] subas {m} al repositorio.", "[No modifiques] la carpeta {m}.",
           "[Evita] la herencia en {m}."),
}  # fmt: skip

OBLIGATIONS = {
    "en": (
        "[Always] run {m} before you commit.",
        "Every endpoint [must] go through {m}.",
        "You [have to] keep {m} backwards compatible.",
        "[Make sure] that {m} stays sorted.",
        "[Use] {m}, [not] the built-in logger.",
        "[Ask me first] when {m} has to change.",
        "All dates in {m} [should be] ISO 8601.",
        "[From now on] write {m} tests first.",
        "[Prefer] {m} to subclasses.",
        "[Only] the release job may tag {m}.",
        "Each {m} module [needs] a header.",
        "[Keep] {m} under 300 lines.",
        "[Important:] {m} has to stay on Python 3.9.",
        "We [only] ship {m} as a wheel.",
        "I [want] type hints [everywhere] in {m}.",
    ),
    "zh": ("[必须]先跑 {m} 再提交。", "[每次]提交前都要更新 {m}。", "[一定要]保留 {m} 的注释。"),
    "pt": ("[Sempre] passe pelo {m} antes de publicar.", "Cada rota de {m} [deve] ter teste.",
           "[Prefira] {m} a herança."),
    "fr": ("Utilise [toujours] {m} pour les dates.", "Chaque route de {m} [doit] être testée.",
           "[Garde] {m} compatible avec Python 3.9."),
    "es": ("[Siempre] usa {m} para las fechas.", "Cada ruta de {m} [debe] tener prueba.",
           "[Prefiero] {m} a la herencia."),
}  # fmt: skip

LIFTED = {
    "en": (
        ("[Don't] touch the {m} tests.", "You can touch the {m} tests now."),
        ("[Never] commit {m} directly.", "Committing {m} directly is ok from now on."),
        ("[Always] ask before editing {m}.", "You don't have to ask before editing {m} any more."),
        ("[Use] {m}, [not] axios.", "Scrap the rule about {m}."),
        ("[Hands off] the {m} queries.", "The {m} queries may be changed after all."),
        ("Every {m} page [must] be translated.", "Translating {m} pages is no longer required."),
    ),
    "zh": (("[不要]动 {m} 的样式。", "{m} 的样式现在可以改了。"),
           ("[必须]压缩 {m} 的输出。", "不用再压缩 {m} 的输出了。")),
    "pt": (("[Não mexa] nos testes {m}.", "Agora pode mexer nos testes {m}."),
           ("[Sempre] assine os commits de {m}.", "Não precisa mais assinar os commits de {m}.")),
    "fr": (("[Ne touche pas] aux tests {m}.", "Tu peux toucher aux tests {m} maintenant."),
           ("Signe [toujours] les commits {m}.", "Plus besoin de signer les commits {m}.")),
    "es": (("[No toques] las pruebas {m}.", "Ahora puedes tocar las pruebas {m}."),
           ("[Siempre] firma los commits de {m}.", "Ya no hace falta firmar los commits de {m}.")),
}  # fmt: skip

OBJECTIVES = {
    "en": (
        "Stop that, I'd rather have you build the {m} importer.",
        "Let's do something else: a command line for {m}.",
        "Instead of this, please add rate limiting to {m}.",
        "Drop this for now and migrate {m} to the new driver.",
        "New objective: make {m} start in under a second.",
        "Now for something different: document the {m} API.",
    ),
    "zh": ("换个任务:给 {m} 加上缓存。", "这个先不做了,改做 {m} 的导出功能。"),
    "pt": ("Vamos mudar de assunto: adicione um cache ao {m}.",
           "Deixe isso de lado, agora quero o importador de {m}."),
    "fr": ("Changeons de sujet : ajoute un cache à {m}.",
           "Laisse ça de côté, je veux maintenant l'import de {m}."),
    "es": ("Cambiemos de tema: añade una caché a {m}.",
           "Deja eso, ahora quiero el importador de {m}."),
}  # fmt: skip

ANSWERS = (
    ("Which database should {m} use?", "{m}-sqlite", "because {r} would need a server"),
    ("Which client for {m}?", "{m}-httpx", "{r} has no timeouts"),
    ("How are {m} jobs started?", "{m}-cron", "since {r} cannot be installed there"),
)

DECISIONS = {
    "en": (
        "Let's go with {m}, because {r} lacks transactions.",
        "I've decided on {m} because {r} is deprecated. Please continue.",
        "We agreed to use {m} since {r} breaks on Windows.",
        "Decision: {m}, because {r} costs too much.",
    ),
    "zh": ("决定用 {m},因为 {r} 不支持事务。", "我们选择 {m},因为 {r} 太贵。"),
    "pt": ("Vamos usar {m} porque {r} não tem suporte.", "Escolho {m}, pois {r} é caro."),
    "fr": ("On a décidé d'utiliser {m} parce que {r} est cher.", "Prenons {m}, car {r} plante."),
    "es": ("Hemos decidido usar {m} porque {r} es caro.", "Elijo {m}, ya que {r} falla."),
}

TODOS = (
    "Document the {m} endpoints",
    "Add an index to {m}",
    "Remove the old {m} adapter",
    "Test {m} with empty input",
    "Wire {m} into the settings page",
    "Clean up after {m}",
)

VALUES = {
    "en": {
        "url": ("The staging server of {m} is {v}.", "Docs for {m} are under {v} if needed."),
        "port": ("Use port {v} for {m}.", "{m} is reachable on port {v}."),
        "version": ("We pinned {m} to {v}.", "{m} is at version {v} there."),
        "id": ("The {m} bug is {v}.", "See {v} for what {m} has to do."),
    },
    "zh": {"url": ("{m} 部署在 {v} 上。",), "port": ("{m} 监听端口 {v}。",),
           "version": ("{m} 固定在 {v} 版本。",), "id": ("{m} 对应的任务是 {v}。",)},
    "pt": {"url": ("O servidor de {m} é {v}.",), "port": ("Use a porta {v} para {m}.",),
           "version": ("Fixamos {m} em {v}.",), "id": ("O bug de {m} é {v}.",)},
    "fr": {"url": ("Le serveur de {m} est {v}.",), "port": ("Prends le port {v} pour {m}.",),
           "version": ("On a fixé {m} à {v}.",), "id": ("Le bug de {m} est {v}.",)},
    "es": {"url": ("El servidor de {m} es {v}.",), "port": ("Usa el puerto {v} para {m}.",),
           "version": ("Fijamos {m} en {v}.",), "id": ("El error de {m} es {v}.",)},
}  # fmt: skip

FILES = {
    "en": (
        "In {f} the total is wrong as soon as {r} is zero, correct it.",
        "Make {f} ignore {r}, the report counts it twice.",
        "Please speed up {f}: it reads {r} on every call.",
    ),
    "zh": ("请修改 {f},{r} 被计算了两次。",),
    "pt": ("Ajuste {f}: {r} é contado duas vezes.",),
    "fr": ("Modifie {f} : {r} est compté deux fois.",),
    "es": ("Arregla {f}: {r} se cuenta dos veces.",),
}

FAILURES = (
    "{m} is still failing: the socket closes too early.",
    "Open issue: {m} returns stale rows.",
    "The import remains broken because {m} rejects the header.",
)
FAILING = ("pytest tests/{m} -k slow", "ValueError: {m} has no attribute rows")

CHECKS = {
    "test": "pytest -q -m {m} tests",
    "build": "make build TARGET={m}",
    "lint": "eslint packages/{m} --max-warnings 0",
}

DECOYS = {
    "log": "{n} ERROR core.{m} - never retry without a token",
    "code": "// always wrap {m} in a lock\nfunction {m}() {{ return 1; }}",
    "output": "# Rules\n* You must never deploy {m} on Fridays.\n* Always tag {m}.",
    "quotation": 'The old readme states: "always start {m} as root". Is that still right?',
    "question": "Should we never mix {m} with the other client?",
}

ORDINARY = (
    "How does the login page find the tenant?",
    "now do the same for the settings page",
    "Open the config loader and tell me what it reads.",
    "The table header jumps when scrolling, please fix.",
    "nice",
    "Move the helper from src/utils/dates.ts to where it is used.",
    "Fine, commit and go on.",
    "rerun it",
    "The third test is red again.",
    "Add an endpoint that returns the last 20 orders of a customer.",
    "What happens in getUserById when the id is missing?",
    "Write a test for the empty basket.",
    "I guess the index is missing on the foreign key.",
    "no",
    "Take the second one.",
    "The job dies with exit code 137 after about 15 minutes, check why.",
    "What's the reason for the two config files?",
    "Rename user_name to login in the form and in the model.",
    "Still the same error as before.",
    "Bump the copyright year in the footer.",
    "First look at the scheduler, it fires twice.",
    "Can you make that function shorter?",
    "The price shows three decimals in the cart.",
    "go on",
    "Great. Then the filter: it should remember the last choice.",
    "I changed two files by hand, please have a look at them.",
    "Where is the mail template?",
    "Group the entries by month, newest month on top.",
)
