"""Look at the places of a text that may speak of an item: how much is there, how it is meant.

First what must stand to the letter (identifiers, values, numbers with their units), then which
places are worth a closer look, then that look.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from heapq import nsmallest

from amplihack_compaction.text.polarity import Polarity, disagreement, sets_polarity, taken_back
from amplihack_compaction.text.words import (
    STOPWORDS,
    canonical,
    certain_language,
    fold_case,
    normal_form,
    number_form,
    one_line,
    raw_words,
    related_to,
)
from amplihack_compaction.validation.matching.sought_item import SHORT_WORDS, SoughtItem
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit
from amplihack_compaction.validation.matching.wording import RELATED_WORTH

_VALUE_EDGES = " \t\n`'\"“”‘’«»「」.,;:()[]<>"
_SPACES = re.compile(r"\s+")
_LEAST_NAME_CHARS = 3


def has_anchor(anchor: str, folded: str, words: frozenset[str]) -> bool:
    """Return whether folded text, with these canonical words, has an item's identifier or number.

    Of a path its last part is enough, of a number its value.
    """
    if has_literal(anchor, folded):
        return True
    if "/" in anchor:
        name = anchor.rstrip("/").rpartition("/")[2]
        return len(name) >= _LEAST_NAME_CHARS and has_literal(name, folded)
    number = number_form(anchor)
    if number[:1].isdigit():
        return number in words
    parts = [canonical(word) for word in raw_words(anchor) if word not in STOPWORDS]
    return bool(parts) and all(part in words for part in parts)


def has_literal(literal: str, folded: str) -> bool:
    """Return whether the text has the literal, not as part of a longer word or number."""
    at = folded.find(literal)
    while at >= 0:
        end = at + len(literal)
        before = folded[at - 1] if at else " "
        after, beyond = folded[end : end + 1], folded[end + 1 : end + 2]
        inside = (before.isalnum() and literal[0].isalnum()) or (
            after.isalnum() and literal[-1].isalnum()
        )
        decimal = after in (".", ",") and beyond.isdigit() and literal[-1].isdigit()
        if not inside and not decimal:
            return True
        at = folded.find(literal, at + 1)
    return False


def literal_form(text: str) -> str:
    """Return a value folded, without quotes and punctuation around it."""
    return _SPACES.sub(" ", fold_case(text).strip(_VALUE_EDGES))


def literal_part(wanted: str) -> str:
    """Return what still points to a path: its last part."""
    name = wanted.rstrip("/").rpartition("/")[2]
    return name if "/" in wanted and len(name) > _LEAST_NAME_CHARS else ""


JOINED_CANDIDATES = 3
_NEAR_UNITS = 8
JUDGED_UNITS_LIMIT = 10
_LEAST_SHARE = 0.2
"""The share of the item's weight below which a unit does not speak of it."""
_SHARE_OF_BEST = 0.5
_POSTINGS_LIMIT = 200
"""A word that stands in more units than this only counts where a rarer one stands, too."""


def candidates(sought: SoughtItem, text_index: TextIndex) -> list[Unit]:
    """Return the ten most promising units, the best first."""
    found = [
        (weight, _units_speaking_of(word, text_index)) for word, weight in sought.weights.items()
    ]
    scores: dict[int, float] = {}
    for weight, worths in sorted(found, key=lambda pair: len(pair[1])):
        numbers = list(worths)
        # A word of every other unit would put them all forward; it may only add to rarer ones.
        if len(numbers) > _POSTINGS_LIMIT:
            numbers = [n for n in scores if n in worths] if scores else numbers[:_POSTINGS_LIMIT]
        for number in numbers:
            scores[number] = scores.get(number, 0.0) + weight * worths[number]
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


def promising_places(sought: SoughtItem, text_index: TextIndex) -> Iterator[tuple[Unit, ...]]:
    """Yield the most promising places: units, alone and with their neighbours."""
    ranked = candidates(sought, text_index)
    yield from ((unit,) for unit in ranked)
    for unit in ranked[:JOINED_CANDIDATES]:
        if len(around := _around(text_index.units, text_index.number_of(unit))) > 1:
            yield around


def _around(units: list[Unit], number: int) -> tuple[Unit, ...]:
    """Return a unit with its neighbours, where one sentence may run over them.

    The points of a list are sentences of their own, but for those that stand below another.
    """
    start = number - 1 if number and units[number].continues(units[number - 1]) else number
    is_followed = number + 1 < len(units) and units[number + 1].continues(units[number])
    return tuple(units[start : number + 1 + is_followed])


def words_nearby(
    sought: SoughtItem, text_index: TextIndex
) -> Iterator[tuple[float, tuple[Unit, ...]]]:
    """Yield how much of an item (0 to 1) neighbouring units have together, with these units.

    A list below its heading, or sentences on one thing, say what no line of them says alone.
    """
    total = sum(sought.weights.values())
    known: dict[int, dict[str, float]] = {}
    for word, weight in sought.weights.items():
        for number in text_index.units_with(word):
            known.setdefault(number, {})[word] = weight
    for start in sorted(known):
        numbers = range(start, start + _NEAR_UNITS)
        near = {word: w for n in numbers for word, w in known.get(n, {}).items()}
        yield sum(near.values()) / total, tuple(text_index.units[start : start + _NEAR_UNITS])


EVIDENCE_CHARS = 160
# The shares below were chosen on the rows to develop on (`tests/bench/losses`).
KEPT_COVERAGE = 0.6
# Of two words both must be there: "run tests" is not kept by "run".
NEEDED_COVERAGE = {1: 0.99, 2: 0.75, 3: 0.7}
"""What short items need instead, by their number of words."""
PART_COVERAGE = 0.45
CLAIM_COVERAGE = 0.5
"""Coverage of words from which a contradicting sentence speaks of the item at all."""
SHORTER_COVERAGE = 0.34
"""Coverage from which a sentence that says nothing else is a shorter form of the item."""
_WHOLE_COVERAGE = 0.99
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """How one place of the text answers to a sought; `contradiction` is above 0 where it differs.

    `missing_scope` holds the words of clauses that limit the item, or are a part of it, and are not
    there. `left_out` are words of the item that a place lacks which says nothing but the item.
    """

    units: tuple[Unit, ...]
    coverage: float
    contradiction: float = 0.0
    missing_anchors: frozenset[str] = frozenset()
    missing_scope: frozenset[str] = frozenset()
    exclusive_lost: bool = False
    left_out: frozenset[str] = frozenset()

    @property
    def is_whole(self) -> bool:
        """Whether the place has all of the item, and stands to it as the item does."""
        gone = self.missing_anchors or self.missing_scope or self.exclusive_lost
        return self.coverage >= _WHOLE_COVERAGE and self.contradiction <= 0 and not gone

    @property
    def reports(self) -> bool:
        """Whether the place only tells what was done or is there."""
        return all(unit.reports for unit in self.units)

    @property
    def taken_back(self) -> int:
        """How surely the place says that the user has changed their mind (0 to 2)."""
        return taken_back(self.units[0].folded) if len(self.units) == 1 else 0

    @property
    def text(self) -> str:
        """The place, on one line."""
        return one_line(" ".join(unit.text for unit in self.units), EVIDENCE_CHARS)


def find(sought: SoughtItem, text_index: TextIndex, judged: bool) -> list[Finding]:
    """Examine the promising places, up to one that leaves nothing to be wished for.

    `judged` asks for how a place stands to the item, not only for the words that it has.
    """
    findings: list[Finding] = []
    for units in promising_places(sought, text_index):
        finding = examine(sought, units, judged)
        findings.append(finding)
        if finding.is_whole:
            break
    return findings


def examine(sought: SoughtItem, units: tuple[Unit, ...], judged: bool = True) -> Finding:
    """Look at one place of the text; `judged` as for `find`."""
    words = units[0].words.union(*(unit.words for unit in units[1:]))
    shared = {w: weight for w, weight in sought.weights.items() if sought.has(w, words)}
    coverage = sum(shared.values()) / sum(sought.weights.values())
    # A neighbour without a word of the item would only add contradictions of its own.
    if len(units) > 1 and shared:
        units = tuple(u for u in units if any(sought.has(word, u.words) for word in shared))
        words = units[0].words.union(*(unit.words for unit in units[1:]))
    missing: frozenset[str] = frozenset()
    if sought.anchors:
        folded = "\n".join(unit.folded for unit in units)
        missing = frozenset(a for a in sought.anchors if not has_anchor(a, folded, words))
    left_out = _left_out(sought, words, shared) if judged and len(units) == 1 else frozenset()
    if not judged or (coverage < PART_COVERAGE and not left_out):
        return Finding(units, coverage, missing_anchors=missing)
    gone = [scope for scope in sought.scopes if not any(sought.has(w, words) for w in scope)]
    telling = (part - sought.light for part in sought.parts)
    gone += [part for part in telling if part and part <= left_out]
    if _loses_prohibition(sought, units, words):
        gone.append(sought.barred)
    return Finding(
        units,
        coverage,
        max((_contradiction(sought, unit, shared) for unit in units), default=0.0),
        missing,
        frozenset().union(*gone),
        _loses_exclusion(sought.polarity, units),
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


def _loses_prohibition(sought: SoughtItem, units: tuple[Unit, ...], words: frozenset[str]) -> bool:
    """Return whether what is ruled out is gone: "I open a pull request" does not bar a push.

    Half of its words will do where the place rules something out itself.
    """
    if not sought.barred:
        return False
    left = sum(sought.weights[word] for word in sought.barred if sought.has(word, words))
    half = sum(sought.weights[word] for word in sought.barred) / 2
    return left < half or (left == half and not any(unit.polarity.negative for unit in units))


def _loses_exclusion(polarity: Polarity, units: tuple[Unit, ...]) -> bool:
    """Return whether `only` is gone: one sentence says it all, and sets nothing aside."""
    if not polarity.exclusive or len(units) > 1:
        return False
    return not units[0].polarity.exclusive and not units[0].polarity.negative


def _contradiction(sought: SoughtItem, unit: Unit, shared: dict[str, float]) -> float:
    """Return how far a unit contradicts the item; 0 where it holds less than half of the words."""
    own = {word: weight for word, weight in shared.items() if sought.has(word, unit.words)}
    if not own or sum(shared[word] for word in own) * 2 < sum(shared.values()):
        return 0.0
    # A word may stand there in another form, and that form has the sign.
    signs = dict(unit.polarity.signs)
    for word in own:
        if word not in signs:
            signs[word] = next((signs[v] for v in sought.variants[word] if v in signs), 0)
    return disagreement(sought.polarity, replace(unit.polarity, signs=signs), own)


def needed_coverage(sought: SoughtItem) -> float:
    """Return the coverage that makes a match: short items must be there whole."""
    needed = NEEDED_COVERAGE.get(len(sought.weights), KEPT_COVERAGE)
    if len(sought.weights) == SHORT_WORDS and certain_language(sought.text) not in ("", "en"):
        return KEPT_COVERAGE  # only English endings are well known
    return needed


def is_about(sought: SoughtItem, finding: Finding) -> bool:
    """Return whether a place that differs from the item is about it at all."""
    if sought.anchors and sought.anchors == finding.missing_anchors:
        return False
    return finding.coverage >= min(CLAIM_COVERAGE, needed_coverage(sought))


def is_sibling(sought: SoughtItem, finding: Finding) -> bool:
    """Return whether a place speaks of another item of a series: `screen 8` is not `screen 7`."""
    numbers = {anchor for anchor in sought.anchors if anchor[:1].isdigit()}
    return bool(numbers) and numbers <= finding.missing_anchors


def is_shorter_form(finding: Finding) -> bool:
    """Return whether a place says a part of the item, as the item means it, and nothing else."""
    is_enough = finding.coverage >= SHORTER_COVERAGE
    return bool(finding.left_out) and is_enough and finding.contradiction <= 0


def said_alone(text: str, text_index: TextIndex) -> Unit | None:
    """Return the first unit that says a text and nothing else, under no heading that turns it.

    There is no need to read it: it does not contradict the text, whatever that says (`pnpm, not
    npm! npm breaks the links`), and has it though its words are not looked for as they stand there
    (`not sure` is looked for as `unsure`).
    """
    return next((u for u in text_index.units_saying(text) if not sets_polarity(u.heading)), None)


def quality(finding: Finding) -> tuple[float, float]:
    """Return what places are compared by: the more of the item, the better."""
    gone = len(finding.missing_anchors) + bool(finding.missing_scope) + finding.exclusive_lost
    return (finding.coverage - 0.3 * gone, -finding.contradiction)


def is_verbatim(text: str, finding: Finding) -> bool:
    """Return whether a place has the item word for word."""
    if finding.coverage < _WHOLE_COVERAGE:
        return False
    place = normal_form(" ".join(unit.text for unit in finding.units))
    return has_literal(normal_form(text), place)
