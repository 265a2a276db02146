"""Phrasings written blind; see `phrases_blind_3`."""
# fmt: off

PROHIBITIONS = {
    "en": (
        "the {m} savegame format is frozen since launch, so [no touching] it, players would riot",
        "[keep away from] the {m} bootloader sector, we already bricked two boards this month",
        "[please don't] run migrations against {m} from your shell, ops does that on thursdays",
        "I want {m} to stay dependency free. [zero] npm packages in there, not even dev ones",
        "[nothing] outside the parser is allowed to import {m}, that is how the cycle started",
        "[never ever] print patient names in the {m} logs, legal had a fit last time",
        "mocking {m} [is off the table], the tests have to talk to the real thing",
        (
            "just so you know for the whole project: [avoid] async code in {m}, the vendor SDK "
            "hates it"
        ),
        "if you feel like refactoring {m}: [resist]. the guy who owns it is back in march",
        "[stay out of] {m}/generated, it's overwritten by codegen anyway",
        "ugh. you reformatted {m} again. [stop doing] that, the diff is unreadable",
        "pushing straight to the {m} branch [isn't a thing] here, that includes you",
        "floats for money in {m} are [a no-go], cents as ints only",
        "[can we not] use global state in {m}? ever? thx",
        "malloc after init is [forbidden] inside the {m} task, it's a hard realtime loop",
        "the raw {m} csvs are [read-only], write whatever you derive to scratch instead",
        (
            "our reviewers [won't accept] wildcard imports in {m}, just a heads up for "
            "everything you write"
        ),
        "[I'd rather you didn't] bump the {m} version on your own, release mgmt is my job",
        "keep the {m} widgets [free of] hardcoded colours, the theme has tokens for that",
        "sleep() in the {m} integration tests [has no place], poll or wait on an event",
        "[under no circumstances] should the checkout call {m} twice, customers get charged double",
        "You [must not] swallow exceptions in {m}; we lost a week of telescope data that way.",
        "from here on {m} gets [no more] TODO comments, open an issue or leave it",
    ),
    "zh": (
        "{m} 的表结构[别动]，线上还有老客户端在用",
        "以后[禁止]在 {m} 里直接拼 SQL，一律走参数绑定",
        "跟你说一下，{m} 这个目录里的文件[不许]手改，都是脚本生成的",
        "[千万不要]把 {m} 的密钥打到日志里，上次已经出过事了",
    ),
    "pt": (
        "[nada de] console.log no {m}, o cliente vê isso em produção",
        "[nunca] rode o seed em cima do banco {m}, já perdemos dados assim",
        "na pasta {m} [ninguém mexe] sem falar com o pessoal do fiscal antes",
    ),
    "fr": (
        "[pas touche] aux fixtures de {m}, elles viennent du labo et sont signées",
        "il est [interdit] d'appeler {m} depuis le thread de l'interface",
        "[on évite] les singletons dans {m}, ça nous a pourri les tests l'an dernier",
    ),
    "es": (
        "[prohibido] meter lógica de negocio en los controladores de {m}",
        "el módulo {m} [no se toca] hasta que termine la auditoría",
        "[ni se te ocurra] borrar registros de {m}, solo se marcan como inactivos",
    ),
}

OBLIGATIONS = {
    "en": (
        "an {m} endpoint [isn't done until] it has its openapi description, however small",
        "[always] run the {m} simulator before telling me the flight controller is fine",
        "whenever you change a struct in {m} you [have to] bump the wire version as well",
        "new columns in {m} [need] a default, the replicas choke otherwise",
        "[make sure] all the {m} strings go through gettext, we ship in 14 languages",
        "commits that touch {m} [should start with] the ticket number, like SHOP-123",
        "I [expect] a regression test with each bug fixed in {m}. no exceptions pls",
        "in {m} we [stick to] snake_case even for the js bits. yes i know. historical reasons",
        "random seeds in the {m} experiments [are to be] fixed and written into the results file",
        "[it's mandatory] that {m} releases the mutex on each exit path, use the guard class",
        (
            "[remember to] regenerate the {m} bindings after each header change, the ios folks "
            "depend on it"
        ),
        "public functions of {m} [require] a docstring with units (metres, seconds, kelvin..)",
        "everything that leaves {m} [must be] utc. local time is a display problem",
        "you [ought to] ask me first each time you want to drop something from {m}",
        "timestamps, prices, weights: in {m} they [only ever] come as typed wrappers",
        "anything going into {m} [goes through] the linter first, deal?",
        "house rule: a feature in {m} [ships with] a flag that can turn it off",
        "the {m} shaders [shall] compile on GLES 3.0 too, half of our players are on old androids",
        "[don't forget] the changelog, each time {m} changes there's a line in it",
        (
            "I like my {m} notebooks with outputs stripped, so [strip them] each time before "
            "you commit"
        ),
        "error codes in {m} [are supposed to] come out of errors.yaml, all of them",
        (
            "for the rest of this project [write] the {m} comments in english, even if i chat "
            "in german"
        ),
        "terraform for {m}? plan first, show me, then apply. [each and every] time",
    ),
    "zh": (
        "改完 {m} 之后[务必]跑一遍单元测试再告诉我结果",
        "{m} 里的接口[都要]带上超时参数，默认三秒",
        "往后给 {m} 加字段时[记得]同步更新文档",
        "凡是 {m} 的提交信息[一律]用英文写",
    ),
    "pt": (
        "toda rota do {m} [tem que] passar pelo middleware de autenticação",
        "[sempre] que mexer no {m}, atualiza o changelog junto",
        "os valores do {m} [devem] ficar em centavos, inteiro mesmo",
    ),
    "fr": (
        "chaque fonction publique de {m} [doit] avoir son test, même les petites",
        "[pense à] relancer la génération des schémas dès que {m} bouge",
        "dans {m} les messages d'erreur [seront] en français, nos utilisateurs sont des mairies",
    ),
    "es": (
        "todo cambio en {m} [requiere] una entrada en el diario de cambios",
        "[hay que] validar la entrada en cada formulario de {m}, sin excepción",
        "cuando toques {m} [acuérdate de] pasar el formateador antes de subir nada",
    ),
}

LIFTED = {
    "en": (
        (
            "[don't touch] the {m} physics, the designers are tuning it",
            "designers are done, you may edit the {m} physics again",
        ),
        ("for now {m} is [off limits]", "{m} is fair game now, go ahead"),
        (
            "[no] schema changes in {m} till the migration is through",
            "migration's through, so the schema freeze on {m} is over",
        ),
        (
            "every PR on {m} [needs] a sign-off from hardware",
            "hardware says they no longer want to sign off on {m} stuff, just merge",
        ),
        (
            "the {m} makefile [stays as is]",
            "that thing about the {m} makefile? forget it, change what you like",
        ),
        (
            "in {m} we [always] support python 3.7",
            "dropped 3.7 in {m}, use the newer syntax if you want",
        ),
        (
            "[hold off on] deploying {m}, black friday",
            "black friday is behind us, {m} can be deployed as usual",
        ),
        ("you [must] squash each commit in {m}", "squashing is not necessary in {m} any more"),
        (
            "[refrain from] upgrading react in {m}",
            "ok changed my mind, upgrading react in {m} is fine",
        ),
        (
            "benchmarks [are required] for each change to the {m} allocator",
            "skip the benchmarks on the {m} allocator from today, they're too noisy to help",
        ),
        (
            "[never] use threads in {m}",
            "the no threads thing in {m} was for the old chip, you can ignore it",
        ),
        (
            "keep {m} [without any] logging please",
            "I take back what I said on logging, {m} may log whatever it wants",
        ),
        (
            "[steer clear of] the {m} weights dir while training runs",
            "training finished last night, the {m} weights dir is open again",
        ),
    ),
    "zh": (
        ("{m} 的配置先[不要改]，等运维确认", "运维确认过了，{m} 的配置可以改了"),
        ("每次改 {m} [必须]先问我", "以后动 {m} 不用再问我了，你自己看着办"),
    ),
    "pt": (
        ("[não mexe] no {m} enquanto o QA testa", "QA terminou, pode mexer no {m} à vontade"),
        (
            "o {m} [precisa] de revisão dupla em tudo",
            "a revisão dupla do {m} acabou, não precisa mais",
        ),
    ),
    "fr": (
        (
            "[ne modifie pas] {m} avant la démo",
            "la démo est passée, tu peux de nouveau modifier {m}",
        ),
        ("les commits de {m} [doivent] être signés", "plus besoin de signer les commits de {m}"),
    ),
    "es": (
        ("[no subas] nada a {m} esta semana", "ya se puede subir a {m}, se acabó la congelación"),
        (
            "en {m} [es obligatorio] dejar capturas de pantalla",
            "olvida lo de las capturas en {m}, ya no hacen falta",
        ),
    ),
}

OBJECTIVES = {
    "en": (
        "ok enough of that, let's get {m} going now",
        "new topic: I need a {m} page where users can return their orders",
        "park this. The {m} driver is what I want to work on next",
        "right, that's good enough. on to {m}, it has to read the CAN frames by friday",
        "Switching gears - can we build the {m} importer?",
        "let's leave it there for today and look at why {m} eats so much memory",
        "different thing, my boss wants {m} to export pdf. start with that",
        "now for something else entirely: port {m} to wasm",
        "forget the animations, {m} has priority as of this morning",
        "next up is {m}. goal: training under 2h on one gpu",
        "we can come back to that later, first help me set up {m} from scratch",
        "so the sprint changed and I'm on {m} from now on, where do we begin",
        "drop what you're doing pls, prod is down because of {m} and we gotta sort that out",
    ),
    "zh": ("这个先放一放，接下来做 {m}", "换个任务吧，帮我把 {m} 从头搭起来"),
    "pt": (
        "beleza, deixa isso pra lá, agora vamos pro {m}",
        "mudando de assunto: quero fazer o {m} funcionar offline",
    ),
    "fr": (
        "bon, on laisse ça de côté et on attaque {m}",
        "autre chantier : il me faut {m} en ligne pour lundi",
    ),
    "es": ("vale, cambiamos de tema, ahora toca {m}", "dejemos esto, lo urgente es migrar {m}"),
}

DECISIONS = {
    "en": (
        "let's go with {m}, {r} has no windows build",
        "I slept on it: {m} it is. {r} would be faster but nobody on the team can debug it",
        "we're taking {m} over {r} because of the licence",
        "decided: {m}. {r} wanted 40 euros per seat and month, no way",
        "talked to the firmware guys, they prefer {m} since {r} doesn't fit in 64k of flash",
        "ok {m} then, mostly because {r} hasn't had a release since 2019",
        "Option 2 please, so {m}; {r} can still sit on top of it as a cache",
        "hm. {r} looked nice in the demo but its docs are a joke, so {m} for me",
        "final answer {m}, it reads the same files as {r} and we keep the old pipeline alive",
        "my pick is {m}. tried {r} on the cluster, it fell over at 200 nodes",
    ),
    "zh": ("就用 {m} 吧，{r} 太重了，启动要半分钟", "我们定了 {m}，因为 {r} 不支持 ARM"),
    "pt": (
        "fechamos com {m}, o {r} trava com muitos usuários",
        "vai de {m} mesmo, {r} não tem suporte a pix",
    ),
    "fr": (
        "on part sur {m}, {r} est trop cher pour nous",
        "je choisis {m} : avec {r} il faudrait tout réécrire",
    ),
    "es": (
        "nos quedamos con {m}, {r} ya no tiene mantenimiento",
        "elijo {m} porque {r} no funciona sin conexión",
    ),
}

ANSWERS = (
    (
        "How should {m} keep the player sessions?",
        "{m}-side tokens, stateless",
        "{r} would need sticky routing",
    ),
    (
        "Which storage backend do you want for {m}?",
        "{m}-local sqlite file",
        "running {r} as a server is overkill on a kiosk",
    ),
    (
        "What should trigger a rebuild of {m}?",
        "{m}-watch on file changes",
        "cron together with {r} missed half of the updates",
    ),
)

TODOS = (
    "wire {m} into the settings screen",
    "Write unit tests for the {m} tokenizer",
    "profile {m} with 10k rows",
    "Replace the polling in {m} by interrupts",
    "update the README section on {m}",
    "Find out why {m} drops the last packet",
    "rename the helper functions in {m}",
)

VALUES = {
    "en": {
        "url": (
            "{m} staging is at {v} now",
            "use {v} as the base address for {m}",
            "they moved the {m} docs, new link: {v}",
            "fyi the webhook of {m} posts to {v}",
        ),
        "port": (
            "{m} listens on {v}",
            "put {m} on port {v}, the other one is taken",
            "the debugger for {m} attaches at port {v} btw",
        ),
        "version": (
            "we are on {m} {v}, so check the syntax for that one",
            "pin {m} to {v} please",
            "prod runs version {v} of {m}",
        ),
        "id": (
            "the {m} ticket is {v}",
            "project id for {m}: {v}",
            "my {m} account has the number {v}",
        ),
    },
    "zh": {
        "url": ("{m} 的测试地址是 {v}",),
        "port": ("{m} 用 {v} 端口",),
        "version": ("{m} 的版本固定在 {v}",),
        "id": ("{m} 的项目编号是 {v}",),
    },
    "pt": {
        "url": ("o {m} de homologação fica em {v}",),
        "port": ("o {m} sobe na porta {v}",),
        "version": ("estamos com o {m} na versão {v}",),
        "id": ("o id do {m} é {v}",),
    },
    "fr": {
        "url": ("l'adresse de {m} est {v}",),
        "port": ("{m} écoute sur le port {v}",),
        "version": ("on utilise {m} en version {v}",),
        "id": ("l'identifiant de {m}, c'est {v}",),
    },
    "es": {
        "url": ("la dirección de {m} es {v}",),
        "port": ("{m} corre en el puerto {v}",),
        "version": ("usamos la versión {v} de {m}",),
        "id": ("el identificador de {m} es {v}",),
    },
}

CHECKS = {
    "test": "pytest -q tests/{m} --maxfail=3",
    "build": "cargo build --release -p {m}",
    "lint": "npx eslint src/{m} --max-warnings 0",
}

FILES = {
    "en": (
        "can you fix {f}, it still assumes {r} returns a list",
        "{f} needs a small change since {r} was renamed upstream",
        "add a retry to {f} pls, {r} times out every other request",
        "go into {f} and take out the workaround, {r} finally got patched",
    ),
    "zh": ("把 {f} 改一下，{r} 的返回格式变了",),
    "pt": ("ajusta o {f} por causa do {r}, que agora devolve nulo",),
    "fr": ("corrige {f}, {r} ne gère plus les accents",),
    "es": ("modifica {f}, que {r} ahora pide otro parámetro",),
}

FAILING = (
    "ctest --output-on-failure -R {m}",
    "AssertionError: {m} checksum mismatch: expected 0x1f3a, got 0x0000",
)

FAILURES = (
    "I couldn't get {m} to pass: the timeout test still fails about one run in three.",
    "The crash in {m} remains; my change only made it rarer.",
    (
        "Unfortunately {m} does not link yet, two symbols are undefined and I don't know where "
        "they went."
    ),
    "What is left open is the memory leak in {m}, for which I found no cause.",
    "Everything else is green, but {m} is still broken on Windows.",
    "I was unable to reproduce the rounding error in {m}, so it is not fixed.",
)

DECOYS = {
    "log": (
        "{n} WARN {m}: retry queue must never exceed 500 entries, dropping oldest",
        "{n} INFO scheduler - {m} always runs before cleanup, skipping 3 jobs",
    ),
    "code": (
        "static void {m}_tick(void) {{ /* never call this from an ISR */ counter++; }}",
        "if (opts.neverRetry) {{ {m}.alwaysFlush = true; }} // must stay last",
    ),
    "output": (
        (
            "$ head -4 CONTRIBUTING.md\n# Contributing\n- All {m} changes must be reviewed by "
            "two people\n- Never force-push to main"
        ),
        (
            "$ cat docs/style.txt\n1. Do not use tabs.\n2. Every {m} header needs a licence "
            "block.\n(END)"
        ),
    ),
    "quotation": (
        (
            "their wiki says \"never restart {m} while the pump is running\", is that still "
            "true with the new valves?"
        ),
        (
            "On the forum some guy wrote: 'you must always recompile {m} after a kernel "
            "update'. why would that be?"
        ),
    ),
    "question": (
        "do we have a rule against using {m} in the frontend?",
        "am I always supposed to close the {m} handle myself or does the gc do it?",
    ),
}

ORDINARY = (
    "hi, what does this repo do",
    "fix the typo in the header",
    "looks good thanks",
    "why is the build so slow today",
    "can you explain that regex to me like i'm five",
    "yes",
    "hmm that's not what i meant, the other button",
    "make the enemy a bit faster",
    "show me the last three commits",
    "whats the difference between a left join and an outer join",
    "plot the loss curve with a log axis",
    "great, commit it",
    "I get a segfault when I press escape in the menu, any idea?",
    "rename that variable to something sensible",
    "how many tests are there now?",
    "the scrollbar is ugly on firefox",
    "sorry was at lunch, where were we",
    "convert this bash script to python",
    "add a dark mode toggle to the settings page",
    "is there a quick way to see which process holds the lock?",
    "lol ok that was easy",
    "summarize what you changed in two sentences",
    "the i2c sensor returns 0xff on the first read, is that normal",
    "try again with a smaller batch size",
    "could you have a look at the shipping cost calculation, it's off by a cent",
    "undo the last edit please",
    "go on",
    "wow the startup went from 9s to 2s, nice",
    "write me a commit message for this",
)
