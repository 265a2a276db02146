"""`validate`: whether what mattered survived a session's latest compaction."""

import json
from typing import Any

import typer

from amplihack_compaction.cli.options import JsonOption, SessionArgument, examples
from amplihack_compaction.cli.sessions import chosen_session
from amplihack_compaction.cli.terminal import coloured, showing_progress
from amplihack_compaction.clients.reading import iterate_entries
from amplihack_compaction.text.words import inert
from amplihack_compaction.validation.events import Outcome, ValidationResult
from amplihack_compaction.validation.validator import CompactionValidator

_COLOURS = {Outcome.PASSED: "green", Outcome.LOST: "red", Outcome.UNCHECKED: "yellow"}
_LINE_CHARS = 2_000
commands = typer.Typer()


@commands.command(epilog=examples("validate", "validate 1f2e3d4c --json"))
def validate(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Say whether the model still has what mattered at a session's latest compaction.

    It may have it from the summary, from what was injected or from the client; what each summary
    kept by itself, `diagnose` shows.

    Exit code 1 when something is lost, 0 when all is there. What could not be checked is named;
    the exit code is 0 then too.
    """
    found = chosen_session(session)
    with showing_progress("Comparing", quiet=as_json):
        entries = [entry.data for entry in iterate_entries(found.transcript)]
        result = CompactionValidator(found.root).validate(entries, found.id)
    if as_json:
        typer.echo(json.dumps({"session_id": found.id, **result_to_json(result)}, indent=2))
    else:
        headline, *lines = result.get_summary().splitlines()
        typer.echo(coloured(headline, _COLOURS[result.outcome]))
        for line in lines:
            typer.echo(inert(line, _LINE_CHARS))
    raise typer.Exit(1 if result.outcome is Outcome.LOST else 0)


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
