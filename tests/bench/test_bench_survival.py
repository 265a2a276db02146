"""A few carriers of the survival benchmark: the whole is `python -m tests.bench.survival`."""

from collections.abc import Callable
from pathlib import Path

from tests.bench.survival.measure import measure, table

CARRIERS = 6


def test_what_survives_three_compactions(tmp_path: Path, report: Callable[[str], None]) -> None:
    tally = measure(CARRIERS, "held_out", "worst", tmp_path)
    report(f"survival of {CARRIERS} chains of three compactions, summaries that say nothing")
    for row in table(tally):
        report(row)
    kept = [sum(kept) for kept in zip(*tally.kept.values(), strict=True)]
    assert kept[0] >= 0.95 * kept[1]
    assert max(tally.tokens) <= 2000
