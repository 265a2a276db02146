"""Find what the model asks, and what of it a short sentence of the user's settles."""

import re
from collections.abc import Sequence

from amplihack_compaction.text.phrasings.conversation import GO_ON_WORDS
from amplihack_compaction.text.phrasings.markers import language_of
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import asks, end_of_question, has_cjk, has_hint, one_line
from amplihack_compaction.text.words import scripts_apart, words_of

# Of what the model wrote, a list and its question stand at the end.
TEXT_CHARS = 6_000
QUESTION_CHARS = 160
# What offers a choice without a question mark.
_OFFERS = (
    "option", "choice", "choose", "pick", "prefer", "alternative", "which", "decide", "variant",
    " ways", "candidate", "recommend", "suggest", "propose", "i'd ", "i would ", "i’d ",
    "wähl", "choix", "préfér", "opci", "elige", "opç", "escolh", "选", "方案", "哪",
)  # fmt: skip
MARKS = re.compile(r"\*\*|__|`")
_QUESTION_SENTENCES = 3
_TWO_WAYS = re.compile(r"\b(?:or|instead of|rather than|versus|vs|over)\b", re.IGNORECASE)
# In Portuguese "o" is "the".
_TWO_WAYS_ABROAD = re.compile(
    r"\b(?:ou|plutôt|en vez de|en lugar de|em vez de|oder|statt|anstatt|или|вместо)\b"
    r"|¿[^¿]{0,200} [ou] |^\W{0,3}\S{1,60} o \S{1,60}$|^\W{0,3}(?:usamos|uso|prefieres|quieres)\b"
    r".* o |还是|或者|而不是|それとも|または|代わりに|どちら|どっち|또는|아니면|대신"
    r"|까요?,[^까]{0,80}까요?"
    r"|중(?:에서?)? (?:어느|어떤|뭐|무엇)|어느 (?:쪽|것|걸)",
    re.IGNORECASE,
)
# "Was it slow, or did it hang?" asks what is the case.
_PROPOSES = re.compile(
    r"\b(?:should|shall|want|wanted|prefer|would you|like me to|which|rather|do we|can we|go with"
    r"|keep|use|ok(?:ay)? (?:if|to)|may i|can i|could i|let me|better)\b|^\W*(?:on|usamos|vamos)\b",
    re.IGNORECASE,
)
# "Polling or webhook?"
_ONLY_WAYS = re.compile(
    r"\W{0,3}(?!(?:was|were|is|are|did|does|do|has|have|had|can|could|will|would)\b)"
    r"\S{1,60}(?: \S{1,60}){0,3} or \S{1,60}(?: \S{1,60}){0,3}\?$",
    re.IGNORECASE,
)
# What only asks how to go on settles nothing for longer than that.
_ONLY_GOES_ON = re.compile(
    r"\b(?:continue|proceed|stop|commit|(?<!for )(?<!para )(?<!pour )(?<!für )push(?! notif)"
    r"|go on|start|wait|now|first|next|run it|leave it|anything|something|more|over the"
    r"|over time)\b|继续|提交"
    r"|\b(?:weitermachen|fortfahren|aufhören|warten|anfangen|zuerst|jetzt|continuer|commencer"
    r"|attendre|d'abord|maintenant|continuar|continúo|continuo|sigo|seguir|parar|esperar|empezar"
    r"|empiezo|começ\w+|primeiro|primero|ahora|agora|продолж\w+|останов\w+|подожд\w+|начать"
    r"|сначала|сейчас)\b|先做|开始|続け|始め|진행|계속|먼저|시작"
    r"|^\W*(?:did you|do you (?:mean|see|get)|is (?:that|this|it)|was|does"
    r"|would you like to see)\b",
    re.IGNORECASE,
)


def may_ask(text: str) -> bool:
    """Tell at a glance whether a text of the model's may ask something: not every list does."""
    end = text[-TEXT_CHARS:]
    return has_hint(end, ("?", "？", *_OFFERS))


def question_in(text: str) -> str:
    """Return the last question in a text of the model's; empty without one."""
    return one_line(last_question(sentences(_plain_end(text))), QUESTION_CHARS)


def newest_sentences(text: str) -> list[str]:
    """Return the sentences at a text's end, of which one may be answered."""
    return sentences(_plain_end(text))[-_QUESTION_SENTENCES:]


def _plain_end(text: str) -> str:
    return MARKS.sub("", text[-TEXT_CHARS:])


def last_question(parts: Sequence[str]) -> str:
    """Return the last of the sentences that asks; empty without one."""
    return next((part for part in reversed(parts) if asks(part)), "")


def only_goes_on(proposed: str) -> bool:
    """Return whether a question or proposal is only about how to go on now."""
    return _ONLY_GOES_ON.search(proposed) is not None


def names_two_ways(question: str) -> bool:
    """Return whether a question proposes two ways to do something."""
    if _TWO_WAYS_ABROAD.search(question) or _ONLY_WAYS.match(question):
        return True
    return bool(_TWO_WAYS.search(question)) and proposes(question)


def proposes(question: str) -> bool:
    """Return whether an English question proposes something, and does not ask what is the case."""
    return _PROPOSES.search(question) is not None


def question_of_two_ways(text: str) -> str:
    """Return the question near a text's end, where it proposes two ways to do something."""
    question = last_question(newest_sentences(text))
    return question if names_two_ways(question) and not only_goes_on(question) else ""


_ANSWER_WORDS = 12
# "I'd take the mutex" proposes what is to be, and not what to do next.
_RECOMMENDS = re.compile(
    r"\bI(?:['’]d| would) (?:rather |personally |just |suggest (?:to )?|propose (?:to )?)?(?:take"
    r"|use|pick|choose|prefer|keep|go (?:with|for)|stay with|stick with|store|make|split|put)\b"
    r"|\bI (?:recommend|suggest|propose|prefer)\b"
)
# Whose question it is to work is answered by working; what is to be holds on.
_OFFERS_WORK = re.compile(
    r"\b(?:should|shall|can|could|may|let) (?:i|we|me)\b"
    r"|\b(?:want|like|have|ok(?:ay)? (?:if|for)) (?:me|i)\b",
    re.IGNORECASE,
)
_ONE_WAY = re.compile(r"\b(?:should|shall|want|like|may i|can i|could i)\b", re.IGNORECASE)
# "No print statements, please" answers nothing.
_SAYS_NO = re.compile(
    r"\W*(?:no|nope|nah)\s*(?:$|[,.;:!–—-]|\b(?:thanks?|thx|please|need|that|it|we|i|they|he|she"
    r"|not|don't|just|keep|leave)\b)",
    re.IGNORECASE,
)
_SAYS_YES_OR_NO = re.compile(
    r"\W*(?:yes|yep|yeah|yup|sure|agreed|exactly|right|correct|ok|okay|fine|sounds good"
    r"|do (?:it|that)|please do|go (?:for it|ahead)|no(?! (?:idea|clue)\b)|nope"
    r"|nah|neither|both|ja|nein|beides?|keins|oui|non|les deux|aucun|sí|si|(?:l[oa]s|as) d[ou]s"
    r"|amb[oa]s|ningun[oa]|sim|não|nao|os dois|as duas|nenhum|да|нет|оба|обе"
    r"|好|对|行|是的|不用|不要|不|两个都要?|都行|都要|はい|いいえ|うん|両方|네|예"
    r"|아니요?|둘 ?다)(?!\w)"
    r"|不\w{1,3}(?!\w)",
    re.IGNORECASE,
)
# Pairs of characters that many sentences have.
_NAMES_NO_WAY = re.compile(
    r"[\u3040-\u309f]|我们|这个|那个|需要|使用|一个|现在|으로|에서|하는|할까|까요"
)
# Endings differ between a way and the answer that takes it: "оставить", "оставь".
_STEM_CHARS = 5
# A prompt of so few words is an answer of nothing else.
_BARE_WORDS = 2
# What answers a question of two ways in no word of it is not longer than this.
_REPLY_WORDS = 8
_REPLY_CHARS = 60
_LATIN = frozenset(("en", "de", "fr", "es", "pt"))


def answers(sentence: str, text: str) -> bool:
    """Return whether a short sentence answers the question that a text ends with.

    It says yes or no, or is said where two ways were named.
    """
    if not end_of_question(text[-QUESTION_CHARS:]) or asks(sentence):
        return False
    length = len(sentence.split())
    if length <= _ANSWER_WORDS and _SAYS_YES_OR_NO.match(sentence):
        return True
    return length <= _REPLY_WORDS and bool(question_of_two_ways(text))


def settled_by(sentence: str, text: str) -> str:
    """Return what of a text of the model's a short sentence settles; empty when it settles nothing.

    That is a question which names two ways, or asks whether something is to be; or, where nothing
    is asked, what the model recommends.
    """
    if not may_ask(text) or len(sentence.split()) > _ANSWER_WORDS or asks(sentence):
        return ""
    parts = newest_sentences(text)
    question = last_question(parts)
    proposed = question or next(filter(_RECOMMENDS.search, reversed(parts)), "")
    if not proposed or only_goes_on(proposed):
        return ""
    if question and not names_two_ways(question) and not _asks_one_way(sentence, question):
        return ""
    settles = _SAYS_YES_OR_NO.match(sentence) or _names_a_way(sentence, proposed)
    return one_line(proposed, QUESTION_CHARS) if settles else ""


def _asks_one_way(sentence: str, question: str) -> bool:
    """Return whether a yes or no to whether something is to be holds on: no to work does, too."""
    if not _ONE_WAY.search(question) or not proposes(question):
        return False
    yes = _SAYS_YES_OR_NO.match(sentence) is not None and not _OFFERS_WORK.search(question)
    return yes or _SAYS_NO.match(sentence) is not None


def settled_abroad(sentence: str, text: str) -> str:
    """Return the question of two ways that a short reply in another script may settle.

    It shares no word with the question, whichever way it takes.
    """
    short = len(sentence) <= _REPLY_CHARS and len(sentence.split()) <= _REPLY_WORDS
    question = question_of_two_ways(text) if short and not asks(sentence) else ""
    asked = language_of(question)
    said = language_of(sentence, asked)
    is_another = bool(question) and said != asked and not _LATIN.issuperset((said, asked))
    return one_line(question, QUESTION_CHARS) if is_another else ""


def _names_a_way(sentence: str, question: str) -> bool:
    """Return whether a sentence has a word of the question that names one of the ways."""
    said, asked = words_of(scripts_apart(sentence)), words_of(scripts_apart(question))
    bare = len(sentence.split()) <= _BARE_WORDS and not has_cjk(sentence)
    if bare and said and said[0] in asked:
        return True
    names = {word for word in said if _may_name(word)}
    stems = {word[:_STEM_CHARS] for word in asked if len(word) >= _STEM_CHARS}
    return any(
        name in asked or (len(name) >= _STEM_CHARS and name[:_STEM_CHARS] in stems)
        for name in names
    )


def _may_name(word: str) -> bool:
    """Return whether a word may name a way; of CJK text, pairs of characters are the words."""
    if word in GO_ON_WORDS:
        return False
    return _NAMES_NO_WAY.search(word) is None if has_cjk(word) else len(word) > 2
