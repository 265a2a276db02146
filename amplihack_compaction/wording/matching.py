"""Tell whether an item is kept in a text: word for word, in other words, in part, or turned round.

Sharing words is not enough. Identifiers and numbers must be there, the sentence must stand to
its words as the item does, and what the item is limited to must not be gone. An item in another
language than the text cannot be judged by words, and then the answer is that it cannot be told.
"""

import re
from dataclasses import dataclass, replace
from enum import StrEnum

from amplihack_compaction.language.text import has_cjk, normal_form, one_line
from amplihack_compaction.meaning.languages import are_foreign, differ, language_of
from amplihack_compaction.meaning.stance import Stance, disagreement
from amplihack_compaction.meaning.words import canonical, content_words, fold, raw_words
from amplihack_compaction.redaction import MARK
from amplihack_compaction.wording.haystack import Haystack, Unit, places_for
from amplihack_compaction.wording.literals import (
    has_anchor,
    has_literal,
    has_quantity,
    literal_form,
    literal_part,
    quantity_of,
)
from amplihack_compaction.wording.needle import SHORT_WORDS, Needle, prepare

ITEM_LIMIT_CHARS = 2_000
EVIDENCE_CHARS = 160
_WHOLE_COVERAGE = 0.99
KEPT_COVERAGE = 0.6
NEEDED_COVERAGE = {1: 0.99, 2: 0.75, 3: 0.7}
"""What short items need instead, by their number of words."""
PART_COVERAGE = 0.45
CLAIM_COVERAGE = 0.5
"""Coverage of words from which a contradicting sentence speaks of the item at all."""
FOREIGN = "the text is in another language than the item"
_NAME_CHARS = 60
_QUANTITY_PLACES = 200


class Label(StrEnum):
    """What became of an item."""

    KEPT = "kept"
    REWORDED = "reworded"
    PARTLY = "partly"
    NEGATED = "negated"
    UNKNOWN = "translated_or_unknown"
    DROPPED = "dropped"


PRESENT = frozenset({Label.KEPT, Label.REWORDED, Label.UNKNOWN})


@dataclass(frozen=True, slots=True)
class Match:
    """The verdict on one item: `score` is the share of its words found (0 to 1).

    `evidence` is the sentence that decided, `missing` what of the item is gone.
    """

    label: Label
    score: float = 0.0
    evidence: str = ""
    missing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Finding:
    """How one place of the text answers to a needle; `contradiction` is above 0 where it differs.

    `missing_scope` holds the words of clauses that limit the item and are not there.
    """

    units: tuple[Unit, ...]
    coverage: float
    contradiction: float = 0.0
    missing_anchors: frozenset[str] = frozenset()
    missing_scope: frozenset[str] = frozenset()
    exclusive_lost: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether the place has all of the item, and stands to it as the item does."""
        gone = self.missing_anchors or self.missing_scope or self.exclusive_lost
        return self.coverage >= _WHOLE_COVERAGE and self.contradiction <= 0 and not gone

    @property
    def text(self) -> str:
        """The place, on one line."""
        return one_line(" ".join(unit.text for unit in self.units), EVIDENCE_CHARS)


def match(item_text: str, haystack: Haystack, kind: str = "rule") -> Match:
    """Return what became of an item in the text.

    `kind` is rule, todo, objective, decision, value or command. Values and commands must be
    there to the letter; an objective counts by its sentences. A todo has no stance to turn round.
    """
    text = MARK.sub(" ", item_text[:ITEM_LIMIT_CHARS]).strip()
    if not text:
        return Match(Label.UNKNOWN)
    if kind in ("value", "command"):
        return _match_literal(text, haystack, kind == "command")
    sentences = _sentences(text)
    if len(sentences) == 1:
        return _match_sentence(text, haystack, kind)
    return _match_sentences(sentences, haystack, kind)


def _match_sentence(text: str, haystack: Haystack, kind: str) -> Match:
    needle = prepare(text, haystack.variants)
    if not needle.weights:
        return _match_wordless(text, haystack)
    judged = kind in ("rule", "decision")
    findings = _findings(needle, haystack, judged)
    if kind == "todo":
        findings = [f for f in findings if not _is_sibling(needle, f)]
    best = max((f for f in findings if f.contradiction <= 0), key=_quality, default=None)
    against = max(
        (f for f in findings if f.contradiction > 0 and _speaks_of(needle, f)),
        key=_quality,
        default=None,
    )
    verbatim = any(_is_verbatim(text, f) for f in findings)
    if verbatim and (against is None or (best and best.coverage >= against.coverage)):
        return Match(Label.KEPT, 1.0, best.text if best else one_line(text, EVIDENCE_CHARS))
    if not verbatim and _may_be_foreign(needle, best, against, haystack):
        return Match(Label.UNKNOWN, 0.0, FOREIGN)
    if best is not None and best.coverage >= _needed(needle):
        verdict = _judge(text, best, judged)
        if verdict.label is not Label.PARTLY or against is None:
            return verdict
    if against is not None:
        return Match(Label.NEGATED, against.coverage, against.text)
    return _without_match(needle, findings)


def _is_sibling(needle: Needle, finding: _Finding) -> bool:
    """Tell whether a place speaks of another item of a series: `screen 8` is not `screen 7`."""
    numbers = {anchor for anchor in needle.anchors if anchor[:1].isdigit()}
    return bool(numbers) and numbers <= finding.missing_anchors


def _findings(needle: Needle, haystack: Haystack, judged: bool) -> list[_Finding]:
    """Examine the promising places, up to one that leaves nothing to be wished for."""
    findings: list[_Finding] = []
    for units in places_for(needle, haystack):
        finding = _examine(needle, units, judged)
        findings.append(finding)
        if finding.is_whole:
            break
    return findings


def _judge(text: str, finding: _Finding, judged: bool) -> Match:
    missing = finding.missing_anchors | (finding.missing_scope if judged else frozenset())
    if finding.exclusive_lost and judged:
        missing |= {"only"}
    label = Label.PARTLY if missing else Label.REWORDED
    return Match(label, finding.coverage, finding.text, _in_own_words(text, missing))


def _in_own_words(text: str, missing: frozenset[str]) -> tuple[str, ...]:
    """Return what is missing as the item says it, in its order; words are compared by stems."""
    words = dict.fromkeys(word for word in raw_words(fold(text)) if canonical(word) in missing)
    stems = {canonical(word) for word in words}
    return (*words, *sorted(missing - stems))


def _may_be_foreign(
    needle: Needle, best: _Finding | None, against: _Finding | None, haystack: Haystack
) -> bool:
    """Tell whether only another language keeps the item from being found."""
    if best is not None and best.coverage >= KEPT_COVERAGE and not differ(needle.text, best.text):
        return False
    if needle.anchors and not any(has_literal(a, haystack.folded) for a in needle.anchors):
        return False
    if against is not None and not differ(needle.text, against.text):
        return False
    return _is_foreign(needle.text, haystack)


def _without_match(needle: Needle, findings: list[_Finding]) -> Match:
    """Decide between partly and dropped, where no sentence carries the item."""
    best = max((f for f in findings if len(f.units) == 1), key=_quality, default=None)
    if best is None:
        return Match(Label.DROPPED)
    named = needle.anchors - best.missing_anchors
    if best.coverage >= PART_COVERAGE and named and len(needle.weights) >= SHORT_WORDS:
        missing = best.missing_anchors | best.missing_scope
        return Match(Label.PARTLY, best.coverage, best.text, _in_own_words(needle.text, missing))
    return Match(Label.DROPPED, best.coverage)


def _is_foreign(text: str, haystack: Haystack) -> bool:
    """Tell whether the item may stand in the text in another language."""
    if len(haystack.units) <= 1 and len(raw_words(haystack.folded)) < len(raw_words(fold(text))):
        return False
    if has_cjk(text) != haystack.has_cjk and (has_cjk(text) or len(haystack.language) == 2):
        return has_cjk(text) or haystack.language in ("zh", "ja", "ko")
    return are_foreign(language_of(text), haystack.language)


def _match_sentences(sentences: list[str], haystack: Haystack, kind: str) -> Match:
    """Judge an item of several sentences by each of them, weighed by its words."""
    matches = [
        (_match_sentence(part, haystack, kind), len(content_words(part))) for part in sentences
    ]
    total = sum(weight for _, weight in matches) or 1
    share = sum(weight for found, weight in matches if found.label in PRESENT) / total
    partly = sum(weight for found, weight in matches if found.label is Label.PARTLY) / total
    for found, _ in matches:
        if found.label is Label.NEGATED:
            return found
    evidence = next((found.evidence for found, _ in matches if found.evidence), "")
    if all(found.label is Label.UNKNOWN for found, _ in matches):
        return Match(Label.UNKNOWN, share, evidence)
    if all(found.label is Label.KEPT for found, _ in matches):
        return Match(Label.KEPT, 1.0, evidence)
    enough = 0.5 if kind in ("objective", "recent", "todo") else 0.75
    if share + partly / 2 >= enough:
        return Match(Label.REWORDED, share, evidence)
    missing = tuple(
        one_line(part, _NAME_CHARS)
        for part, (found, _) in zip(sentences, matches, strict=True)
        if found.label is Label.DROPPED
    )
    if share + partly > 0:
        return Match(Label.PARTLY, share, evidence, missing)
    return Match(Label.DROPPED, share)


_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")


def _sentences(text: str) -> list[str]:
    """Return the item's sentences that say something of their own."""
    parts = [part.strip() for part in _SENTENCE.split(text)]
    telling = [part for part in parts if len(content_words(part)) >= 2]
    return telling or [text]


def _examine(needle: Needle, units: tuple[Unit, ...], judged: bool) -> _Finding:
    words = units[0].words.union(*(unit.words for unit in units[1:]))
    shared = {w: weight for w, weight in needle.weights.items() if needle.has(w, words)}
    coverage = sum(shared.values()) / sum(needle.weights.values())
    if coverage < PART_COVERAGE:
        return _Finding(units, coverage, missing_anchors=needle.anchors)
    folded = units[0].folded if len(units) == 1 else "\n".join(unit.folded for unit in units)
    missing = frozenset(a for a in needle.anchors if not has_anchor(a, folded, words))
    if not judged:
        return _Finding(units, coverage, missing_anchors=missing)
    gone = [scope for scope in needle.scopes if not any(needle.has(w, words) for w in scope)]
    if _loses_prohibition(needle, units, words):
        gone.append(needle.barred)
    return _Finding(
        units,
        coverage,
        max((_contradiction(needle, unit, shared) for unit in units), default=0.0),
        missing,
        frozenset().union(*gone),
        _loses_exclusion(needle.stance, units),
    )


def _loses_prohibition(needle: Needle, units: tuple[Unit, ...], words: frozenset[str]) -> bool:
    """Tell whether what is ruled out is gone: "I open a pull request" does not bar a push.

    Half of its words will do where the place rules something out itself.
    """
    if not needle.barred:
        return False
    left = sum(needle.weights[word] for word in needle.barred if needle.has(word, words))
    half = sum(needle.weights[word] for word in needle.barred) / 2
    return left < half or (left == half and not any(unit.stance.negative for unit in units))


def _loses_exclusion(stance: Stance, units: tuple[Unit, ...]) -> bool:
    """Tell whether `only` is gone: one sentence says it all, and sets nothing aside."""
    if not stance.exclusive or len(units) > 1:
        return False
    return not units[0].stance.exclusive and not units[0].stance.negative


def _contradiction(needle: Needle, unit: Unit, shared: dict[str, float]) -> float:
    """Return how far a unit contradicts the item; 0 where it holds less than half of the words."""
    own = {word: weight for word, weight in shared.items() if needle.has(word, unit.words)}
    if sum(own.values()) * 2 < sum(shared.values()) or not own:
        return 0.0
    signs = dict(unit.stance.signs)
    for word in own:
        if word not in signs:
            signs[word] = next((signs[v] for v in needle.variants[word] if v in signs), 0)
    return disagreement(needle.stance, replace(unit.stance, signs=signs), own)


def _needed(needle: Needle) -> float:
    """Return the coverage that makes a match: short items must be there whole."""
    needed = NEEDED_COVERAGE.get(len(needle.weights), KEPT_COVERAGE)
    if len(needle.weights) == SHORT_WORDS and language_of(needle.text) not in ("", "en"):
        return KEPT_COVERAGE  # only English endings are well known
    return needed


def _speaks_of(needle: Needle, finding: _Finding) -> bool:
    if needle.anchors and needle.anchors == finding.missing_anchors:
        return False
    return finding.coverage >= min(CLAIM_COVERAGE, _needed(needle))


def _quality(finding: _Finding) -> tuple[float, float]:
    gone = len(finding.missing_anchors) + bool(finding.missing_scope) + finding.exclusive_lost
    return (finding.coverage - 0.3 * gone, -finding.contradiction)


def _is_verbatim(text: str, finding: _Finding) -> bool:
    """Tell whether a place has the item word for word."""
    if finding.coverage < _WHOLE_COVERAGE:
        return False
    place = normal_form(" ".join(unit.text for unit in finding.units))
    return has_literal(normal_form(text), place)


def _stands_verbatim(text: str, haystack: Haystack) -> bool:
    normal = normal_form(text)
    return bool(normal) and has_literal(normal, haystack.normal)


def _match_wordless(text: str, haystack: Haystack) -> Match:
    if _stands_verbatim(text, haystack):
        return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    if _is_foreign(text, haystack):
        return Match(Label.UNKNOWN, 0.0, FOREIGN)
    return Match(Label.DROPPED)


def _match_literal(text: str, haystack: Haystack, is_command: bool) -> Match:
    """Look for a value or a command to the letter; a path's last part alone is a part of it."""
    wanted = literal_form(text)
    if not wanted:
        return Match(Label.UNKNOWN)
    for form in filter(None, (wanted, wanted.removesuffix("/"), wanted.removeprefix("v"))):
        if has_literal(form, haystack.folded):
            return Match(Label.KEPT, 1.0, one_line(text, EVIDENCE_CHARS))
    part = literal_part(wanted, is_command)
    if part and has_literal(part, haystack.folded):
        return Match(Label.PARTLY, 0.5, part, (one_line(text, _NAME_CHARS),))
    number, unit = quantity_of(wanted)
    places = haystack.units_with(number)[:_QUANTITY_PLACES] if number else []
    if has_quantity((number, unit), (haystack.units[place].folded for place in places)):
        return Match(Label.REWORDED, 1.0, wanted)
    return Match(Label.DROPPED)
