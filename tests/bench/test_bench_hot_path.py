"""What each hook costs, against a bare interpreter: `python -m tests.bench.hot_path` prints it all.

CPU is printed and never asserted: it depends on what else the machine does. Instructions and memory
do not, so these are held to their limits.
"""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.hot_path.tables import (
    COUNTS,
    MOST,
    MOST_COMPACTING,
    Row,
    compaction,
    crossing,
    first_look,
    idle,
)

HOT_MEGABYTES = 30
COMPACTION_MEGABYTES = 100
LARGE_MEGABYTES = 120
ROUNDS = 3
"""`python -m tests.bench.hot_path` takes more rounds and 500 MB, and counts all instructions."""


@pytest.fixture
def show(report: Callable[[str], None]) -> Callable[[Row], Row]:
    """Return a function that puts a row into the table at the end."""

    def put(row: Row) -> Row:
        report(str(row))
        return row

    return put


@pytest.mark.parametrize(("megabytes", "counts"), [(1, COUNTS), (LARGE_MEGABYTES, 1)])
def test_hooks_with_nothing_to_do_cost_a_bare_start(
    tmp_path: Path, show: Callable[[Row], Row], megabytes: int, counts: int
) -> None:
    moved = 0.01 if counts == 1 else 0.0  # what one count may be beside the median
    for row in map(show, idle(tmp_path, megabytes, ROUNDS, counts, counted=MOST)):
        if row.name in MOST:
            assert row.cost.peak_megabytes <= HOT_MEGABYTES
            assert row.instructions is None or row.instructions <= MOST[row.name] + moved


def test_a_compaction_of_a_full_window(tmp_path: Path, show: Callable[[Row], Row]) -> None:
    for row in map(show, compaction(tmp_path, ROUNDS, counted=["PreCompact"])):
        assert row.cost.peak_megabytes <= COMPACTION_MEGABYTES
        assert row.instructions is None or row.instructions <= MOST_COMPACTING


@pytest.mark.parametrize("percent", [10, 75, 97])
def test_a_level_that_is_crossed(tmp_path: Path, show: Callable[[Row], Row], percent: int) -> None:
    assert list(map(show, crossing(tmp_path, percent, ROUNDS, counted=[])))


def test_memory_does_not_follow_the_file(tmp_path: Path, show: Callable[[Row], Row]) -> None:
    for row in map(show, first_look(tmp_path, LARGE_MEGABYTES)):
        assert row.cost.peak_megabytes <= COMPACTION_MEGABYTES
