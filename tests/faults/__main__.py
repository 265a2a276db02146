"""Run all faults and print a table of what was tried, how often, and what went wrong.

    python -m tests.faults [--kills N] [--twice N] [--errors N] [--limits N] [--seconds S]
                           [--jobs N] [--only TEXT] [PART...]

N is how often each step of a hook or command is killed at most, killed twice, and meets each kind
of error, at even distances over its calls; 0, the default for kills, is at every one. With
--limits, it is how many limits of memory each hook meets. PART is one of kills, twice, errors,
reading, conditions, memory, moving and crowd; all by default. Needs strace, and for the conditions
the right to mount. The exit code is 1 when anything went wrong.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.faults.conditions import run_conditions
from tests.faults.crowd import run_crowd
from tests.faults.harness import Amount, changes_of, run_trials
from tests.faults.moments import MOMENTS
from tests.faults.pressure import LIMITS_MEGABYTES, MOVES, reads_transcript, try_memory, try_moving
from tests.faults.steps import COMMANDS, HOOKS, READING, Step
from tests.faults.tracing import ERRORS, can_trace
from tests.faults.trials import KILL, TWICE, run_clean, spread
from tests.faults.world import World

AT_ONCE = 64
_FAULTS = {
    KILL: "killed before a call",
    TWICE: "killed, and killed again when run again",
    **{error: f"{error} in place of a call" for error in ERRORS},
}


@dataclass
class Table:
    """What was tried, on how many steps, how often, and what was wrong."""

    tried: Counter[tuple[str, str]] = field(default_factory=Counter)
    steps: defaultdict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)

    def add(self, what: str, step: Step, where: str, problems: Sequence[str]) -> None:
        """Count one try, and print its problems."""
        row = (what, "hooks" if step.is_hook else "commands")
        self.tried[row] += 1
        self.steps[row].add(step.name)
        self.wrong[row] += bool(problems)
        for problem in problems:
            _say(f"WRONG {what}, {step.name}, {where}: {problem}")

    def __str__(self) -> str:
        rows = [
            f"| {' | '.join(row)} | {len(self.steps[row])} | {tries:,} | {self.wrong[row]} |"
            for row, tries in self.tried.items()
        ]
        head = ("| fault | of | steps | tries | wrong |", "|---|---|---:|---:|---:|")
        return "\n".join((*head, *rows))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a program


def _trials(table: Table, base: Path, steps: Sequence[Step], amount: Amount, jobs: int) -> None:
    for trial in run_trials(base, steps, amount, jobs, _say):
        if trial.struck:
            table.add(_FAULTS[trial.fault], trial.step, trial.place, trial.problems)


def _reading(table: Table, base: Path, steps: Sequence[Step]) -> None:
    world = World(base, MOMENTS)
    for step in steps:
        table.add("only read: all is as it was", step, "the end", changes_of(world, step))


def _conditions(table: Table, base: Path, steps: Sequence[Step]) -> None:
    for result in run_conditions(base, steps):
        step = next(each for each in steps if each.name == result.step)
        table.add(result.condition, step, "the end", result.problems)


def _memory(table: Table, base: Path, steps: Sequence[Step], limits: int) -> None:
    world = World(base, MOMENTS)
    for step in filter(reads_transcript, steps):
        clean = run_clean(world, step, count=False)
        for megabytes in spread(LIMITS_MEGABYTES, limits):
            problems = try_memory(world, clean, megabytes)
            table.add("short of memory", step, f"{megabytes} MB", problems)


def _moving(table: Table, base: Path, steps: Sequence[Step]) -> None:
    world = World(base, MOMENTS)
    for step in filter(reads_transcript, steps):
        clean = run_clean(world, step, count=False)
        for number, how in enumerate((*MOVES, *MOVES)):
            problems = try_moving(world, clean, how, number)
            table.add(f"transcript {how} while it is read", step, f"try {number}", problems)


def _crowd(table: Table, base: Path, seconds: float) -> None:
    crowd = run_crowd(
        World(base / "at-once", MOMENTS), World(base / "in-turn", MOMENTS), AT_ONCE, seconds
    )
    what = f"{AT_ONCE} at once for {seconds:.0f} s, {crowd.compactions} compactions"
    row = (what, "hooks")
    table.tried[row] = sum(crowd.hooks.values())
    table.steps[row] = set(crowd.hooks)
    table.wrong[row] = len(crowd.problems)
    for problem in crowd.problems:
        _say(f"WRONG {what}: {problem}")


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--twice", type=int, default=4)
    parser.add_argument("--errors", type=int, default=5)
    parser.add_argument("--limits", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--only", default="")
    parser.add_argument("parts", nargs="*", metavar="PART")
    asked = parser.parse_args(arguments)
    steps = [step for step in (*HOOKS, *COMMANDS) if asked.only in step.name]
    if not can_trace():
        parser.error("strace is not here, or may not trace")
    table = Table()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        base = Path(folder)
        trials = partial(_trials, table, base / "t", steps, jobs=asked.jobs)
        parts: dict[str, Callable[[], None]] = {
            "kills": lambda: trials(Amount(kills=asked.kills)),
            "twice": lambda: trials(Amount(twice=asked.twice)),
            "errors": lambda: trials(Amount(errors=asked.errors)),
            "reading": lambda: _reading(table, base / "r", READING),
            "conditions": lambda: _conditions(table, base / "c", steps),
            "memory": lambda: _memory(table, base / "r", steps, asked.limits),
            "moving": lambda: _moving(table, base / "r", steps),
            "crowd": lambda: _crowd(table, base / "w", asked.seconds),
        }
        for name in asked.parts or parts:
            started = time.monotonic()
            parts[name]()
            _say(f"{name}: {time.monotonic() - started:.0f} s")
    print(table)  # noqa: T201
    return int(any(table.wrong.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
