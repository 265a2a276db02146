"""Does the package tell what a compaction lost from what it only said in other words?

    python -m tests.bench.losses [--half tune|held_out|blind|blind_2] [--rows N] [--wrong]

Judges rows written by hand and generated ones (with COMPACTION_CORPUS, the latter within real
summaries too), whole summaries that keep every item, and real compactions. Plain token overlap
stands beside it. The rows of `blind` were written before anything was learnt, those of `blind_2`
afterwards, without a look at the others. `--wrong` lists what was judged wrongly; it goes with
`tune` only, so that nothing is developed on the others.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.losses.frames import generated
from tests.bench.losses.judges import overlap_judge, package
from tests.bench.losses.real import real_verdicts
from tests.bench.losses.rows import BLIND, HALVES, handwritten
from tests.bench.losses.score import Tally, table, tally
from tests.bench.losses.whole import ITEMS, LOST_ITEMS, WAYS, alarms

SUMMARIES = 200


def main() -> None:
    """Run the benchmark and print its tables."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.losses")
    options.add_argument("--half", choices=HALVES, default="held_out")
    options.add_argument("--rows", type=int, default=3_000)
    options.add_argument("--wrong", action="store_true")
    given = options.parse_args()
    if given.wrong and given.half != "tune":
        options.error("--wrong goes with --half tune only")
    for name, make in (
        ("written by hand", handwritten),
        ("generated", lambda half: generated(half, given.rows)),
    ):
        counts = tally(make(given.half), package)
        by_overlap = tally(make(given.half), overlap_judge(make("tune")))
        _say(f"{name}, {given.half}", *table(counts), f"by token overlap: {by_overlap.lost}", "")
        if given.wrong:
            _say(*_wrong(counts), "")
        if given.half in BLIND:  # they have no templates
            return
    for way, labels in WAYS.items():
        found = alarms(given.half, SUMMARIES, labels)
        _say(f"summaries that keep {ITEMS} items, {way}: {found}")
        if given.wrong:
            _say(*(f"{row.kind} {row.item!r} -> {row.said!r}" for row in found.rows))
    for lost in LOST_ITEMS:
        found = alarms(given.half, SUMMARIES, WAYS["half of them in other words"], lost)
        _say(f"summaries that lack {lost} of {ITEMS} items: {found}")
    with TemporaryDirectory() as folder:
        _say(*_real(Path(folder), given.wrong))


def _wrong(counts: Tally) -> Iterable[str]:
    for row, verdict, alarm in counts.wrong:
        mark = "!" if alarm != row.is_lost else " "
        yield f"{mark} {row.label} -> {verdict}: {row.kind} {row.item!r} | {row.said!r}"


def _real(project: Path, with_warnings: bool) -> Iterable[str]:
    results = list(real_verdicts(project))
    failed = [(name, result) for name, result in results if not result.passed]
    yield f"real compactions: {len(failed)} of {len(results)} raise an alarm"
    for name, result in failed if with_warnings else ():
        yield from (f"{name}: {warning}" for warning in result.warnings)


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
