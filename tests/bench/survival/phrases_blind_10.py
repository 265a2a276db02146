"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "hands [off] {m} pls, Jorge is mid-rewrite",
        "{m} is frozen, so [zero] edits there unless I say otherwise",
        "[stop] putting console.log in {m}, I keep finding them in review",
        "The billing team owns {m}. [Leave it alone.]",
        "let's [keep] sql [out of] {m}, that's what the repositories are for",
        "I [dont want] any retry loops inside {m}, the broker already retries",
        "{m} is vendored code, patches there [get lost] on the next sync",
        "you're [not to] call {m} from a request handler, ever",
        "[hold off on] upgrading {m}, the plc firmware only speaks the old protocol",
        "secrets [have no business] in {m}",
        "pretend {m} is [read-only]",
        "[never] squash the history of {m}, legal needs it",
        "[No] new globals in {m} please!",
        "honestly {m} is cursed, [steer clear of] it",
        "[do not], I repeat, do not restart {m} while the market is open",
        "we [gave up on] inheritance in {m}, so composition or nothing",
        "adding columns to {m} is [forbidden] without a ticket from the dba",
        "patient names [mustn't] show up in {m}, not even in debug mode",
        "merging into {m} is [my job, not yours]",
        "{m} [shouldnt] know anything about the UI",
        "the old firmware still parses {m}, so its field order [is set in stone]",
        "[avoid] any in {m}, I had to clean up forty of them last sprint",
        "[at no point] should {m} write outside of the tmp dir",
        "we're [done with] singletons in {m}, that was a mistake",
    ),
    "zh": (
        "{m} 是客户那边维护的,[别碰]",
        "[禁止]在 {m} 里写死密码",
        "[千万别]在生产环境跑 {m}",
        "{m} 里[不能]出现中文变量名",
    ),
    "pt": (
        "[não] coloca regra de negócio no {m}, por favor",
        "o {m} está congelado até o fechamento, [ninguém mexe]",
        "[nunca] apaga registro do {m}, só inativa",
        "chamar o {m} direto do front [tá proibido]",
    ),
    "fr": (
        "{m}, [on n'y touche plus] avant la livraison",
        "[évite] les requêtes brutes dans {m}",
        "[interdiction de] committer des données clients dans {m}",
        "[jamais] de sleep dans les tests de {m}",
    ),
    "es": (
        "[deja] {m} [como está], lo lleva otro equipo",
        "[prohibido] meter lógica en {m}",
        "{m} [no puede] depender de la base de datos",
        "[ni se te ocurra] lanzar {m} contra producción",
    ),
}

OBLIGATIONS = {
    "en": (
        "money in {m} [is] integer cents, we got burned by floats",
        "before you push anything in {m}, [do] a dry run first",
        "the {m} helm chart [gets] a version bump with each change",
        "[write] {m} comments in english even if I talk to you in dutch",
        "all our {m} queries [go through] the read replica",
        "{m} [must] keep working on windows 7, the kiosks are ancient",
        "[be sure to] close the {m} handles, the scanner box only has 256 fds",
        "a migration for {m} [comes with] a rollback script",
        "tests for {m} [live] next to the source, not in a separate folder",
        "for {m} stuff [stick to] the stdlib",
        "[Always] quote the {m} paths, half of our users have spaces in theirs",
        "Anything in {m} that takes longer than a second [ought to] run in the background.",
        "[dont forget to] update the {m} diagram when you move things around",
        "evrey public function in {m} [needs] a docstring",
        "branch names for {m} [start with] the jira key",
        "if a {m} test is flaky, [tell me] instead of retrying it",
        "{m} [has got to] stay under 50 kb gzipped, marketing checks that",
        "feature flags for {m} [default to] off",
        "I [like] my {m} imports sorted, thanks",
        "[check with] Priya before the {m} schema changes",
        "our convention in {m}: snake_case, [everywhere]",
        "you [should] run {m} with the sanitizer on, each time",
        "going forward {m} results [are] paginated, max 100 rows",
        "it's [mandatory] that {m} logs the request id",
    ),
    "zh": (
        "{m} 的金额[一律]用分做单位",
        "每次动 {m} [都得]补上单元测试",
        "{m} 的注释[写]英文就好",
        "[务必]保证 {m} 能离线运行",
    ),
    "pt": (
        "[lembra de] atualizar o changelog quando mudar o {m}",
        "os commits do {m} [são] em inglês",
        "antes de mexer no {m} [me avisa]",
        "o {m} [tem que] rodar no java 8, o cliente não atualiza",
    ),
    "fr": (
        "les dates dans {m}, [c'est] toujours en UTC",
        "[préviens-moi] avant de changer le schéma de {m}",
        "chaque correctif dans {m} [vient avec] son test",
        "[il faut] que {m} reste compatible avec php 7",
    ),
    "es": (
        "[acuérdate de] regenerar {m} cuando cambie el esquema",
        "los mensajes de {m} [van] en castellano",
        "todo lo que salga de {m} [debe] ir firmado",
        "[pregúntame] antes de cambiar algo en {m}",
    ),
}

LIFTED = {
    "en": (
        ("[leave] {m} [alone] until monday", "it's monday, go wild on {m}"),
        ("[never] call {m} from the worker", "calling {m} from the worker is ok after all"),
        (
            "{m} commits [need] a sign-off from me",
            "I trust you with {m}, stop waiting for my sign-off",
        ),
        ("[no] async in {m}", "remember I said no async in {m}? drop that, it's allowed"),
        (
            "[always] rebuild {m} from scratch",
            "incremental builds work for {m} now, dont bother rebuilding it all",
        ),
        ("{m} [is] python 3.8 only", "we finally dropped 3.8 so {m} can use newer syntax"),
        ("[please don't] rename stuff in {m}", "ok rename whatever you like in {m}"),
        (
            "you [have to] write a design note before changing {m}",
            "skip the design notes for {m} from now on, too much paperwork",
        ),
        (
            "[hold off on] touching {m}, the vendor is looking at it",
            "vendor is finished with {m}, you're free to edit it",
        ),
        ("[stick to] the v1 client for {m}", "the v1 restriction on {m} is lifted"),
        ("{m} is [frozen]", "unfreezing {m} as of today"),
        (
            "[make sure] {m} fits on one page",
            "the one page limit for {m} is gone, make it as long as you want",
        ),
        (
            "[keep] third party code [out of] {m}",
            "I take that back about {m}, third party libs are welcome",
        ),
    ),
    "zh": (
        ("{m} [先别]升级", "{m} 可以升级了,兼容问题解决了"),
        ("动 {m} 之前[一定要]跟我说一声", "以后改 {m} 不用跟我说了"),
    ),
    "pt": (
        ("[nada de] deploy do {m} essa semana", "liberado o deploy do {m}"),
        (
            "o {m} [tem que] passar por mim antes",
            "esquece aquilo do {m}, não precisa mais passar por mim",
        ),
    ),
    "fr": (
        (
            "[interdit de] modifier {m} pendant l'audit",
            "l'audit est fini, {m} est de nouveau modifiable",
        ),
        (
            "[il faut] relancer {m} à chaque fois",
            "finalement ce n'est plus la peine de relancer {m}",
        ),
    ),
    "es": (
        ("{m} [no se modifica] sin permiso", "con {m} tienes vía libre a partir de ahora"),
        ("[hay que] avisar antes de tocar {m}", "lo de avisar por {m} ya no aplica"),
    ),
}

OBJECTIVES = {
    "en": (
        "good enough. Now I'd like {m} to read barcodes from the webcam",
        "this can wait, {m} doesn't start on the new tablets and that's what matters now",
        "boss just walked in: {m} has to print invoices in two currencies before tomorrow",
        "ok different thing. build me a small dashboard for {m}",
        "stop there, more urgent: rewrite {m} so it streams instead of loading everything",
        "Thanks, that closes this one. Next I want to add undo to {m}.",
        "never mind the css. Help me split {m} into two packages",
        "turns out nobody wants that feature; work on making {m} start in under 2 secs instead",
        "pivot! {m} should become a plugin rather than a fork",
        "lets shelve this and do the {m} upgrade to rails 7",
        "From here our focus is {m}: it needs to survive a power cut without losing readings",
        "new plan after standup, you're gonna add role based access to {m}",
        "can we drop this for today and get {m} talking to the new payment provider?",
    ),
    "zh": ("计划变了,现在的目标是让 {m} 支持多语言", "这个放一放,先把 {m} 的导出功能做出来"),
    "pt": (
        "esquece esse bug, o que a gente precisa agora é integrar o {m} com o pix",
        "próxima tarefa: reescrever o {m} em go",
    ),
    "fr": (
        "bon, on passe à autre chose : ajoute un mode hors ligne à {m}",
        "nouvelle priorité, {m} doit pouvoir importer les fichiers du comptable",
    ),
    "es": (
        "aparca eso, ahora quiero que {m} mande avisos por correo",
        "nuevo objetivo: que {m} arranque en la raspberry",
    ),
}

ANSWERS = (
    ("Which queue should {m} publish to?", "{m}-nats", "{r} charges per message"),
    ("Where do the {m} thumbnails get stored?", "{m}-bucket", "the disk on {r} is nearly full"),
    ("Should {m} render on the server or in the browser?", "{m}-ssr", "{r} has to be crawlable"),
)

DECISIONS = {
    "en": (
        "lets just go {m}, nobody here knows {r}",
        "{m} wins, {r} doesnt run on the lab machines",
        "I thought about it overnight and I want {m}. {r} would lock us in.",
        "final call: {m}. The reason is {r}, we'd have to pay per seat otherwise",
        "we'll take {m} over {r}, simpler to debug at 3am",
        "ok you convinced me, {m}, because {r} can't do partial updates",
        "the architects signed off on {m} as {r} failed the security review",
        "go with the first one ({m}), {r} gave us nothing but trouble last year",
        "decided: {m} instead of {r}, licensing",
        "I'm choosing {m} here since {r} has no arm builds",
        "yeah {m}. {r} is overkill for three users",
    ),
    "zh": ("最后定了用 {m},{r} 的授权太贵", "选 {m},主要是考虑到 {r} 没人维护"),
    "pt": (
        "decidi usar o {m}, o {r} não tem suporte a windows",
        "fica o {m} mesmo, já que o {r} caiu duas vezes esse mês",
    ),
    "fr": (
        "c'est décidé, ce sera {m}, vu que {r} coûte trop cher",
        "on garde {m} puisque {r} ne gère pas les accents",
    ),
    "es": (
        "me quedo con {m}, {r} consume demasiada memoria",
        "tiramos por {m} dado que {r} ya no recibe parches",
    ),
}

TODOS = (
    "add pagination to the {m} list",
    "Remove the feature flag around {m}",
    "Write a regression test for the {m} rounding bug",
    "{m}: validate the iban before saving",
    "check whether {m} leaks file handles",
    "Document how to restore {m} from a backup",
    "rotate the {m} api key with Sandra",
    "Replace moment with date-fns in {m}",
)

VALUES = {
    "en": {
        "url": (
            "staging for {m} lives under {v}",
            "heres the {m} docs {v}",
            "use {v} as the {m} base url",
            "{m} webhook goes to {v} now",
        ),
        "port": (
            "start {m} on {v}, the usual one is taken",
            "I exposed {m} on port {v}",
            "{m} debugger: {v}",
        ),
        "version": (
            "the hospital still uses {m} {v}",
            "just upgraded {m} to {v}",
            "{m} is at {v} in the lockfile",
        ),
        "id": (
            "ticket for the {m} crash is {v}",
            "{v} = {m} regression, reported by support",
            "the {m} tenant id is {v}",
        ),
    },
    "zh": {
        "url": ("{m} 的测试地址是 {v}",),
        "port": ("我把 {m} 的端口改成 {v} 了",),
        "version": ("{m} 目前用的是 {v}",),
        "id": ("{m} 这个问题对应 {v}",),
    },
    "pt": {
        "url": ("a homologação do {m} é {v}",),
        "port": ("aqui o {m} roda na {v}",),
        "version": ("o cliente ainda usa {m} {v}",),
        "id": ("abri o {v} pro erro do {m}",),
    },
    "fr": {
        "url": ("l'adresse de recette de {m} : {v}",),
        "port": ("j'ai lancé {m} sur le port {v}",),
        "version": ("on est passés à {m} {v}",),
        "id": ("pour le bug de {m} voir {v}",),
    },
    "es": {
        "url": ("el entorno de pruebas de {m} es {v}",),
        "port": ("he levantado {m} en el {v}",),
        "version": ("en el servidor hay {m} {v}",),
        "id": ("lo de {m} va en el ticket {v}",),
    },
}

FILES = {
    "en": (
        "have a look at {f}, {r} comes back as null on mondays only, no joke",
        "can you pull {r} out of {f} into its own function",
        "{f} needs a guard for when {r} is negative",
        "pretty sure the bug with {r} sits in {f}, fix it pls",
    ),
    "zh": ("看一下 {f},{r} 总是少一条",),
    "pt": ("no {f} o {r} tá sendo chamado duas vezes, corrige aí",),
    "fr": ("{r} s'affiche mal, ça vient de {f} je pense",),
    "es": ("en {f} falta validar {r}, añádelo",),
}

FAILURES = (
    "The {m} suite is red again after my change; I have not found the cause.",
    "My patch for {m} did not help, the upload hangs at the same spot.",
    "I tried two approaches for {m} and both end in a deadlock.",
)
FAILING = ("go test ./internal/{m}/...", "panic: assignment to entry in nil map ({m})")

CHECKS = {
    "test": "pytest -q tests/{m}",
    "build": "npm run build --workspace {m}",
    "lint": "npx eslint packages/{m}",
}

DECOYS = {
    "log": (
        "{n} ERROR {m} - connection must not be reused after close",
        "{n} [{m}] deprecated: never pass a raw handle, always wrap it",
    ),
    "code": (
        "// TODO: {m} must never run twice\nfunc {m}() error",
        "# Do not instantiate {m} directly, use the factory.\nclass {m}:\n    pass",
    ),
    "output": (
        "CONTRIBUTING\n- always run {m} before opening a PR\n- do not vendor {m}",
        "Usage: {m} must not be started twice.\nAlways pass --config.",
    ),
    "quotation": (
        'the customer mail says "never send us {m} exports again", kind of rude',
        'there is a sticky note on the server that reads "{m} must stay on", any clue why?',
    ),
    "question": (
        "is it true that we should never restart {m}?",
        "who said {m} always needs a lock?",
    ),
}

ORDINARY = (
    "whats this warning about",
    "run the tests once more and paste the summary",
    "the modal closes when I click inside it",
    "why is this query so slow",
    "add a column for the phone number",
    "sure, do that",
    "can I see the last three commits",
    "totals are wrong when theres a discount",
    "pull the parsing bit into a helper",
    "great, thank you!",
    "change the button label to Save draft",
    "push it to the branch",
    "getting a 502 after login, started this morning",
    "nice. how long did the import take?",
    "write a docstring for that class",
    "it compiles here but crashes on the pi",
    "let's see what happens with a bigger batch",
    "which file holds the smtp config?",
    "the spinner is a bit ugly, make it smaller",
    "rebase on develop and tell me if there are conflicts",
    "could the cache be stale?",
    "I restarted the container, same thing",
    "not that one, the one above",
    "walk me through what this regex does",
    "wait, undo the last edit",
    "sounds like a race condition to me",
    "再跑一次看看",
    "o botão sumiu da tela",
    "c'est mieux, merci",
    "¿por qué tarda tanto la consulta?",
)
