"""`report`: write a page that shows what happened in one session, or in all."""

import sys
import webbrowser
from collections.abc import Iterator, Sequence
from pathlib import Path

import typer

from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.files import is_link
from amplihack_compaction.base.paths import (
    prepare_runtime,
    project_root,
    runtime_folder,
    session_name,
)
from amplihack_compaction.cli.options import SESSION_ARGUMENT, option
from amplihack_compaction.cli.report.measures import SessionReport, gather_session
from amplihack_compaction.cli.report.page import render_page
from amplihack_compaction.cli.sessions import Session, chosen_session, open_session, sessions_above
from amplihack_compaction.cli.terminal import STDOUT, output_file, showing_progress, write_output
from amplihack_compaction.clients.reading import project_transcripts
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies

_NAME_OF_ALL = "all-sessions"


def report(
    session: str | None = SESSION_ARGUMENT,
    every: bool = option("--all", "All sessions of this project, on one page.", False),
    out: str | None = option("--out -o FILE", "Write it there; `-` prints it.", None),
    open_it: bool = option("--open", "Show it in the browser.", False),
) -> None:
    """Write one HTML page that shows a session: context, tokens, compactions, todos, hooks.

    It needs neither network nor scripts. Prints the path of the page, which by default lies among
    what the hooks store in the project.
    """
    if every and session is not None:
        raise typer.BadParameter("name a session, or take all of them with --all, not both")
    if open_it and out == STDOUT:
        raise typer.BadParameter("a page on standard output cannot be opened: give --out a file")
    unread: list[str] = []
    sessions = _all_sessions(unread) if every else [chosen_session(session)]
    path = None if out == STDOUT else _target(out, sessions, every=every)
    page = render_page(_gather(sessions)).encode()
    if path is None:
        sys.stdout.buffer.write(page)
    else:
        write_output(path, (page,))
        typer.echo(str(path))
        if open_it and not webbrowser.open(path.as_uri()):
            typer.echo("No browser could be opened; open the file by hand.", err=True)
    if unread:
        raise typer.Exit(1)


def _all_sessions(unread: list[str]) -> list[Session]:
    """Return the project's sessions, the newest first, and say which are left out.

    `unread` gets those that cannot be read now, other than what is no transcript at all.
    """
    root = project_root()
    sessions: list[Session] = []
    strange: list[str] = []
    for path in without_unused_copies(root, project_transcripts(root, unread)):
        try:
            sessions.append(open_session(path))
        except (TranscriptError, OSError) as error:
            is_read = isinstance(error, TranscriptError) and error.__cause__ is None
            (strange if is_read else unread).append(str(error))
    for problem in (*unread, *strange):
        typer.echo(f"left out: {problem}", err=True)
    if not sessions:
        above = sessions_above(root)
        raise TranscriptError(f"no session of {root} is recorded yet{above and f': {above}'}")
    return sessions


def _gather(sessions: Sequence[Session]) -> Iterator[SessionReport]:
    for number, session in enumerate(sessions, 1):
        with showing_progress(f"Reading session {number} of {len(sessions)}"):
            report = gather_session(session)
        yield report


def _target(out: str | None, sessions: Sequence[Session], *, every: bool) -> Path:
    """Return where the page goes; by default below the project's own folder for such things."""
    if out is None:
        name = _NAME_OF_ALL if every else session_name(sessions[0].id)
        return _own_folder(sessions[0]) / f"{name}.html"
    path = output_file(out)
    if any(path == session.transcript.resolve() for session in sessions):
        raise CompactionError(f"{path} is the session's transcript: name another file")
    return path


def _own_folder(session: Session) -> Path:
    """Return the folder for reports of the session's project, or of this one if that is gone."""
    root = session.root if Path(session.root).is_dir() else project_root()
    folder = f"{runtime_folder(root)}/reports"
    prepare_runtime(root)
    if is_link(folder):
        raise CompactionError(f"{folder} is a link; say with --out where the page is to go")
    return Path(folder)
