"""`handoff`: a document with which somebody else, or another session, goes on."""

import os
from pathlib import Path

import typer

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.options import AS_JSON, SESSION_OPTION, option
from amplihack_compaction.cli.sessions import folded_now, running_session
from amplihack_compaction.cli.terminal import show
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.handoff.checkpoint import Moment, read_moment
from amplihack_compaction.handoff.handoff_document import create_handoff_document, preview_handoff


def handoff(
    session: str | None = SESSION_OPTION,
    to_stdout: bool = option("--print", "Print the document, and write nothing.", False),
    keep: bool = option("--keep", "With --print: write it too.", False),
    as_json: bool = AS_JSON,
) -> None:
    """Write the handoff document of a session, with a checkpoint."""
    if to_stdout and as_json:
        raise typer.BadParameter("--print and --json exclude each other")
    if keep and not to_stdout:
        raise typer.BadParameter("--keep goes with --print: without that it is always written")
    if to_stdout and not keep:
        typer.echo(preview_handoff(running_moment(session, writes=False)), nl=False)
        return
    moment = running_moment(session)
    written = create_handoff_document(moment, by_hand=True)
    where = f"Written to {written.path}\nTo go on: {written.document.command}"
    text = written.text.removesuffix("\n") if to_stdout else where
    if os.path.realpath(moment.root) != os.path.realpath(project_root()):
        text += f" (in {moment.root})"
    show({**written.document.to_json(), "path": written.path}, [text], as_json=as_json)


def running_moment(named: str | None, *, writes: bool = True) -> Moment:
    """Return how the session stands now that is named, or that this runs in.

    Its ledger is brought up to date where it `writes`. Raises TranscriptError without one.
    """
    session = running_session(named)
    path = str(Path(session.transcript).absolute())
    status = read_status(session.root, session.id, path)
    folded = None if writes else folded_now(session)
    return read_moment(session.root, session.id, path, status, folded)
