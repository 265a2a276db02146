"""The command `state`: a session's state as of now, or how two of its states differ."""

import json
from collections.abc import Iterator
from typing import Any

import typer

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.cli.commands.state_diff import KindDiff, diff_states
from amplihack_compaction.cli.sessions import Session, find_session, state_before, state_now
from amplihack_compaction.cli.terminal import coloured, showing_progress
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.injection.lines import inert
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import (
    load_snapshot,
    open_snapshot,
    project_snapshots,
)
from amplihack_compaction.ledger.stored import dump_state

_TEXT_CHARS = 160
_NUMBER_CHARS = 6
"""A longer number is no compaction's but the beginning of a snapshot's id."""
_WORDS = (("+", "green"), ("~", "yellow"), ("-", "red"))


def show_state(named: str | None, between: tuple[str, str] | None, *, as_json: bool) -> None:
    """Print a session's state as of now, or what lies between two of its states.

    Each is a snapshot's id, `latest`, `now`, or the number of a compaction, whose state is the
    one when it came. Raises TranscriptError and SnapshotError for what there is not.
    """
    session = find_session(named)
    if between is not None:
        _show_diff(session, between, as_json=as_json)
        return
    with showing_progress("Reading the session", quiet=as_json):
        state = state_now(session)
    if as_json:
        typer.echo(json.dumps(json.loads(dump_state(state)), indent=2))
    else:
        typer.echo(render_whole(state))


def _show_diff(session: Session, between: tuple[str, str], *, as_json: bool) -> None:
    with showing_progress("Reading the session", quiet=as_json):
        (old_name, old), (new_name, new) = (state_of(session, name) for name in between)
    diffs = diff_states(old, new)
    if as_json:
        typer.echo(json.dumps(_to_json(old_name, new_name, diffs), indent=2))
        return
    typer.echo(f"From {old_name} to {new_name}")
    if not diffs:
        typer.echo("  nothing changed")
    for diff in diffs:
        for line in _lines(diff):
            typer.echo(line)


def state_of(session: Session, name: str) -> tuple[str, SessionState]:
    """Return a state of a session by its name, with the name in words.

    Raises TranscriptError and SnapshotError for what there is not.
    """
    if name == "now":
        return "now", state_now(session)
    if name.isdecimal() and len(name) <= _NUMBER_CHARS:
        boundary, state = state_before(session, int(name))
        return f"compaction {name} ({boundary.timestamp})", state
    try:
        snapshot = load_snapshot(session.folder, name)
    except SnapshotError:
        # Another session's, as after a fresh start.
        file = next((f for f in project_snapshots(session.root) if f.id == name), None)
        if file is None:
            raise
        snapshot = open_snapshot(file)
    return f"snapshot {snapshot.id} ({snapshot.created})", snapshot.state


def _to_json(old: str, new: str, diffs: list[KindDiff]) -> dict[str, Any]:
    kinds = {
        diff.kind: {
            "added": list(diff.added),
            "changed": [{"text": change.text, "what": change.what} for change in diff.changed],
            "dropped": list(diff.dropped),
        }
        for diff in diffs
    }
    return {"from": old, "to": new, "kinds": kinds}


def _lines(diff: KindDiff) -> Iterator[str]:
    counts = (("added", diff.added), ("changed", diff.changed), ("dropped", diff.dropped))
    said = ", ".join(f"{len(items)} {what}" for what, items in counts if items)
    yield f"\n{diff.kind}: {said}"
    changed = [f"{inert(c.text, _TEXT_CHARS)}: {inert(c.what, _TEXT_CHARS)}" for c in diff.changed]
    for (sign, colour), texts in zip(_WORDS, (diff.added, changed, diff.dropped), strict=True):
        for text in texts:
            yield coloured(f"  {sign} {inert(text, 2 * _TEXT_CHARS)}", colour)
