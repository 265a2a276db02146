"""A level of the context may have been crossed: act on it and say so, once (cold).

A jump over several stages is one warning, the highest, and every action due.
"""

import os
from collections.abc import Callable
from typing import Any

from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.clients.claude_code.answers import additional_context
from amplihack_compaction.context.levels import (
    ACTION_STAGES,
    LEVELS,
    ContextStatus,
    band,
    crossed_stages,
    warning_of,
)
from amplihack_compaction.context.meter import (
    character_line,
    limit_details,
    make_status,
    measure_context,
    note_compaction,
    read_compaction,
    record_metric,
    resolve_limit,
)
from amplihack_compaction.context.quiet_band import (
    Band,
    made_from,
    read_band,
    without_breaks,
    write_band,
)


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
    model = measure.model
    prepare_runtime(root)
    known = read_band(folder)
    if known is None or known.boundary != boundary:
        for problem in problems:
            log(problem)
        _learn(root, model, path, boundary, log)
    session_id = payload["session_id"]
    limit = resolve_limit(root, model, settings, os.environ, measure.tokens, session_id, path)
    if limit.problem:
        log(f"the context's limit is told by less than is known: {limit.problem}")
    status = make_status(measure, limit, settings)
    record_metric(root, session_id, status)
    ratio = measure.tokens / limit.tokens
    with crossed_stages(folder, boundary, ratio, settings.ratios) as crossed:
        if crossed is None:
            return ""  # the next hook looks whether that one came to its end
        stages, highest = crossed
        written: list[str] = []
        if any(settings.auto or stage in ACTION_STAGES for stage in stages):
            # It needs the whole extraction, five times what a mere warning costs.
            from amplihack_compaction.handoff.level_actions import run_level_actions

            due = [settings.ratios[stage - 1] for stage in stages]
            written = run_level_actions(root, session_id, path, status, due, log)
    low, high = band(highest, limit.tokens, settings.ratios)
    numbers = [boundary, low, high, *character_line(model)]
    made = Band(numbers, made_from(root, folder), without_breaks(model), limit_details(limit))
    try:
        if not limit.problem:  # else the next hook looks what the limit is
            write_band(folder, made)
    except OSError as error:
        log(f"the context's marks could not be stored: {error}")
    if LEVELS.keys().isdisjoint(stages):
        return ""
    return _speak(payload["hook_event_name"], status, written)


def _learn(root: str, model: str, path: str, boundary: int, log: Callable[[str], None]) -> None:
    """Note what the newest compaction told of the context, where there was one."""
    try:
        if boundary >= 0:
            note_compaction(root, model, *read_compaction(path, boundary))
    except OSError as error:
        log(f"what the compaction told of the context could not be stored: {error}")


def _speak(event: str, status: ContextStatus, done: list[str]) -> str:
    """Return the warning: a line of facts for the model, one with advice for the user."""
    warning = warning_of(status)
    if warning is None:
        return ""
    # Where a file of ours was written is nobody's concern; what was made of the user's own is.
    of_users = "; ".join(each for each in done if not each.startswith("/"))
    facts = f"{warning.message} {of_users}".rstrip()
    return additional_context(event, facts, facts if of_users else f"{facts} {warning.action}")
