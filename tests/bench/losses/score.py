"""Count verdicts against the true labels, and put the counts into tables."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.bench.losses.judges import CANNOT_TELL, NO_ITEM, Judge
from tests.bench.losses.rows import LABELS, Row

FOUND = {"kept", "reworded"}
RIGHT = {
    "verbatim": FOUND,
    "reworded": FOUND,
    "translated": {*FOUND, CANNOT_TELL},
    "partly": {"partly", "changed"},
    "negated": {"negated", "changed"},
    "completed": FOUND,
    "superseded": {"superseded"},
    "dropped": {"dropped"},
    "not_item": {NO_ITEM},
}
"""The verdicts that say of each label what is true."""
ALTERED = {"partly", "negated"}
VERDICTS = (
    "kept",
    "reworded",
    "partly",
    "changed",
    "negated",
    "superseded",
    CANNOT_TELL,
    "dropped",
    NO_ITEM,
)
_SHORT = {CANNOT_TELL: "unknown"}


@dataclass(frozen=True, slots=True)
class Rates:
    """Precision, recall and their mean; 0 where there is nothing to count."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0

    def __str__(self) -> str:
        """Return the three rates on one line."""
        return f"P {self.precision:.3f}  R {self.recall:.3f}  F1 {self.f1:.3f}"


@dataclass
class Tally:
    """Verdicts of one judge: how often each label got each one, and who was judged wrongly."""

    verdicts: Counter[tuple[str, str]] = field(default_factory=Counter)
    alarms: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """By (is lost, is an alarm)."""
    altered: Counter[tuple[bool, bool]] = field(default_factory=Counter)
    """By (partly kept or turned round, said to be so)."""
    wrong: list[tuple[Row, str, bool]] = field(default_factory=list)

    @property
    def lost(self) -> Rates:
        """How well losses are told."""
        return _rates(self.alarms)

    @property
    def changed(self) -> Rates:
        """How well it is told that an item is there, but not as it was."""
        return _rates(self.altered)

    def add(self, row: Row, verdict: str, alarm: bool) -> None:
        """Count one verdict."""
        self.verdicts[row.label, verdict] += 1
        self.alarms[row.is_lost, alarm] += 1
        self.altered[row.label in ALTERED, verdict in {*ALTERED, "changed"}] += 1
        if alarm != row.is_lost or verdict not in RIGHT[row.label]:
            self.wrong.append((row, verdict, alarm))

    def count(self, label: str) -> int:
        """Return how many rows have a label."""
        return sum(number for (true, _), number in self.verdicts.items() if true == label)

    def share(self, label: str, verdicts: Iterable[str]) -> float:
        """Return the share of a label's rows that got one of the verdicts."""
        told = sum(self.verdicts[label, verdict] for verdict in verdicts)
        return told / max(1, self.count(label))

    @property
    def negation_recall(self) -> float:
        """The share of the items turned round or weakened of which just that is said."""
        return self.share("negated", {"negated"})

    @property
    def cannot_tell(self) -> tuple[float, float]:
        """The share of "cannot tell" among the translated, and among all others."""
        others = [label for label in LABELS if label != "translated"]
        told = sum(self.verdicts[label, CANNOT_TELL] for label in others)
        total = sum(self.count(label) for label in others)
        return self.share("translated", {CANNOT_TELL}), told / max(1, total)


def tally(rows: Iterable[Row], judge: Judge) -> Tally:
    """Have every row judged."""
    counts = Tally()
    for row in rows:
        counts.add(row, *judge(row))
    return counts


def _rates(counts: Counter[tuple[bool, bool]]) -> Rates:
    hits = counts[True, True]
    told, true = hits + counts[False, True], hits + counts[True, False]
    return Rates(hits / told if told else 0.0, hits / true if true else 0.0)


def table(counts: Tally) -> list[str]:
    """Return a judge's confusion table and rates as lines of text."""
    heads = " ".join(f"{_SHORT.get(verdict, verdict):>10}" for verdict in VERDICTS)
    lines = [f"{'label':11} {'n':>5} {heads} {'right':>7}"]
    for label in filter(counts.count, LABELS):
        cells = " ".join(f"{counts.verdicts[label, verdict] or '':>10}" for verdict in VERDICTS)
        right = 100 * counts.share(label, RIGHT[label])
        lines.append(f"{label:11} {counts.count(label):5} {cells} {right:5.1f} %")
    foreign, others = counts.cannot_tell
    return [
        *lines,
        f"lost     {counts.lost}",
        f"altered  {counts.changed}",
        f"recall of negation {counts.negation_recall:.3f}",
        f"cannot tell: {foreign:.1%} of the translated, {others:.1%} of the others",
    ]
