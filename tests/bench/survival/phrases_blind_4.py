"""Phrasings written blind after those of `phrases_blind_3` had been developed on; see there."""

PROHIBITIONS = {
    "en": (
        "I got burned by {m} last year, so [please no] {m} in anything new",
        "{m} [is for humans only], you can read it",
        "the {m} certs [don't get copied] anywhere",
        "our lawyers say [no] gpl code near {m}",
        "{m} [can wait], [don't start] on it by yourself",
        "since {m} is shared with the other team we [keep our fingers off] it",
        "I'll be very unhappy if [{m} changes]",
        "in case you wonder: {m} [is not ours to change]",
        "everything except {m} may be touched, [{m} not]",
        "leave the ordering in {m} [exactly like that]",
        "we had an outage because of {m}, [never again]",
        "[do not even open] {m} in an editor, it reformats itself",
        "the test for {m} [is allowed to be slow], so [no] timeouts in there",
        "[stop] {m} from [being] exported",
        "{m} [is sacred]",
        "it [makes no sense to] cache {m}, so [don't]",
        "[must not happen:] {m} in the logs",
        "for the love of god [no] more flags on {m}",
        "you [are not to] run {m} by yourself",
        "[without my ok] {m} is [not] deployed",
        "[dont ever] rename the {m} columns, reports depend on them",
        "the {m} token [has to stay out of] the repo",
    ),
    "zh": (
        "{m} 千万[别]升级",
        "[谁也不许]动 {m}",
        "{m} [不需要]写测试,别写",
        "代码里[不能出现] {m}",
    ),
    "pt": (
        "no {m} [ninguém mexe]",
        "[não quero ver] {m} nos logs",
        "o {m} [fica de fora] desta entrega",
    ),
    "fr": (
        "{m}, on [n'y touche pas]",
        "[interdiction de] committer {m}",
        "je [ne veux plus] voir {m} dans les dépendances",
    ),
    "es": ("a {m} [ni tocarlo]", "[prohibido] subir {m}", "{m} [queda fuera] por ahora"),
}

OBLIGATIONS = {
    "en": (
        "{m} has its own style guide, [go by] that",
        "a change in {m} [is not done until] the docs say so too",
        "the first line of each {m} file [is] the licence",
        "we [pair on] {m}, so [tell me] before you touch it",
        "you will find {m} a bit odd, [keep it that way] please",
        "[no] {m} release [without] a tag",
        "money in {m} [is] always integers, cents",
        "if something in {m} is unclear, [ask], don't guess",
        "{m} [speaks] snake_case",
        "I [want to see] the plan before you start on {m}",
        "new {m} code [gets] type hints",
        "our {m} clients are old, so [stay compatible]",
        "[run] {m} twice, once with the cache off, every time",
        "in doubt [do it like] {m} does",
        "[put] new helpers next to {m}",
        "{m} [works offline] and [has to keep doing so]",
        "[sort] the {m} keys alphabetically, otherwise the diff explodes",
        "[every] second {m} call [must] be logged",
        "names in {m} [are] english, comments too",
        "the way to add a field to {m} [is] a migration",
        "[always] give {m} a timeout",
        "please [use] the {m} logger and [not] print",
    ),
    "zh": (
        "动 {m} 的话[记得]更新文档",
        "{m} 的返回值[一定]要检查",
        "{m} 里的名字[都]用英文",
        "[每次]改完 {m} 跑一下 lint",
    ),
    "pt": (
        "mexeu no {m}, [atualiza] a doc",
        "no {m} os nomes [são] em inglês",
        "[só] chama o {m} [pelo] wrapper",
    ),
    "fr": (
        "dans {m} [tout est] typé",
        "[à chaque] changement de {m}, mets à jour la doc",
        "{m} [doit] marcher sans réseau",
    ),
    "es": (
        "si tocas {m}, [actualiza] la doc",
        "en {m} [todo va] en inglés",
        "[hay que] pasar {m} por el linter siempre",
    ),
}

LIFTED = {
    "en": (
        ("[don't] bump {m} yet", "{m} can be bumped, they fixed it"),
        ("[never] skip the {m} suite", "it's okay to skip the {m} suite from here on"),
        ("[ask] before you change {m}", "{m} you may change without asking"),
        ("[hands off] {m} please", "I take that back about {m}, go wild"),
        ("[no] generics in {m}", "ok generics in {m} are allowed"),
        ("[always] squash {m} commits", "don't bother squashing {m} commits"),
        ("[use] tabs in {m}", "we dropped the tabs thing in {m}"),
        ("[every] {m} function needs a docstring", "docstrings in {m} are optional now"),
        ("[keep] {m} functions short", "the length limit for {m} is gone"),
        ("{m} is [frozen]", "{m} is no longer frozen"),
    ),
    "zh": (("[别]碰 {m}", "{m} 解冻了,可以动"), ("[必须]先问我再改 {m}", "改 {m} 不用问我了")),
    "pt": (
        ("[nunca] usa {m}", "agora pode usar {m}"),
        ("o {m} [é proibido]", "esquece a proibição do {m}"),
    ),
    "fr": (
        ("[jamais] de {m}", "finalement {m} c'est ok"),
        ("{m} [est gelé]", "{m} n'est plus gelé"),
    ),
    "es": (
        ("[nunca] borres {m}", "ahora sí puedes borrar {m}"),
        ("[pregunta] antes de tocar {m}", "ya no hace falta preguntar por {m}"),
    ),
}

OBJECTIVES = {
    "en": (
        "Good. Now something bigger: rewrite {m} so it can run on several machines",
        "boss wants {m} by tomorrow, so that comes first. it has to read the old files",
        "I'd like to pause here and fix {m}, it loses messages",
        "that was the easy part. let's tackle {m}: it needs a plugin system",
        "Today we work on {m}. Make it usable with a screen reader.",
        "enough refactoring, ship {m} please",
        "ok different thing. {m} should get an undo button",
        "could you start on {m} instead? we need invoices in it",
        "Plan B: we drop the rewrite and patch {m}",
        "from the backlog: {m} needs to be faster on big repos",
    ),
    "zh": ("好了,现在开始做 {m} 的导入功能", "这个做完了,下面把 {m} 迁移到新服务器"),
    "pt": (
        "beleza, próximo: fazer o {m} exportar pdf",
        "esquece o resto, o urgente é o {m} voltar a enviar e-mails",
    ),
    "fr": (
        "bon, autre sujet : {m} doit gérer plusieurs langues",
        "on passe à {m}, il faut le découper en modules",
    ),
    "es": (
        "listo, ahora toca {m}: que acepte pagos",
        "olvida lo anterior, lo importante es que {m} arranque más rápido",
    ),
}

ANSWERS = (
    ("Should {m} be sync or async?", "{m}-async", "{r} blocks for seconds"),
    ("Where does the {m} config live?", "{m}-toml", "{r} cannot have comments"),
    ("Do we keep {m} v1?", "{m}-v2-only", "nobody but {r} still calls it"),
)

DECISIONS = {
    "en": (
        "I thought about it: {m}. With {r} we'd be stuck in a year.",
        "{m} wins, {r} is too slow",
        "we'll do it the {m} way because {r} confused everybody",
        "no {r} then, {m} instead, because it has no licence fees",
        "choose {m}, I don't trust {r}",
        "the plan is {m} now because {r} fell through",
        "ok {m}, mostly since {r} needs root",
        "I'm fine with {m} as {r} isn't ready",
    ),
    "zh": ("还是用 {m},毕竟 {r} 没人维护", "选 {m},{r} 不够稳定"),
    "pt": ("fica {m} mesmo, o {r} deu muito trabalho", "escolhemos {m} porque {r} não escala"),
    "fr": ("ce sera {m}, {r} coûte trop cher", "on prend {m} vu que {r} est abandonné"),
    "es": ("será {m}, {r} es muy lento", "elegimos {m} porque {r} no tiene tipos"),
}

TODOS = (
    "make {m} idempotent",
    "Check {m} on windows",
    "Split {m} in two",
    "Tell ops about {m}",
    "look for other callers of {m}",
    "Replace {m} by the library",
)

VALUES = {
    "en": {
        "url": ("curl {v} shows what {m} answers", "{m} = {v}"),
        "port": ("ssh to {m} goes over port {v}", "use {v} as the port of {m}"),
        "version": ("{m} v{v} is what the customer has", "downgrade {m} to {v} if you must"),
        "id": ("{m} is {v} in jira", "I mean order {v}, the one from {m}"),
    },
    "zh": {
        "url": ("打开 {v} 可以看到 {m}",),
        "port": ("{m} 的端口改成 {v} 了",),
        "version": ("{m} 降到 {v}",),
        "id": ("{m} 这单是 {v}",),
    },
    "pt": {
        "url": ("abre {v} pra ver o {m}",),
        "port": ("o {m} tá na {v}",),
        "version": ("o cliente usa {m} {v}",),
        "id": ("é o pedido {v} do {m}",),
    },
    "fr": {
        "url": ("va voir {v} pour {m}",),
        "port": ("{m} utilise le port {v}",),
        "version": ("le client a {m} {v}",),
        "id": ("c'est le dossier {v} chez {m}",),
    },
    "es": {
        "url": ("mira {v}, ahí está {m}",),
        "port": ("{m} usa el {v}",),
        "version": ("el cliente tiene {m} {v}",),
        "id": ("es el pedido {v} de {m}",),
    },
}

FILES = {
    "en": (
        "please have {f} log {r} as well",
        "{f} leaks {r}, close it properly",
        "I'd start in {f}, something with {r} is off there",
    ),
    "zh": ("{f} 读不到 {r},查一下",),
    "pt": ("no {f} troca {r} por uma constante",),
    "fr": ("ajoute {r} dans {f}",),
    "es": ("quita {r} de {f}",),
}

FAILURES = (
    "{m} keeps returning 500 after the change.",
    "I have not found the reason for the {m} crash.",
    "There is still one thing open: {m} forgets its session.",
)
FAILING = ("yarn jest {m}", "Error: connect ECONNREFUSED ({m})")

CHECKS = {"test": "mix test --only {m}", "build": "npm run build:{m}", "lint": "npx eslint src/{m}"}

DECOYS = {
    "log": ("{n} error: {m} must not be empty", "{n} INFO {m} - only admins may log in"),
    "code": (
        'raise ValueError("never pass {m} twice")\n{m} = None',
        "-- {m} must be unique\nCREATE UNIQUE INDEX i ON t ({m});",
    ),
    "output": (
        "> Always read {m} before changing it.\n> No tabs in {m}.",
        "hint: {m} should not be committed",
    ),
    "quotation": (
        'the error is "{m} must be called first", any idea?',
        'somebody commented "we always deploy {m} on mondays", who was that',
    ),
    "question": ("is it ok to never close {m}?", "does every {m} need an id?"),
}

ORDINARY = (
    "go on with the second point",
    "the spinner is misaligned in safari",
    "can you squash these two functions into one",
    "what happens when there are no rows",
    "hm that broke the layout",
    "update the lockfile",
    "great, and now the mobile version",
    "it's the wrong currency symbol",
    "undo the last edit",
    "why is this async",
    "write a small script for that",
    "i restarted it, same error",
    "the numbers don't add up, have a look",
    "use the same approach for the admin page",
    "fine by me",
    "how long does the job take",
    "clean up the temp files",
    "the labels overlap on small screens",
    "add more tests",
    "print the result in json please",
    "is there a simpler way",
    "let me test that",
    "ok works",
    "move this into its own file",
    "加一个单元测试",
    "por que isso falha",
    "c'est mieux, merci",
    "hazlo más corto",
)
