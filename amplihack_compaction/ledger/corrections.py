"""Which exact values the user corrected later on: "the port is 8081, not 8080"."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from amplihack_compaction.extract.model import ExactValue, ValueKind
from amplihack_compaction.text.phrasings.conversation import opens_correction
from amplihack_compaction.text.strings import compile_all, search_any
from amplihack_compaction.text.telling_words import distinct_words

# What stands before, and behind, a value that is refused.
_REFUSING = re.compile(
    r"(?:\b(?:not|isn't|instead of|rather than|no longer|replac(?:es?|ing)|statt|anstatt"
    r"|anstelle von|nicht|kein\w*|pas|au lieu d[eu]|plutôt que|en vez de|en lugar de|ya no"
    r"|em vez d[eo]|não|вместо|не)|,\s?no)\W{1,3}(?:[^\W\d]+\W{1,2}){0,2}$"
    r"|(?:不是|不再是|而非)\W{0,2}$",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"^['\"`)]*(?:\s?(?:->|→|=>)|\s(?:is|was|are)(?:n't| not| too| wrong| old| outdated| gone"
    r"| unreliable| broken| deprecated| dead| obsolete| retired| being retired| overkill)"
    r"|(?:じゃ|では)な[くい]|\s?(?:이|가)? ?아니(?:라|고))",
    re.IGNORECASE,
)
# "from 8080 to 8081": what stands before the old value, and behind it.
_FROM = re.compile(r"\bfrom (?:[^\W\d]+ )?$", re.IGNORECASE)
_TO = re.compile(r"^['\"`)]*\s(?:in|on)?to\b", re.IGNORECASE)
# What is told to hold from here on takes the place of what was told of the same.
_FROM_HERE = re.compile(r"\bfrom (?:now|here|today) on\b", re.IGNORECASE)
# "5000 locks for too long, take 1000": what is too much or too little is refused, an amount too.
_TOO = re.compile(
    r"^['\"`)]{0,2}(?:\s[^\W\d]+){0,4}?\s(?:too \w+|zu \w+|reich(?:t|en) nicht|trop\b|no alcanza"
    r"|es poco|es mucho|(?:es|sale|son|está) (?:muy|demasiado)\b|demasiado\b|(?:é|são|ficou|está"
    r"|tá) muito\b"
    r"|ficou \w+|não basta|não chega|мало|много|слишком)|^[^，。,\d]{0,10}(?:太|不够|被.{0,6}占)"
    r"|^(?:は|だと|では)?.{0,6}(?:すぎ"
    r"|過ぎ|足りな)|^(?:은|는|이면)? ?(?:너무|부족)",
    re.IGNORECASE,
)
# What is told to be elsewhere, or other, from now on.
CHANGES = (
    r"\b(?:(?:moved|changed|switched|renamed|bumped|migrated) to|has (?:moved|changed)"
    r"|[^\W\d]+ moved:|(?:got|gets|has|have) a new [^\W\d]+"
    r"|the new [^\W\d]+ (?:is|has|are)"
    r"|umgezogen|geändert auf|a déménagé|se mudó|mudou para|переехал\w*)",
)
_CHANGES = compile_all(CHANGES, re.IGNORECASE)
_DIGITS = re.compile(r"\d+")
_NOT_UNIT = re.compile(r"[\d.,_\s-]+")
_NUMBER = "number"
# So many words are shared by what is told of the same: "8 threads per job".
_OF_THE_SAME = 2
# Letters of scripts that are written with spaces: "は30秒で" has the value whole.
_LETTER = r"0-9A-Za-z_\u00c0-\u024f\u0400-\u04ff"
_WORD_ENDS = rf"(?<![{_LETTER}.-])", rf"(?![{_LETTER}-]|\.[{_LETTER}])"


@dataclass(frozen=True, slots=True)
class _Correction:
    """The value that is over, by which words, and the one sentence that had it; "" for all."""

    value: str
    by: str
    said: str


class Corrections:
    """What later words correct of the values in a text."""

    def __init__(self, values: Iterable[ExactValue]) -> None:
        named = (value for value in values if value.text)
        told = sorted(named, key=lambda value: (value.offset, value.position))
        self._made = [*_refusals(told), *_replacements(told)]

    def of(self, text: str) -> str:
        """Return the newest words that correct a value in a text; empty where none do."""
        return next((made.by for made in reversed(self._made) if _meets(made, text)), "")


def _meets(made: _Correction, text: str) -> bool:
    # Nearly all texts lack the value: nothing else is looked at for them.
    if made.value not in text or made.by in text or text in made.by:
        return False
    here = not made.said or made.said in text or text in made.said
    before, after = _WORD_ENDS
    return here and re.search(f"{before}{re.escape(made.value)}{after}", text) is not None


def _refusals(told: list[ExactValue]) -> list[_Correction]:
    """Return what the last mention of a value refuses: "8081, not 8080"."""
    named = (v for v in told if _is_too_much(v) or _is_refused(v))
    return [_Correction(value.text, value.context, "") for value in named]


def _is_too_much(value: ExactValue) -> bool:
    _, found, after = value.context.partition(value.text)
    return bool(found) and _TOO.search(after) is not None


def _is_refused(value: ExactValue) -> bool:
    if value.kind is ValueKind.QUANTITY:
        return False
    before, found, after = value.context.partition(value.text)
    if not found:
        return False
    before = before.rstrip("`\"'")
    moved = _FROM.search(before) and _TO.search(after)
    return bool(moved or _REFUSING.search(before) or _REFUSED.search(after))


def _replacements(told: list[ExactValue]) -> list[_Correction]:
    """Return what was told, the like of which a later sentence puts right: "sorry, 8081"."""
    newest: dict[str, ExactValue] = {}
    made = []
    for value in told:
        shape = _shape(value)
        if not shape:
            continue
        before = newest.get(shape, value)
        if before.context != value.context and _corrects(value.context, before.context):
            made.append(_Correction(before.text, value.context, before.context))
        newest[shape] = value
    return made


def _corrects(sentence: str, told: str) -> bool:
    if opens_correction(sentence) or search_any(_CHANGES, sentence) is not None:
        return True
    named = {word for word in distinct_words(sentence) & distinct_words(told) if word.isalpha()}
    return len(named) >= _OF_THE_SAME and _FROM_HERE.search(sentence) is not None


def _shape(value: ExactValue) -> str:
    """Return what values that can stand for each other share; empty for those without a like."""
    text = value.text
    if text.isdigit():
        return _NUMBER
    if value.kind in (ValueKind.URL, ValueKind.VERSION):
        return value.kind
    if value.kind is ValueKind.QUANTITY:
        return f"{value.kind} {_NOT_UNIT.sub('', text).casefold()}"
    if value.kind is ValueKind.IDENTIFIER and _DIGITS.search(text):
        return _DIGITS.sub("0", text)
    return ""
