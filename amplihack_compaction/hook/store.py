"""What the client's events bring into a project's store (light).

A hook goes on without a store that cannot be used. It says so once in the log, and again only
when the trouble is another: `<runtime>/store.trouble` holds what was said last.
"""

import posix
import time

from amplihack_compaction.base.errors import StoreError, TranscriptError
from amplihack_compaction.base.files import read_bytes, replace_atomically
from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.store.compactions import record_told_compaction
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.sessions import SessionKey, make_session
from amplihack_compaction.store.sqlite import (
    HOOK_WAIT_SECONDS,
    default_place,
    open_project_store,
)
from amplihack_compaction.store.transcript_reader import TEXT_LIMIT_CHARS, redacted_and_cut
from amplihack_compaction.store.upkeep import (
    delete_sessions,
    is_above,
    read_bounds,
    surplus_sessions,
)
from amplihack_compaction.transcript.session import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_TROUBLE_LIMIT_BYTES = 4096
# A hook that catches up on a long session leaves the rest to the next one.
_TIME_SECONDS = 15.0
_MEGABYTE = 1024 * 1024


def store_event(payload: "dict[str, Any]", root: str) -> str:
    """Store what an event's transcript has that is new; there is never an answer."""
    is_on, megabytes, days = read_bounds(root)
    if not is_on:
        return ""
    event = payload["hook_event_name"]
    try:
        _store(payload, root, event)
        if event == "SessionEnd":
            _keep_bounds(root, megabytes, days)
    except TranscriptError:
        return ""  # it may not be there yet; where that matters, the event's own hook says so
    except (StoreError, OSError) as error:
        _say_once(root, event, f"the session store is left out: {error}")
        return ""
    _forget_trouble(root)
    return ""


def _store(payload: "dict[str, Any]", root: str, event: str) -> None:
    key = SessionKey(root, payload["session_id"])
    with open_project_store(root, HOOK_WAIT_SECONDS) as database:
        result = ingest_transcript(
            database, key, payload["transcript_path"], time.monotonic() + _TIME_SECONDS
        )
        if result.was_replaced:
            log_line(root, event, "the transcript was replaced; it was read from its beginning")
        summary = payload.get("compact_summary")
        if event == "PostCompact" and isinstance(summary, str):
            with database.transaction():
                session = make_session(database, key, payload["transcript_path"])
                text = redacted_and_cut(summary, TEXT_LIMIT_CHARS)
                trigger = storable(str(payload.get("trigger") or ""))
                record_told_compaction(database, session, text, trigger)


def _keep_bounds(root: str, megabytes: int, days: int) -> None:
    """Delete the oldest sessions of a store that has outgrown its bounds, for a few seconds.

    What they leave in the index is taken away by `store vacuum`.
    """
    most_bytes = megabytes * _MEGABYTE
    if not days and not is_above(default_place(root), most_bytes):
        return
    with open_project_store(root, HOOK_WAIT_SECONDS) as database:
        surplus = surplus_sessions(database, most_bytes, days)
        delete_sessions(database, surplus, time.monotonic() + _TIME_SECONDS / 2)


def _say_once(root: str, event: str, message: str) -> None:
    path, said = f"{runtime_folder(root)}/store.trouble", message.encode("utf-8", "replace")
    if read_bytes(path, _TROUBLE_LIMIT_BYTES) == said[:_TROUBLE_LIMIT_BYTES]:
        return
    log_line(root, event, message)
    try:
        replace_atomically(path, said[:_TROUBLE_LIMIT_BYTES])
    except OSError:
        return  # the log may be on the same full disk; saying it again is all that is left


def _forget_trouble(root: str) -> None:
    try:
        posix.unlink(f"{runtime_folder(root)}/store.trouble")
    except OSError:
        return
