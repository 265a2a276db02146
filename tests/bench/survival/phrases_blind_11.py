"""Phrasings written blind; see `phrases_blind_3`."""

PROHIBITIONS = {
    "en": (
        "hands [off] {m} pls, the auditors have it open all week",
        "{m} is Gerhard's baby, he signs for it, [leave it be]",
        "[no] console output in {m}, the till prints whatever lands on stdout",
        "i got burned last year so: {m} [is not to be] run during opening hours",
        "[dont ever] round inside {m}, the dosage is computed from it",
        "{m} in the nurse app? [over my dead body]",
        "oh and [zero] globals in {m} thx",
        "My supervisor was quite clear that {m} [may not] leave the university network.",
        "we [gave up on] threads in {m} and it's staying that way",
        "[hold off on] {m} until the harvest is in, drivers are using it live",
        "{m} = [read only] for you",
        "you [shouldnt] be writing to {m}, it belongs to the other shop",
        "just [not] in {m}, put it anywhere else",
        "[stop] reformating {m}, i cant read my own diffs anymore",
        "[at no point] should {m} see a patient's name",
        "the theatre runs on {m} so [no experiments] there",
        "{m} [can do without] another helper class, thank you",
        "Students read {m}, [I don't want] clever one-liners in it.",
        "[never] let {m} swallow an exception, not even in the demo",
        "{m} [mustn't] be called from the checkout thread",
        "I'm allergic to regexes in {m}, [keep them out]",
        "the vendor dir {m} [isn't ours to change]",
        "anything called {m} [doesnt belong] in a screenshot or a log",
    ),
    "zh": (
        "{m} 是客户那边在维护的,[别碰]",
        "[千万别]把 {m} 的密钥写进配置文件",
        "晚上八点以后[不能]重启 {m},餐厅还在用",
        "{m} 里[禁止]用 any,老师会扣分",
    ),
    "pt": (
        "deixa o {m} [quieto], a contabilidade fecha o mês nele",
        "[jamais] roda o {m} com os dados dos alunos",
        "no {m} [ninguém mexe] enquanto o Rui tá de férias",
    ),
    "fr": (
        "{m} c'est [chasse gardée], le labo le valide à la main",
        "[jamais] de requête brute dans {m} stp",
        "je [ne veux plus] voir {m} dans les imports du guichet",
    ),
    "es": (
        "a {m} [ni acercarse] hasta que acabe la campaña",
        "en {m} [prohibido] guardar dni de socios",
        "[que no] se llame a {m} desde el móvil, gasta datos",
    ),
}

OBLIGATIONS = {
    "en": (
        "distances in {m} [in metres], the surveyors won't take anything else",
        "{m} [gets] a dry run first, every time, I've got 40 trucks on it",
        "[one] migration per change in {m}, our dba is old school",
        "british spelling in {m} [please], the publisher is picky",
        "u [gotta] run the {m} suite b4 u say its green",
        "whoever edits {m} [updates] the wiring diagram too, that includes you",
        "[Always] spell out the units in {m}, I teach this stuff",
        "prices out of {m} [are] integers in cents",
        "{m} [has to] boot in under two seconds on the old tablets",
        "so the deal with {m} is: small commits, [each] with the ticket number in front",
        "whatever comes in from the sensors [goes via] {m}",
        "[make a habit of] checking {m} for leaks when you're in there anyway",
        "backup, [then] {m}. in that order",
        "Any text a parent can see [is taken from] {m}.",
        "[i'd like] {m} to work with a keyboard alone, my brother is blind",
        "{m} [must] print on A5, the pharmacy has no other paper",
        "[stick to] the naming in {m}, even if it looks daft",
        "[run it past me] whenever {m} gets a new table",
        "a comment with the source [next to every] constant in {m}, peer review wants that",
        "plain sql in {m}, [that's how we do it]",
        "[dont forget] to clear {m} after each import, it piles up",
        "{m} [needs to] keep accepting the 2011 file format, the museum has thousands",
        "calls to {m} [ought to] carry the site code",
    ),
    "zh": (
        "{m} 的金额[一律]用分做单位",
        "动 {m} 之前[记得]先备份一份",
        "[每次]改完 {m} 都把截图发我看看",
        "{m} 的变量名[要]跟课本上一致",
    ),
    "pt": (
        "o {m} [tem que] abrir no celular velho da minha mãe",
        "datas no {m} [só] no formato dia/mês/ano",
        "antes de subir o {m} [me avisa], o cliente fica olhando",
    ),
    "fr": (
        "dans {m} [chaque] calcul cite l'article de la norme",
        "{m} [doit] rester lisible par un stagiaire",
        "tu [repasses par] moi avant de livrer {m}",
    ),
    "es": (
        "los textos de {m} [van] en catalán y en castellano",
        "[acuérdate de] cerrar {m} cuando acabes, se queda colgado",
        "en {m} [hay que] apuntar quién hizo el cambio",
    ),
}

LIFTED = {
    "en": (
        (
            "{m} is Gerhard's, [leave it alone]",
            "gerhard retired on friday so {m} is ours now, edit as you please",
        ),
        (
            "[no] schema changes in {m} while the census is running",
            "census is over btw, schema of {m} is open again",
        ),
        (
            "[always] run {m} on the slow tablet first",
            "they finally binned the slow tablet, so that {m} step can go",
        ),
        ("[dont] restart {m} before noon", "sure, restart {m} whenever, nobody's on it these days"),
        (
            "you [have to] show me every diff in {m}",
            "I trust you with {m} by now, stop showing me each diff",
        ),
        (
            "[never] write to {m} from a script",
            "scripts writing to {m}? yeah that's ok since we have the replica",
        ),
        ("[only] bug fixes in {m} pls", "features are welcome in {m} too from today"),
        (
            "{m} [must] stay compatible with the 2011 format",
            "the museum converted everything, {m} can drop the 2011 format",
        ),
        (
            "comments in {m} [are] in Dutch",
            "Dutch comments in {m} were for Joost and he left, do them in whatever",
        ),
        (
            "[keep out of] {m}, the lawyers are reading it",
            "lawyers gave the all clear on {m}, go wild",
        ),
        (
            "we [can't] call {m} over the network, it costs per request",
            "got a flat rate for {m}, so call it as often as you need",
        ),
        ("[ask] before you install anything for {m}", "install what {m} needs, dont bother asking"),
        (
            "[not] a single new file under {m}",
            "was too strict about {m} earlier, new files there are alright",
        ),
    ),
    "zh": (
        ("{m} 客户在验收,[先不要]动", "验收过了,{m} 随便改吧"),
        ("改 {m} [都要]先问我", "{m} 以后你自己看着办,不用问我了"),
    ),
    "pt": (
        ("[não] roda o {m} no fim do mês", "o fechamento acabou, roda o {m} à vontade"),
        ("o {m} [precisa] passar por mim antes", "{m} nem precisa mais passar por mim"),
    ),
    "fr": (
        (
            "[interdit] de relancer {m} en journée",
            "le guichet est fermé tout l'été, relance {m} quand tu veux",
        ),
        ("{m} [doit] être relu par Inès", "Inès a changé de service, plus de relecture pour {m}"),
    ),
    "es": (
        ("a {m} [no] le metas mano", "ya pasó la auditoría, métele mano a {m} si quieres"),
        ("[pregúntame] antes de borrar en {m}", "en {m} borra sin preguntar, hay copia"),
    ),
}

OBJECTIVES = {
    "en": (
        "so my boss just walked in and he wants {m} to print barcodes. that, not this",
        "hm. you know what would help me more? a page where the nurses can see {m}",
        "the client called, they don't care about the charts, they care that {m} opens on an ipad",
        "good enough. {m} next, it has to read the german invoices as well",
        "before lunch i'd rather have {m} sending the reminders, the rest can rot",
        "We have a bigger fire: {m} is charging people twice, get to the bottom of that.",
        "im bored of this lol, lets make {m} playable with a gamepad",
        "ok the paper got accepted so now it's about making {m} reproducible from a clean checkout",
        "turns out nobody uses that screen. drop it and give {m} a search box",
        "with that out of the way, turn {m} into something I can hand to the volunteers",
        "tomorrow's the demo so from here it's {m} and only {m}: login, list, logout working",
        "Could we go back to what I came for, which is splitting {m} into two programs?",
        "wait no. wrong end of it. we should be replacing {m} not patching it",
    ),
    "zh": (
        "老板刚说了,{m} 下周要能扫码入库,先搞这个",
        "这个差不多了,咱们来把 {m} 改成多人同时用的",
    ),
    "pt": (
        "o cliente ligou, agora o que importa é o {m} emitir nota fiscal",
        "tá bom assim, bora fazer o {m} mandar mensagem pros pais",
    ),
    "fr": (
        "finalement ce qu'il me faut c'est que {m} gère les absences, le reste attendra",
        "bon, ça suffit pour ça, on attaque l'impression des étiquettes dans {m}",
    ),
    "es": (
        "me acaban de llamar: lo urgente es que {m} calcule el iva bien, ponte con eso",
        "vale, aparcamos los gráficos y montamos el calendario de {m}",
    ),
}

ANSWERS = (
    (
        "Where should {m} keep the uploaded scans?",
        "{m}-minio",
        "the disk behind {r} is full every spring",
    ),
    ("Which format should {m} export?", "{m}-ods", "the town hall has no licence for {r}"),
    ("Run {m} as a service or from cron?", "{m}-cron", "{r} gets switched off at night"),
)

DECISIONS = {
    "en": (
        "{m}. {r} wants a credit card and I'm not giving it one",
        "slept on it and I'm taking {m}, {r} would be one more thing to explain to the volunteers",
        "lets just go {m} cos {r} keeps falling over on the tablets",
        "The committee prefers {m}, seeing as {r} stores data overseas.",
        "fine, you convinced me, {m}, if only because {r} has no offline mode",
        "{m} then. nobody here can read {r} code",
        "{r} is out since the licence changed, so it'll be {m}",
        "going w/ {m} bc {r} needs 8 gigs of ram and we got 2",
        "I asked the accountant and she wants {m}; with {r} she can't see the trail",
        "we tried {r} for a term and the kids broke it daily, hence {m}",
    ),
    "zh": ("还是选 {m},{r} 手机上打不开", "跟老师商量过了用 {m},主要是 {r} 要收费"),
    "pt": (
        "bati o martelo no {m}, o {r} trava no computador da recepção",
        "fica o {m} mesmo, porque ninguém na escola entende o {r}",
    ),
    "fr": (
        "ce sera {m}, vu que {r} héberge hors d'Europe",
        "va pour {m}, {r} demande un abonnement et la mairie refuse",
    ),
    "es": (
        "me quedo con {m}, que {r} no va sin internet",
        "decidido, {m}: a {r} se le acaba la licencia en mayo",
    ),
}

TODOS = (
    "Chase the supplier about {m} credentials",
    "{m} label cut off on A5 paper",
    "write down how to restore {m} from tape",
    "Try {m} with a Turkish locale",
    "get rid of the sleep in {m}",
    "second pass over {m} wording w/ the teachers",
    "Measure {m} again once the index is there",
)

VALUES = {
    "en": {
        "url": (
            "the staging {m} lives here now {v}",
            "if you need {m} its {v}, no login",
            "{m} docs (the decent ones) {v}",
            "they gave us a new address for {m} this morning, {v}",
        ),
        "port": (
            "{m}? that's on {v}",
            "i moved {m} to {v} cos the printer daemon was squatting on the old one",
            "firewall only lets {v} through for {m}",
        ),
        "version": (
            "the school laptops have {m} {v} and that won't change",
            "just upgraded, {m} says {v}",
            "{v} is the last {m} that runs on the old macs",
        ),
        "id": (
            "Ref. {v} for the {m} complaint",
            "{m} got filed under {v} yesterday",
            "put {v} in the commit, that's {m}",
        ),
    },
    "zh": {
        "url": ("{m} 的新地址是 {v}",),
        "port": ("我把 {m} 换到 {v} 端口了",),
        "version": ("学校机房装的是 {m} {v}",),
        "id": ("{m} 那个问题编号 {v}",),
    },
    "pt": {
        "url": ("o {m} mudou pra {v}",),
        "port": ("aqui o {m} responde na {v}",),
        "version": ("o servidor da escola tem {m} {v}",),
        "id": ("abri o {v} por causa do {m}",),
    },
    "fr": {
        "url": ("{m} a déménagé : {v}",),
        "port": ("le port de {m}, c'est {v}",),
        "version": ("les postes de la mairie ont {m} {v}",),
        "id": ("{m}, c'est le dossier {v}",),
    },
    "es": {
        "url": ("a {m} se entra por {v}",),
        "port": ("he puesto {m} en el {v}",),
        "version": ("en la clínica tienen {m} {v}",),
        "id": ("lo de {m} lleva el número {v}",),
    },
}

FILES = {
    "en": (
        "{f} prints {r} upside down on the label printer, have a go at it",
        "could {f} skip {r} when the sensor is unplugged?",
        "i think whoever wrote {f} forgot {r} can be negative, fix pls",
        "{r} shows last years numbers, pretty sure its {f}",
    ),
    "zh": ("{r} 老是多一行,看看 {f}",),
    "pt": ("o {f} esquece o {r} quando é feriado, dá um jeito",),
    "fr": ("{r} n'apparaît plus à l'impression, regarde {f}",),
    "es": ("mira {f}, que {r} sale con la fecha de ayer",),
}

FAILURES = (
    "I left {m} out: its fixture needs a printer I don't have here, so that part is unverified.",
    "The totals agree now, although {m} comes up empty on every second run and I can't explain it.",
    "I have doubts about {m}; after my change it hangs at startup, just as it did before.",
)
FAILING = (
    "./gradlew :{m}:check",
    "panic: runtime error: invalid memory address or nil pointer dereference ({m})",
)

CHECKS = {
    "test": "go test ./{m}/...",
    "build": "dotnet build src/{m}",
    "lint": "npx eslint packages/{m}",
}

DECOYS = {
    "log": (
        "{n} ERROR {m}: must be called from the main thread, aborting",
        "{n} notice [{m}] never share this token with anyone",
    ),
    "code": (
        "-- do not drop {m}, reports depend on it\nCREATE VIEW {m} AS SELECT 1;",
        "// {m} must stay first in the list\nimport '{m}';",
    ),
    "output": (
        "# House rules\n* always label {m}\n* no food next to {m}",
        "Usage: {m} OPTIONS DIR\nYou must pass a directory. Never pass {m} twice.",
    ),
    "quotation": (
        'the sticker on the machine says "always unplug {m} first" haha',
        'her mail literally reads "nobody may open {m} without me", bit dramatic',
    ),
    "question": (
        "is it true that {m} should never run twice?",
        "who decided we must keep {m} around?",
    ),
}

ORDINARY = (
    "morning! where were we",
    "it beeps twice now instead of once",
    "the total on the receipt is 3 cents off",
    "nice, can u do the same for the second sheet",
    "why is the bar red on tuesdays",
    "put the button a bit more to the left",
    "my phone shows the old version still",
    "open the csv and tell me how many rows have no postcode",
    "hang on, phone",
    "undo that last one",
    "what does this warning mean, is it bad",
    "sort them by surname",
    "I'd have thought a dictionary would be quicker here, no?",
    "Please draft a short mail to the supplier about the missing field.",
    "it worked!!! ur a genius",
    "the map is upside down lol",
    "give me three names for the new screen",
    "did the nightly job run?",
    "lets see the log from yesterday around 4pm",
    "swap those two columns",
    "I've pasted the stack trace below",
    "how long will the import take roughly",
    "the second one looks better",
    "same error, different line",
    "can you draw me the table layout in ascii",
    "为什么打印出来是乱码",
    "ficou ótimo, manda o próximo",
    "attends je regarde avec ma collègue",
    "sale todo en blanco",
)
