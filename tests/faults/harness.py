"""Run the trials of all steps in several worlds at once, and count what became of them."""

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.faults.moments import MOMENTS
from tests.faults.records import faults_of, records_of
from tests.faults.steps import Step
from tests.faults.tracing import ERRORS
from tests.faults.trials import (
    KILL,
    Trial,
    attempt,
    attempt_twice,
    error_points,
    kill_points,
    run_clean,
    spread,
)
from tests.faults.world import World

_GOLDEN_RATIO = 0.6180339887
"""Its multiples, without their whole part, lie evenly however many there are."""


@dataclass(frozen=True)
class Amount:
    """How often each step is killed at most, killed twice, and meets each kind of error.

    0 for at every call, None for never.
    """

    kills: int | None = None
    twice: int | None = None
    errors: int | None = None


class Worlds:
    """One world for each thread, so that no two trials share a file."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self._own = threading.local()
        self._count = 0
        self._lock = threading.Lock()

    def own(self) -> World:
        """Return this thread's world."""
        if not hasattr(self._own, "world"):
            with self._lock:
                self._count += 1
                self._own.world = World(self._base / str(self._count), MOMENTS)
        world: World = self._own.world
        return world


def run_trials(
    base: Path, steps: Sequence[Step], amount: Amount, jobs: int, tell: Callable[[str], None]
) -> Iterator[Trial]:
    """Run every step with its faults; yield the trials of one step after the other."""
    worlds = Worlds(base)

    def run(step: Step) -> list[Trial]:
        trials = list(_trials(worlds.own(), step, amount))
        struck = sum(trial.struck for trial in trials)
        failed = sum(bool(trial.problems) for trial in trials)
        tell(f"{struck:5} of {len(trials):4} faults met, {failed:3} failed: {step.name}")
        return trials

    with ThreadPoolExecutor(jobs) as pool:
        for trials in pool.map(run, steps):
            yield from trials


def _trials(world: World, step: Step, amount: Amount) -> Iterator[Trial]:
    clean = run_clean(world, step)
    if amount.kills is not None:
        for call in spread(kill_points(clean), amount.kills):
            yield attempt(world, clean, call, KILL)
    if amount.twice is not None:
        for number, call in enumerate(spread(kill_points(clean), amount.twice), 1):
            yield attempt_twice(world, clean, call, number * _GOLDEN_RATIO % 1)
    if amount.errors is not None:
        for number, error in enumerate(ERRORS, 1):
            shift = number * _GOLDEN_RATIO % 1
            for call in spread(error_points(clean, error), amount.errors, shift):
                yield attempt(world, clean, call, error)


def changes_of(world: World, step: Step) -> list[str]:
    """Run a step that only reads; return what it changed all the same, and what is wrong."""
    world.restore(step.moment)
    before = records_of(world)
    done = world.run(step.argv(world), step.stdin(world), **step.env)
    found = [f"changed {record.place}" for record in sorted(before ^ records_of(world))]
    if "Traceback" in done.stderr or done.code not in (0, 1):
        found.append(f"exit code {done.code}: {done.stderr[-200:]}")
    return [*found, *faults_of(world)]
