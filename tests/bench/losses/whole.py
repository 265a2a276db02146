"""Summaries that keep every item, which should raise no alarm, and such that lack some."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from amplihack_compaction.text.words import counted
from amplihack_compaction.validation.losses import Fate, fate_of
from amplihack_compaction.validation.matching.text_index import TextIndex
from tests.bench.losses.frames import Templates, read_templates, whole
from tests.bench.losses.rows import Row

ITEMS = 12
WAYS = {
    "word for word": ("verbatim",),
    "half of them in other words": ("verbatim", "reworded"),
    "all in other words": ("reworded",),
}
"""How such a summary keeps its items."""
LOST_ITEMS = (1, 3, ITEMS)
"""How many items the summaries lack that should raise an alarm."""


@dataclass
class Alarms:
    """Of so many summaries and their items, how many are said to have lost something."""

    summaries: int = 0
    raised: int = 0
    rows: list[Row] = field(default_factory=list)
    """The items that are said to be lost though they are kept."""

    def add(self, other: "Alarms") -> None:
        """Count the summaries of another count, too."""
        self.summaries += other.summaries
        self.raised += other.raised
        self.rows += other.rows

    def __str__(self) -> str:
        """Return the counts on one line."""
        false = counted(len(self.rows), "kept item")
        return f"{self.raised} of {self.summaries} raise an alarm, {false} among them"


def alarms(half: str, count: int, labels: Sequence[str], lost: int = 0) -> Alarms:
    """Return how often summaries raise an alarm that keep all but so many of their items."""
    return alarms_of(read_templates(half), range(count), labels, lost)


def alarms_of(
    templates: Templates,
    numbers: Sequence[int],
    labels: Sequence[str],
    lost: int = 0,
    judged: Callable[[str, str, TextIndex], Fate] = fate_of,
) -> Alarms:
    """Return what `alarms` does, of the summaries with these numbers as somebody judges them."""
    counts = Alarms(len(numbers))
    for number in numbers:
        rows, text = whole(templates, number, ITEMS, labels, lost)
        text_index = TextIndex(text)
        fates = [(row, judged(row.kind, row.item, text_index)) for row in rows]
        kept = [(row, fate) for row, fate in fates if row.label != "dropped"]
        counts.raised += any(fate.is_lost for _, fate in fates)
        counts.rows += [row for row, fate in kept if fate.is_lost]
    return counts
