"""What each hook costs, as a process, against a bare interpreter in the same run.

    python -m tests.bench.hot_path [--sizes MB ...] [--rounds N]

CPU is a median over the rounds, all commands in turn. Where valgrind is installed, cachegrind
counts the instructions of one more run each, which do not depend on what else the machine does.
"""

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.hot_path.tables import Row, compaction, crossing, first_look, idle


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.hot_path")
    options.add_argument("--sizes", type=int, nargs="*", default=[1, 50, 500], metavar="MB")
    options.add_argument("--rounds", type=int, default=30)
    given = options.parse_args()
    with TemporaryDirectory() as name:
        folder = Path(name)
        for megabytes in given.sizes:
            show(f"nothing to do, {megabytes} MB", idle(folder, megabytes, given.rounds))
        show("a window of 200,000 tokens", compaction(folder, given.rounds))
        for percent in (10, 75, 97):
            show("a level", crossing(folder, percent, given.rounds))
        if given.sizes:
            largest = max(given.sizes)
            show("nothing stored", first_look(folder, largest))


def show(title: str, rows: Iterable[Row]) -> None:
    """Print a table, each row as soon as it is known."""
    sys.stdout.write(f"{title}\n")
    for row in rows:
        sys.stdout.write(f"  {row}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
