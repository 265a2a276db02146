"""What is said to be unsolved and solved in eight languages other than English."""

import re
import unicodedata
from functools import lru_cache

from amplihack_compaction.text.phrasings.conversation import NODS
from amplihack_compaction.text.strings import words_of

_CACHED_SENTENCES = 2048
_SENTENCE_CHARS = 400
# The letters of a word that its endings leave alone.
_STEM_CHARS = 5
_LEAST_CHARS = 4
_SHARED = 0.5

_TROUBLES = {
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
_SOLVED = {
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
    pattern = _TROUBLES.get(language)
    if pattern is None or len(sentence) > _SENTENCE_CHARS or _SUPPOSED.match(sentence):
        return False
    return pattern.search(sentence) is not None


def tells_solved(sentence: str, language: str) -> bool:
    """Return whether a sentence says that something which did not work does so now."""
    pattern = _SOLVED.get(language)
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
    if language not in _TROUBLES:
        return False
    return not _named(_TROUBLES[language].sub(" ", sentence), language)


def speaks_of(sentence: str, issue: str, language: str) -> bool:
    """Return whether a sentence that calls something solved names what an issue names."""
    if language not in _SOLVED:
        return False
    told = _named(issue, language)
    said = _named(_up_to_solved(sentence, language), language) or _named(sentence, language)
    return bool(said and told) and len(said & told) >= _SHARED * min(len(said), len(told))


def _up_to_solved(sentence: str, language: str) -> str:
    """Return a sentence without what follows the word for "solved": that mostly tells how."""
    found = _SOLVED[language].search(sentence)
    return sentence[: found.end()] if found else sentence


@lru_cache(maxsize=_CACHED_SENTENCES)
def _named(sentence: str, language: str) -> frozenset[str]:
    """Return the stems of what a sentence names; of text without spaces, pairs of characters."""
    words = [word for word in words_of(_SOLVED[language].sub(" ", sentence)) if word not in NODS]
    if language in ("zh", "ja", "ko"):
        return frozenset(word for word in words if not _GENERAL_EAST.search(word))
    # "l'import", "n'ai"
    plain = (_plain(word.replace("’", "'").rpartition("'")[2]) for word in words)
    stems = (word[:_STEM_CHARS] for word in plain if len(word) >= _LEAST_CHARS)
    return frozenset(stem for stem in stems if stem not in _GENERAL)


def _plain(word: str) -> str:
    """Return a word without accents, which many leave out."""
    return "".join(
        sign for sign in unicodedata.normalize("NFD", word) if not unicodedata.combining(sign)
    )
