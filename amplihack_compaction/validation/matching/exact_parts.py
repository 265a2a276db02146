"""Hold a text to an item's exact parts: identifiers, numbers, paths, addresses, and its negation.

Words may be put in other ways; these may not. `orders_dev` is not `orders_prod`, however alike all
else is, and "delete them" is not "do not delete them".
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from amplihack_compaction.text.words import (
    canonical,
    content_words,
    fold_case,
    number_form,
    raw_words,
)

_ENUMERATOR = re.compile(r"\A\s*(?:[-*+•]\s+)?(?:\d{1,3}[.)]\s+)?(?:\[[ x]\]\s+)?")
_TOKEN = re.compile(r"[^\s\"'`“”‘’«»()<>\[\]{},;|]+(?:\(\))?")
_EDGES = ".:!?*~…-–—"
_CHOICE = re.compile(r"\b(?:option|variant|plan|version|phase|choice|step)\s+([a-z]|\d{1,3})\b")
_CAMEL = re.compile(r"[a-z0-9][A-Z][a-z]")
_RUNS = re.compile(r"[^\W_]+")
_INSIDE = re.compile(r"[\W_]+|(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)")
_NUMBER = re.compile(r"[$€£]?\d[\d.,]*(?:st|nd|rd|th|[a-zµ%]{1,8})?\Z")
_VERSION_SIGN = re.compile(r"\Av(?=\d+\.)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_FILE_NAME = re.compile(r"[\w.@-]+\.[a-z]\w{0,7}\Z")
_PLAIN_PAIR = re.compile(r"[^\W\d_]+(?:[/-][^\W\d_]+)+\Z")
_PLACE = re.compile(
    r"(?:\A|-)(?:prod|production|dev|test|stage|staging|live|qa|eu|us|beta)(?:\Z|-)"
)
_LONG_NAME = re.compile(r"(?<![\w-])[^\W\d_]+(?:-[^\W\d_]+){2,}(?![\w-])")
_SWITCH = re.compile(r"\b(on|off)(?= by default\b|[.!;,]|\Z)")
_SCOPED = re.compile(r"\w:\w")
_BEFORE_CHARS = 60
_UNITS = {
    **dict.fromkeys(("ms", "millisecond"), ("time", 0.001)),
    **dict.fromkeys(("s", "sec", "second"), ("time", 1)),
    **dict.fromkeys(("min", "minute"), ("time", 60)),
    **dict.fromkeys(("h", "hr", "hour"), ("time", 3600)),
    **dict.fromkeys(("d", "day"), ("time", 86400)), "week": ("time", 604800),
    **dict.fromkeys(("kb", "kib", "kilobyte"), ("size", 1e3)),
    **dict.fromkeys(("mb", "mib", "megabyte"), ("size", 1e6)),
    **dict.fromkeys(("gb", "gib", "gigabyte"), ("size", 1e9)), "tb": ("size", 1e12),
    **dict.fromkeys(("%", "percent"), ("share", 1)),
}  # fmt: skip
_QUANTITY = re.compile(r"(?<![\w.,])(\d[\d,]*(?:\.\d+)?)[ -]?([a-zµ%]{1,12})(?!\w)")
_BAN = re.compile(
    r"\b(?:(?:do|must|should|will|may) not|(?:do|must|should|wo|ca)n[' ]?t|never|not to|cannot"
    r"|no need to|need not|needn't|no longer|not(?! an? ))\b"
)
_LASTS = re.compile(r"\b(?:yet|until|forget|only|still|so far)\b")
_SETS_ASIDE = re.compile(
    r"\b(?:not|no|never|without|nor|none|keep|kept|leave|left|avoid\w*|forbid\w*|forbidden|out of"
    r"|instead|rather|stays?|refuse\w*|prohibit\w*|ban(?:s|ned)?|off|exclud\w+|skip\w*|only|un\w+"
    r"|stop\w*|drop\w*|reject\w*|against|prevent\w*|disallow\w*)\b|n't\b"
    r"|\b(?:do|must|should|wo|ca)nt\b"
)


@lru_cache(maxsize=8_000)
def exact_parts(text: str) -> tuple[str, ...]:
    """Return what must stand to the letter: names with signs or digits, numbers, addresses."""
    said = _THOUSANDS.sub("", _ENUMERATOR.sub("", text, count=1))
    parts = dict.fromkeys(
        token
        for found in _TOKEN.finditer(said)
        if (token := found.group().strip(_EDGES)) and _is_exact(token)
    )
    letters = (found.group() for found in _CHOICE.finditer(fold_case(said)))
    return (*parts, *letters)


def _is_exact(token: str) -> bool:
    if any(sign.isdigit() for sign in token):
        return True
    if not _RUNS.search(token):
        return False
    if _PLAIN_PAIR.match(token):
        return _PLACE.search(token) is not None
    if _SCOPED.search(token):
        return True
    return any(sign in token for sign in "_/@\\=.") or _CAMEL.search(token) is not None


def has_exact(part: str, folded: str, words: frozenset[str]) -> bool:
    """Return whether folded text has an exact part, in any case and with other signs between."""
    part = _VERSION_SIGN.sub("", fold_case(part))
    if canonical(part) in words or _pattern(part).search(folded) is not None:
        return True
    if _NUMBER.match(part):
        quantities = quantities_in(part)
        return number_form(part) in words or bool(quantities and quantities & quantities_in(folded))
    name = part.rpartition("/")[2]
    if "/" in part and _FILE_NAME.match(name):  # a file's name alone leads to it
        return re.search(rf"(?<![\w/.-]){re.escape(name)}(?![^\W_])", folded) is not None
    return False


@lru_cache(maxsize=8_000)
def _pattern(part: str) -> re.Pattern[str]:
    runs = r"[\W_]{0,3}".join(map(re.escape, _RUNS.findall(part)))
    return re.compile(rf"(?<![^\W_])(?<!\d[.,])v?{runs}(?![^\W_]|[.,]\d)")


@lru_cache(maxsize=256)
def quantities_in(folded: str) -> frozenset[tuple[str, float]]:
    """Return the numbers that have a unit, by what they measure: `2 minutes` and `120s` are one."""
    found = (
        (number.replace(",", ""), _measure(unit)) for number, unit in _QUANTITY.findall(folded)
    )
    return frozenset((what, float(number) * factor) for number, (what, factor) in found)


def _measure(unit: str) -> tuple[str, float]:
    known = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s"))
    return known or (canonical(unit), 1)


def missing_exact(item: str, place: str, around: str) -> tuple[str, ...]:
    """Return the exact parts of an item that neither a place has nor what stands around it."""
    folded = _THOUSANDS.sub("", fold_case(f"{place}\n{around}"))
    # A number may be written as a word, and a unit next to it.
    words = frozenset(map(canonical, raw_words(folded)))
    gone = (part for part in exact_parts(item) if not has_exact(part, folded, words))
    return tuple(dict.fromkeys((*gone, *_other_quantities(item, place))))


def _other_quantities(item: str, place: str) -> list[str]:
    """Return the item's times and sizes of which the place has the number with another unit."""
    wanted, there = (
        [(n, unit) for n, unit in _QUANTITY.findall(fold_case(text)) if _measure(unit)[0] in _KNOWN]
        for text in (item, place)
    )
    known, numbers = quantities_in(fold_case(place)), {number for number, _ in there}
    return [
        f"{number} {unit}"
        for number, unit in wanted
        if number in numbers and not quantities_in(f"{number} {unit}") & known
    ]


_KNOWN = frozenset(what for what, _ in _UNITS.values())


def is_replaced(missing: Iterable[str], item: str, place: str) -> bool:
    """Return whether something of the same kind stands in the place of what is missing."""
    own = {fold_case(part) for part in exact_parts(item)}
    others = [part for part in exact_parts(place) if fold_case(part) not in own]
    if _other_quantities(item, place):
        return True
    return any(_is_alike(part, other) for part in missing for other in others)


def is_other_name(item: str, place: str) -> bool:
    """Return whether a name of plain words became another: `metrics-db-raw`, `metrics-db-dev`.

    Where all its words are there beside the other one, both are spoken of.
    """
    theirs = _long_names(place)
    words = frozenset(raw_words(fold_case(place)))
    return any(
        len(name) == len(other) and sum(map(str.__eq__, name, other)) == len(name) - 1
        for name in _long_names(item) - theirs
        if not words.issuperset(name)
        for other in theirs
    )


def _long_names(text: str) -> set[tuple[str, ...]]:
    """Return the words of each name of three or more."""
    names = (tuple(found.group().split("-")) for found in _LONG_NAME.finditer(fold_case(text)))
    return set(names)


def is_switched(item: str, place: str) -> bool:
    """Return whether what is off in an item is on in a place, or the other way round."""
    mine, theirs = (_switches(fold_case(text)) for text in (item, place))
    return len(mine) == len(theirs) == 1 and mine != theirs


def _switches(folded: str) -> set[str]:
    return {found.group(1) for found in _SWITCH.finditer(folded)}


def _is_alike(part: str, other: str) -> bool:
    if "@" in part or "@" in other:
        return "@" in part and "@" in other
    if _NUMBER.match(part) or _NUMBER.match(other):
        return bool(_NUMBER.match(part) and _NUMBER.match(other))
    mine, theirs = _name_runs(part), _name_runs(other)
    return len(mine) == len(theirs) and not set(mine).isdisjoint(theirs)


def _name_runs(part: str) -> list[str]:
    """Return what a name is made of: `getUserName` is get, user and name; digits stand alone."""
    return fold_case(_INSIDE.sub(" ", part)).split()


_TURNS = re.compile(rf"(?:{_BAN.pattern}|\bwithout\b|\bstop\b|\bavoid\b)(?: \w+){{0,2}} ?\Z")


def turns_what_follows(before: str) -> bool:
    """Return whether a text ends with words that turn round what is said next: `no need to`."""
    return _TURNS.search(before[-_BEFORE_CHARS:]) is not None


def is_turned_round(item: str, place: str) -> bool:
    """Return whether an order became its opposite: a ban that is gone, or one that is new.

    Of "not yet" and "not until" nothing is turned round: that it is not done, is what is kept.
    """
    mine, theirs = fold_case(item), fold_case(place)
    if _BAN.search(mine) is not None:
        return _SETS_ASIDE.search(theirs) is None and not _LASTS.search(mine)
    ban = next((found for found in _BAN.finditer(theirs) if found.group() not in _NO_ORDER), None)
    if ban is None or _SETS_ASIDE.search(mine) or _LASTS.search(theirs):
        return False
    # It is the work itself that must not be done, not something about it.
    work, banned = content_words(mine)[:1], content_words(theirs[ban.end() :])[:_GOVERNED_WORDS]
    return bool(work) and work[0] in banned


_NO_ORDER = frozenset({"not", "cannot", "cant", "can't", "can t"})
_GOVERNED_WORDS = 2
