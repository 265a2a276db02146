"""Take the rungs that a filling context has reached, each once in a window.

A rung is taken by creating `<session>/levels/<BOUNDARY>.<RUNG>` exclusively, so that of hooks
that run in parallel one acts. A jump over several rungs takes them all. When the context has
really fallen, its rungs are given back.
"""

import posix
from contextlib import suppress

from amplihack_compaction.context.levels import RUNGS, rung_after_fall, rung_of
from amplihack_compaction.files import create_exclusively, list_names


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


def _told(folder: str, boundary: int) -> int:
    """Return the highest rung that was taken in this window; 0 for none."""
    names = set(list_names(f"{folder}/levels"))
    taken = [n for n, rung in enumerate(RUNGS, 1) if _name(boundary, rung) in names]
    return max(taken, default=0)


def _take(folder: str, boundary: int, standing: int, reached: int) -> list[int]:
    """Take the rungs above `standing` up to `reached`; none when another hook has the highest."""
    taken: list[int] = []
    for rung in range(reached, standing, -1):
        name = _name(boundary, RUNGS[rung - 1])
        if create_exclusively(f"{folder}/levels/{name}", b"1\n"):
            taken.append(rung)
        elif not taken:
            break
    return taken[::-1]


def _give_back(folder: str, boundary: int, standing: int, told: int) -> None:
    for rung in range(told, standing, -1):
        with suppress(FileNotFoundError):  # another hook was quicker
            posix.unlink(f"{folder}/levels/{_name(boundary, RUNGS[rung - 1])}")


def _name(boundary: int, rung: str) -> str:
    return f"{max(boundary, 0)}.{rung}"
