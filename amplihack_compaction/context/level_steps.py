"""Take the rungs that a filling context has reached, each once in a window.

    <session>/levels/<BOUNDARY>.<RUNG>          "2 PID" while PID acts on it, "1" when it is done
    <session>/levels/<BOUNDARY>.<RUNG>.again    the PID that does it a second and last time

A rung is taken by creating its file exclusively, so that of hooks that run in parallel one acts
and speaks. A jump over several rungs takes them all. When the context has really fallen, its
rungs are given back. What a killed process left half done, and so never spoke of, is done by the
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
from amplihack_compaction.context.levels import RUNGS, rung_after_fall, rung_of

ACTION_SECONDS = 60.0
"""No hook is given as long: after that, whoever has the number of its process is another one."""
_DONE = b"1\n"
_MARK_BYTES = 100


def cross_rungs(
    folder: str, boundary: int, ratio: float, ratios: tuple[float, ...]
) -> tuple[list[int], int]:
    """Return the rungs taken now, lowest first, and the highest one that counts as told.

    `boundary` is the byte offset of the newest compaction, -1 for none; `ratio` how full the
    context is, of its limit. Nothing is taken when another process was quicker. Raises OSError
    when the folder cannot be written.
    """
    reached = rung_of(ratio, ratios)
    told = _told(folder, boundary)
    standing = rung_after_fall(told, ratio, ratios)
    _give_back(folder, boundary, standing, told)
    return _take(folder, boundary, standing, reached), max(standing, reached)


def unfinished(folder: str, boundary: int) -> tuple[list[int], bool]:
    """Return the rungs that this process is to do again, and whether another acts on one now.

    Each is given out once; what fails to end twice is given up. Raises OSError when the folder
    cannot be written.
    """
    again, running = [], False
    for rung in range(1, len(RUNGS) + 1):
        path = f"{folder}/levels/{_name(boundary, RUNGS[rung - 1])}"
        version, _, pid = (read_bytes(path, _MARK_BYTES) or b"").partition(b" ")
        if version != b"2":
            continue
        if _is_acting(path, pid.strip()):
            running = True
        elif create_exclusively(f"{path}.again", b"%d\n" % posix.getpid()):
            again.append(rung)
        else:
            running |= _is_acting(f"{path}.again", read_bytes(f"{path}.again", _MARK_BYTES) or b"")
    return _with_untaken(folder, boundary, again), running


def _with_untaken(folder: str, boundary: int, again: list[int]) -> list[int]:
    """Return the rungs with those that the killed process had not come to: it took the highest."""
    if not again:
        return again
    return sorted((*_take_each(folder, boundary, range(1, max(again))), *again))


def finish(folder: str, boundary: int, rungs: Iterable[int]) -> None:
    """Write down that all that is due at these rungs is done, or refused for good.

    Raises OSError when the folder cannot be written.
    """
    for rung in rungs:
        path = f"{folder}/levels/{_name(boundary, RUNGS[rung - 1])}"
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


def _told(folder: str, boundary: int) -> int:
    """Return the highest rung that was taken in this window; 0 for none."""
    names = set(list_names(f"{folder}/levels"))
    taken = [n for n, rung in enumerate(RUNGS, 1) if _name(boundary, rung) in names]
    return max(taken, default=0)


def _take(folder: str, boundary: int, standing: int, reached: int) -> list[int]:
    """Take the rungs above `standing` up to `reached`; none when another hook has the highest."""
    if reached <= standing or not _take_each(folder, boundary, (reached,)):
        return []
    return [*_take_each(folder, boundary, range(standing + 1, reached)), reached]


def _take_each(folder: str, boundary: int, rungs: Iterable[int]) -> list[int]:
    """Return those of the rungs that nobody else has."""
    mark = b"2 %d\n" % posix.getpid()
    paths = {rung: f"{folder}/levels/{_name(boundary, RUNGS[rung - 1])}" for rung in rungs}
    return [rung for rung, path in paths.items() if create_exclusively(path, mark)]


def _give_back(folder: str, boundary: int, standing: int, told: int) -> None:
    for rung in range(told, standing, -1):
        for ending in ("", ".again"):
            with suppress(FileNotFoundError):  # another hook was quicker
                posix.unlink(f"{folder}/levels/{_name(boundary, RUNGS[rung - 1])}{ending}")


def _name(boundary: int, rung: str) -> str:
    return f"{max(boundary, 0)}.{rung}"
