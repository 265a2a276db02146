"""Summaries that keep every item: none of them should raise an alarm."""

from collections.abc import Sequence

from amplihack_compaction.compaction.losses import fate_of
from amplihack_compaction.wording.haystack import Haystack
from tests.bench.losses.frames import read_templates, whole
from tests.bench.losses.rows import Row

ITEMS = 12
WAYS = {
    "word for word": ("verbatim",),
    "half of them in other words": ("verbatim", "reworded"),
}
"""How such a summary keeps its items."""


def false_alarms(half: str, count: int, labels: Sequence[str]) -> tuple[int, list[Row]]:
    """Return how many of so many summaries raise an alarm, and for which items."""
    templates = read_templates(half)
    alarms = 0
    wrong: list[Row] = []
    for number in range(count):
        rows, text = whole(templates, number, ITEMS, labels)
        haystack = Haystack(text)
        lost = [row for row in rows if fate_of(row.kind, row.item, haystack).is_lost]
        alarms += bool(lost)
        wrong += lost
    return alarms, wrong
