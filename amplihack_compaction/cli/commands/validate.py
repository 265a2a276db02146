"""`validate`: whether what mattered survived a session's latest compaction."""

from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.options import AS_JSON, SESSION_ARGUMENT
from amplihack_compaction.cli.sessions import Session, chosen_session, session_states
from amplihack_compaction.cli.terminal import coloured, show, showing_progress
from amplihack_compaction.injection.render import seldom_needed
from amplihack_compaction.text.words import inert
from amplihack_compaction.validation.before_and_after import (
    Compacted,
    read_compacted,
    read_transcript,
)
from amplihack_compaction.validation.events import Outcome, ValidationResult
from amplihack_compaction.validation.losses import report_to_json
from amplihack_compaction.validation.validator import NOT_RECORDED, CompactionValidator

_COLOURS = {Outcome.PASSED: "green", Outcome.LOST: "red", Outcome.UNCHECKED: "yellow"}
_LINE_CHARS = 2_000


def validate(session: str | None = SESSION_ARGUMENT, as_json: bool = AS_JSON) -> None:
    """Say whether the model still has what mattered at a session's latest compaction.

    It may have it from the summary, from what was injected or from the client; what each summary
    kept by itself, `diagnose` shows.

    Exit code 1 when something is lost, 0 when all is there. Exact values that are lost are named,
    and fail nothing by themselves: few are needed. What could not be checked is named;
    the exit code is 0 then too. 3 says that nothing is known to be lost, but that what was recorded
    of the compaction is more than a day old, or names a file outside the project, which is refused.

    A file may also hold plain messages, each with role and content: a JSON array, or one a line.
    """
    messages = _plain_messages(Path(session)) if session else []
    found = None if messages else chosen_session(session)
    root, session_id = (
        (found.root, found.id) if found else (project_root(), Path(session or "").stem)
    )
    with showing_progress("Comparing", quiet=as_json):
        given = _last_compaction(found) if found else messages
        result = CompactionValidator(root).validate(given, session_id)
    headline, *lines = result.get_summary().splitlines()
    shown = (coloured(headline, _COLOURS[result.outcome]), *(inert(x, _LINE_CHARS) for x in lines))
    show({"session_id": session_id, **result_to_json(result)}, shown, as_json=as_json)
    context = result.compaction_context
    is_stale = context.is_stale and NOT_RECORDED not in context.note
    doubted = 3 if context.has_security_violation or is_stale else 0
    raise typer.Exit(1 if result.outcome is Outcome.LOST else doubted)


def _plain_messages(path: Path) -> list[dict[str, Any]]:
    """Return the messages of a file that has only role and content of each; of any other, none."""
    if not path.is_file():
        return []
    messages = read_transcript(str(path.absolute().parent), path.name).messages or []
    return messages if all("role" in each and "type" not in each for each in messages) else []


def _last_compaction(session: Session) -> Compacted | list[dict[str, Any]]:
    """Return the session's last compaction as the hooks see it; without one, no messages."""
    states = list(session_states(session))
    compacted = [(window, state) for window, state in states if window.ended is not None]
    if not compacted:
        return []
    window, state = compacted[-1]
    path = str(session.transcript)
    return read_compacted(path, window.start, state, states[-1][1], seldom_needed(state)) or []


def result_to_json(result: ValidationResult) -> dict[str, Any]:
    """Return what a validation found as JSON values."""
    context = result.compaction_context
    return {
        "outcome": str(result.outcome),
        "passed": result.passed,
        "checked": result.checked,
        "warnings": result.warnings,
        "recovery_steps": result.recovery_steps,
        "notes": result.notes,
        "losses": report_to_json(result.losses) if result.losses is not None else None,
        "used_fallback": result.used_fallback,
        "compaction": {
            "found": context.has_compaction_event,
            "timestamp": context.timestamp,
            "turn": context.turn_at_compaction,
            "messages_removed": context.messages_removed,
            "age_hours": round(context.age_hours, 2),
            "is_stale": context.is_stale,
            "refused_path": context.has_security_violation,
            "note": context.note,
        },
    }
