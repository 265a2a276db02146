"""Phrasings written blind after those of `phrases_blind_4` had been developed on; see there."""

# ruff: noqa: E501

PROHIBITIONS = {
    "en": (
        "[steer clear of] {m}, marta is halfway through a rebase there",
        "{m} [is off the table], legal hasn't signed",
        "treat {m} like it's [radioactive]",
        "[over my dead body] does {m} end up in the bundle",
        "[nobody gets to] call {m} straight from the ui layer",
        "{m} [has no business] in the public api",
        "I'd [rather you stayed away from] {m}, it's held together with tape",
        "[resist the urge to] tidy up {m}",
        "prod creds for {m} [stay on my laptop], full stop",
        "{m} works, no idea why, so [let sleeping dogs lie]",
        "found a bug in {m}? [ticket] for the platform folks, [instead of] a patch from us",
        "the last person to upgrade {m} took the shop down for a day, [we're not doing that again]",
        "[hard pass on] {m}, I've maintained that thing once in my life and that was enough",
        "[don't] add {m} as a dependency, it pulls in half of npm",
        "[never] force push to {m}",
        "you [can't] use {m} on this one, the client sits on an airgapped box",
        "We [must not] send customer emails through {m}.",
        "{m} [shouldn't] be called inside a loop, rate limits",
        "[avoid] mocks of {m} pls, they hide the real bugs",
        "Please [do not] delete anything under {m}, even if it looks unused",
        "i [dont want] {m} retrying on its own",
        "patient rows out of {m} [may not] leave the eu region",
        "from now on pushed {m} commits [aren't] amended, it breaks everybody's checkout",
        "[quit] reformatting {m} when you're there to fix something else",
        "[under no circumstances] do we drop {m} tables, staging included",
    ),
    "zh": (
        "{m} 先放着,[轮不到]我们改",
        "[不要]直接往 {m} 里写数据",
        "上次就是 {m} 出的事,这回[绕开]它",
        "线上的 {m} [严禁]重启",
        "[禁止]把 {m} 打进镜像",
    ),
    "pt": (
        "[deixa] o {m} [quieto], tá funcionando por milagre",
        "[não] sobe o {m} pra produção sem o Caio junto",
        "por favor [evita] abrir transação em volta do {m}",
        "com {m} a gente [não brinca], é dado de paciente",
    ),
    "fr": (
        "[pas question de] passer par {m}",
        "[défense de] lancer {m} avant 22h, ça sature le réseau",
        "[ne] renomme [pas] les champs de {m}, le mobile en dépend",
        "{m} c'est [chasse gardée] de l'équipe data",
    ),
    "es": (
        "[ojo con] {m}, [ahí no se mete mano]",
        "[no] me metas emojis en {m}",
        "que [a nadie se le ocurra] reiniciar {m}",
        "dos procesos a la vez sobre {m} [ni en broma]",
    ),
}

OBLIGATIONS = {
    "en": (
        "[nothing] in {m} gets merged [before] priya has had a look",
        "[one changelog line per] {m} change, the support people read it",
        "we're [metric all the way] in {m}",
        "{m} and its fixtures [travel together], same commit",
        "the bar for {m} [is] zero warnings",
        "[treat] whatever comes into {m} [as hostile]",
        "[anything] in {m} that talks to the network [retries] three times, house rule",
        "timestamps leaving {m}: [utc], iso, end of discussion",
        "[run it by me] when {m} pricing comes into play",
        "old habit of mine, but [I like seeing] a failing test ahead of any {m} fix",
        "dry run [comes first] with {m}, the real thing after I've seen the output",
        "interns read {m}, so [plain] loops and [long] names over there",
        "with {m} [the design doc wins] whenever it and the code disagree",
        "[make sure] {m} still compiles on the oldest toolchain when you say you're finished",
        "each exception out of {m} [should] carry the request id",
        "before a migration we [always] take a dump of {m}",
        "You [must] close {m} handles in a finally block.",
        "from now on [prefix] {m} branches with the ticket number",
        "[remember to] regenerate the client whenever {m} gets a new schema",
        "for {m} prs I [need] both a light and a dark screenshot",
        "strings that users see in {m} [have to] go through i18n",
        "[stick to] the existing error codes in {m}",
        "if you add an endpoint to {m} it [also] goes into the openapi file",
        "sql for {m} [goes through] the repository class",
        "commits that concern {m} are [only] ok [when] signed",
    ),
    "zh": (
        "{m} 上线前[先]给老王看一眼",
        "凡是走 {m} 的请求[都要]带 trace id",
        "{m} 里的错误[统一]抛自定义异常",
        "以后 {m} 的镜像[按]日期打标签",
        "[务必]给 {m} 写注释,新人要看",
    ),
    "pt": (
        "antes de mergear no {m} [me chama]",
        "cada tela do {m} [tem que] caber num celular de 320px",
        "cpf no {m} [vai] sempre mascarado",
        "[lembra de] limpar o cache depois que mudar o {m}",
    ),
    "fr": (
        "[un coup de fil] au support et ensuite seulement on redémarre {m}",
        "côté {m}, le vouvoiement [c'est] la règle dans les textes",
        "[pense à] incrémenter le schéma quand {m} bouge",
        "il [faut] un test par bug corrigé sur {m}",
    ),
    "es": (
        "lo que salga de {m} [pasa por] calidad primero",
        "los decimales en {m} [van] con coma",
        "toda consulta a {m} [debe] llevar límite",
        "[acuérdate de] cerrar la conexión con {m} al terminar",
    ),
}

# The first eight take the rule back in its own words, the others by its subject or in other words.
LIFTED = {
    "en": (
        (
            "[don't] install extra packages into {m}",
            "installing extra packages into {m} is fine now, security approved it",
        ),
        ("we [must not] log inside {m}", "logging inside {m} is back on the menu"),
        ("{m} [should] support python 3.8", "3.8 support for {m}: not required any more"),
        (
            "[never] talk to {m} directly, there's the queue",
            "scrap what I said about the queue, talking to {m} directly is ok",
        ),
        ("friday deploys of {m} [are banned]", "the friday ban for {m} got lifted"),
        (
            "[pin] {m} to the exact patch version",
            "a caret range for {m} will do, the pinning is over",
        ),
        ("[avoid] recursion in {m}", "recursion in {m} is acceptable after all"),
        (
            "you [have to] raise the {m} build number by hand",
            "no need to raise the {m} build number yourself, ci does that",
        ),
        ("[leave] {m} [as it is] till the fair", "the fair went well, {m} is fair game"),
        (
            "{m} reviews [go through] tom",
            "tom left the company, so that extra step on {m} is history",
        ),
        (
            "[always] write the {m} migrations by hand",
            "you know what, let the tool generate whatever {m} needs",
        ),
        (
            "[run] the whole e2e pack after an edit in {m}",
            "that test marathon for {m}? spare yourself, unit is plenty",
        ),
        ("[stay out of] {m}, jo is working in there", "jo's done with {m}"),
        (
            "from now on prs on {m} [need] a screenshot",
            "about those pictures for {m}, nice idea, nobody looks at them, we're done with that",
        ),
        ("you get to read {m}, [not] to edit it", "I gave you the keys to {m}, knock yourself out"),
        ("[check with] me on anything {m}", "{m}: your call from here, I trust you"),
    ),
    "zh": (
        ("{m} 的依赖[不准]升级", "{m} 的依赖现在随便升"),
        ("[每次]发布 {m} 都要写周报", "{m} 那个周报的事算了吧"),
        ("{m} 的数据[先别]清", "备份做好了,{m} 你看着办"),
    ),
    "pt": (
        (
            "[nada de] rodar o {m} com o banco real",
            "pode apontar o {m} pro banco real, tá liberado",
        ),
        (
            "[sempre] avisa no slack quando for reiniciar o {m}",
            "aquele aviso todo por causa do {m} não precisa mais",
        ),
        (
            "o {m} [fica parado] enquanto a Bia estiver de férias",
            "a Bia voltou, vida normal no {m}",
        ),
    ),
    "fr": (
        ("[n']ajoute [rien] à {m}", "tu peux de nouveau ajouter des choses à {m}"),
        ("[toujours] deux relectures pour {m}", "pour {m} une seule personne suffit désormais"),
        ("[c'est Léa qui] valide {m}", "pour {m} Léa te laisse la main"),
    ),
    "es": (
        ("[no] actualices {m} todavía", "lo de no actualizar {m} ya pasó, dale"),
        (
            "[siempre] dos entornos de prueba para {m}",
            "con {m} basta un entorno, lo otro era demasiado",
        ),
        ("[espérate] con {m} a que vuelva el cliente", "el cliente ya contestó, {m} es todo tuyo"),
    ),
}

OBJECTIVES = {
    "en": (
        "Next up: get {m} to resume an upload where it broke off",
        "so the thing I actually came for. {m} needs sso",
        "park that. support is drowning in tickets about {m}, find out why it double charges and fix it",
        "New goal for this afternoon: {m} running in docker, with a healthcheck",
        "can we turn to {m}? I'd love to have it stream instead of loading everything in memory",
        "change of direction, the customer wants {m} to speak graphql",
        "all right that's merged. moving along to {m}, which has to survive a restart of redis",
        "I promised the sales team a demo of {m} with live data. build that",
        "help me port {m} from python 2, all of it",
        "leave the css for later and get {m} through the pen test findings",
        "the real job: teach {m} to merge duplicate contacts",
        "we're going to split {m} off into its own package this week, let's begin",
        "Forget the dashboard. What matters at the moment is that {m} stops eating 4 GB",
        "my thesis is due in two weeks and {m} still can't plot anything, so plots it is",
        "issue 212 is yours: bulk delete for {m}",
        "let's do the accounting export in {m}, datev format, end to end",
    ),
    "zh": (
        "换个任务:给 {m} 加上多租户",
        "老板催了,先把 {m} 的报表做出来",
        "接下来重点是 {m} 的内存问题,降到 1G 以内",
    ),
    "pt": (
        "mudou a prioridade: agora é colocar notificação push no {m}",
        "vamos pro {m} então, preciso que ele aceite planilhas",
        "hoje eu quero ver o {m} aceitando pix",
    ),
    "fr": (
        "on m'a demandé un mode hors ligne pour {m}, c'est parti",
        "maintenant on s'attaque à la recherche dans {m}, elle ne trouve rien",
        "la prochaine étape c'est de porter {m} sous windows",
    ),
    "es": (
        "el viernes presento {m} con modo oscuro, así que a ello",
        "vale, siguiente: que {m} importe csv",
        "arranquemos con la traducción de {m} al catalán",
    ),
}

ANSWERS = (
    ("How should {m} page its results?", "{m}-cursor", "{r} skips rows when something is inserted"),
    ("Which format for the {m} dump?", "{m}-parquet", "{r} takes ten times the disk"),
    ("Do I retry failed {m} jobs?", "{m}-once", "{r} would be billed twice"),
    ("Who owns the {m} session?", "{m}-server", "{r} can be tampered with"),
)

DECISIONS = {
    "en": (
        "slept on it, {m} it is. {r} would tie us to one vendor",
        "{m} gets my vote, nobody here can debug {r}",
        "Let's settle on {m}; the docs of {r} are a joke",
        "between the two I lean {m}, {r} leaks memory on arm",
        "we're going {m}. reason being that {r} needs a cluster just to say hello",
        "{r} looked nice until I saw the bill, so {m}",
        "everyone on the call preferred {m}, {r} reminded them of the old system",
        "{m} then. I tried {r} at home and it ate my weekend",
        "call it: {m}. {r} won't pass procurement",
        "my money's on {m}, seeing how {r} fell over in the load test",
        "{m}, final answer, {r} can't do transactions",
        "switch to {m} please, {r} was giving us flaky builds",
        "go with {m}, since the license of {r} changed",
        "use {m} and not {r}, because windows users can't install the latter",
        "We have decided for {m}. The reason is that {r} lacks row level security.",
        "I'd pick {m} here because {r} adds 300kb to the page",
        "replace {r} by {m}, the maintainer of the former quit",
        "decision from the meeting: {m}, as {r} is missing an audit log",
        "option b, so {m}, given that {r} only runs on linux",
        "let's take {m}. rationale for the adr: {r} has no backpressure",
    ),
    "zh": (
        "定了,{m},{r} 的社区都散了",
        "开会讨论完决定上 {m},因为 {r} 过不了等保",
        "我看就 {m} 吧,{r} 编译一次要半小时",
    ),
    "pt": (
        "vamos de {m}, porque o {r} precisa de java",
        "martelo batido: {m}. o {r} perde mensagem",
        "pensei melhor e prefiro {m}, o {r} é complicado demais pro que a gente precisa",
    ),
    "fr": (
        "va pour {m}, la doc de {r} n'existe qu'en japonais",
        "on a tranché en faveur de {m}, parce que {r} n'est pas hébergé en europe",
        "je préfère {m}, {r} nous a lâchés deux fois",
    ),
    "es": (
        "nos quedamos con {m}, que {r} gasta mucha batería",
        "apuesto por {m}, porque {r} no lo conoce nadie en el equipo",
        "mejor {m}, con {r} perdimos dos semanas",
    ),
}

TODOS = (
    "Write the rollback for {m}",
    "measure {m} under load",
    "Delete the dead branch in {m}",
    "ask legal whether {m} may be published",
    "Document the env vars of {m}",
    "port the {m} fixtures",
    "Move {m} behind the flag",
)

VALUES = {
    "en": {
        "url": (
            "the docs for {m} moved to {v}",
            "staging of {m} is at {v} btw",
            "point {m} at {v}",
        ),
        "port": (
            "{m} listens on {v} on my machine",
            "something already sits on 8080, so I put {m} on {v}",
            "forward {v} if you want to reach {m}",
        ),
        "version": (
            "we're on {m} {v} in prod",
            "the crash started with {v} of {m}",
            "the last {m} that works for us is {v}",
        ),
        "id": (
            "they filed it under {v}, component {m}",
            "try it with {v}, that's a broken record in {m}",
            "{v} is the {m} account of the angry customer",
        ),
    },
    "zh": {
        "url": ("测试的话访问 {v},那是 {m} 的预发", "文档搬家了,{m} 看 {v}"),
        "port": ("我这边 8000 被占了,所以 {m} 开在 {v}", "防火墙放行了 {v},{m} 可以连了"),
        "version": ("别的团队还停在 {m} 的 {v}", "{v} 之后 {m} 就开始崩"),
        "id": ("客服转来的单子 {v},跟 {m} 有关", "用 {v} 试试,{m} 里的坏数据"),
    },
    "pt": {
        "url": ("cola {v} no navegador, o {m} responde ali", "achei um tutorial do {m}: {v}"),
        "port": ("o firewall só libera {v} pro {m}", "botei o {m} pra rodar na {v}"),
        "version": ("testei com {m} {v} e passou", "o pacote do ubuntu traz o {m} {v}"),
        "id": (
            "o cliente mandou o protocolo {v}, é sobre o {m}",
            "no {m} procura por {v}, sumiu o endereço",
        ),
    },
    "fr": {
        "url": ("le swagger de {m}, tu l'as ici : {v}", "{m} redirige vers {v} maintenant"),
        "port": ("ouvre le {v} dans docker pour {m}", "j'ai mis {m} sur le {v}"),
        "version": ("la ci installe {m} {v}", "{v} est sortie hier pour {m}"),
        "id": ("regarde la commande {v} passée via {m}", "{m} a attribué le numéro {v} deux fois"),
    },
    "es": {
        "url": ("te paso el enlace del panel de {m}: {v}", "el webhook de {m} apunta hacia {v}"),
        "port": ("hay un túnel por {v} para llegar a {m}", "puse {m} en el puerto {v}"),
        "version": ("compilé {m} {v} desde las fuentes", "anuncian soporte largo para {m} {v}"),
        "id": ("busca {v} entre las facturas de {m}", "a la usuaria {v} no le carga {m}"),
    },
}

FILES = {
    "en": (
        "pull {r} out of {f} into a helper",
        "why does {f} compute {r} twice? fix that",
        "In {f}, rename the argument so that it matches {r}",
        "there's a typo near {r} in {f}",
    ),
    "zh": ("把 {f} 里的 {r} 抽成函数", "{f} 第一段的 {r} 写错了,改一下"),
    "pt": ("o {f} não trata {r} vazio, resolve isso", "cria um {r} novo lá no {f}"),
    "fr": ("il manque un cas pour {r}, cf. {f}", "documente {r} en tête de {f}"),
    "es": ("quiero que {f} devuelva {r} ordenado", "parece que {r} queda a null cuando corre {f}"),
}

FAILURES = (
    "Two of the {m} tests are red and I could not get them green.",
    "{m} hangs at startup on the second run, cause unknown.",
    "The upload through {m} is cut off at 64 KB; I tried two fixes, neither helped.",
    "Not solved yet: {m} deadlocks when two workers start together.",
)
FAILING = ("cargo test -p {m}", "thread 'main' panicked at 'called unwrap on a None value' ({m})")

CHECKS = {
    "test": "go test ./internal/{m}/...",
    "build": "make -C services/{m} all",
    "lint": "ruff check lib/{m}",
}

DECOYS = {
    "log": (
        "{n} WARN {m}: clients should never reuse a nonce",
        "{n} FATAL do not restart {m} while recovery is running",
        "{n} notice: {m} always falls back to ipv4",
    ),
    "code": (
        '# TODO: never call this without {m}\nassert {m}, "must be set"',
        "// always lock {m} first\nmutex.lock({m});",
        "/* do not edit: generated from {m} */\nimport {m} from './gen';",
    ),
    "output": (
        "warning: you must run {m} as root\nexit status 1",
        "## Contributing\nPlease don't open pull requests against {m}.",
        "fatal: refusing to merge, {m} only takes fast-forwards",
    ),
    "quotation": (
        'the old readme says "never run {m} twice", does that still hold?',
        'a customer wrote us "you should always ask before changing {m}", what did he mean',
        'stackoverflow answer: "don\'t use {m}, ever". sounds exaggerated, no?',
    ),
    "question": (
        "should {m} only be called from the worker?",
        "why must we always restart {m} after a config change?",
        "what would break if we never flushed {m}?",
    ),
}

ORDINARY = (
    "explain the regex to me like I'm five",
    "nice, ship it",
    "the dropdown closes as soon as I hover it",
    "which of the three queries is the slow one",
    "it never shows the second page, any idea?",
    "this always happens after lunch, weird",
    "there's only one failing test left, look at it",
    "must be a caching thing, can you confirm",
    "I don't get the diff, what changed",
    "shouldn't that be a list?",
    "never mind, found it",
    "rebase onto main and push",
    "show me the call graph for the signup flow",
    "wait, where did the footer go",
    "can you draft the release notes",
    "got a 403 on the second request, first one was ok",
    "put the constants at the top of the file",
    "lol that comment",
    "translate the error page into dutch",
    "run it again with verbose on",
    "Could you compare both variants and give me numbers?",
    "revert please, the previous one looked better",
    "typo in the headline, 'recieve'",
    "memory goes up by 20 MB per request according to grafana",
    "do the same for the invoices table",
    "are we done with the first part",
    "give the button a bit more padding",
    "what does this env var do again",
    "summarize what you did so far, I need it for standup",
    "back from lunch, where were we",
    "I always forget how to do a cherry-pick, do it for me",
    "that only took 3 seconds, wow",
    "继续",
    "这个报错是什么意思",
    "页面一直在转圈,看看",
    "roda de novo e me mostra o resultado",
    "ficou ótimo, valeu",
    "tu peux m'expliquer cette ligne ?",
    "ça ne marche toujours pas chez moi",
    "¿por qué tarda tanto?",
    "perfecto, sigue con lo demás",
)
