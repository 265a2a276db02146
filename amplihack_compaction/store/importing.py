"""Read many transcripts into a store: in parallel, and again from where it was ended.

Workers read and redact; this process writes, since a store takes one writer at a time. A worker
reads one stretch of a file and gives it back before it gets another: what is in memory follows
the number of workers and not the files.
"""

import os
import signal
import stat
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
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
from amplihack_compaction.base.folders import opened
from amplihack_compaction.clients.reading import iterate_entries, other_parser, session_id_of
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.ingest import (
    TranscriptReading,
    apply_reading,
    ingest_transcript,
    mark_before,
)
from amplihack_compaction.store.sessions import SessionKey, find_known, read_progress
from amplihack_compaction.store.transcript_reader import BATCH_BYTES, Progress, read_batches

# What a worker gives back at once; several batches make one transaction.
STRETCH_BYTES = 8 * 1024 * 1024
_FIRST_ENTRIES = 50
_SUBAGENT = "agent-"
_ENDING = ".jsonl"


@dataclass(slots=True)
class Imported:
    """What an import did, and which files it could not read."""

    files: int = 0
    messages: int = 0
    read_bytes: int = 0
    problems: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """A part of a transcript to read: from a position on, with what the reader knows there."""

    path: str
    key: SessionKey
    position: int
    state: str
    # Where the store must be for it; negative when the transcript was replaced.
    began: int
    size_bytes: int


_Done = tuple[_Stretch, TranscriptReading]


def find_transcripts(folder: Path, problems: list[str]) -> list[Path]:
    """Return the transcripts below a folder, the oldest first; those of subagents left out.

    `problems` gets a sentence for each file and folder that cannot be looked at.
    """

    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError):  # gone since it was listed
            problems.append(f"{error.filename} cannot be looked at: {reason_of(error)}")

    found = []
    for where, _, names in os.walk(folder, onerror=note):
        for name in names:
            if not name.endswith(_ENDING) or name.startswith(_SUBAGENT):
                continue
            path = Path(where, name)
            try:
                status = path.stat()
            except OSError as error:
                note(error)
                continue
            if stat.S_ISREG(status.st_mode):
                found.append((status.st_mtime_ns, path))
    return [path for _, path in sorted(found)]


def import_transcripts(
    database: Database,
    paths: Iterable[Path],
    jobs: int,
    scope: str | None = None,
    advance: Callable[[int], None] = lambda _: None,
    stretch_bytes: int = STRETCH_BYTES,
) -> Imported:
    """Store what transcripts have beyond what the store has of them.

    `scope` is the project of all; None takes each transcript's own. `jobs` worker processes read
    ahead; with 0 this process reads too. `advance` is told of each part's bytes. Raises StoreError
    when the store cannot be written: all that was committed stays, and the next run goes on there.
    """
    result = Imported()
    stretches = _first_stretches(database, paths, scope, stretch_bytes, advance, result)
    readings = _read_ahead(stretches, jobs, result) if jobs else _read_here(stretches, result)
    database.prepare_bulk()
    for some in _together(readings):
        for stretch, reading, new in _stored(database, some, result):
            read = reading.batches[-1].position - stretch.position
            if new is None:  # a hook was first: go on from where it is
                new = ingest_transcript(database, stretch.key, stretch.path).messages
            result.messages += new
            result.read_bytes += read
            advance(read)
    return result


def _stored(
    database: Database, some: list[_Done], result: Imported
) -> Iterator[tuple[_Stretch, TranscriptReading, int | None]]:
    """Store what was read, and yield it with how many messages were new; see `apply_reading`.

    A session of another role's is left out, and named once among the problems.
    """
    try:
        with database.transaction():
            new = [apply_reading(database, reading) for _, reading in some]
    except OtherOwnerError as error:
        if len(some) > 1:
            for one in some:
                yield from _stored(database, [one], result)
        elif str(error) not in result.problems:
            result.problems.append(str(error))
        return
    yield from ((*done, count) for done, count in zip(some, new, strict=True))


def _together(readings: Iterator[_Done]) -> Iterator[list[_Done]]:
    """Yield what is stored in one transaction: many small transcripts, or a part of a large one.

    Every transaction adds a piece to the full-text index, which is merged later with the others.
    """
    some: list[_Done] = []
    size = 0
    for stretch, reading in readings:
        some.append((stretch, reading))
        size += reading.batches[-1].position - stretch.position
        if size >= stretch.size_bytes:
            yield some
            some, size = [], 0
    if some:
        yield some


def _first_stretches(
    database: Database,
    paths: Iterable[Path],
    scope: str | None,
    size_bytes: int,
    advance: Callable[[int], None],
    result: Imported,
) -> Iterator[_Stretch]:
    """Yield what is to be read first of each transcript that the store does not have whole."""
    for path in paths:
        try:
            stretch = _first_stretch(database, path, scope, size_bytes)
            known = stretch.position if stretch else path.stat().st_size
        except (TranscriptError, OSError) as error:
            result.problems.append(str(error))
            continue
        result.files += 1
        advance(known)
        if stretch is not None:
            yield stretch


def _first_stretch(
    database: Database, path: Path, scope: str | None, size_bytes: int
) -> _Stretch | None:
    """Return the part of a transcript that is not stored yet; None when there is none."""
    key = SessionKey(scope if scope is not None else _project_of(path), session_id_of(path))
    known = find_known(database, key)
    position, mark, state = read_progress(database, known) if known else (0, "", "")
    size = path.stat().st_size
    if position and (position > size or mark != _mark(path, position)):
        return _Stretch(str(path), key, 0, "", -1, size_bytes)
    if position == size:
        return None
    return _Stretch(str(path), key, position, state, position, size_bytes)


def _mark(path: Path, position: int) -> str:
    try:
        with opened(str(path)) as descriptor:
            return mark_before(descriptor, position)
    except ValueError as error:
        raise TranscriptError(f"cannot read the transcript {path}: {reason_of(error)}") from None


def _project_of(path: Path) -> str:
    """Return the folder that a session was begun in; its transcript's own, where it says none."""
    for entry in islice(iterate_entries(path), _FIRST_ENTRIES):
        folder = entry.data.get("cwd")
        if isinstance(folder, str) and folder:
            return folder
    return str(path.parent)


def _read_here(stretches: Iterator[_Stretch], result: Imported) -> Iterator[_Done]:
    """Yield what is read of each transcript, one after the other."""
    for stretch in stretches:
        due: _Stretch | None = stretch
        while due is not None:
            done = _tried(partial(_read, due), result)
            if done is not None:
                yield done
            due = _following(done)


def _read_ahead(stretches: Iterator[_Stretch], jobs: int, result: Imported) -> Iterator[_Done]:
    """Yield what workers read, as it comes; the parts of one transcript in their order.

    Raises StoreError when a worker is gone.
    """
    # Forked workers would inherit the store's connection, which SQLite forbids.
    context = get_context("spawn")
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts)
    try:
        yield from _read_by(pool, stretches, jobs, result)
    except BrokenProcessPool:
        raise StoreError(
            "a process that read transcripts was ended, for want of memory perhaps: run it again"
            " with --jobs 0; what was stored stays"
        ) from None
    finally:
        pool.shutdown(cancel_futures=True)


def _leave_interrupts() -> None:
    """Leave Ctrl-C, which reaches every process of a terminal, to the one that has the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _read_by(
    pool: ProcessPoolExecutor, stretches: Iterator[_Stretch], jobs: int, result: Imported
) -> Iterator[_Done]:
    running = {pool.submit(_read, stretch) for stretch in islice(stretches, jobs + 1)}
    while running:
        finished = wait(running, return_when=FIRST_COMPLETED).done
        running -= finished
        for future in finished:
            done = _tried(future.result, result)
            following = _following(done) or next(stretches, None)
            if following is not None:
                running.add(pool.submit(_read, following))
            if done is not None:
                yield done


def _tried(read: Callable[[], _Done], result: Imported) -> _Done | None:
    try:
        return read()
    except (OSError, ValueError) as error:
        result.problems.append(f"cannot be read any more: {place_and_reason(error)}")
        return None


def _following(done: _Done | None) -> _Stretch | None:
    """Return what is to be read of a transcript after a part of it."""
    if done is None:
        return None
    stretch, reading = done
    last = reading.batches[-1]
    if last.position < stretch.position + stretch.size_bytes:
        return None  # its end
    return replace(stretch, position=last.position, state=last.state, began=last.position)


def _read(stretch: _Stretch) -> _Done:
    """Read a stretch; runs in a worker."""
    with opened(stretch.path) as descriptor:
        size = os.fstat(descriptor).st_size
        batches = []
        enough = stretch.position + stretch.size_bytes
        progress = Progress(stretch.position, stretch.state)
        batch_bytes = min(BATCH_BYTES, stretch.size_bytes)
        parse = other_parser(stretch.path)
        for batch in read_batches(descriptor, progress, size, batch_bytes, parse):
            batches.append(batch)
            if batch.position >= enough:
                break
        mark = mark_before(descriptor, batches[-1].position)
        return stretch, TranscriptReading(stretch.key, stretch.path, stretch.began, batches, mark)
