"""Choose the places of a text that are worth a closer look for an item."""

from collections.abc import Iterator
from heapq import nsmallest

from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.needle import Needle
from amplihack_compaction.validation.matching.units import Unit

CANDIDATES = 12
JOINED_CANDIDATES = 3
SIFTED_UNITS = 40
POSTINGS_LIMIT = 2_000
"""How many places of an item's words are looked at before its commoner words are left out."""
_HOPELESS_COVERAGE = 0.3


def places_for(needle: Needle, haystack: Haystack) -> Iterator[tuple[Unit, ...]]:
    """Yield the most promising places: units, alone and with their neighbours."""
    units = haystack.units
    scores, is_complete = _scores(needle, haystack)
    scored = ((-score, number) for number, score in scores.items())
    if is_complete:
        ranked = nsmallest(CANDIDATES, scored)
    else:
        promising = nsmallest(SIFTED_UNITS, scored)
        ranked = sorted((-_share_of(needle, units[number]), number) for _, number in promising)
    floor = _HOPELESS_COVERAGE * sum(needle.weights.values())
    for score, number in ranked[:CANDIDATES]:
        if -score >= floor:
            yield (units[number],)
    for _, number in ranked[:JOINED_CANDIDATES]:
        if len(around := _around(units, number)) > 1:
            yield around


def _around(units: list[Unit], number: int) -> tuple[Unit, ...]:
    """Return a unit with its neighbours, where one sentence may run over them.

    The points of a list are sentences of their own, but for those that stand below another.
    """
    start = number - 1 if number and units[number].continues(units[number - 1]) else number
    is_followed = number + 1 < len(units) and units[number + 1].continues(units[number])
    return tuple(units[start : number + 1 + is_followed])


def _scores(needle: Needle, haystack: Haystack) -> tuple[dict[int, float], bool]:
    """Weigh units by the item's words, the rarest first, and tell whether all were counted.

    Common words are left out where they would cost more than they tell.
    """
    postings = sorted(
        ((haystack.units_with(word), weight) for word, weight in needle.weights.items()),
        key=lambda pair: len(pair[0]),
    )
    scores: dict[int, float] = {}
    read = 0
    for numbers, weight in postings:
        read += len(numbers)
        if scores and read > POSTINGS_LIMIT:
            return scores, False
        for number in numbers:
            scores[number] = scores.get(number, 0.0) + weight
    return scores, True


def _share_of(needle: Needle, unit: Unit) -> float:
    return sum(weight for word, weight in needle.weights.items() if needle.has(word, unit.words))
