"""Return whether two parts of an item changed places: all is there, but `a -> b` is `b -> a`.

A part belongs to the words of its clause, and to the preposition before it. It has changed places
with another one when each stands by now where the other one stood, and neither where it was. What
is only listed may stand in any order.
"""

import re
from collections import Counter
from dataclasses import dataclass
from itertools import chain, combinations

from amplihack_compaction.text.words import content_words, fold_case
from amplihack_compaction.validation.matching.exact_parts import exact_parts

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
