"""Hold a text to an item's exact parts: identifiers, numbers, paths, addresses, and its negation.

Words may be put in other ways; these may not. `orders_dev` is not `orders_prod`, however alike all
else is, and "delete them" is not "do not delete them".

A part belongs to the words of its clause, and to the preposition before it. It has changed places
with another one, as `a -> b` with `b -> a`, when each stands by now where the other one stood, and
neither where it was. What is only listed may stand in any order.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, combinations

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


_ARROW = re.compile(r"[-=]>|→|⇒")
_THEN = re.compile(r",? (?:and )?then\b", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:replac|swap|substitut|exchang)", re.IGNORECASE)
_UNIT = re.compile(
    r"(?<=\d) ?(?:[kmg]i?b|ms|s|sec|seconds?|min|minutes?|h|hours?|days?)\b", re.IGNORECASE
)
_PIECE = re.compile(r"[^\s\"'`“”‘’«»()<>\[\]{},;|]+|[,;()|]")
_CLAUSES = frozenset((*",;()|", *"and or but while whereas und oder et ou y e".split()))
_ARTICLES = frozenset("the a an our its their this that only every each all any".split())
_MARKS = frozenset(
    "from to into onto by with of before after than over for in on at as via under through".split()
)
_WAYS = frozenset(("from", "into", "onto", "by", "before", "after", "than", "over"))
"""What tells by itself which way it goes; beside any other mark, names must stand."""
_FOR_IT = ("with", "by", "for")
"""What leads to the new one behind `replace`."""
_EITHER_WAY = re.compile(r"\b(?:compar|sync|combin|mix|align|match|pair|between|both)")
_LISTED_PARTS = 12


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """One word or exact part: its place, its clause, which it may begin, the preposition before."""

    place: int
    clause: int
    mark: str
    is_name: bool
    begins: bool


Words = list[tuple[str, PlacedPart]]
PlacedParts = dict[str, PlacedPart]
"""By its word, each part that a text has once."""


def is_exchanged(item: str, place: str) -> bool:
    """Return whether two parts of an item have each other's place in a text."""
    my_words, their_words = _words(item), _words(place)
    mine, theirs = _once(my_words), _once(their_words)
    shared = mine.keys() & theirs.keys()
    if len(shared) > _LISTED_PARTS:
        shared = {word for word in shared if mine[word].is_name or mine[word].mark}
    either_way = _EITHER_WAY.search(fold_case(item)) is not None
    if not either_way and _is_transposed(my_words, their_words):
        return True
    in_order = sorted(shared, key=lambda word: mine[word].place)[: 2 * _LISTED_PARTS]
    for one, other in combinations(in_order, 2):
        if _turn(one, other, mine, theirs) and not either_way:
            return True
        if _trade(one, other, mine, theirs):
            return True
    return False


def _turn(one: str, other: str, mine: PlacedParts, theirs: PlacedParts) -> bool:
    """Return whether each of two parts now has the preposition, or the side of it, of the other."""
    marks = mine[one].mark, mine[other].mark
    is_split = any(parts[one].clause != parts[other].clause for parts in (mine, theirs))
    if marks != (theirs[other].mark, theirs[one].mark) or (is_split and not all(marks)):
        return False
    are_names = mine[one].is_name and mine[other].is_name
    if marks[0] != marks[1]:
        # `before deleting a branch` and `before a branch is deleted` are one.
        if not all(marks) and not is_split and any(_leads(one, other, p) for p in (mine, theirs)):
            return False
        return are_names or not _WAYS.isdisjoint(marks)
    is_reversed = theirs[one].place > theirs[other].place
    between = _between(one, other, mine) & _between(other, one, theirs)
    return are_names and not any(marks) and is_reversed and bool(between)


def _leads(one: str, other: str, parts: PlacedParts) -> bool:
    """Return whether the first of two parts is the one behind a preposition."""
    return bool(parts[min(one, other, key=lambda word: parts[word].place)].mark)


def _between(one: str, other: str, parts: PlacedParts) -> set[str]:
    return {w for w, part in parts.items() if parts[one].place < part.place < parts[other].place}


def _is_transposed(mine: Words, theirs: Words) -> bool:
    """Return whether the words are the same in the same order, but for two that changed places.

    That tells something where words are said twice: of others `_trade` tells it.
    """
    known = {word for word, _ in mine} & {word for word, _ in theirs}
    before, after = ([word for word, _ in words if word in known] for words in (mine, theirs))
    moved = {pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]}
    is_one_pair = len(moved) == 2 and len(set(chain(*moved))) == 2
    said_twice = [word for word in known if before.count(word) > 1]
    return is_one_pair and len(before) == len(after) and len(said_twice) > 1


def _once(words: Words) -> PlacedParts:
    counts = Counter(word for word, _ in words)
    return {word: part for word, part in words if counts[word] == 1}


def _words(text: str) -> Words:
    """Return a text's words and exact parts in their order."""
    said = _UNIT.sub("", _THEN.sub(" before", _ARROW.sub(" to ", text)))
    replaces = _REPLACES.search(said) is not None
    exact = {fold_case(part) for part in exact_parts(said)}
    found: list[tuple[str, PlacedPart]] = []
    clause, mark = 0, ""
    for piece in _PIECE.findall(said):
        bare = piece.rstrip(".:!?-")
        folded = fold_case(bare)
        if folded in _CLAUSES:
            clause, mark = clause + 1, ""
        elif folded in _MARKS:
            mark = "into" if replaces and folded in _FOR_IT else folded
        elif folded not in _ARTICLES:
            is_one = folded in exact or "-" in bare.strip("-")
            words = [folded] if is_one else content_words(bare)
            is_name = is_one or bare[:1].isupper()
            for word in words:
                begins = not found or found[-1][1].clause != clause
                found.append((word, PlacedPart(len(found), clause, mark, is_name, begins)))
            mark = ""
        if piece != bare and not piece.endswith(":"):
            clause, mark = clause + 1, ""
    return found


def _trade(one: str, other: str, mine: PlacedParts, theirs: PlacedParts) -> bool:
    """Return whether each of two parts now stands among the words that were the other one's."""
    if mine[one].clause == mine[other].clause or theirs[one].clause == theirs[other].clause:
        return False
    if _between(one, other, mine).isdisjoint(theirs):
        return False
    # What opens an item is said of all that it lists.
    if not mine[one].place and not (mine[other].begins and theirs[other].begins):
        return False
    own = [_beside(word, mine, theirs) for word in (one, other)]
    now = [_beside(word, theirs, mine) for word in (one, other)]
    return all(len(own[n] & now[1 - n]) > len(own[n] & now[n]) for n in (0, 1))


def _beside(word: str, parts: PlacedParts, known: PlacedParts) -> set[str]:
    """Return the other words of a part's clause that the other text has, too."""
    clause = parts[word].clause
    return {w for w, part in parts.items() if part.clause == clause and w != word and w in known}
