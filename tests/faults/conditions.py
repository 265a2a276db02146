"""What surrounds a whole run: a disk, rights, a clock, or a memory that it does not get along with.

Each condition is set up around a step, taken away again, and the step run once more. Those that
mount need a mount namespace of their own: this module is then run as a program inside one.

    python -m tests.faults.conditions BASE STEP...
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.signature import signed
from amplihack_compaction.injection.snapshot import list_snapshots, load_snapshot
from tests.faults.dates import shift_dates
from tests.faults.moments import MOMENTS
from tests.faults.steps import COMMANDS, HOOKS, Step
from tests.faults.trials import Clean, look, manners, run_again, run_clean
from tests.faults.world import World
from tests.support.processes import CHECKOUT

DISK_KIB = 1024
_WORDS = {
    "full": ("full", "No space left"),
    "read-only disk": ("read-only", "Read-only", "write-protected", "cannot be written"),
    "other file systems": ("resource busy",),  # what is mounted cannot be removed itself
    "no rights": ("ermission denied", "may not be", "write-protected", "cannot be"),
}
_ROOMS_KIB = (8, 24, 64)
"""What is left of a disk that is full soon: less than many a step writes."""
_NO_OVERRIDE = ("setpriv", "--inh-caps=-all", "--bounding-set=-all")


@dataclass(frozen=True)
class Result:
    """What came of one step under a condition."""

    condition: str
    step: str
    problems: list[str]


Condition = Callable[[World], "Iterator[Sequence[str]]"]


def namespace() -> list[str]:
    """Return what runs a command where it may mount; empty where that is not allowed."""
    unshare = shutil.which("unshare")
    for options in (["--mount"], ["--map-root-user", "--mount"]) if unshare else ():
        command = [str(unshare), *options, "--"]
        probe = [*command, "mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/mnt"]
        if subprocess.run(probe, capture_output=True).returncode == 0:
            return command
    return []


def run_conditions(base: Path, steps: Sequence[Step]) -> Iterator[Result]:
    """Run steps under every condition, in a namespace of their own; yield what came of each.

    Raises CalledProcessError when it could not be brought to an end.
    """
    program = [sys.executable, "-m", "tests.faults.conditions", str(base)]
    command = [*namespace(), *program, *(step.name for step in steps)]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    with subprocess.Popen(
        command, cwd=CHECKOUT, env=env, stdout=subprocess.PIPE, text=True
    ) as running:
        for line in running.stdout or ():
            yield Result(**json.loads(line))
    if running.returncode:
        raise subprocess.CalledProcessError(running.returncode, command)


def try_condition(world: World, clean: Clean, name: str, condition: Condition) -> Result:
    """Run a step under a condition, then without it, and say what is not as it must be."""
    step = clean.step
    world.restore(step.moment)
    argv, stdin = step.argv(world), step.stdin(world)
    with contextmanager(condition)(world) as before:
        done = world.run(argv, stdin, *before, **step.env)
        seen = look(world, clean)
    problems = [f"after it: {each}" for each in seen.problems]
    problems += manners(clean, done, seen)
    words = _WORDS.get("full" if "full" in name else name, ())
    said = step.reason(done)
    if done.code and not step.is_hook and not any(word in said for word in words):
        problems.append(f"said without the reason: {said.strip()[-200:]}")
    problems += run_again(world, clean, argv, may_refuse=True)
    return Result(name, step.name, problems)


def full_disk(world: World, room_kib: int = 0) -> Iterator[Sequence[str]]:
    """Leave so much room, or no byte, on the disk with the project and the home."""
    ballast = world.base / "ballast"
    with ballast.open("wb", buffering=0) as stream:
        for size in (4096, 1):
            try:
                while stream.write(b"x" * size):
                    pass
            except OSError:
                continue
    os.truncate(ballast, ballast.stat().st_size - room_kib * 1024)
    yield ()
    ballast.unlink()


def read_only_disk(world: World) -> Iterator[Sequence[str]]:
    """Mount the disk with the project and the home read-only."""
    subprocess.run(["mount", "-o", "remount,ro", str(world.base)], check=True)
    try:
        yield ()
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(world.base)], check=True)


def no_rights(world: World) -> Iterator[Sequence[str]]:
    """Take the right to write everywhere below the root, also from a superuser."""
    paths = [world.root, *world.root.rglob("*")]
    modes = {path: path.lstat().st_mode for path in paths if not path.is_symlink()}
    for path, mode in modes.items():
        path.chmod(mode & 0o555)
    try:
        yield _NO_OVERRIDE
    finally:
        for path, mode in modes.items():
            with suppress(FileNotFoundError):  # an owner may delete what it gave itself rights to
                path.chmod(mode)


def other_file_systems(world: World) -> Iterator[Sequence[str]]:
    """Put the home and the package's folder on disks of their own: no rename leads across."""
    places = [place for place in (world.home, world.runtime) if place.is_dir()]
    for place in places:
        aside = world.base / "aside"
        shutil.move(place, aside)
        place.mkdir(mode=0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=700", "tmpfs", str(place)], check=True)
        shutil.copytree(aside, place, dirs_exist_ok=True, symlinks=True)
        shutil.rmtree(aside)
    try:
        yield ()
    finally:
        for place in places:
            shutil.copytree(place, world.base / "aside", symlinks=True)
            subprocess.run(["umount", str(place)], check=True)
            shutil.copytree(world.base / "aside", place, dirs_exist_ok=True, symlinks=True)
            shutil.rmtree(world.base / "aside")


def check_clock_set_back(world: World, clean: Clean) -> Result:
    """Run a step on records of which every date lies a year ahead."""
    step = clean.step
    world.restore(step.moment)
    shift_dates(world.project, 1)
    _sign_anew(world)
    argv, stdin = step.argv(world), step.stdin(world)
    stay = any("/snapshots/" in record.place for record in clean.after)
    before = {name: list_snapshots(name) for name in _session_folders(world) if stay}
    done = world.run(argv, stdin, **step.env)
    problems = []
    if done.code != clean.done.code or "Traceback" in done.stderr:
        problems.append(f"exit code {done.code}: {done.stderr[-200:]}")
    for folder, known in before.items():
        made = set(list_snapshots(folder)) - set(known)
        if made and list_snapshots(folder)[-1] not in made:
            problems.append(f"the newest snapshot of {folder} is taken for an older one")
        try:
            with world.as_its_user():
                load_snapshot(folder)
        except SnapshotError as error:
            problems.append(str(error))
    return Result("clock set back", step.name, problems)


def _sign_anew(world: World) -> None:
    """Sign snapshots whose dates were moved as their user's own hooks would have signed them."""
    with world.as_its_user():
        for path in world.runtime.glob("sessions/*/snapshots/*.json"):
            content = path.read_bytes()
            if content.startswith(b'{"mark": "'):
                path.write_bytes(signed(b"{" + content.partition(b", ")[2], str(path)))


def _session_folders(world: World) -> list[str]:
    found = (path.parent for path in world.runtime.glob("sessions/*/snapshots"))
    return [str(path) for path in found if list_snapshots(str(path))]


CONDITIONS: dict[str, Condition] = {
    "full disk": full_disk,
    **{f"disk full after {kib} KiB": partial(full_disk, room_kib=kib) for kib in _ROOMS_KIB},
    "read-only disk": read_only_disk,
    "no rights": no_rights,
    "other file systems": other_file_systems,
}


def main(base: Path, names: Sequence[str]) -> None:
    """Run the named steps under every condition and print each result as a line of JSON."""
    disk = base / "disk"
    disk.mkdir(parents=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={DISK_KIB}k", "tmpfs", str(disk)], check=True
    )
    world = World(disk, MOMENTS, base / "moments")
    for step in (*HOOKS, *COMMANDS):
        if step.name in names:
            for result in _results(world, step):
                print(json.dumps(vars(result)), flush=True)  # noqa: T201 - a program


def _results(world: World, step: Step) -> Iterator[Result]:
    clean = run_clean(world, step, count=False)
    for name, condition in CONDITIONS.items():
        yield try_condition(world, clean, name, condition)
    if "PRUNE" not in step.words:  # with its dates moved, a document is not what was archived
        yield check_clock_set_back(world, clean)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
