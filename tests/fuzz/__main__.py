"""Fuzz the package: mutated cases, guided by what code they reach.

    python -m tests.fuzz [--count N] [--guided PERCENT] [--seed N] [--jobs N] [--work DIR] [TARGET]

`--count` is the number of cases of all targets together, 1,000,000 by default, shared out as in
`tests.fuzz.targets`. The first of them are guided by coverage, which takes four times as long and
needs `atheris` (the extra `fuzz`); what they found to reach new code is what the others mutate.
With `--guided 0` those mutate what was found before. What fails is kept in DIR (`.cache/fuzz`), one
file for each place that it fails at, and the table at the end names it. Exit code 1 when anything
did.
"""

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.fuzz.campaign import ALONE_FILE, GUIDED_FILE, run_target
from tests.fuzz.targets import TARGETS

_COUNT = 1_000_000
_HEAD = (
    "| input | guided | mutated | kept | failures | slowest, CPU s |",
    "|---|---:|---:|---:|---:|---:|",
)


def main() -> int:
    """Run every target in a process of its own, and print the table."""
    options = _options()
    names = options.target or list(TARGETS)
    if options.worker:
        guided = options.guided > 0
        run_target(names[0], options.count, options.seed, options.work, guided=guided)
        return 0
    shares = sum(TARGETS[name].share for name in names)
    counts = {name: -(-options.count * TARGETS[name].share // shares) for name in names}
    with ThreadPoolExecutor(options.jobs) as pool:
        for _ in pool.map(lambda name: _run_worker(name, counts[name], options), names):
            pass
    return _print_table(names, options.work)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz")
    parser.add_argument("target", nargs="*", choices=[*TARGETS, []], help="default: all of them")
    parser.add_argument("--count", type=int, default=_COUNT)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", type=Path, default=Path(".cache/fuzz"))
    parser.add_argument("--jobs", type=int, default=1, help="targets at the same time")
    parser.add_argument("--guided", type=int, default=15, metavar="PERCENT")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def _run_worker(name: str, count: int, options: argparse.Namespace) -> None:
    """Run a target's guided cases, then the others, each in a process of its own."""
    folder = options.work / name
    folder.mkdir(parents=True, exist_ok=True)
    guided = count * options.guided // 100
    for number, percent, log in ((guided, 100, "guided.log"), (count - guided, 0, "mutated.log")):
        command = [
            *(sys.executable, "-m", "tests.fuzz", "--worker", name, "--count", str(number)),
            *("--guided", str(percent), "--seed", str(options.seed), "--work", str(options.work)),
        ]
        with (folder / log).open("wb") as stream:
            done = (
                subprocess.run(command, stdout=stream, stderr=stream, check=False)
                if number
                else None
            )
        if done is not None and done.returncode:
            sys.stderr.write(
                f"{name}: a process ended with {done.returncode}; see {folder / log}\n"
            )


def _print_table(names: list[str], work: Path) -> int:
    rows = [_Row(name, work) for name in names]
    total = f"{sum(row.guided + row.mutated for row in rows):,} cases"
    failures = [f"{row.name}: {text}" for row in rows for text in row.failures]
    sys.stdout.write("\n".join([*_HEAD, *map(str, rows), "", total, *failures, ""]))
    return int(bool(failures) or any(not row.mutated for row in rows))


class _Row:
    """One target's tallies."""

    def __init__(self, name: str, work: Path) -> None:
        self.name = name
        paths = [work / name / file for file in (GUIDED_FILE, ALONE_FILE)]
        tallies = [json.loads(path.read_text()) if path.exists() else {} for path in paths]
        self.guided, self.mutated = (tally.get("cases", 0) for tally in tallies)
        self.kept = max(tally.get("kept", 0) for tally in tallies)
        self.failures = sorted({text for tally in tallies for text in tally.get("failures", ())})
        self._slowest = max(tally.get("slowest", 0.0) for tally in tallies)

    def __str__(self) -> str:
        """Return the row as markdown."""
        counts = f"{self.guided:,} | {self.mutated:,} | {self.kept:,} | {len(self.failures)}"
        return f"| {TARGETS[self.name].what} | {counts} | {self._slowest:.2f} |"


if __name__ == "__main__":
    sys.exit(main())
