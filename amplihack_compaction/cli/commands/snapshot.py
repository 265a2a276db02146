"""`snapshot`: what was kept of the project's sessions: listed, shown, given to a session."""

from collections.abc import Iterator
from typing import Any

import typer

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.paths import prepare_runtime, project_root
from amplihack_compaction.cli.commands.fresh_start import SAY_WHICH, fresh_start_to_json
from amplihack_compaction.cli.diagnosis import current_objective
from amplihack_compaction.cli.options import AS_JSON, SESSION_OPTION, SNAPSHOT, command_group
from amplihack_compaction.cli.sessions import chosen_session, sessions_above
from amplihack_compaction.cli.terminal import exit_with_problems, show
from amplihack_compaction.handoff.checkpoint import list_checkpoints
from amplihack_compaction.handoff.fresh_start import LATEST, FreshStartContext, prepare_fresh_start
from amplihack_compaction.hook.session_start import go_on_from
from amplihack_compaction.injection.receipts import leave_pending
from amplihack_compaction.injection.render import render_long_prompts, render_whole
from amplihack_compaction.injection.snapshot import SnapshotFile, open_snapshot, project_snapshots
from amplihack_compaction.text.words import inert

_TASK_CHARS = 60
_LINE = "{:<20}  {:<8}  {:>6}  {:<20}  {:>4}  {}"
_NOTE = (
    "A session has one for each of its windows (what was said between two compactions); each\n"
    "holds everything up to there. `snapshot show ID` prints one, `fresh-start ID` goes on from it."
)
commands = command_group("snapshot", "What was kept of the project's sessions.")


@commands.command("list")
def snapshot_list(as_json: bool = AS_JSON) -> None:
    """List the snapshots of the project, newest first, with their checkpoints.

    Exit code 1 when not all can be seen and used.
    """
    root = project_root()
    problems: list[str] = []
    rows = [_row(file) for file in project_snapshots(root, problems)]
    checkpoints: dict[str, list[dict[str, str]]] = {}
    for each in list_checkpoints(root, problems):
        said = {"id": each.id, "reason": each.reason, "feature": each.feature}
        checkpoints.setdefault(each.snapshot, []).append(said)
    for row in rows:
        row["checkpoints"] = checkpoints.get(row["id"], [])
    show({"snapshots": rows}, _lines(root, rows), as_json=as_json)
    exit_with_problems([*problems, *(row["problem"] for row in rows if row["problem"])])


def _lines(root: str, rows: list[dict[str, Any]]) -> Iterator[str]:
    if not rows:
        above = sessions_above(root)
        yield f"No snapshots of {root} yet{above and f': {above}'}."
        return
    yield _LINE.format("SNAPSHOT", "SESSION", "WINDOW", "TAKEN", "TODO", "OBJECTIVE")
    for row in rows:
        if row["problem"]:
            yield f"{row['id']}  cannot be used: {inert(row['problem'], 200)}"
        else:
            about = inert(row["objective"], _TASK_CHARS)
            session, taken = inert(row["sessionId"][:8]), inert(row["created"], 40)
            cells = (row["id"], session, row["window"], taken, row["openTodos"], about)
            yield _LINE.format(*cells)
        for checkpoint in row["checkpoints"]:
            what = f"{inert(checkpoint['feature'], 40)}  {inert(checkpoint['reason'], 60)}"
            yield f"  checkpoint {checkpoint['id']}  {what}"
    yield _NOTE


@commands.command("show")
def snapshot_show(snapshot: str = SNAPSHOT, as_json: bool = AS_JSON) -> None:
    """Print what a snapshot holds, nothing left out."""
    fresh = _need(snapshot)
    state = fresh.compacted.state
    parts = [] if state is None else [render_whole(state), render_long_prompts(state)]
    lines = [f"{part}\n" for part in parts if part]
    show(fresh_start_to_json(fresh), [*lines, fresh.instructions], as_json=as_json)


@commands.command("restore")
def snapshot_restore(snapshot: str = SNAPSHOT, session: str | None = SESSION_OPTION) -> None:
    """Have a session given a snapshot's context with its next prompt or tool use."""
    fresh = _need(snapshot)
    if fresh.skipped:
        raise SnapshotError(f"{'; '.join(fresh.skipped)}. {SAY_WHICH.format('snapshot restore')}")
    found = chosen_session(session)
    prepare_runtime(found.root)
    go_on_from(fresh, found.root, found.id)
    leave_pending(found.folder, fresh.prompt)
    typer.echo(
        f"Session {found.id} is given snapshot {fresh.compacted.snapshot_id} with its next"
        " prompt or tool use."
    )


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
        "objective": current_objective(state),
        "openTodos": len(state.open_todos),
        "rules": len(state.active_rules),
        "window": state.windows,
    }
