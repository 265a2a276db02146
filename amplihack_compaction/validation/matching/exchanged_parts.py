"""Return whether two parts of an item changed places: all is there, but `a -> b` is `b -> a`.

A part belongs to the words of its clause, and to the preposition before it. It has changed places
with another one when each stands by now where the other one stood, and neither where it was. What
is only listed may stand in any order.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import combinations

from amplihack_compaction.text.words import content_words, fold_case
from amplihack_compaction.validation.matching.exact_parts import exact_parts

_ARROW = re.compile(r"[-=]>|→|⇒")
_UNIT = re.compile(
    r"(?<=\d) ?(?:[kmg]i?b|ms|s|sec|seconds?|min|minutes?|h|hours?|days?)\b", re.IGNORECASE
)
_PIECE = re.compile(r"[^\s\"'`“”‘’«»()<>\[\]{},;|]+|[,;()|]")
_CLAUSES = frozenset((*",;()|", *"and or but while whereas und oder et ou y e".split()))
_ARTICLES = frozenset("the a an our its their this that only".split())
_MARKS = frozenset(
    "from to into onto by with of before after than over for in on at as via under through".split()
)
_WAYS = frozenset(("from", "into", "onto", "by", "before", "after", "than", "over"))
"""What tells by itself which way it goes; beside any other mark, names must stand."""
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


PlacedParts = dict[str, PlacedPart]
"""By its word, each part that a text has once."""


def is_exchanged(item: str, place: str) -> bool:
    """Return whether two parts of an item have each other's place in a text."""
    mine, theirs = _parts(item), _parts(place)
    shared = mine.keys() & theirs.keys()
    if len(shared) > _LISTED_PARTS:
        shared = {word for word in shared if mine[word].is_name or mine[word].mark}
    either_way = _EITHER_WAY.search(fold_case(item)) is not None
    in_order = sorted(shared, key=lambda word: mine[word].place)[: 2 * _LISTED_PARTS]
    for one, other in combinations(in_order, 2):
        if _turn(one, other, mine, theirs) and not either_way:
            return True
        if _are_alike(one, other, mine, theirs) and _trade(one, other, mine, theirs):
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
        return are_names or not _WAYS.isdisjoint(marks)
    is_reversed = theirs[one].place > theirs[other].place
    between = _between(one, other, mine) & _between(other, one, theirs)
    return are_names and not any(marks) and is_reversed and bool(between)


def _between(one: str, other: str, parts: PlacedParts) -> set[str]:
    return {w for w, part in parts.items() if parts[one].place < part.place < parts[other].place}


def _parts(text: str) -> PlacedParts:
    """Return by its word each part that a text has once."""
    said = _UNIT.sub("", _ARROW.sub(" to ", text))
    exact = {fold_case(part) for part in exact_parts(said)}
    found: list[tuple[str, PlacedPart]] = []
    clause, mark = 0, ""
    for piece in _PIECE.findall(said):
        bare = piece.rstrip(".:!?-")
        folded = fold_case(bare)
        if folded in _CLAUSES:
            clause, mark = clause + 1, ""
        elif folded in _MARKS:
            mark = folded
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
    counts = Counter(word for word, _ in found)
    return {word: part for word, part in found if counts[word] == 1}


def _are_alike(one: str, other: str, mine: PlacedParts, theirs: PlacedParts) -> bool:
    first, second = mine[one], mine[other]
    if (first.is_name and second.is_name) or (first.mark and first.mark == second.mark):
        return True
    return all(parts[word].begins for word in (one, other) for parts in (mine, theirs))


def _trade(one: str, other: str, mine: PlacedParts, theirs: PlacedParts) -> bool:
    """Return whether each of two parts now stands among the words that were the other one's."""
    if mine[one].clause == mine[other].clause or theirs[one].clause == theirs[other].clause:
        return False
    if _between(one, other, mine).isdisjoint(theirs):
        return False
    own = [_beside(word, mine, theirs) for word in (one, other)]
    now = [_beside(word, theirs, mine) for word in (one, other)]
    return all(len(own[n] & now[1 - n]) > len(own[n] & now[n]) for n in (0, 1))


def _beside(word: str, parts: PlacedParts, known: PlacedParts) -> set[str]:
    """Return the other words of a part's clause that the other text has, too."""
    clause = parts[word].clause
    return {w for w, part in parts.items() if part.clause == clause and w != word and w in known}
