"""Run all faults and print a table of what was tried, how often, and what went wrong.

    python -m tests.faults [--kills N] [--errors N] [--jobs N] [--seconds S] [--only TEXT] [PART...]

N is how many kills and errors each hook and command meets at most, at even distances over its
calls; 0, the default for kills, is every one. PART is one of kills, errors, reading, conditions,
memory, moving and crowd; all by default. Needs strace, and for the conditions the right to mount.
The exit code is 1 when anything went wrong.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.faults.conditions import run_conditions
from tests.faults.crowd import run_crowd
from tests.faults.harness import Amount, changes_of, run_trials
from tests.faults.moments import MOMENTS
from tests.faults.pressure import (
    LIMITS_MEGABYTES,
    MOVES,
    reads_transcript,
    try_memory,
    try_moving,
)
from tests.faults.steps import COMMANDS, HOOKS, READING, Step
from tests.faults.tracing import can_trace
from tests.faults.trials import run_clean
from tests.faults.world import World

AT_ONCE = 64


@dataclass
class Table:
    """What was tried, how often, and what was wrong."""

    tried: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, where: str, problems: Sequence[str]) -> None:
        """Count one try, and print its problems."""
        self.tried[what] += 1
        self.wrong[what] += bool(problems)
        for problem in problems:
            _say(f"WRONG {what}, {where}: {problem}")

    def __str__(self) -> str:
        rows = [f"| {what} | {n:,} | {self.wrong[what]} |" for what, n in self.tried.items()]
        return "\n".join(("| fault | tries | wrong |", "|---|---|---|", *rows))


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)  # noqa: T201 - a program


def _kind(step: Step) -> str:
    return "hook" if step.is_hook else "command"


def _trials(table: Table, base: Path, steps: Sequence[Step], amount: Amount, jobs: int) -> None:
    for trial in run_trials(base, steps, amount, jobs, _say):
        if trial.struck:
            where = f"{trial.step.name}, {trial.place}"
            table.add(f"{trial.fault}, {_kind(trial.step)}s", where, trial.problems)


def _reading(table: Table, base: Path, steps: Sequence[Step]) -> None:
    world = World(base, MOMENTS)
    for step in steps:
        table.add("commands that read leave all as it was", step.name, changes_of(world, step))


def _conditions(table: Table, base: Path, steps: Sequence[Step]) -> None:
    for result in run_conditions(base, steps):
        table.add(result.condition, result.step, result.problems)


def _pressure(table: Table, base: Path, steps: Sequence[Step], *, memory: bool) -> None:
    world = World(base, MOMENTS)
    for step in filter(reads_transcript, steps):
        clean = run_clean(world, step, count=False)
        for megabytes in LIMITS_MEGABYTES if memory else ():
            problems = try_memory(world, clean, megabytes)
            table.add("hooks short of memory", f"{step.name}, {megabytes} MB", problems)
        for number, how in enumerate(() if memory else (*MOVES, *MOVES)):
            problems = try_moving(world, clean, how, number)
            table.add(f"transcript {how}", step.name, problems)


def _crowd(table: Table, base: Path, seconds: float) -> None:
    crowd = run_crowd(
        World(base / "at-once", MOMENTS), World(base / "in-turn", MOMENTS), AT_ONCE, seconds
    )
    hooks = sum(crowd.hooks.values())
    what = f"{AT_ONCE} hooks at once for {seconds:.0f} s, {crowd.compactions} compactions"
    table.add(what, "the end", crowd.problems)
    table.tried[what] = hooks


def main(arguments: Sequence[str]) -> int:
    """Run what is asked for and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--errors", type=int, default=24)
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
        parts: dict[str, Callable[[], None]] = {
            "kills": lambda: _trials(
                table, base / "k", steps, Amount(asked.kills, None), asked.jobs
            ),
            "errors": lambda: _trials(
                table, base / "e", steps, Amount(None, asked.errors), asked.jobs
            ),
            "reading": lambda: _reading(table, base / "r", READING),
            "conditions": lambda: _conditions(table, base / "c", steps),
            "memory": lambda: _pressure(table, base / "m", steps, memory=True),
            "moving": lambda: _pressure(table, base / "t", steps, memory=False),
            "crowd": lambda: _crowd(table, base / "w", asked.seconds),
        }
        for name in asked.parts or parts:
            parts[name]()
    print(table)  # noqa: T201
    return int(any(table.wrong.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
