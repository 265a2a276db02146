"""Summaries that keep every item: none of them may raise an alarm."""

from amplihack_compaction.compaction.losses import fate_of
from amplihack_compaction.wording.haystack import Haystack
from tests.bench.losses.frames import whole
from tests.bench.losses.rows import Row

ITEMS = 12


def false_alarms(half: str, count: int) -> tuple[int, list[Row]]:
    """Return how many of so many summaries raise an alarm, and for which items."""
    alarms = 0
    wrong: list[Row] = []
    for number in range(count):
        rows, text = whole(half, number, ITEMS)
        haystack = Haystack(text)
        lost = [row for row in rows if fate_of(row.kind, row.item, haystack).is_lost]
        alarms += bool(lost)
        wrong += lost
    return alarms, wrong
