"""Decide whether a sentence tells of trouble, or of its end, and find what it speaks of.

English has patterns of its own, eight other languages have one each.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

from amplihack_compaction.text.languages import language_of
from amplihack_compaction.text.phrasings.conversation import GO_ON_WORDS
from amplihack_compaction.text.sentences import with_following
from amplihack_compaction.text.words import distinct_words, has_hint, one_line, words_of

_CACHED_SENTENCES = 2048
_SENTENCE_CHARS = 400
# The letters of a word that its endings leave alone.
_STEM_CHARS = 5
_LEAST_WORD_CHARS = 4
_SHARED = 0.5

_TROUBLES_ABROAD = {
    "de": re.compile(
        r"\b(?:(?:immer noch|noch immer|weiterhin|nach wie vor|trotzdem)\b.{0,60}\b(?:kaputt"
        r"|fehl\w*|rot|defekt|nicht|kein\w*|wächst|steigt|langsam|häng\w+|ab|doppelt|leer|falsch|instabil)"
        r"|(?:schlägt|schlagen) (?:immer noch |weiterhin |noch )(?:\w+ )?fehl"
        r"|(?:weiß|weiss|verstehe|sehe) ich (?:\w+ )?(?:noch )?nicht"
        r"|(?:weiß|weiss|verstehe) (?:ich )?(?:\w+ )?nicht,? (?:warum|wieso|woran|woher)"
        r"|(?:ursache|grund)\b.{0,40}\b(?:unklar|unbekannt|nicht (?:gefunden|bekannt|klar))"
        r"|nicht (?:reproduzieren|beheben|lösen|gefunden|gelöst|behoben|herausfinden|hinbekommen)"
        r"|ungelöst|hat (?:auch )?nicht geholfen|(?:bringt|brachte) (?:auch )?nichts"
        r"|ohne erfolg)\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:(?:toujours|encore|continue(?:nt)?)\b.{0,40}\b(?:échou\w*|plant\w+|cassée?s?|monter?"
        r"|bloqu\w+|erreur|fui\w+|lente?|croître)"
        r"|(?:échoue|plante|bloque|monte|fuit)(?:nt)? (?:encore|toujours)"
        r"|(?:cause|raison|origine)\b.{0,40}\b(?:inconnue|pas claire|reste)"
        r"|pas (?:encore |réussi à )?(?:trouvé?r?|identifiée?|résolue?|résoudre|réglée?"
        r"|reproduire)"
        r"|(?:ne sais pas|aucune idée)\b.{0,20}\b(?:pourquoi|d'où)|sans succès|non résolue?s?"
        r"|n'a rien (?:changé|donné)|(?:marche|fonctionne|passe)(?:nt)? toujours pas"
        r"|pas de solution)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:(?:sigue|siguen|todavía|aún|continúan?|tampoco)\b.{0,40}\b(?:fall\w+|sin \w+|no \w+"
        r"|rot[oa]s?|error\w*|subiendo|creciendo|duplicad\w+|lent[oa]s?|coloreando)"
        r"|tampoco (?:funcion\w+|va|ayud\w+|sirv\w+)"
        r"|no (?:he|hemos) (?:encontrado|podido|logrado|conseguido|resuelto|dado con)"
        r"|no sé (?:\w+ )?(?:por qué|la causa|de dónde)|sin éxito|sin resolver"
        r"|(?:causa|motivo)\b.{0,30}\b(?:desconocid\w+|sin identificar))\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"\b(?:(?:continua\w*|ainda|segue\w*)\b.{0,40}\b(?:falh\w+|quebrad\w+|sem \w+|vazando"
        r"|não (?:funciona|sei|descobr\w+|encontr\w+|resolv\w+|ach\w+)|erro|crescendo|subindo"
        r"|duplicad\w+|trava\w*|lent[oa]s?)"
        r"|não (?:consegui|descobri|encontrei|achei|resolvi|identifiquei)\b.{0,40}\b(?:causa|motivo"
        r"|por que|erro|problema|reproduzir|resolver|corrigir|solução)"
        r"|não (?:descobri|encontrei|achei) (?:a causa|o motivo|por que)"
        r"|não sei (?:ainda )?(?:por que|o motivo|a causa)|sem sucesso"
        r"|também não (?:funcion\w+|adiant\w+|resolv\w+))\b",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"\b(?:(?:вс[её] (?:равно|ещ[её])|по[- ]прежнему|ещ[её]|до сих пор|иногда)\b.{0,40}"
        r"\b(?:пада\w+|не (?:работа|проход|груз|помог)\w+|раст[её]т|теч[её]т|ошибк\w+|лома\w+"
        r"|висн\w+|повторя\w+|дублир\w+|красн\w+|зависа\w+|тормоз\w+)"
        r"|причин\w+\b.{0,30}\b(?:не (?:нашел|нашёл|нашла|ясна|понят\w+|найден\w*|известн\w+)"
        r"|неизвестн\w+|непонятн\w+|неясн\w+)"
        r"|не (?:удалось|получилось|смог|смогла) (?:\w+ )?(?:исправить|починить|найти|понять"
        r"|воспроизвести|решить|разобраться)"
        r"|не знаю,? (?:\w+ )?(?:почему|отчего|из-за чего|в ч[её]м)|не помогл[оаи]|безуспешно)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:还是|仍然|依然|仍|一直|偶尔|有时)(?:会|在|有)?.{0,8}(?:失败|报错|不行|不对|崩|涨|泄漏"
        r"|泄露|超时|出错|卡住|乱码|重复|没解决)"
        r"|(?:没|没有|未|无法|没能)(?:能)?(?:找到|查到|查出|定位|搞清|弄清|解决|修好|复现)"
        r"|(?:原因|根因).{0,4}(?:不明|未知|不清楚)|不(?:知道|清楚)为什么|也(?:没用|没效果|不管用)",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"(?:まだ|依然|相変わらず|引き続き).{0,20}(?:失敗|落ち|エラー|直って(?:い)?(?:ない|ません)"
        r"|直りません|解決(?:して|でき)|動(?:か|きません)|不明|増え|残って|続いて)"
        r"|(?:原因|理由).{0,12}(?:不明|[分わ]かりません|[分わ]からない|[分わ]かって(?:い)?(?:ません|ない)"
        r"|特定できて?(?:い)?(?:ません|ない)|見つか(?:りません|らない|って(?:い)?(?:ません|ない)))"
        r"|(?:ても|でも).{0,6}(?:直りません|直らない|解決しません|改善しません|変わりません|増え続け)"
        r"|未解決|再現できません|まれに.{1,20}(?:します|落ち|なり)",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"(?:아직|여전히|계속|아직도|가끔|꺼도|해도).{0,20}(?:실패|에러|오류|안 ?(?:돼|됩|되|고쳐)"
        r"|못 ?찾"
        r"|해결(?:하지|되지|을)? ?(?:못|안)|늘어|깨[져집]|중복|죽[어습]|느[려립]|발생|멈[춰춥])"
        r"|(?:원인|이유).{0,12}(?:모르|모릅|못 ?찾|불명|알 수 없|파악(?:하지)? ?(?:못|안))"
        r"|(?:해결|재현|수정)(?:하지|되지) ?(?:못|않)|소용(?:이)? ?없|효과가 ?없",
        re.IGNORECASE,
    ),
}
_SOLVED_ABROAD = {
    "de": re.compile(
        r"\b(?:behoben|gelöst|gefixt|repariert|(?:tritt|treten)\b.{0,20}\bnicht mehr auf"
        r"|kommt nicht mehr vor"
        r"|(?:geht|läuft|laufen|klappt|funktionier(?:t|en)|lädt) (?:jetzt|nun|wieder|endlich)"
        r"|(?:jetzt|nun|wieder|endlich) (?:geht|läuft|laufen|klappt|funktioniert))\b",
        re.IGNORECASE,
    ),
    "fr": re.compile(
        r"\b(?:r[ée]gl[ée]e?s?|r[ée]solue?s?|corrigée?s?|réparée?s?"
        r"|(?:marche|fonctionne|passe)(?:nt)? (?:maintenant|enfin|à nouveau|désormais)"
        r"|ne (?:plante|échoue|fuit)(?:nt)? plus)\b",
        re.IGNORECASE,
    ),
    "es": re.compile(
        r"\b(?:arreglad[oa]s?|resuelt[oa]s?|solucionad[oa]s?|corregid[oa]s?"
        r"|(?:ya|ahora|por fin) (?:funciona|pasa|carga)n?|(?:funciona|pasa)n? (?:ya|ahora)"
        r"|ya no (?:falla|pasa|ocurre|sale)n?|lo (?:arreglé|solucioné|corregí))\b",
        re.IGNORECASE,
    ),
    "pt": re.compile(
        r"\b(?:corrigid[oa]s?|resolvid[oa]s?|consertad[oa]s?"
        r"|(?:agora|já) (?:funciona|passa|passou|roda)"
        r"|(?:passou|funcionou|funciona|resolveu) agora|(?:resolvi|consertei|corrigi)"
        r"|não (?:falha|quebra|acontece) mais)\b",
        re.IGNORECASE,
    ),
    "ru": re.compile(
        r"\b(?:исправ(?:ил[аи]?|лен[аоы]?)|почин(?:ил[аи]?|ен[аоы]?)|решен[аоы]|устранен\w*"
        r"|разобрал(?:ся|ась|ись)|пофиксил[аи]?|(?:теперь|уже) (?:работа\w+|проход\w+)"
        r"|больше не (?:пада|повторя|теч|лома)\w+)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?:修好|解决|搞定|修复)(?:了|完)|已经?(?:修好|解决|修复|搞定)"
        r"|(?:现在|终于)(?:正常|能用|通过)了|不再(?:报错|失败|出现|重复|涨)",
        re.IGNORECASE,
    ),
    "ja": re.compile(
        r"(?:解決|修正|対応)(?:済み|し(?:た|ました)|できました)|直(?:り|し)ました|直[っし]た"
        r"|(?:動く|通る)ようになり?",
        re.IGNORECASE,
    ),
    "ko": re.compile(
        r"(?:해결|수정)(?:됐|되었|했|완료|됨|함)\S*|고쳤\S*|고쳐졌\S*"
        r"|(?:이제|드디어) (?:잘 ?)?(?:돼|됩|동작|통과)\S*",
        re.IGNORECASE,
    ),
}
# What is asked, supposed or only wished for is neither.
_SUPPOSED = re.compile(
    r"[^?？]*[?？]\W*$|\W*(?:wenn|falls|sobald|si|cuando|se|quando|если|когда|чтобы)\b|\W*(?:如果|要是"
    r"|只要|もし|만약)",
    re.IGNORECASE,
)
# Stands before a word for "solved" that is not so.
_DENIES = re.compile(
    r"\b(?:nicht|noch|fast|pas|presque|sin|casi|não|quase|не|почти|muss|müssen|faut|hay que"
    r"|falta|precisa|надо|нужно)\s(?:\w+\s){0,2}$|[没未还別别要请請]\w{0,3}$"
    r"|(?:못|안|아직) ?\S{0,4}$",
    re.IGNORECASE,
)
# In Portuguese "no" is "in the".
_DENIES_SPANISH = re.compile(r"\bno\s(?:\w+\s){0,2}$", re.IGNORECASE)
_BEFORE_CHARS = 30
# What any trouble may be told in, without accents.
_GENERAL = frozenset(
    "probl fehle bugs error erreu erro ошибк пробл issue grund ursac cause causa motiv motif причи"
    " raiso komme leide weiss warum woran liegt sind habe haben wurde werde muss mehr aber auch"
    " nicht noch kein keine jetzt wiede avec dans pour mais tous cette viens vient maint encor"
    " pourq toujo porqu pero cuand esta este estan para como todav tampo ahora mesmo ainda agora"
    " quand isso sais saber также тепер после почем было пока знаю".split()
)
_GENERAL_EAST = re.compile(
    r"[\u3040-\u309f的我是了在和也还没就这那有不把被会]|问题|問題|문제|原因|원인|修正|수정|아직|이제|니다"
    r"|습니|[었았됩였]"
)


def tells_trouble(sentence: str, language: str) -> bool:
    """Return whether a sentence says that something does not work yet, or that nobody knows why."""
    pattern = _TROUBLES_ABROAD.get(language)
    if pattern is None or len(sentence) > _SENTENCE_CHARS or _SUPPOSED.match(sentence):
        return False
    return pattern.search(sentence) is not None


def tells_solved(sentence: str, language: str) -> bool:
    """Return whether a sentence says that something which did not work does so now."""
    pattern = _SOLVED_ABROAD.get(language)
    if pattern is None or len(sentence) > _SENTENCE_CHARS or _SUPPOSED.match(sentence):
        return False
    found = pattern.search(sentence)
    if found is None:
        return False
    before = sentence[max(0, found.start() - _BEFORE_CHARS) : found.start()]
    denied = language == "es" and _DENIES_SPANISH.search(before)
    return not (denied or _DENIES.search(before))


def names_nothing(sentence: str, language: str) -> bool:
    """Return whether a sentence on trouble does not say with what: "The cause is not known."."""
    if language not in _TROUBLES_ABROAD:
        return False
    return not _named(_TROUBLES_ABROAD[language].sub(" ", sentence), language)


def speaks_of(sentence: str, issue: str, language: str) -> bool:
    """Return whether a sentence that calls something solved names what an issue names."""
    if language not in _SOLVED_ABROAD:
        return False
    told = _named(issue, language)
    said = _named(_up_to_solved(sentence, language), language) or _named(sentence, language)
    return bool(said and told) and len(said & told) >= _SHARED * min(len(said), len(told))


def _up_to_solved(sentence: str, language: str) -> str:
    """Return a sentence without what follows the word for "solved": that mostly tells how."""
    found = _SOLVED_ABROAD[language].search(sentence)
    return sentence[: found.end()] if found else sentence


@lru_cache(maxsize=_CACHED_SENTENCES)
def _named(sentence: str, language: str) -> frozenset[str]:
    """Return the stems of what a sentence names; of text without spaces, pairs of characters."""
    words = [
        word
        for word in words_of(_SOLVED_ABROAD[language].sub(" ", sentence))
        if word not in GO_ON_WORDS
    ]
    if language in ("zh", "ja", "ko"):
        return frozenset(word for word in words if not _GENERAL_EAST.search(word))
    # "l'import", "n'ai"
    plain = (_plain(word.replace("’", "'").rpartition("'")[2]) for word in words)
    stems = (word[:_STEM_CHARS] for word in plain if len(word) >= _LEAST_WORD_CHARS)
    return frozenset(stem for stem in stems if stem not in _GENERAL)


def _plain(word: str) -> str:
    """Return a word without accents, which many leave out."""
    return "".join(
        sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign)
    )


# A text's language shows in its beginning.
_LANGUAGE_CHARS = 400
_ISSUE_HINTS = (
    "still", "keep", "known", "open", "outstanding", "remain", "unresolved", "blocked", "bug:",
    "fixme", "have not", "haven't", "issue", "blocker", "unfixed", "fixed", "solved", "unblocked",
    "work", "pass", "no longer", "unable", "could not", "couldn't", "can't", "cannot", "no idea",
    "unclear", "know why", "helped", "did it", "did the trick", " gone", "went away",
    "disappeared", "was it", "the cause", "culprit", "the problem", "the bug",
    "s now", "s again", " ran", "succeed", "went through", "terminates",
)  # fmt: skip
_TROUBLES = (
    r"(?:fail(?:s|ing)?|broken|not \w+ing|crash\w*|hang(?:s|ing)?|flaky|error(?:s|ing)?|tim(?:es"
    r"|ing) out"
    r"|leak(?:s|ing)?|drop(?:s|ping)|los(?:es?|ing)|block(?:s|ing|ed)|stuck|red|unstable|incorrect"
    r"|wrong|missing|reject(?:s|ing|ed)|refus(?:es?|ing)|return(?:s|ing) (?:the wrong|an? error"
    r"|null"
    r"|nothing|stale|[45]\d\d)|does(?:n't| not)|do(?:n't| not)|can(?:'t|not)|throw(?:s|ing)?)"
)
_ISSUE = re.compile(
    rf"\b(?:still|keeps?) (?:(?:sometimes|occasionally|often) )?{_TROUBLES}\b"
    r"|^\W{0,6}(?:not|un)[ -]?(?:yet )?(?:fixed|solved|resolved|working)(?: yet)?\W{0,4}"
    r"[:：–-]\s*\S"
    r"|\b(?:could|can)(?: ?not|n't) (?:yet )?(?:get \S+(?: \S+){0,4} to \w+|reproduce|fix"
    r"|figure out"
    r"|find (?:out )?(?:why|the cause|what))\b|\bunable to (?:fix|reproduce|connect|build"
    r"|run)\b"
    r"|\b(?:ha(?:ve|s)(?:n't| not)|not) (?:yet )?(?:found|figured out|solved|managed)\b"
    r"|\bstill (?:one|two|some|an?) [^.]{0,20}\bopen\b"
    r"|\b(?:no idea|(?:don't|do not) know|unclear|not clear)(?: yet)? why\b"
    r"|\b(?:is|are)(?:n't| not) (?:fixed|solved|resolved) yet\b"
    r"|\b(?:known|open|outstanding|remaining|unresolved) (?:issue|bug|problem|limitation|failure)"
    r"s?\b|\bblocked (?:by|on)\b"
    r"|^\W{0,6}(?:BUG|FIXME|ISSUE|KNOWN ISSUE|BLOCKER)\b[^\w:]{0,4}:\s*\S"
    r"|\bremains? (?:unresolved|unfixed|broken)\b|\bunfixed\b",
    re.IGNORECASE,
)
_NO_ISSUE = re.compile(
    r"[?？]\s*$|\b(?:no|not|without|n't|no longer|zero|any|if|whether|in case|was|were|used to)\b"
    r"(?: \w+){0,3} (?:known|open|outstanding|remaining|unresolved|blocked|still|issues?|bugs?)\b"
    r"|^\W{0,6}(?:if|in case|when)\b|(?<!not )(?<!n't )(?<!yet )\b(?:fixed|resolved|addressed)\b"
    r"|\bcloses? #\d|\breproduce [^.;]{0,60}\b(?:any ?more|any longer|now)\b",
    re.IGNORECASE,
)
_RUNS = (
    r"(?:starts|runs|loads|builds|compiles|boots|connects|terminates|succeeds|answers|responds"
    r"|syncs|renders|sends|opens|comes up) (?:now|again)"
)
_RESOLVED = re.compile(
    r"\b(?:fixed|resolved|solved|unblocked|works? now|now works?|working now|now passes"
    r"|passes now|no longer (?:fails?|happens?|blocked|broken)|(?:is|are) (?:now )?gone|went away"
    rf"|disappeared|{_RUNS}"
    r"|both (?:[\w-]+ ){0,4}pass(?:es)?)\b"
    r"|(?<!it )(?<!that )(?<!this )\b(?<!\bI )(?:worked|ran(?: through)?|went through|succeeded)"
    r"(?= (?:now|again|fine)\b|\s*(?:$|[.,;!]))",
    re.IGNORECASE,
)
# Says that what was spoken of last is solved, and does not name it.
_NAMES_NOTHING = re.compile(
    r"^\W*(?:(?:yes|yep|ok|okay|great|perfect|nice|cool|thanks|thx|good|and)\W+){0,3}"
    r"(?:(?:that|this|it)(?:'s| is| has been)?(?: (?:now|finally|really|indeed))?"
    r" (?:worked|works|fixed|solved|did it|did the trick|fixes|solves|helped(?=\s*(?:$|[.!])))\b"
    rf"|(?:that|this|it) {_RUNS}\b"
    r"|(?:that|this|it) was (?:it|the (?:cause|culprit|problem|bug))\b"
    r"|(?:fixed|solved|works(?: now)?)(?: (?:now|it))?\s*(?:$|[.,;:!]|and\b|with\b|by\b))",
    re.IGNORECASE,
)
_UNRESOLVED = re.compile(r"\b(?:not|n't|never|once|until|if|need|should|will|to be)\b", re.I)

# "Understood, I will not touch the lexer." takes up what the user said, and tells of nothing else.
_HEARD = (
    r"understood|got it|noted|will do|verstanden|alles klar|notiert|compris|entendu|bien reçu|noté"
    r"|entendido|anotado|entendi|anotei|понял|поняла|принято|明白|收到|知道了|承知(?:しました|です)"
    r"|了解(?:しました|です)?|(?:分|わ)かりました|알겠(?:습니다|어요)|이해했습니다"
)
_NODDED = (
    r"ok|okay|sure|right|alright|all right|sorry|of course|in ordnung|gut|klar|d'accord|bien sûr"
    r"|vale|de acuerdo|claro|certo|beleza|combinado|ладно|хорошо|好的?|没问题|はい|네"
)
_TAKES_UP = re.compile(
    rf"\W{{0,4}}(?:(?:{_HEARD})[\s,.:;!、，。–—-]{{1,3}}"
    rf"|(?:{_NODDED})[\s,.:;!、，。–—-]{{1,3}}"
    r"(?=\S+(?: \S+)?\W{0,3}$|(?:i|we)(?:'ll| will| won't)\b(?! (?:be able|get|manage))))",
    re.IGNORECASE,
)
_BUT = re.compile(
    r"\b(?:but|still|however|though|cannot|can't|couldn't|could not|unable|fails?|failed|broken"
    r"|doesn't|didn't|aber|immer noch|mais|toujours|pero|sigue|mas|ainda|но|ещ[её])\b|但|还是|仍"
    r"|でも"
    r"|まだ|하지만|아직",
    re.IGNORECASE,
)


def only_acknowledges(sentence: str) -> bool:
    """Return whether a sentence of the model's only takes up what the user said."""
    words = sentence.replace("’", "'")
    return _TAKES_UP.match(words) is not None and _BUT.search(words) is None


def language_told(text: str, before: str) -> str:
    """Return the language of a text; where it does not show, that of the one `before`."""
    return language_of(text[:_LANGUAGE_CHARS], before)


def hints_of(language: str) -> tuple[str, ...]:
    """Return what a text that tells of issues has; of languages but English, texts are fewer."""
    return _ISSUE_HINTS if language == "en" else ()


def tells_of_issue(sentence: str, language: str) -> bool:
    """Return whether a sentence surely speaks of something unsolved."""
    if tells_trouble(sentence, language):
        return True
    hinted = has_hint(sentence, _ISSUE_HINTS)
    return hinted and _ISSUE.search(sentence) is not None and not denies_issue(sentence)


def denies_issue(sentence: str) -> bool:
    """Return whether a sentence asks, supposes or denies that there is an issue."""
    return _NO_ISSUE.search(sentence) is not None


def calls_resolved(sentence: str, language: str) -> bool:
    """Return whether a sentence calls something solved."""
    if tells_solved(sentence, language):
        return True
    hinted = has_hint(sentence, _ISSUE_HINTS)
    if not hinted or _UNRESOLVED.search(sentence):
        return False
    return any(pattern.search(sentence) for pattern in (_RESOLVED, _NAMES_NOTHING))


def names_no_issue(sentence: str, language: str) -> bool:
    """Return whether a sentence that calls something solved does not say what."""
    return _NAMES_NOTHING.search(sentence) is not None or names_nothing(sentence, language)


_CLAUSES = re.compile(r"[,;]\s")
# A sentence of more words than this in its first clause says more than that something failed.
_BARE_WORDS = 12
# As much as is kept of a statement; less than the least of what stood before tells nothing.
_TEXT_CHARS = 200
_LEAST_REFERENT_CHARS = 40
# "They come from the source, I don't know why." "It is unclear why" speaks of nothing before it.
_OF_ANOTHER = re.compile(
    r"\W*(?:(?:but|and|so|though|however)\W+)?(?:they|he|she"
    r"|it(?!(?:'s| is| was)(?: still| also| not| yet)* (?:un)?(?:clear|known|possible|likely)\b)"
    r"|(?:this|that|these|those)(?= (?:is|are|was|were|does|do|did|has|have|can|could|comes?"
    r"|happens?)\b))\b",
    re.IGNORECASE,
)
# An answer of so few words tells nothing without its question.
_ANSWERS = re.compile(
    r"\W*(?:not (?:yet|really|sure|that I know)|none|nothing|no|nope|maybe|perhaps|partly"
    r"|I (?:don't|do not) know(?: yet)?|no idea)\W*$",
    re.IGNORECASE,
)
# Words that say that something is open or was given up, and not what.
NAMELESS = distinct_words(
    "i i'm i've we we've you it's that's there there's here they them those these so but and no not"
    " yet still now again already either though however unfortunately sorry hmm why what how where"
    " which have has had haven't hasn't was were been am are isn't wasn't don't didn't doesn't can"
    " can't cannot could couldn't will won't would able unable get got find found figure figured"
    " out know knew idea clue reason reasons cause causes explain understand understood see saw"
    " confirm confirmed verify verified reproduce reproduced solve solved solution fix fixes fixed"
    " resolve resolved unsolved unresolved unfixed problem problems issue issues bug bugs error"
    " errors open clear unclear sure"
    " manage managed rid help helped work works worked change changes changed revert reverted"
    " reverting undo undid undone back backed roll rolled took take taken put left leave drop"
    " dropped removed gave give up try tried trying just only at moment more further far from"
    " fail fails failed failing myself tell say really actually right"
    " other another anything something nothing"
)
"""The words of a sentence on trouble that do not say with what."""


def with_referent(said: Sequence[str], number: int, language: str) -> str:
    """Return a sentence; of what it speaks before it, where it names nothing itself.

    Of what it speaks is cut, the sentence never is.
    """
    sentence = said[number]
    beside = told_beside(said, number)
    leans = number > 0 and _OF_ANOTHER.match(sentence) is not None
    bare = leans or _names_nothing(sentence) or names_nothing(sentence, language)
    if not beside or not bare:
        return sentence
    room = _TEXT_CHARS - len(sentence) - len(". ")
    if room < _LEAST_REFERENT_CHARS:
        return sentence
    beside = one_line(beside, room)
    first, second = (beside, sentence) if number else (sentence, beside)
    return with_following(first, second)


def only_answers(text: str) -> bool:
    """Return whether a text is an answer that tells nothing without its question: "Not yet."."""
    return _ANSWERS.match(text) is not None


def told_beside(said: Sequence[str], number: int) -> str:
    """Return the sentence before one of a text's; of its first, the one behind it."""
    return said[number - 1] if number else " ".join(said[1:2])


def _names_nothing(sentence: str) -> bool:
    """Return whether an English sentence says that something is open or given up, but not what."""
    clause = _CLAUSES.split(sentence, maxsplit=1)[0]
    words = distinct_words(clause)
    return len(clause.split()) <= _BARE_WORDS and bool(words) and words <= NAMELESS
