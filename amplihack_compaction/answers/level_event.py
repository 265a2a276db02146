"""A level of the context may have been crossed: act on it and say so, once (cold).

Of a window's rungs, each is taken by creating `<session>/levels/<BOUNDARY>.<RUNG>` exclusively,
so that of hooks that run in parallel one speaks. A jump over several rungs is one warning, the
highest, and every action due. When the context has really fallen, its rungs are given back.
"""

import os
import posix
from contextlib import suppress
from typing import Any

from amplihack_compaction.context.levels import (
    RUNGS,
    band,
    begins_level,
    rung_after_fall,
    rung_of,
    warning_of,
)
from amplihack_compaction.context.limit import resolve_limit
from amplihack_compaction.context.meter import (
    character_line,
    limit_details,
    make_status,
    measure_context,
    read_compaction,
)
from amplihack_compaction.context.model import ContextStatus
from amplihack_compaction.context.told import tell_compaction
from amplihack_compaction.context.watch import Band, made_from, one_line, read_band, write_band
from amplihack_compaction.continuity.actions import run_level_actions
from amplihack_compaction.decisions import additional_context
from amplihack_compaction.files import create_exclusively, list_names
from amplihack_compaction.log import logger
from amplihack_compaction.paths import prepare_runtime
from amplihack_compaction.settings import load_settings


def answer_level(payload: dict[str, Any], root: str, folder: str, boundary: int) -> str:
    """Return the warning of a level that was crossed upward; nearly always nothing else.

    `boundary` is the offset of the newest compaction, -1 for none.
    """
    path = payload["transcript_path"]
    log = logger(root, payload["hook_event_name"])
    settings, problems = load_settings(root)
    measure = measure_context(root, path)
    if measure is None or not measure.exact:
        return ""
    prepare_runtime(root)
    known = read_band(folder)
    if known is None or known.boundary != boundary:
        for problem in problems:
            log(problem)
        if boundary >= 0:
            tell_compaction(root, measure.model, *read_compaction(path, boundary))
    limit = resolve_limit(root, measure.model, settings, os.environ, measure.tokens)
    status = make_status(measure, limit, settings)
    ratio = measure.tokens / limit.tokens
    reached = rung_of(ratio, settings.ratios)
    told = _told(folder, boundary)
    standing = rung_after_fall(told, ratio, settings.ratios)
    _give_back(folder, boundary, standing, told)
    taken = _take(folder, boundary, standing, reached)
    low, high = band(max(standing, reached), limit.tokens, settings.ratios)
    numbers = [boundary, low, high, *character_line(measure.model)]
    made = Band(numbers, made_from(root), one_line(measure.model), limit_details(limit))
    write_band(folder, made)
    if not taken:
        return ""
    due = [settings.ratios[rung - 1] for rung in taken]
    written = run_level_actions(root, payload["session_id"], path, status, due)
    if not any(begins_level(rung) for rung in taken):
        return ""
    return _speak(payload["hook_event_name"], status, written)


def _speak(event: str, status: ContextStatus, written: list[str]) -> str:
    """Return the warning: a line of facts for the model, one with advice for the user."""
    warning = warning_of(status)
    if warning is None:
        return ""
    where = f" Written: {', '.join(written)}." if written else ""
    for_user = f"{warning.message} {warning.action}{where}"
    return additional_context(event, f"{warning.message}{where}", for_user)


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
