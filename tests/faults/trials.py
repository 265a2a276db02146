"""One try: a step of the world with one fault in it, and what must hold afterwards."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tests.faults.records import Record, faults_of, make_normal, normal, records_of, taken_apart
from tests.faults.steps import Step
from tests.faults.tracing import Call, counting, injecting, read_calls, was_struck
from tests.faults.world import Done, World

Point = TypeVar("Point")
KILL = "SIGKILL"
TWICE = "SIGKILL twice"
# Below these the package keeps what it writes in more than one step.
_OWN_FOLDERS = (".claude/runtime/", ".compaction/")
_SHOWN = 3
_SHOWN_CHARS = 160


@dataclass
class Clean:
    """A step that nothing disturbed: what there was before it, and after it."""

    step: Step
    done: Done
    calls: list[Call]
    before: set[Record]
    after: set[Record]
    log_before: str

    @cached_property
    def kept(self) -> set[Record]:
        """What the step leaves as it was: no fault may take it.

        Where an offer is given once, the step that is run again gives the next one.
        """
        kept = self.before & self.after
        if self.step.is_given_once:
            return {record for record in kept if "/offers/" not in record.place}
        return kept

    @cached_property
    def effect(self) -> set[Record]:
        """What there is once the step has come to its end, ids and times left out."""
        return normal(self.after)

    @cached_property
    def whole(self) -> set[Record]:
        """What the user's own files may hold at any time: all that they had, or all they get."""
        return normal(self.before | self.after)


@dataclass(frozen=True)
class Seen:
    """What was found in a world: what must not be, and what a step's effect lacks yet."""

    problems: list[str]
    missing: set[Record]


@dataclass(frozen=True)
class Trial:
    """A step that met a fault; `problems` is empty when all held that must.

    `place` says where it met it. `struck` is False when it ended before it came there.
    """

    step: Step
    fault: str
    place: str
    struck: bool
    problems: list[str] = field(default_factory=list)


def run_clean(world: World, step: Step, *, count: bool = True) -> Clean:
    """Run a step to its end and, to be counted, note its calls.

    Raises ValueError where two runs differ: nothing could be held against them.
    """
    first, second = (_run_clean(world, step, count=count) for _ in range(2))
    if first.effect != second.effect:
        differing = _shown(first.effect ^ second.effect)
        raise ValueError(f"{step.name}: two runs differ: {' '.join(differing)}")
    return second


def _run_clean(world: World, step: Step, *, count: bool) -> Clean:
    world.restore(step.moment)
    before = records_of(world)
    record, log = world.base / "calls", world.log
    before_it = counting(record) if count else []
    done = world.run(step.argv(world), step.stdin(world), *before_it, **step.env)
    calls = read_calls(record, world.root, answers=step.is_hook) if count else []
    return Clean(step, done, calls, before, records_of(world), log)


def kill_points(clean: Clean) -> list[Call]:
    """Return the calls to kill before: between others the disk does not change."""
    return [call for call in clean.calls if call.writes]


def error_points(clean: Clean, error: str) -> list[Call]:
    """Return the calls that can meet an error."""
    return [call for call in clean.calls if call.takes(error)]


def spread(points: Sequence[Point], most: int, shift: float = 0.0) -> Sequence[Point]:
    """Return at most so many of the points, at even distances; all of them for 0.

    `shift` is how far the first is from the beginning, as a ratio of that distance below 1.
    """
    if not most or len(points) <= most:
        return points
    return [points[int((n + shift) * len(points) / most)] for n in range(most)]


def attempt(world: World, clean: Clean, call: Call, fault: str) -> Trial:
    """Run a step with a fault at one call, look, run it again, and look again."""
    step = clean.step
    world.restore(step.moment)
    record = world.base / "struck"
    argv, stdin = step.argv(world), step.stdin(world)
    done = world.run(argv, stdin, *injecting(record, call, fault), **step.env)
    if not was_struck(record, world.root):
        return Trial(step, fault, call.place, struck=False)
    seen = look(world, clean)
    problems = [f"after it: {each}" for each in seen.problems]
    if fault != KILL:
        problems += manners(clean, done, seen)
    in_parts = not step.is_hook and clean.done.code == 0 and done.code == 1
    problems += run_again(world, clean, argv, may_refuse=fault != KILL, in_parts=in_parts)
    return Trial(step, fault, call.place, struck=True, problems=problems)


def attempt_twice(world: World, clean: Clean, call: Call, share: float) -> Trial:
    """Kill a step, then the same one again after a share of its calls, and run it once more."""
    step, record, killed = clean.step, world.base / "struck", world.base / "killed"
    world.restore(step.moment)
    argv, stdin = step.argv(world), step.stdin(world)
    world.run(argv, stdin, *injecting(record, call, KILL), **step.env)
    struck = was_struck(record, world.root)
    world.age()
    world.keep(killed)
    world.run(argv, stdin, *counting(record), **step.env)
    calls = [each for each in read_calls(record, world.root, answers=step.is_hook) if each.writes]
    if not struck or not calls:
        return Trial(step, TWICE, call.place, struck=False)
    second = calls[int(share * len(calls))]
    place = f"{call.place}, then {second.place}"
    world.bring_back(killed)
    world.run(argv, stdin, *injecting(record, second, KILL), **step.env)
    if not was_struck(record, world.root):
        return Trial(step, TWICE, place, struck=False)
    seen = look(world, clean)
    problems = [f"after it: {each}" for each in seen.problems]
    problems += run_again(world, clean, argv, may_refuse=False, must_do=not step.is_hook)
    return Trial(step, TWICE, place, struck=True, problems=problems)


def run_again(
    world: World,
    clean: Clean,
    argv: list[str],
    *,
    may_refuse: bool,
    must_do: bool = True,
    in_parts: bool = False,
) -> Iterator[str]:
    """Run a step once more, without a fault, and say what is not as it must be then.

    `may_refuse`: a hook that was refused something, and said so in the log, may leave it to
    another hook than the next of its kind. `must_do`: not of a hook that was killed twice, for
    what fails twice is given up there. `in_parts`: a command said that it left something out, so
    that what it would have changed at once may be two changes by now, each with its own backup.
    """
    step = clean.step
    world.age()
    again = world.run(argv, step.stdin(world), **step.env)
    seen = look(world, clean)
    was_done = not seen.missing and again.code == 1 and not step.is_hook
    if again.code != clean.done.code and not was_done:
        yield f"run again: exit code {again.code}: {again.stderr[-_SHOWN_CHARS:]}"
    yield from (f"run again: {each}" for each in seen.problems)
    is_said = may_refuse and step.is_hook and world.log != clean.log_before
    if must_do and not (step.is_given_once or is_said):
        missing = seen.missing
        if in_parts and missing:
            missing = normal(taken_apart(clean.after)) - normal(taken_apart(records_of(world)))
        yield from (f"run again: not done: {each}" for each in _shown(missing))
    if step.erases:
        left = [path.name for path in world.runtime.glob("store.db*") if _holds(path, step.erases)]
        yield from (f"run again: {step.erases} is left in {name}" for name in left)


def look(world: World, clean: Clean) -> Seen:
    """Look for what is torn, what is gone that was there before, and what is not done yet."""
    torn = faults_of(world)
    if torn:
        return Seen(torn, clean.effect)  # what cannot be read cannot be compared
    now = records_of(world)
    lost = [f"lost: {each}" for each in _shown(clean.kept - now)]
    shape = normal(now)
    odd = {each for each in shape - clean.whole if not _is_own(each)}
    halves = [f"neither as it was nor as it is to be: {each}" for each in _shown(odd)]
    return Seen(lost + halves, clean.effect - shape)


def _is_own(record: Record) -> bool:
    return any(folder in record.place for folder in _OWN_FOLDERS)


def manners(clean: Clean, done: Done, seen: Seen) -> Iterator[str]:
    """Say what is wrong in how a process bore an error."""
    if "Traceback" in done.stderr:
        yield f"a traceback: {done.stderr[-_SHOWN_CHARS:]}"
    if not clean.step.is_hook:
        is_done = clean.step.is_for_its_words or not seen.missing
        if done.code == clean.done.code and not is_done:
            yield f"not done, but exit code {done.code}: {done.stdout[-_SHOWN_CHARS:]}"
        said = clean.step.reason(done)
        if done.code not in (clean.done.code, 1) or (done.code and not said.strip()):
            yield f"exit code {done.code} with {said[-_SHOWN_CHARS:]!r}"
        return
    if done.code or done.stderr:
        yield f"exit code {done.code} with {done.stderr[-_SHOWN_CHARS:]!r}"
    if done.stdout and not _is_answer(done.stdout, clean.done.stdout):
        yield f"another answer: {done.stdout[-_SHOWN_CHARS:]}"


def _is_answer(said: str, expected: str) -> bool:
    """Tell whether a hook answered as it does, though perhaps with less to tell."""
    if not said.startswith("{"):
        return make_normal(said) == make_normal(expected)
    answer, usual = json.loads(said), json.loads(expected or "{}")
    context = answer.get("hookSpecificOutput", {}).get("additionalContext", "")
    return bool(context.strip()) and answer.keys() == usual.keys()


def _holds(path: Path, word: str) -> bool:
    """Tell whether a word is in a file's bytes; an index leaves out what its neighbour has too."""
    return word[1:].casefold().encode() in path.read_bytes().lower()


def _shown(records: set[Record]) -> list[str]:
    shown = [f"{place}: {content[:_SHOWN_CHARS]}" for place, content in sorted(records)[:_SHOWN]]
    return shown + ([f"and {len(records) - _SHOWN} more"] if len(records) > _SHOWN else [])
