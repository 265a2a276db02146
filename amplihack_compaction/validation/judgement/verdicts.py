"""Judge what became of an item by weighing all that tells for and against it.

The rules of `wording.matching` decide what is certain: an item that stands there word for word, one
in another language, a value, a command. Of an English sentence every unit of the text that may
speak of it is described by numbers (`features`), and weighted sums of these, one per label, say how
likely it is that the unit has the item, a part of it, its opposite, its withdrawal, or nothing. The
weights were learnt by `python -m tests.learn_losses`; they are the coefficients of a multinomial
logistic regression.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp
from operator import mul

from amplihack_compaction.text.languages import language_of
from amplihack_compaction.validation.judgement.candidates import candidates
from amplihack_compaction.validation.judgement.features import Features, features_of
from amplihack_compaction.validation.matching.findings import Finding, examine
from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.matching import Label, Match, in_own_words, match
from amplihack_compaction.validation.matching.needle import Needle

LOST_LABELS = {
    "rule": frozenset({Label.DROPPED, Label.NEGATED, Label.PARTLY}),
    "objective": frozenset({Label.DROPPED}),
    "todo": frozenset({Label.DROPPED}),
    "verify": frozenset({Label.DROPPED, Label.PARTLY}),
    "decision": frozenset({Label.DROPPED, Label.NEGATED}),
    "value": frozenset({Label.DROPPED, Label.PARTLY}),
}
"""What counts as lost, by kind: half a todo still leads to the work, half a rule does not hold."""
LABELS = (Label.REWORDED, Label.PARTLY, Label.NEGATED, Label.SUPERSEDED, Label.DROPPED)
"""What a unit may do to an item, in the order of the weights."""
JUDGED_KINDS = frozenset({"rule", "todo", "decision", "objective"})
NOTHING_CERTAINTY = 0.9
"""How surely an item is gone when no unit has a word of it: other words may still say it."""
LOSS_CHANCE = 0.45
"""From which chance on an item is judged lost: people put things in more ways than were learnt."""
Weights = Mapping[str, tuple[float, ...]]
"""By feature, what it tells for each of the labels."""


@dataclass(frozen=True, slots=True)
class Reading:
    """A unit of the text as an answer to an item."""

    finding: Finding
    features: Features


def verdict(item_text: str, haystack: Haystack, kind: str = "rule") -> Match:
    """Return what became of an item in the text; see `wording.matching.match` for the kinds."""
    return match(item_text, haystack, kind, judge if kind in JUDGED_KINDS else None)


def judge(
    needle: Needle, haystack: Haystack, kind: str, table: Weights | None = None
) -> Match | None:
    """Return what became of a sentence; None when it is in a language that was not learnt.

    `table` is what to weigh by; without it, what the package has learnt.
    """
    if language_of(needle.text) not in ("", "en"):
        return None
    read = readings(needle, haystack, kind)
    if not read:
        return Match(Label.DROPPED, certainty=NOTHING_CERTAINTY)
    place, label, certainty = decide(
        [reading.features for reading in read], kind, table or weights()
    )
    found = read[place].finding
    if label is Label.DROPPED:
        return Match(label, found.coverage, certainty=certainty)
    gone = found.missing_anchors | found.missing_scope | found.left_out
    missing = in_own_words(needle.text, gone) if label is Label.PARTLY else ()
    return Match(label, found.coverage, found.text, missing, certainty)


def readings(needle: Needle, haystack: Haystack, kind: str) -> list[Reading]:
    """Describe every unit that may speak of the item."""
    found = (examine(needle, (unit,)) for unit in candidates(needle, haystack))
    return [Reading(one, features_of(needle, kind, one, haystack)) for one in found]


def decide(units: Sequence[Features], kind: str, table: Weights) -> tuple[int, Label, float]:
    """Return which of the units, one at least, answers to an item, its label and the certainty.

    The label is the likeliest on its side, lost or not; the certainty is that side's chance.
    """
    weighed = [_chances(features, table) for features in units]
    place = min(range(len(weighed)), key=lambda number: weighed[number][Label.DROPPED])
    likely, lost = weighed[place], LOST_LABELS[kind]
    loss = sum(chance for label, chance in likely.items() if label in lost)
    is_lost = loss > LOSS_CHANCE
    side = [label for label in LABELS if (label in lost) == is_lost]
    return place, max(side, key=lambda label: likely[label]), loss if is_lost else 1 - loss


def _chances(features: Features, table: Weights) -> dict[Label, float]:
    """Return how likely each label is for a unit; the chances add up to 1."""
    told = [(value, table[name]) for name, value in features.items() if value and name in table]
    columns = zip(*(row for _, row in told), strict=True)
    values = [value for value, _ in told]
    sums = [sum(map(mul, values, column)) for column in columns] or [0.0] * len(LABELS)
    highest = max(sums)
    parts = [exp(total - highest) for total in sums]
    return {label: part / sum(parts) for label, part in zip(LABELS, parts, strict=True)}


def weights() -> Weights:
    """Return what was learnt, which is read when a text is first judged."""
    from amplihack_compaction.validation.judgement.weights import WEIGHTS

    return WEIGHTS
