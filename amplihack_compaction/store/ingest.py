"""Bring a session of the store up to its transcript: what is new since the last time.

Lines are read before the store is locked. Who finds, once it has the lock, that another process
has read on in the meantime, drops its own reading and goes on from there; a process that dies
leaves the store as it was before the batch, and the next one reads it again.
"""

import posix
import time
from dataclasses import dataclass
from typing import BinaryIO

from amplihack_compaction.base.files import read_range
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.clients.reading import other_parser
from amplihack_compaction.clients.session_lines import opened_transcript, parse_line
from amplihack_compaction.store.compactions import meet_boundary, meet_summary
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.messages import insert_messages
from amplihack_compaction.store.sessions import (
    SessionKey,
    SessionRow,
    find_known,
    make_session,
    read_progress,
    touch_session,
    write_progress,
)
from amplihack_compaction.store.transcript_reader import Batch, Progress, read_batches

_MARK_BYTES = 256
_NEVER = float("inf")
# Where a transcript was replaced: what the new one does not have is kept, without a place.
_FORGET_PLACES = "UPDATE message SET place = NULL WHERE session = :s"
_MOVE = "UPDATE message SET place = :place WHERE session = :s AND uuid = :uuid AND part = :part"


@dataclass(slots=True)
class Ingested:
    """What an ingest did: messages stored, whether it reached the end, whether it began anew."""

    messages: int = 0
    read_bytes: int = 0
    is_complete: bool = False
    was_replaced: bool = False


def ingest_transcript(
    database: Database, key: SessionKey, path: str, deadline: float = _NEVER
) -> Ingested:
    """Store what a transcript has beyond what the store read of it already.

    `deadline` (of `time.monotonic`) ends it early, between two batches; the next call goes on.
    Raises TranscriptError when the file cannot be read, StoreError when the store cannot.
    """
    result = Ingested()
    with opened_transcript(path) as stream:
        while not result.is_complete and time.monotonic() < deadline:
            _read_on(database, key, path, stream, deadline, result)
    return result


def _mark_before(descriptor: int, position: int) -> str:
    """Return a hash of the bytes before a position, by which a replaced file is told."""
    from _blake2 import blake2b

    start = max(0, position - _MARK_BYTES)
    return blake2b(read_range(descriptor, start, position - start), digest_size=12).hexdigest()


def _read_on(
    database: Database,
    key: SessionKey,
    path: str,
    stream: BinaryIO,
    deadline: float,
    result: Ingested,
) -> None:
    """Read and store from where the store is, until the end or until another is further."""
    descriptor = stream.fileno()
    size = posix.fstat(descriptor).st_size
    known = find_known(database, key)
    began, mark, state = read_progress(database, known) if known else (0, "", "")
    position = began
    if position > size or (position and mark != _mark_before(descriptor, position)):
        position, state, began = 0, "", -1
        result.was_replaced = True
    elif position == size and (known or not size):
        result.is_complete = True
        return
    parse = other_parser(path) or parse_line
    for batch in read_batches(stream, Progress(position, state), size, parse):
        mark = _mark_before(descriptor, batch.position)
        with database.transaction():
            session = make_session(database, key, path)
            if began < 0:
                database.run(_FORGET_PLACES, {"s": session.id})
            elif read_progress(database, session.id)[0] != began:
                return  # another process has read on
            result.messages += _apply(database, session, batch, again=result.was_replaced)
            write_progress(database, session.id, batch.position, mark, batch.state)
            touch_session(database, session, exact_utc_text())
        result.read_bytes += batch.position - max(began, 0)
        began = batch.position
        if time.monotonic() >= deadline:
            return
    result.is_complete = True


def _apply(database: Database, session: SessionRow, batch: Batch, *, again: bool) -> int:
    """Store a batch, read `again` from a file that was replaced; return how many were new."""
    new = insert_messages(database, session, batch.messages)
    if again and new < len(batch.messages):
        for one in batch.messages:
            given = {"s": session.id, "uuid": one.uuid, "part": one.part, "place": one.place}
            database.run(_MOVE, given)
    if batch.boundary is not None:
        meet_boundary(database, session, *batch.boundary)
    if batch.summary is not None:
        meet_summary(database, session, *batch.summary)
    return new
