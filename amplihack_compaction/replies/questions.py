"""Find the question of the model's that a sentence of the user's settles."""

import re

from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.language.text import one_line, words_of
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.phrasings.nods import NODS

# Of what the model wrote, a list and its question stand at the end.
TEXT_CHARS = 6_000
_QUESTION_CHARS = 160
# What offers a choice without a question mark.
_OFFERS = (
    "option", "choice", "choose", "pick", "prefer", "alternative", "which", "decide", "variant",
    "wähl", "choix", "préfér", "opci", "elige", "opç", "escolh", "选", "方案", "哪",
)  # fmt: skip
MARKS = lazily(r"\*\*|__|`")
_ANSWER_WORDS = 12
_QUESTION_SENTENCES = 3
_TWO_WAYS = lazily(
    r"\b(?:or|instead of|rather than|versus|vs|over|ou|plutôt|o|en vez de|en lugar de|em vez de"
    r"|oder|statt|anstatt|или|вместо)\b|还是|或者|而不是|それとも|または|代わりに|どちら|どっち|또는|아니면"
    r"|대신",
    re.IGNORECASE,
)
# "Was it slow, or did it hang?" asks what is the case.
_PROPOSES = lazily(
    r"\b(?:should|shall|want|wanted|prefer|would you|like me to|which|rather|do we|can we|go with"
    r"|keep|use|ok(?:ay)? (?:if|to)|may i|can i|could i|let me|better)\b|^\W*(?:on|usamos|vamos)\b",
    re.IGNORECASE,
)
# What only asks how to go on settles nothing for longer than that.
_ONLY_GOES_ON = lazily(
    r"\b(?:continue|proceed|stop|commit|push|go on|start|wait|now|first|next|run it|leave it"
    r"|anything|something|more|over the|over time)\b|继续|提交"
    r"|^\W*(?:did you|do you (?:mean|see|get)|is (?:that|this|it)|was|does"
    r"|would you like to see)\b",
    re.IGNORECASE,
)
_SAYS_YES_OR_NO = lazily(
    r"\W*(?:yes|yep|yeah|yup|sure|agreed|exactly|right|correct|ok|okay|fine|sounds good"
    r"|do (?:it|that)|please do|go (?:for it|ahead)|no(?! (?:idea|clue)\b)|nope"
    r"|nah|neither|both|ja|nein|oui|non|sí|si|sim|não|nao|да|нет|好|对|行|是的|不用|不要|不"
    r"|はい|いいえ|うん|네|예|아니요?)(?!\w)",
    re.IGNORECASE,
)


def may_ask(text: str) -> bool:
    """Tell at a glance whether a text of the model's may ask something: not every list does."""
    end = text[-TEXT_CHARS:]
    return "?" in end or "？" in end or any(word in end.casefold() for word in _OFFERS)


def question_in(text: str) -> str:
    """Return the last question in a text of the model's; empty without one."""
    plain = MARKS.sub("", text[-TEXT_CHARS:])
    asked = [part for part in sentences(plain) if part.endswith(("?", "？"))]
    return one_line(asked[-1], _QUESTION_CHARS) if asked else ""


def answers(sentence: str, text: str) -> bool:
    """Tell whether a short sentence says yes or no to the question that a text ends with."""
    short = len(sentence.split()) <= _ANSWER_WORDS
    asked = text[-_QUESTION_CHARS:].rstrip(" *_`\n").endswith(("?", "？"))
    return asked and short and _SAYS_YES_OR_NO.match(sentence) is not None


def settled_by(sentence: str, text: str) -> str:
    """Return the question of the model's, which names two ways, that a short sentence settles."""
    if (
        not may_ask(text)
        or len(sentence.split()) > _ANSWER_WORDS
        or sentence.rstrip().endswith(("?", "？"))
    ):
        return ""
    asked = sentences(MARKS.sub("", text[-TEXT_CHARS:]))[-_QUESTION_SENTENCES:]
    question = next((part for part in reversed(asked) if part.endswith(("?", "？"))), "")
    if not _TWO_WAYS.search(question) or _ONLY_GOES_ON.search(question):
        return ""
    if question.isascii() and not _PROPOSES.search(question):
        return ""
    named = {word for word in words_of(sentence) if len(word) > 2 and word not in NODS}
    settles = _SAYS_YES_OR_NO.match(sentence) or named & set(words_of(question))
    return one_line(question, _QUESTION_CHARS) if settles else ""
