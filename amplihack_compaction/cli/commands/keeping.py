"""The commands that change a store: import, sync, vacuum, delete."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from amplihack_compaction.base.errors import StoreError, TranscriptError
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.cli.commands.importing import (
    Imported,
    find_transcripts,
    import_transcripts,
)
from amplihack_compaction.cli.commands.listing import named_key
from amplihack_compaction.cli.terminal import progress_bar, shows_progress
from amplihack_compaction.clients.claude_code.locations import project_transcripts
from amplihack_compaction.compactor.archive.store_archived import store_archived
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies
from amplihack_compaction.store.open_store import open_store, open_to_read
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.sessions import find_session
from amplihack_compaction.store.upkeep import (
    delete_sessions,
    empty_session,
    forget_session,
    purge,
    surplus_sessions,
    used_bytes,
)
from amplihack_compaction.text.strings import counted

_MEGABYTE = 1_000_000
_BYTES_PER_MEGABYTE = 1024 * 1024
_PROBLEMS_SHOWN = 5
_NEVER = float("inf")


def import_folder(url: str | None, folder: Path, jobs: int | None, *, quiet: bool) -> int:
    """Import the transcripts below a folder; return the exit code, 1 when one was unreadable."""
    if not folder.is_dir():
        raise TranscriptError(f"there is no folder {folder}")
    problems: list[str] = []
    paths = find_transcripts(folder, problems)
    if not paths:
        raise TranscriptError(
            "; ".join([f"there is no transcript (*.jsonl) below {folder}", *problems])
        )
    return _import(url, paths, jobs, None, problems, quiet=quiet)


def sync_project(url: str | None, jobs: int | None, *, quiet: bool) -> int:
    """Read what the hooks have not stored yet of this project's transcripts and archives."""
    root = project_root()
    problems: list[str] = []
    if url is None:
        store_archived(root, problems)
    paths = without_unused_copies(root, project_transcripts(root, problems)[::-1])
    if not paths:
        raise TranscriptError("; ".join([f"no session of {root} is recorded here", *problems]))
    return _import(url, paths, jobs, root, problems, quiet=quiet)


def _import(
    url: str | None,
    paths: list[Path],
    jobs: int | None,
    scope: str | None,
    problems: list[str],
    *,
    quiet: bool,
) -> int:
    started = time.perf_counter()
    with open_store(url, project_root()) as database, _progress(paths, quiet=quiet) as advance:
        workers = _workers(paths) if jobs is None else jobs
        result = import_transcripts(database, paths, workers, scope, advance)
        update_words(database)
    if not quiet:
        _report(result, time.perf_counter() - started)
    problems += result.problems
    for problem in problems[:_PROBLEMS_SHOWN]:
        typer.echo(f"left out: {problem}", err=True)
    left = len(problems) - _PROBLEMS_SHOWN
    if left > 0:
        typer.echo(f"and {left} more were left out", err=True)
    return 1 if problems else 0


def _workers(paths: list[Path]) -> int:
    """Return how many processes read ahead: one core writes; a little work needs none."""
    size = sum(path.stat().st_size for path in paths)
    return 0 if size < 32 * _MEGABYTE else max(1, (os.cpu_count() or 2) - 1)


@contextmanager
def _progress(paths: list[Path], *, quiet: bool) -> Iterator[Callable[[int], None]]:
    """Show a bar on a terminal; elsewhere nothing."""
    if not shows_progress(quiet=quiet):
        yield lambda _: None
        return
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
        TimeRemainingColumn(),
    )  # fmt: skip
    total = sum(path.stat().st_size for path in paths)
    with progress_bar(*columns, transient=False) as shown:
        task = shown.add_task(counted(len(paths), "transcript"), total=total)
        yield lambda count: shown.update(task, advance=count)


def _report(result: Imported, seconds: float) -> None:
    megabytes = result.read_bytes / _MEGABYTE
    speed = f", {megabytes / seconds:.0f} MB/s" if megabytes >= 1 and seconds > 0 else ""
    typer.echo(
        f"{counted(result.files, 'transcript')}, {counted(result.messages, 'new message')},"
        f" {megabytes:.1f} MB read in"
        f" {seconds:.1f} s{speed}"
    )


def vacuum_store(url: str | None) -> None:
    """Take out what is beyond the settings' bounds, and the traces of what was deleted."""
    settings, problems = load_settings(project_root())
    for problem in problems:
        typer.echo(problem, err=True)
    with open_to_read(url, project_root()) as database:
        if not database.is_kept:
            typer.echo(f"{database.place}: not there yet")
            return
        before = used_bytes(database)
        surplus = surplus_sessions(
            database, settings.store_megabytes * _BYTES_PER_MEGABYTE, settings.store_days
        )
        count = delete_sessions(database, surplus, _NEVER)
        purge(database)
        after = used_bytes(database)
    typer.echo(
        f"{counted(count, 'session')} beyond the bounds deleted;"
        f" {before / _MEGABYTE:.1f} MB before, {after / _MEGABYTE:.1f} MB now"
    )


def delete_named(url: str | None, named: str, *, yes: bool) -> int:
    """Delete a session for good, after asking; return the exit code."""
    with open_to_read(url, project_root()) as database:
        key = named_key(database, named)
        row = find_session(database, key)
        if not yes:
            if not sys.stdin.isatty():
                raise StoreError(f"to delete {key.session_id} without being asked, add --yes")
            asked = f"Delete all that is stored of session {key.session_id} of {key.scope}?"
            if not typer.confirm(asked):
                return 1
        # Its name goes last: whoever ends this half way finds it again, to delete the rest.
        gone = empty_session(database, row.id)
        purge(database)
        forget_session(database, row.id)
    typer.echo(
        f"Session {key.session_id} is deleted: {counted(gone, 'message')}. Its transcript stays."
    )
    return 0
