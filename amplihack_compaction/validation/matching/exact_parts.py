"""Hold a text to an item's exact parts: identifiers, numbers, paths, addresses, and its negation.

Words may be put in other ways; these may not. `orders_dev` is not `orders_prod`, however alike all
else is, and "delete them" is not "do not delete them".

A part belongs to the words of its clause, and to the preposition that its phrase hangs on. It has
changed places with another one, as `a -> b` with `b -> a`, when each stands by now among more of
what was the other one's than of its own. What is only listed may stand in any order.
"""

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, combinations
from operator import attrgetter

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
_CHOICE = re.compile(
    r"\b(?:option|variant|plan|version|phase|choice|step)\s+(?:[a-z]|\d{1,3})\b"
    r"|\b(?:(?:is|are|be|stays?|turned|switched) |(?=\w+ by default\b))"
    r"(?P<switch>on|off)(?= by default\b|[.!;,]|\Z)"
)
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
_FLAG = re.compile(r"--[a-zA-Z]")
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


def exact_parts(text: str) -> tuple[str, ...]:
    """Return what must stand to the letter: names with signs or digits, numbers, addresses."""
    said = _THOUSANDS.sub("", _ENUMERATOR.sub("", text, count=1))
    parts = dict.fromkeys(
        token
        for found in _TOKEN.finditer(said)
        if (token := found.group().strip(_EDGES)) and _is_exact(token)
    )
    letters = (found["switch"] or found.group() for found in _CHOICE.finditer(fold_case(said)))
    return (*parts, *letters)


def _is_exact(token: str) -> bool:
    if any(sign.isdigit() for sign in token) or _FLAG.match(token):
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
    runs = r"[\W_]{0,3}".join(map(re.escape, _RUNS.findall(part)))
    there = re.search(rf"(?<![^\W_])(?<!\d[.,])v?{runs}(?![^\W_]|[.,]\d)", folded)
    if canonical(part) in words or there is not None:
        return True
    if _NUMBER.match(part):
        quantities = quantities_in(part)
        return number_form(part) in words or bool(quantities and quantities & quantities_in(folded))
    name = part.rpartition("/")[2]
    if "/" in part and _FILE_NAME.match(name):  # a file's name alone leads to it
        return re.search(rf"(?<![\w/.-]){re.escape(name)}(?![^\W_])", folded) is not None
    return False


def has_literal(literal: str, folded: str) -> bool:
    """Return whether the text has the literal, not as part of a longer word or number."""
    if literal not in folded:  # most are not, and this is faster
        return False
    before = r"(?<![^\W_])" if literal[0].isalnum() else ""
    behind = r"(?![^\W_])" if literal[-1].isalnum() else ""
    decimals = r"(?![.,]\d)" if literal[-1].isdigit() else ""
    return re.search(f"{before}{re.escape(literal)}{behind}{decimals}", folded) is not None


def quantities_in(folded: str) -> frozenset[tuple[str, float]]:
    """Return the numbers that have a unit, by what they measure: `2 minutes` and `120s` are one."""
    found = (
        (number.replace(",", ""), _measure(unit)) for number, unit in _QUANTITY.findall(folded)
    )
    return frozenset((what, float(number) * factor) for number, (what, factor) in found)


def _measure(unit: str) -> tuple[str, float]:
    known = _UNITS.get(unit) or _UNITS.get(unit.removesuffix("s"))
    return known or (canonical(unit), 1)


def missing_exact(item: str, place: str) -> tuple[str, ...]:
    """Return the exact parts of an item that a place lacks."""
    folded = _THOUSANDS.sub("", fold_case(place))
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


_ARROW = re.compile(r"[-=]>|→|⇒")
_THEN = re.compile(r",? (?:and )?then\b", re.IGNORECASE)
_REPLACES = re.compile(r"\b(?:replac|swap|substitut|exchang)", re.IGNORECASE)
_PIECE = re.compile(r"[^\s\"'`“”‘’«»()<>\[\]{},;|]+|[,;()|]")
_CLAUSE_ENDS = frozenset((*",;()|", *"and or but while whereas und oder et ou y e".split()))
_ARTICLES = frozenset("the a an our its their this that only every each all any".split())
_MARKS = frozenset(
    "from to into onto by with of before after than over for in on at as via under through".split()
)
_WAYS = frozenset(("from", "into", "onto", "by", "before", "after", "than", "over"))
"""What tells by itself which way it goes; beside any other mark, names must stand."""
_FOR_IT = ("with", "by", "for")
"""What leads to the new one behind `replace`."""
_EITHER_WAY = re.compile(r"\b(?:compar|sync|combin|mix|align|match|pair|between|both)")
_COMPARED_PARTS = 24
Clauses = list[list[tuple[str, str, bool]]]
"""By clause its words and exact parts, each with the preposition that its phrase hangs on, and
whether it is a name."""


@dataclass(frozen=True, slots=True)
class PlacedPart:
    """Where a word or exact part stands, and among what.

    `beside` are the other words of its clause, which it may begin; `mark` is the preposition that
    its phrase hangs on.
    """

    place: int
    mark: str
    is_name: bool
    begins: bool
    beside: frozenset[str]


PlacedParts = dict[str, PlacedPart]
"""By its word, each part that a text has once."""


def is_exchanged(item: str, place: str) -> bool:
    """Return whether two parts of an item have each other's place in a text."""
    my_clauses, their_clauses = _clauses(item), _clauses(place)
    is_either_way = _EITHER_WAY.search(fold_case(item)) is not None
    if not is_either_way and _is_transposed(my_clauses, their_clauses):
        return True
    mine, theirs = _placed(my_clauses), _placed(their_clauses)
    shared = [word for word in mine if word in theirs]
    pairs = combinations(shared[:_COMPARED_PARTS], 2)
    return any(_is_traded(pair, mine, theirs, is_either_way) for pair in pairs)


def _is_traded(
    pair: tuple[str, str], mine: PlacedParts, theirs: PlacedParts, is_either_way: bool
) -> bool:
    """Return whether each of two parts now stands among more of the other's than of its own."""
    both = [[parts[word] for word in pair] for parts in (mine, theirs)]
    marks = {part.mark for part in chain(*both)}
    are_names = all(part.is_name for part in both[0])
    # Of other words only some prepositions tell which way it goes.
    has_way = not is_either_way and (are_names or not _WAYS.isdisjoint(marks))
    between = _between(both[0], mine)
    # What opens an item is said of all that it lists; what is only listed has no order.
    opens = both[0][0].place == 0 and not all(second.begins for _, second in both)
    if not has_way and (opens or between.isdisjoint(theirs)):
        return False
    # Names that hang on nothing are told by which comes first.
    is_ordered = has_way and are_names and marks == {""}
    is_ordered = is_ordered and not between.isdisjoint(_between(both[1], theirs))
    own, now = (
        [
            (part.beside - {*pair})
            | {f"{part.mark} ..." for _ in range(has_way)}
            | {f"... {part is min(parts, key=_place)}" for _ in range(is_ordered)}
            for part in parts
        ]
        for parts in both
    )
    return all(len(own[n] & now[1 - n]) > len(own[n] & now[n]) for n in (0, 1))


_place = attrgetter("place")


def _between(pair: list[PlacedPart], parts: PlacedParts) -> set[str]:
    start, end = sorted(map(_place, pair))
    return {word for word, part in parts.items() if start < part.place < end}


def _is_transposed(mine: Clauses, theirs: Clauses) -> bool:
    """Return whether the words are the same in the same order, but for two that changed places.

    That tells something where words are said twice: of others `_is_traded` tells it.
    """
    before, after = ([word for word, _, _ in chain(*clauses)] for clauses in (mine, theirs))
    before, after = [w for w in before if w in after], [w for w in after if w in before]
    moved = {pair for pair in zip(before, after, strict=False) if pair[0] != pair[1]}
    is_one_pair = len(moved) == 2 and len(set(chain(*moved))) == 2
    return is_one_pair and len(before) == len(after) and len(before) - len(set(before)) > 1


def _placed(clauses: Clauses) -> PlacedParts:
    counts = Counter(word for word, _, _ in chain(*clauses))
    parts: PlacedParts = {}
    place = 0
    for clause in clauses:
        for number, (word, mark, is_name) in enumerate(clause):
            if counts[word] == 1:
                beside = frozenset(other for other, _, _ in clause if other != word)
                parts[word] = PlacedPart(place, mark, is_name, number == 0, beside)
            place += 1
    return parts


def _clauses(text: str) -> Clauses:
    """Return a text's words and exact parts in their order."""
    said = _THEN.sub(" before", _ARROW.sub(" to ", text))
    replaces = _REPLACES.search(said) is not None
    exact = {fold_case(part) for part in exact_parts(said)}
    clauses: Clauses = [[]]
    mark = ""
    for piece in _PIECE.findall(said):
        bare = piece.rstrip(".:!?-")
        folded = fold_case(bare)
        if folded in _MARKS:
            mark = "into" if replaces and folded in _FOR_IT else folded
        elif folded not in _ARTICLES and folded not in _CLAUSE_ENDS:
            is_one = folded in exact or "-" in bare.strip("-")
            words = [folded] if is_one else content_words(bare)
            clauses[-1] += [(word, mark, is_one or bare[:1].isupper()) for word in words]
        if folded in _CLAUSE_ENDS or (piece != bare and not piece.endswith(":")):
            clauses.append([])
            mark = ""
    return clauses
