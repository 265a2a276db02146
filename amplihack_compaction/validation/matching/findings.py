"""Look at the places of a text that may speak of an item: how much is there, how it is meant.

First which units are worth a closer look, then that look.
"""

from dataclasses import dataclass, replace
from heapq import nsmallest

from amplihack_compaction.text.polarity import disagreement, taken_back
from amplihack_compaction.text.words import one_line, related_to
from amplihack_compaction.validation.matching.exact_parts import has_exact
from amplihack_compaction.validation.matching.sought_item import SoughtItem
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit
from amplihack_compaction.validation.matching.wording import RELATED_WORTH

EVIDENCE_CHARS = 160
JUDGED_UNITS_LIMIT = 10
_LEAST_SHARE = 0.2
"""The share of the item's weight below which a unit does not speak of it."""
_SHARE_OF_BEST = 0.5


def candidates(sought: SoughtItem, text_index: TextIndex) -> list[Unit]:
    """Return the ten most promising units, the best first."""
    scores: dict[int, float] = {}
    for word, weight in sought.weights.items():
        for number, worth in _units_speaking_of(word, text_index).items():
            scores[number] = scores.get(number, 0.0) + weight * worth
    floor = max(
        _LEAST_SHARE * sum(sought.weights.values()),
        _SHARE_OF_BEST * max(scores.values(), default=0.0),
    )
    promising = ((-score, number) for number, score in scores.items() if score >= floor)
    return [text_index.units[number] for _, number in nsmallest(JUDGED_UNITS_LIMIT, promising)]


def _units_speaking_of(word: str, text_index: TextIndex) -> dict[int, float]:
    """Return the numbers of the units with a word or a related one, and what that is worth."""
    worths = dict.fromkeys(text_index.units_with(word), 1.0)
    for other in related_to(word):
        for number in text_index.units_having(other):
            worths.setdefault(number, RELATED_WORTH)
    return worths


# The share was chosen on the rows to develop on (`tests/bench/losses`).
PART_COVERAGE = 0.45
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """How a unit of the text answers to an item; `contradiction` is above 0 where it differs.

    `missing_scope` holds the words of clauses that limit the item, or are a part of it, and are not
    there. `exclusive_lost` says that `only` is gone, and nothing set aside. `left_out` are words of
    the item that a unit lacks which says nothing but the item.
    """

    unit: Unit
    coverage: float
    contradiction: float = 0.0
    missing_anchors: frozenset[str] = frozenset()
    missing_scope: frozenset[str] = frozenset()
    exclusive_lost: bool = False
    left_out: frozenset[str] = frozenset()

    @property
    def taken_back(self) -> int:
        """How surely the unit says that the user has changed their mind (0 to 2)."""
        return taken_back(self.unit.folded)

    @property
    def text(self) -> str:
        """The unit, on one line."""
        return one_line(self.unit.text, EVIDENCE_CHARS)


def examine(sought: SoughtItem, unit: Unit) -> Finding:
    """Look at one unit of the text."""
    words = unit.words
    shared = {w: weight for w, weight in sought.weights.items() if sought.has(w, words)}
    coverage = sum(shared.values()) / sum(sought.weights.values())
    missing = frozenset(a for a in sought.anchors if not has_exact(a, unit.folded, words))
    left_out = _left_out(sought, words, shared)
    if coverage < PART_COVERAGE and not left_out:
        return Finding(unit, coverage, missing_anchors=missing)
    gone = [scope for scope in sought.scopes if not any(sought.has(w, words) for w in scope)]
    telling = (part - sought.light for part in sought.parts)
    gone += [part for part in telling if part and part <= left_out]
    return Finding(
        unit,
        coverage,
        _contradiction(sought, unit, shared),
        missing,
        frozenset().union(*gone),
        sought.polarity.exclusive and not (unit.polarity.exclusive or unit.polarity.negative),
        left_out,
    )


def _left_out(
    sought: SoughtItem, words: frozenset[str], shared: dict[str, float]
) -> frozenset[str]:
    """Return the item's words that a place lacks, provided that it says nothing but the item."""
    if len(shared) < min(_LEAST_SHARED, len(sought.weights) - 1) or not shared:
        return frozenset()
    known = set(shared).union(*(sought.variants[word] for word in shared))
    if any(word not in known and not sought.is_light(word) for word in words):
        return frozenset()
    return frozenset(w for w in sought.weights if w not in shared and not sought.is_light(w))


def _contradiction(sought: SoughtItem, unit: Unit, shared: dict[str, float]) -> float:
    """Return how far a unit contradicts the item, by the words that it shares with it."""
    # A word may stand there in another form, and that form has the sign.
    signs = dict(unit.polarity.signs)
    for word in shared:
        if word not in signs:
            signs[word] = next((signs[v] for v in sought.variants[word] if v in signs), 0)
    return disagreement(sought.polarity, replace(unit.polarity, signs=signs), shared)
