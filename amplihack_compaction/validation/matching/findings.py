"""Look at the places of a text that may speak of an item: how much is there, how it is meant."""

from dataclasses import dataclass, replace

from amplihack_compaction.text.languages import language_of
from amplihack_compaction.text.polarity import Polarity, disagreement, turns
from amplihack_compaction.text.polarity_wordings import taken_back
from amplihack_compaction.text.strings import normal_form, one_line
from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.literals import has_anchor, has_literal
from amplihack_compaction.validation.matching.needle import SHORT_WORDS, Needle
from amplihack_compaction.validation.matching.places import places_for
from amplihack_compaction.validation.matching.units import Unit

EVIDENCE_CHARS = 160
KEPT_COVERAGE = 0.6
NEEDED_COVERAGE = {1: 0.99, 2: 0.75, 3: 0.7}
"""What short items need instead, by their number of words."""
PART_COVERAGE = 0.45
CLAIM_COVERAGE = 0.5
"""Coverage of words from which a contradicting sentence speaks of the item at all."""
SHORTER_COVERAGE = 0.34
"""Coverage from which a sentence that says nothing else is a shorter form of the item."""
_WHOLE_COVERAGE = 0.99
_PLACE_SHARE = 0.25
"""What a path's words count of their weight: rules are about what is done there, not the place."""
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """How one place of the text answers to a needle; `contradiction` is above 0 where it differs.

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
    def is_telling(self) -> bool:
        """Whether there is enough of the item to ask how it is meant."""
        return self.coverage >= PART_COVERAGE or bool(self.left_out)

    @property
    def text(self) -> str:
        """The place, on one line."""
        return one_line(" ".join(unit.text for unit in self.units), EVIDENCE_CHARS)


def find(needle: Needle, haystack: Haystack, judged: bool) -> list[Finding]:
    """Examine the promising places, up to one that leaves nothing to be wished for.

    `judged` asks for how a place stands to the item, not only for the words that it has.
    """
    findings: list[Finding] = []
    for units in places_for(needle, haystack):
        finding = examine(needle, units, judged)
        findings.append(finding)
        if finding.is_whole:
            break
    return findings


def examine(needle: Needle, units: tuple[Unit, ...], judged: bool = True) -> Finding:
    """Look at one place of the text; `judged` as for `find`."""
    words = units[0].words.union(*(unit.words for unit in units[1:]))
    shared = {w: weight for w, weight in needle.weights.items() if needle.has(w, words)}
    coverage = sum(shared.values()) / sum(needle.weights.values())
    if len(units) > 1 and shared:
        units = tuple(u for u in units if any(needle.has(word, u.words) for word in shared))
        words = units[0].words.union(*(unit.words for unit in units[1:]))
    missing: frozenset[str] = frozenset()
    if needle.anchors:
        folded = "\n".join(unit.folded for unit in units)
        missing = frozenset(a for a in needle.anchors if not has_anchor(a, folded, words))
    left_out = _left_out(needle, words, shared) if judged and len(units) == 1 else frozenset()
    is_choice = not needle.stance.picked.isdisjoint(shared)
    if not judged or (coverage < PART_COVERAGE and not left_out and not is_choice):
        return Finding(units, coverage, missing_anchors=missing)
    gone = [scope for scope in needle.scopes if not any(needle.has(w, words) for w in scope)]
    telling = (part - needle.light for part in needle.parts)
    gone += [part for part in telling if part and part <= left_out]
    if _loses_prohibition(needle, units, words):
        gone.append(needle.barred)
    return Finding(
        units,
        coverage,
        max((_contradiction(needle, unit, shared) for unit in units), default=0.0),
        missing,
        frozenset().union(*gone),
        _loses_exclusion(needle.stance, units),
        left_out,
    )


def _left_out(needle: Needle, words: frozenset[str], shared: dict[str, float]) -> frozenset[str]:
    """Return the item's words that a place lacks, provided that it says nothing but the item."""
    if len(shared) < min(_LEAST_SHARED, len(needle.weights) - 1) or not shared:
        return frozenset()
    known = set(shared).union(*(needle.variants[word] for word in shared))
    if any(word not in known and not needle.is_light(word) for word in words):
        return frozenset()
    return frozenset(w for w in needle.weights if w not in shared and not needle.is_light(w))


def _loses_prohibition(needle: Needle, units: tuple[Unit, ...], words: frozenset[str]) -> bool:
    """Return whether what is ruled out is gone: "I open a pull request" does not bar a push.

    Half of its words will do where the place rules something out itself.
    """
    if not needle.barred:
        return False
    left = sum(needle.weights[word] for word in needle.barred if needle.has(word, words))
    half = sum(needle.weights[word] for word in needle.barred) / 2
    return left < half or (left == half and not any(unit.stance.negative for unit in units))


def _loses_exclusion(stance: Polarity, units: tuple[Unit, ...]) -> bool:
    """Return whether `only` is gone: one sentence says it all, and sets nothing aside."""
    if not stance.exclusive or len(units) > 1:
        return False
    return not units[0].stance.exclusive and not units[0].stance.negative


def _contradiction(needle: Needle, unit: Unit, shared: dict[str, float]) -> float:
    """Return how far a unit contradicts the item; 0 where it holds less than half of the words."""
    own = {
        word: weight * (_PLACE_SHARE if word in needle.places else 1.0)
        for word, weight in shared.items()
        if needle.has(word, unit.words)
    }
    if not own or sum(shared[word] for word in own) * 2 < sum(shared.values()):
        return 0.0
    signs = dict(unit.stance.signs)
    for word in own:
        if word not in signs:
            signs[word] = next((signs[v] for v in needle.variants[word] if v in signs), 0)
    return disagreement(needle.stance, replace(unit.stance, signs=signs), own)


def needed_coverage(needle: Needle) -> float:
    """Return the coverage that makes a match: short items must be there whole."""
    needed = NEEDED_COVERAGE.get(len(needle.weights), KEPT_COVERAGE)
    if len(needle.weights) == SHORT_WORDS and language_of(needle.text) not in ("", "en"):
        return KEPT_COVERAGE  # only English endings are well known
    return needed


def speaks_of(needle: Needle, finding: Finding) -> bool:
    """Return whether a place that differs from the item is about it at all."""
    if needle.anchors and needle.anchors == finding.missing_anchors:
        return False
    if finding.coverage >= min(CLAIM_COVERAGE, needed_coverage(needle)):
        return True
    return any(
        unit.stance.signs.get(w, 0) < 0 for w in needle.stance.picked for unit in finding.units
    )


def is_sibling(needle: Needle, finding: Finding) -> bool:
    """Return whether a place speaks of another item of a series: `screen 8` is not `screen 7`."""
    numbers = {anchor for anchor in needle.anchors if anchor[:1].isdigit()}
    return bool(numbers) and numbers <= finding.missing_anchors


def is_shorter_form(finding: Finding) -> bool:
    """Return whether a place says a part of the item, as the item means it, and nothing else."""
    is_enough = finding.coverage >= SHORTER_COVERAGE
    return bool(finding.left_out) and is_enough and finding.contradiction <= 0


def said_alone(text: str, haystack: Haystack) -> Unit | None:
    """Return the first unit that says a text and nothing else, under no heading that turns it.

    There is no need to read it: it does not contradict the text, whatever that says (`pnpm, not
    npm! npm breaks the links`), and has it though its words are not looked for as they stand there
    (`not sure` is looked for as `unsure`).
    """
    return next((u for u in haystack.units_saying(text) if not turns(u.heading)), None)


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
