"""Find what a text of the model's asks: its last question, and whether that names two ways."""

import re
from collections.abc import Sequence

from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.strings import asks, has_hint, one_line

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
