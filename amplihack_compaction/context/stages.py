"""Take the stages of a filling context, so that what is due at each is done once in a window.

    <session>/levels/<BOUNDARY>.<STAGE>          "2 PID" while PID acts on it, "1" when it is done
    <session>/levels/<BOUNDARY>.<STAGE>.again    the PID that does it a second and last time

A stage is taken by creating its file exclusively, so that of hooks that run in parallel one acts
and speaks. A jump over several stages takes them all. When the context has really fallen, its
stages are given back. What a killed process left half done, and so never spoke of, is done by the
next one.
"""

import posix
import time
from collections.abc import Iterable
from contextlib import suppress

from amplihack_compaction.base.files import (
    create_exclusively,
    list_names,
    read_bytes,
    replace_atomically,
)
from amplihack_compaction.context.levels import STAGES, stage_after_fall, stage_of

ACTION_SECONDS = 60.0
"""No hook is given as long: after that, whoever has the number of its process is another one."""
_DONE = b"1\n"
_MARK_BYTES = 100


def take_stages(
    folder: str, boundary: int, ratio: float, ratios: tuple[float, ...]
) -> tuple[list[int], int]:
    """Return the stages taken now, lowest first, and the highest one that counts as told.

    `boundary` is the byte offset of the newest compaction, -1 for none; `ratio` how full the
    context is, of its limit. Nothing is taken when another process was quicker. Raises OSError
    when the folder cannot be written.
    """
    # A fall first: the marks of stages that no longer hold must not keep one from being taken.
    reached = stage_of(ratio, ratios)
    taken = _highest_taken(folder, boundary)
    standing = stage_after_fall(taken, ratio, ratios)
    _give_back(folder, boundary, standing, taken)
    return _take(folder, boundary, standing, reached), max(standing, reached)


def unfinished(folder: str, boundary: int) -> tuple[list[int], bool]:
    """Return the stages that this process is to do again, and whether another acts on one now.

    Each is given out once; what fails to end twice is given up. Raises OSError when the folder
    cannot be written.
    """
    again, running = [], False
    for stage in range(1, len(STAGES) + 1):
        path = f"{folder}/levels/{_name(boundary, STAGES[stage - 1])}"
        version, _, pid = (read_bytes(path, _MARK_BYTES) or b"").partition(b" ")
        if version != b"2":
            continue
        if _is_acting(path, pid.strip()):
            running = True
        elif create_exclusively(f"{path}.again", b"%d\n" % posix.getpid()):
            again.append(stage)
        else:
            running |= _is_acting(f"{path}.again", read_bytes(f"{path}.again", _MARK_BYTES) or b"")
    return _with_untaken(folder, boundary, again), running


def _with_untaken(folder: str, boundary: int, again: list[int]) -> list[int]:
    """Return the stages with those that the killed process had not come to: it took the highest."""
    if not again:
        return again
    return sorted((*_take_each(folder, boundary, range(1, max(again))), *again))


def finish(folder: str, boundary: int, stages: Iterable[int]) -> None:
    """Write down that all that is due at these stages is done, or refused for good.

    Raises OSError when the folder cannot be written.
    """
    for stage in stages:
        path = f"{folder}/levels/{_name(boundary, STAGES[stage - 1])}"
        if read_bytes(path, _MARK_BYTES) is not None:  # given back since
            replace_atomically(path, _DONE)


def _is_acting(path: str, pid: bytes) -> bool:
    """Return whether the process that began an action may still be at it."""
    try:
        age = time.time() - posix.stat(path).st_mtime
        posix.kill(int(pid), 0)
    except PermissionError:
        return abs(age) < ACTION_SECONDS  # it runs, as another user
    except (OSError, ValueError, OverflowError):
        return False
    return abs(age) < ACTION_SECONDS


def _highest_taken(folder: str, boundary: int) -> int:
    """Return the highest stage that was taken in this window; 0 for none."""
    names = set(list_names(f"{folder}/levels"))
    taken = [n for n, stage in enumerate(STAGES, 1) if _name(boundary, stage) in names]
    return max(taken, default=0)


def _take(folder: str, boundary: int, standing: int, reached: int) -> list[int]:
    """Take the stages above `standing` up to `reached`; none when another hook has the highest."""
    if reached <= standing or not _take_each(folder, boundary, (reached,)):
        return []
    return [*_take_each(folder, boundary, range(standing + 1, reached)), reached]


def _take_each(folder: str, boundary: int, stages: Iterable[int]) -> list[int]:
    """Return those of the stages that nobody else has."""
    mark = b"2 %d\n" % posix.getpid()
    paths = {stage: f"{folder}/levels/{_name(boundary, STAGES[stage - 1])}" for stage in stages}
    return [stage for stage, path in paths.items() if create_exclusively(path, mark)]


def _give_back(folder: str, boundary: int, standing: int, taken: int) -> None:
    for stage in range(taken, standing, -1):
        for ending in ("", ".again"):
            with suppress(FileNotFoundError):  # another hook was quicker
                posix.unlink(f"{folder}/levels/{_name(boundary, STAGES[stage - 1])}{ending}")


def _name(boundary: int, stage: str) -> str:
    return f"{max(boundary, 0)}.{stage}"
