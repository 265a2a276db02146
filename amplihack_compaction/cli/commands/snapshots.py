"""The commands `snapshot list|show|restore` and `fresh-start`."""

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.errors import CompactionError, SnapshotError, reason_of
from amplihack_compaction.base.paths import prepare_runtime, project_root, session_folder
from amplihack_compaction.cli.sessions import find_session
from amplihack_compaction.cli.terminal import exit_with_problems
from amplihack_compaction.handoff.checkpoint import list_checkpoints
from amplihack_compaction.handoff.fresh_start import (
    LATEST,
    FreshStartContext,
    nothing_recorded,
    prepare_fresh_start,
)
from amplihack_compaction.handoff.offers import withdraw
from amplihack_compaction.hook.recovery import leave_pending
from amplihack_compaction.injection.lines import inert
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import (
    SnapshotFile,
    open_snapshot,
    project_snapshots,
)
from amplihack_compaction.ledger.stored import continue_from

SESSION_VARIABLE = "CLAUDE_CODE_SESSION_ID"
_TASK_CHARS = 60
_LINE = "{:<20}  {:<8}  {:>6}  {:<20}  {:>4}  {}"
_NOTE = (
    "A session has one for each of its windows (what was said between two compactions); each\n"
    "holds everything up to there. `snapshot show ID` prints one, `fresh-start ID` goes on from it."
)


_NAME_IT = "What may be newer cannot be read now; to go on from an older one, name it: `{} ID`."


def list_project_snapshots(*, as_json: bool) -> None:
    """Print the snapshots of the project, newest first; exit with 1 when not all can be used."""
    root = project_root()
    problems: list[str] = []
    rows = [_row(file) for file in project_snapshots(root, problems)]
    checkpoints: dict[str, list[dict[str, str]]] = {}
    for each in list_checkpoints(root, problems):
        said = {"id": each.id, "reason": each.reason, "feature": each.feature}
        checkpoints.setdefault(each.snapshot, []).append(said)
    for row in rows:
        row["checkpoints"] = checkpoints.get(row["id"], [])
    if as_json:
        typer.echo(json.dumps({"snapshots": rows}, indent=2))
    else:
        _print_rows(root, rows)
    exit_with_problems([*problems, *(row["problem"] for row in rows if row["problem"])])


def _print_rows(root: str, rows: list[dict[str, Any]]) -> None:
    if not rows:
        typer.echo(f"No snapshots of {root} yet.")
    else:
        typer.echo(_LINE.format("SNAPSHOT", "SESSION", "WINDOW", "TAKEN", "TODO", "OBJECTIVE"))
    for row in rows:
        if row["problem"]:
            typer.echo(f"{row['id']}  cannot be used: {inert(row['problem'], 200)}")
        else:
            typer.echo(_line(row))
        for checkpoint in row["checkpoints"]:
            typer.echo(
                f"  checkpoint {checkpoint['id']}  {inert(checkpoint['feature'], 40)}"
                f"  {inert(checkpoint['reason'], 60)}"
            )
    if rows:
        typer.echo(_NOTE)


def _line(row: dict[str, Any]) -> str:
    about = inert(row["objective"], _TASK_CHARS)
    session, taken = inert(row["sessionId"][:8]), inert(row["created"], 40)
    return _LINE.format(row["id"], session, row["window"], taken, row["openTodos"], about)


def show_snapshot(snapshot_id: str, *, as_json: bool) -> None:
    """Print what a snapshot holds, nothing left out. Raises SnapshotError."""
    fresh = _need(snapshot_id)
    if as_json:
        typer.echo(json.dumps(_fresh_json(fresh), indent=2))
        return
    if fresh.compacted.state is not None:
        typer.echo(render_whole(fresh.compacted.state))
        typer.echo()
    typer.echo(fresh.instructions)


def restore_snapshot(snapshot_id: str, named: str | None) -> None:
    """Have a session given a snapshot's context with its next prompt or tool use.

    Raises SnapshotError and TranscriptError for what there is not.
    """
    fresh = _need(snapshot_id)
    if fresh.skipped:
        raise SnapshotError(f"{'; '.join(fresh.skipped)}. {_NAME_IT.format('snapshot restore')}")
    session = find_session(named)
    try:
        prepare_runtime(session.root)
        _go_on(fresh, session.root, session.id)
        leave_pending(session.folder, fresh.prompt)
    except OSError as error:
        raise CompactionError(
            f"nothing could be written in {session.folder}: {reason_of(error)}"
        ) from error
    typer.echo(
        f"Session {session.id} is given snapshot {fresh.compacted.snapshot_id} with its next"
        " prompt or tool use."
    )


def print_fresh_start(snapshot_id: str, *, as_json: bool) -> None:
    """Print the context of an earlier session; in a session, its ledger goes on from it.

    Raises SnapshotError when a snapshot that was named cannot be used.
    """
    root = project_root()
    fresh = prepare_fresh_start(snapshot_id or LATEST, root)
    if fresh is not None:
        session_id = os.environ.get(SESSION_VARIABLE, "")
        try:
            if session_id and fresh.skipped:
                name_it = _NAME_IT.format("fresh-start")
                typer.echo(f"The ledger was not taken over. {name_it}", err=True)
            elif session_id:
                _go_on(fresh, root, session_id)
            if not fresh.skipped:
                withdraw(root, fresh.compacted.session_id)
        except OSError as error:
            typer.echo(f"The ledger could not be taken over: {reason_of(error)}", err=True)
    if as_json:
        typer.echo(json.dumps(_fresh_json(fresh), indent=2))
    else:
        typer.echo(fresh.prompt if fresh is not None else nothing_recorded())


def _go_on(fresh: FreshStartContext, root: str, session_id: str) -> None:
    """Let a session's ledger begin with the state, unless it is the state's own or has begun."""
    state = fresh.compacted.state
    folder = session_folder(root, session_id)
    begun = any(Path(f"{folder}/{name}").exists() for name in ("ledger.json", "continues.json"))
    if state is not None and not begun and session_id != fresh.compacted.session_id:
        prepare_runtime(root)
        continue_from(folder, session_id, state)


def _need(snapshot_id: str) -> FreshStartContext:
    fresh = prepare_fresh_start(snapshot_id or LATEST, project_root())
    if fresh is None or not fresh.compacted.snapshot_id:
        raise SnapshotError(f"there is no snapshot of {project_root()} yet")
    return fresh


def _row(file: SnapshotFile) -> dict[str, Any]:
    row: dict[str, Any] = {"id": file.id, "bytes": file.size_bytes, "problem": ""}
    try:
        snapshot = open_snapshot(file)
    except (SnapshotError, OSError) as error:
        return {**row, "problem": str(error)}
    state = snapshot.state
    return {
        **row,
        "sessionId": snapshot.session_id,
        "created": snapshot.created,
        "objective": state.objective.text if state.objective else "",
        "openTodos": len(state.open_todos),
        "rules": len(state.active_rules),
        "window": state.windows,
    }


def _fresh_json(fresh: FreshStartContext | None) -> dict[str, Any]:
    if fresh is None:
        return {"prompt": None, "compacted": None, "instructions": None, "skipped": []}
    compacted = asdict(fresh.compacted)
    compacted.pop("state")
    return {
        "prompt": fresh.prompt,
        "compacted": compacted,
        "instructions": fresh.instructions,
        "skipped": list(fresh.skipped),
    }
