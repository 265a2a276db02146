"""Whether a sentence asks for work, or only tells, rules, corrects or decides."""

import re

from amplihack_compaction.base.redaction.redact import MARK
from amplihack_compaction.extract.model import ValueKind
from amplihack_compaction.extract.norms import fold, is_question, kind_of_rule
from amplihack_compaction.extract.retractions import target_of
from amplihack_compaction.extract.turns_to_work import LIFTS_ABOVE, turns_away
from amplihack_compaction.extract.values import values_in
from amplihack_compaction.text.classifier import chances_of
from amplihack_compaction.text.phrasings.conversation import NODS, corrects_itself
from amplihack_compaction.text.phrasings.markers import language_of, markers_for
from amplihack_compaction.text.strings import has_cjk, words_of

# Chances from which a sentence counts as asking, and as stating something only.
_ASKS_AT_LEAST = 0.15
# Of the requests and objectives kept apart 2 and 3 % are below it, of all else 38 to 68 %.
_MAY_ASK = 0.05
_KEPT_ABOVE = 0.7
_WORK_ABOVE = 0.6
_CONTENT_WORDS = 2
_CJK_PAIRS = 4
_REQUEST = re.compile(
    r"(?:can|could|would|will|may) (?:you|we|i)\b|(?:please|pls)\b|.*\b(?:please|pls)\W*$"
    r"|(?:shall|should) we (?:add|build"
    r"|implement|try|make|do)\b|how about\b|what about (?:adding|using|making)|why don't (?:you"
    r"|we)\b|i (?:want|need|'d like)"
    r"|(?:kannst|könntest|würdest) du|können wir|(?:peux|pourrais)-tu|tu peux|pouvez-vous"
    r"|¿?(?:puedes|podrías|podemos)"
    r"|(?:pode|poderia|podemos|você pode)|(?:можешь|можно|мог бы)|(?:能不能|可以|能否|可否|请"
    r"|帮我|麻烦)"
    r"|.*(?:もらえ|いただけ|くれ)(?:ます|ません)?か|.*(?:줄래|주실래|줄 수|주시겠)"
)
_REMARK = re.compile(r"(?:it|that|this)(?:'s| is| was| works?| does| did| looks?)\b")
_REMARK_WORDS = 8
_TOLD = (ValueKind.URL, ValueKind.PORT, ValueKind.VERSION, ValueKind.IDENTIFIER)
_TELLS = re.compile(
    r"(?!(?:please|now|next|let'?s)\b)[^,;:!?]{2,60}?\b(?:is|are|lives?|runs?|listens?|goes? to"
    r"|stays? on|ist|sind|l(?:ä|ae)uft|lauscht|h(?:ö|oe)rt|liegt|steht|est|sont|tourne|[ée]coute"
    r"|es|son|est[áa]n?|corre|escucha|usa|é|são|fica|roda|escuta|t[áa]|находится|работает|слушает"
    r"|на порт\w)\b|[^，。！？]{1,30}?(?:是|在|用的是)|.{1,30}?は",
    re.IGNORECASE,
)
# How a sentence begins that tells something; one that asks for work begins with what to do.
_STATES = re.compile(
    r"\W*(?:the|my|our|your|his|her|its|their|it|they|he|she|we|that|this|these|those|there|an?|each"
    r"|every|all|der|die|das|ein|eine|mein|meine|unser|unsere|es|er|sie|wir|jede[rs]?|alle|le|la|les"
    r"|un|une|mon|ma|mes|notre|nos|il|elle|ils|ce|cette|chaque|el|los|las|una|mi|mis|nuestr[oa]s?"
    r"|cada|o|os|as|um|uma|meu|minha|nosso|nossa|ele|ela|это|мой|моя|наш|наша|он|она|они|мы)\b"
    r"|我的|我们的|这|那|它|この|その|私の|이 |그 |내 ",
    re.IGNORECASE,
)
_TROUBLE = re.compile(
    r"\b(?:wrong|broken|missing|slow|empty|error|bug|too|not|never|still|fails?|crash\w*|down)\b"
    r"|n't\b|错|失败|崩溃",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    r"\b(?:wrong|broken|missing|slow|error|bug|still|fails?|crash\w*|down)\b|n't (?:work|load)"
    r"|错|失败|崩溃|kaputt|cassé|roto|quebrad\w+",
    re.IGNORECASE,
)
_CORRECTION_LEAD = re.compile(
    r"(?:no|nope|wrong|wait|actually|nein|non|нет|不|いや|아니)\b[,!. ]", re.IGNORECASE
)


def asks_for_work(sentence: str) -> bool:
    """Return whether a sentence asks for work to be done."""
    if not has_content(sentence, likely_words(sentence)):
        return False
    markers = markers_for(language_of(sentence))
    text = fold(sentence, markers)
    if _REMARK.match(text) and len(text.split()) <= _REMARK_WORDS:
        return False
    if is_question(text, markers):
        return _REQUEST.match(text) is not None
    if _CORRECTION_LEAD.match(text) or corrects_itself(sentence) or target_of(sentence) is not None:
        return turns_away(sentence)
    if kind_of_rule(sentence)[0]:
        return _mixes_work(text)
    return not _only_tells(sentence) and not _states_only(sentence) and _may_ask(sentence)


def _may_ask(sentence: str) -> bool:
    """Return whether a sentence may ask for work: most that tell, lift or decide are unlike that.

    What is broken is to be mended, whoever only says so.
    """
    chances = chances_of(sentence)
    likely = max(chances.work, chances.objective) >= _MAY_ASK
    return likely or _BROKEN.search(sentence) is not None


def _states_only(sentence: str) -> bool:
    """Say whether a sentence is a rule or choice in its own words, or lifts one; asks nothing."""
    chances = chances_of(sentence)
    asks = max(chances.work, chances.objective)
    states = chances.kept > _KEPT_ABOVE or chances.lift > LIFTS_ABOVE
    return asks < _ASKS_AT_LEAST and states


def _only_tells(sentence: str) -> bool:
    """Return whether a sentence only says what an address, a port, a secret or a ticket is."""
    told = MARK.search(sentence) or any(kind in _TOLD for kind, _, _ in values_in(sentence))
    return bool(told) and _TELLS.match(sentence) is not None and _TROUBLE.search(sentence) is None


def _mixes_work(text: str) -> bool:
    """Return whether a rule hangs on a task: "fix the login bug, but don't touch the schema"."""
    head = re.split(r"[,;，；]|\s(?:but|and|aber|und|mais|pero|mas|но)\s|但", text, maxsplit=1)[0]
    mixed = head != text and len(head) > 8 and has_content(head)
    return mixed and not kind_of_rule(head)[0] and _may_ask(head)


def corrects(sentence: str) -> bool:
    """Return whether a sentence begins by putting right what was said or done."""
    return _CORRECTION_LEAD.match(fold(sentence, markers_for(language_of(sentence)))) is not None


def states(sentence: str) -> bool:
    """Return whether a sentence begins like one that tells something, and names no trouble."""
    return _STATES.match(sentence) is not None and _TROUBLE.search(sentence) is None


def likely_words(sentence: str) -> int:
    """Return how many content words a task needs: of what is surely one, "do billing" has it."""
    return 1 if chances_of(sentence).work > _WORK_ABOVE else _CONTENT_WORDS


def has_content(text: str, least: int = _CONTENT_WORDS) -> bool:
    """Return whether a text has more than nods and everyday words."""
    if has_cjk(text):
        whole = text.strip(" 。.!！,，、")
        return whole not in NODS and len([w for w in words_of(text) if w not in NODS]) >= _CJK_PAIRS
    words = {word for word in words_of(text) if word not in NODS and len(word) > 1}
    return len(words) >= least
