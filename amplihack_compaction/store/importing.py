"""Read many transcripts into a store, in parallel: each as a hook does, from where that ended."""

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from amplihack_compaction.base.errors import (
    OtherOwnerError,
    StoreError,
    TranscriptError,
    place_and_reason,
    reason_of,
)
from amplihack_compaction.clients.reading import iterate_entries, newest_first, session_id_of
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.sessions import SessionKey

_FIRST_ENTRIES = 50
_SUBAGENT = "agent-"
_ENDING = ".jsonl"
# Ctrl-C, which reaches every process of a terminal, ends a worker where it is.
_END_QUIETLY = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)


@dataclass(slots=True)
class Imported:
    """What an import did, and which files it could not read."""

    files: int = 0
    messages: int = 0
    read_bytes: int = 0
    problems: list[str] = field(default_factory=list)


def find_transcripts(folder: Path, problems: list[str]) -> list[Path]:
    """Return the transcripts below a folder, the oldest first; those of subagents left out.

    `problems` gets a sentence for each file and folder that cannot be looked at.
    """

    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # gone since it was listed
            problems.append(f"{error.filename} cannot be looked at: {reason_of(error)}")

    paths = (
        Path(where, name)
        for where, _, names in os.walk(folder, onerror=note)
        for name in names
        if name.endswith(_ENDING) and not name.startswith(_SUBAGENT)
    )
    return newest_first(paths, problems)[::-1]


def import_transcripts(
    opening: Callable[[], AbstractContextManager[Database]],
    paths: Sequence[Path],
    jobs: int,
    scope: str | None = None,
    advance: Callable[[Path], None] = lambda _: None,
) -> Imported:
    """Store what transcripts have beyond what the store has of them.

    `opening` opens the store, and can be pickled: with `jobs`, so many processes each read and
    store one transcript after the other; with 0 this process does. `scope` is the project of all;
    None takes each transcript's own. `advance` is told of each that is done. Raises StoreError when
    the store cannot be written: all that was committed stays, and the next run goes on there.
    """
    result = Imported()
    read = partial(_import_one, opening, scope)
    with opening():  # else whoever closes the last connection would empty the log, file by file
        each = _by_workers(read, paths, jobs) if jobs else map(read, paths)
        for path, done in zip(paths, each, strict=True):
            result.files += done.files
            result.messages += done.messages
            result.read_bytes += done.read_bytes
            result.problems += done.problems
            advance(path)
    return result


def _import_one(
    opening: Callable[[], AbstractContextManager[Database]], scope: str | None, path: Path
) -> Imported:
    """Import a transcript; a session of another role's is left out, as what cannot be read is."""
    try:
        key = SessionKey(scope if scope is not None else _project_of(path), session_id_of(path))
        with opening() as database:
            done = ingest_transcript(database, key, str(path))
    except (TranscriptError, OtherOwnerError) as error:
        return Imported(problems=[str(error)])
    except (OSError, ValueError) as error:
        return Imported(problems=[f"cannot be read: {place_and_reason(error)}"])
    return Imported(1, done.messages, done.read_bytes)


def _project_of(path: Path) -> str:
    """Return the folder that a session was begun in; its transcript's own, where it says none."""
    for entry in islice(iterate_entries(path), _FIRST_ENTRIES):
        folder = entry.data.get("cwd")
        if isinstance(folder, str) and folder:
            return folder
    return str(path.parent)


def _by_workers(
    read: Callable[[Path], Imported], paths: Sequence[Path], jobs: int
) -> Iterator[Imported]:
    """Yield what worker processes did. Raises StoreError when one is gone."""
    context = get_context("spawn")  # forked ones would inherit what this process has open
    try:
        with ProcessPoolExecutor(jobs, mp_context=context, initializer=_END_QUIETLY) as pool:
            yield from pool.map(read, paths)
    except BrokenProcessPool:
        raise StoreError(
            "a process that read transcripts was ended, for want of memory perhaps: run it again"
            " with --jobs 0; what was stored stays"
        ) from None
