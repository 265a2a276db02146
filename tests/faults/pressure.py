"""Hooks that are short of memory, and hooks whose transcript moves while they read it."""

import os
import random
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.ledger.stored import current_state, fold_transcript
from tests.faults.records import faults_of
from tests.faults.steps import Step
from tests.faults.trials import Clean, look, manners, run_again
from tests.faults.world import Done, World
from tests.support.meanwhile import meanwhile

LIMITS_MEGABYTES = (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 56, 64, 80, 96, 128, 160, 200, 256)
"""Address space. An interpreter needs some 20 MB of it to start, a cold hook 60 to 130."""

Move = Callable[[Path, random.Random], None]
_TURN_SECONDS = 0.002
_LINE = '{"type":"assistant","message":{"role":"assistant","content":"..."},"uuid":"x"}\n'


def try_memory(world: World, clean: Clean, megabytes: int) -> list[str]:
    """Run a hook as it is registered, with so much address space; then with as much as it wants."""
    step = clean.step
    world.restore(step.moment)
    argv = step.argv(world)
    registered = f"{shlex.join(argv)} || exit 0"
    limited = ["sh", "-c", f"ulimit -v {megabytes * 1024}; exec sh -c {shlex.quote(registered)}"]
    done = world.run(limited, step.stdin(world), **step.env)
    # Python's and the shell's last words go to the client's debug log, as the exit code is 0.
    done = Done(done.stdout, "", done.code)
    seen = look(world, clean)
    problems = [f"after it: {each}" for each in seen.problems]
    problems += manners(clean, done, seen)
    return [*problems, *run_again(world, clean, argv, may_refuse=True)]


def try_moving(world: World, clean: Clean, how: str, seed: int) -> list[str]:
    """Run a hook while its transcript is truncated, replaced or growing; then with it at rest."""
    step = clean.step
    world.restore(step.moment)
    argv, stdin = step.argv(world), step.stdin(world)
    path = world.transcripts / f"{step.session}.jsonl"
    original = path.read_bytes() if path.exists() else b""
    with _moving(path, MOVES[how], random.Random(seed)):
        done = world.run(argv, stdin, **step.env)
    problems = []
    if done.code or done.stderr:
        problems.append(f"exit code {done.code} with {done.stderr[-300:]}")
    path.write_bytes(original)
    world.age()
    again = world.run(argv, stdin, **step.env)
    if again.code or again.stderr:
        problems.append(f"run again: exit code {again.code} with {again.stderr[-300:]}")
    # A window's copy holds what stood in the transcript, whatever that was.
    problems += [fault for fault in faults_of(world) if "/windows/" not in fault]
    folder = session_folder(str(world.project), step.session)
    if (
        original
        and current_state(folder, step.session, str(path)).state
        != fold_transcript(str(path), step.session).state
    ):
        problems.append("the state is not that of the transcript")
    return problems


@contextmanager
def _moving(path: Path, move: Move, chance: random.Random) -> Iterator[None]:
    move(path, chance)
    with meanwhile(lambda: move(path, chance), lambda: _TURN_SECONDS * chance.random()):
        yield


def _truncate(path: Path, chance: random.Random) -> None:
    size = path.stat().st_size
    os.truncate(path, chance.randrange(size + 1) if size > 2_000 else size + 20_000)


def _replace(path: Path, chance: random.Random) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    # Turned by some lines: a boundary comes back to its place only with all that was before it.
    turn = chance.randrange(1, max(2, len(lines)))
    other = path.with_name("other")
    other.write_bytes(b"".join(lines[turn:] + lines[:turn]))
    other.rename(path)


def _grow(path: Path, chance: random.Random) -> None:
    cut = chance.randrange(len(_LINE))
    with path.open("a", encoding="utf-8", buffering=1) as stream:
        stream.write(_LINE[:cut])
        stream.flush()
        stream.write(_LINE[cut:])


MOVES: dict[str, Move] = {"truncated": _truncate, "replaced": _replace, "growing": _grow}


def reads_transcript(step: Step) -> bool:
    """Tell whether a step is a hook of a session whose transcript is there."""
    return step.is_hook and not step.is_given_once
