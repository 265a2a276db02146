"""Choose the units of a text that may speak of an item, also those with related words only."""

from heapq import nsmallest

from amplihack_compaction.text.words import related_to
from amplihack_compaction.validation.judgement.likeness import RELATED_WORTH
from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.needle import Needle
from amplihack_compaction.validation.matching.units import Unit

CANDIDATES = 10
_LEAST_SHARE = 0.2
"""The share of the item's weight below which a unit does not speak of it."""
_SHARE_OF_BEST = 0.5
_POSTINGS_LIMIT = 200
"""A word that stands in more units than this only counts where a rarer one stands, too."""


def candidates(needle: Needle, haystack: Haystack) -> list[Unit]:
    """Return the ten most promising units, the best first."""
    found = [
        (weight, _units_speaking_of(word, haystack)) for word, weight in needle.weights.items()
    ]
    scores: dict[int, float] = {}
    for weight, worths in sorted(found, key=lambda pair: len(pair[1])):
        numbers = list(worths)
        if len(numbers) > _POSTINGS_LIMIT:
            numbers = [n for n in scores if n in worths] if scores else numbers[:_POSTINGS_LIMIT]
        for number in numbers:
            scores[number] = scores.get(number, 0.0) + weight * worths[number]
    floor = max(
        _LEAST_SHARE * sum(needle.weights.values()),
        _SHARE_OF_BEST * max(scores.values(), default=0.0),
    )
    promising = ((-score, number) for number, score in scores.items() if score >= floor)
    return [haystack.units[number] for _, number in nsmallest(CANDIDATES, promising)]


def _units_speaking_of(word: str, haystack: Haystack) -> dict[int, float]:
    """Return the numbers of the units with a word or a related one, and what that is worth."""
    worths = dict.fromkeys(haystack.units_with(word), 1.0)
    for other in related_to(word):
        for number in haystack.units_having(other):
            worths.setdefault(number, RELATED_WORTH)
    return worths
