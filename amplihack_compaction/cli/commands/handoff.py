"""The commands `handoff`, `feature continue` and `feature checkpoint`."""

import json
import os
from pathlib import Path

import typer

from amplihack_compaction.base.errors import (
    CompactionError,
    SnapshotError,
    TranscriptError,
    place_and_reason,
)
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.commands.snapshots import SESSION_VARIABLE
from amplihack_compaction.cli.sessions import Session, find_session
from amplihack_compaction.cli.terminal import exit_with_problems
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.handoff.checkpoint import (
    Moment,
    create_checkpoint,
    list_checkpoints,
    read_moment,
)
from amplihack_compaction.handoff.document import parse_handoff
from amplihack_compaction.handoff.fresh_start import prepare_fresh_start
from amplihack_compaction.handoff.handoff_files import (
    create_handoff_document,
    find_handoff,
    handoff_path,
)
from amplihack_compaction.injection.lines import inert


def write_handoff(named: str | None, *, to_stdout: bool, as_json: bool) -> None:
    """Write a session's handoff document and say where it is.

    Raises TranscriptError without a session, CompactionError when it cannot be written.
    """
    moment = _moment(_session(named))
    try:
        handoff = create_handoff_document(moment, by_hand=True)
    except OSError as error:
        raise CompactionError(
            f"the handoff cannot be written: {place_and_reason(error)}"
        ) from error
    if as_json:
        typer.echo(json.dumps({**handoff.document.to_json(), "path": handoff.path}, indent=2))
    elif to_stdout:
        typer.echo(handoff.text, nl=False)
    else:
        typer.echo(f"Written to {handoff.path}\nTo go on: {handoff.document.command}")


def continue_feature(name: str, *, as_json: bool) -> None:
    """Print what is needed to go on with a feature: its handoff and the state behind it.

    Raises CompactionError when nothing was kept of it; exits with 1 where what may be newer cannot
    be read, and where the state behind the handoff cannot be used.
    """
    root = project_root()
    unread: list[str] = []
    found = find_handoff(root, name, unread)
    if found is None:
        known = list(dict.fromkeys(checkpoint.feature for checkpoint in list_checkpoints(root)))
        names = inert(", ".join(known[:5]), 400)
        hint = f"; features with one: {names}" if known else ", nor of any other feature"
        said = f"no handoff or checkpoint of {inert(name, 80)!r}{hint}"
        raise CompactionError("; ".join([said, *unread]))
    checkpoint, text = found
    problem = state = ""
    try:
        fresh = prepare_fresh_start(checkpoint.snapshot, root)
        state = fresh.prompt if fresh is not None else ""
    except SnapshotError as error:
        if not text:
            raise
        problem = f"The state behind it cannot be used: {inert(str(error), 300)}"
    if as_json:
        document = parse_handoff(text).to_json() if text else None
        path = handoff_path(root, checkpoint) if text else None
        content = {"handoff": document, "path": path, "prompt": state, "problem": problem}
        typer.echo(json.dumps(content, indent=2))
    else:
        typer.echo("\n".join(part for part in (text, state, problem) if part))
    exit_with_problems([*unread, problem] if problem else unread)


def checkpoint_feature(name: str, reason: str, named: str | None, *, quiet: bool) -> None:
    """Make a checkpoint of a session under a feature's name and say its id.

    Raises TranscriptError without a session, CompactionError when it cannot be written.
    """
    moment = _moment(_session(named))
    try:
        checkpoint = create_checkpoint(moment, reason, name)
    except OSError as error:
        raise CompactionError(
            f"the checkpoint cannot be written: {place_and_reason(error)}"
        ) from error
    if not quiet:
        typer.echo(f"Checkpoint {checkpoint.id} of {checkpoint.feature}: {checkpoint.reason}")


def _session(named: str | None) -> Session:
    """Return the session that is named, the one this runs in, or the newest of the project."""
    running = os.environ.get(SESSION_VARIABLE)
    if named is None and running:
        try:
            return find_session(running)
        except TranscriptError:
            return find_session(None)
    return find_session(named)


def _moment(session: Session) -> Moment:
    path = str(Path(session.transcript).absolute())
    status = read_status(session.root, session.id, path)
    return read_moment(session.root, session.id, path, status)
