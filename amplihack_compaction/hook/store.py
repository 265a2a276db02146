"""What the client's events bring into a project's store (light).

A hook goes on without a store that cannot be used. It says so once in the log, and again only
when the trouble is another: `<runtime>/store.trouble` holds what was said last.
"""

import posix
import time
from contextlib import suppress
from typing import Any

from amplihack_compaction.base.errors import StoreError, TranscriptError
from amplihack_compaction.base.files import read_bytes, replace_atomically
from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.base.paths import prepare_runtime, runtime_folder
from amplihack_compaction.base.settings import Settings, StoreStrategy, Switch, load_settings
from amplihack_compaction.store.ingest import ingest_transcript
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.sqlite import HOOK_WAIT_SECONDS, default_place, open_project_store
from amplihack_compaction.store.upkeep import delete_sessions, is_purge_due, purge, surplus_sessions

_TROUBLE_LIMIT_BYTES = 4096
# A hook that catches up on a long session leaves the rest to the next one.
_TIME_SECONDS = 15.0
_MEGABYTE = 1024 * 1024


def store_event(payload: dict[str, Any], root: str) -> str:
    """Store what an event's transcript has that is new; there is never an answer."""
    settings, _ = load_settings(root)
    if settings.store is not Switch.ON:
        return ""
    event, trouble = payload["hook_event_name"], ""
    try:
        _store(payload, root, event)
        if event == "SessionEnd":
            _compact_ended(payload, root, settings)
            _keep_bounds(root, settings.store_megabytes, settings.store_days)
    except TranscriptError:
        return ""  # it may not be there yet; where that matters, the event's own hook says so
    except (StoreError, OSError) as error:
        trouble = f"the session store is left out: {error}"
    _say_once(root, event, trouble)
    return ""


def _store(payload: dict[str, Any], root: str, event: str) -> None:
    key = SessionKey(root, payload["session_id"])
    with open_project_store(root, HOOK_WAIT_SECONDS) as database:
        result = ingest_transcript(
            database, key, payload["transcript_path"], time.monotonic() + _TIME_SECONDS
        )
        if result.was_replaced:
            log_line(root, event, "the transcript was replaced; it was read from its beginning")


def _compact_ended(payload: dict[str, Any], root: str, settings: Settings) -> None:
    """Compact what the run left in the store, as the settings want it."""
    if settings.store_strategy is not StoreStrategy.NONE:
        from amplihack_compaction.store.ended_runs import compact_stored
        from amplihack_compaction.store.store import SessionStore

        key = SessionKey(root, payload["session_id"])
        with SessionStore(default_place(root)) as store:
            compact_stored(store, key, settings.store_strategy, settings.store_window)


def _keep_bounds(root: str, megabytes: int, days: int) -> None:
    """Delete the oldest sessions of a store that has outgrown its bounds, for a few seconds."""
    until = time.monotonic() + _TIME_SECONDS / 2
    most_bytes = megabytes * _MEGABYTE
    with open_project_store(root, HOOK_WAIT_SECONDS) as database:
        if days or posix.stat(default_place(root)).st_size > most_bytes:
            delete_sessions(database, surplus_sessions(database, most_bytes, days))
        if is_purge_due(database):
            purge(database, until)


def _say_once(root: str, event: str, trouble: str) -> None:
    """Log a trouble that is another than the last time; one that is over is said again later."""
    path = f"{runtime_folder(root)}/store.trouble"
    said = trouble.encode("utf-8", "replace")[:_TROUBLE_LIMIT_BYTES]
    if (read_bytes(path, _TROUBLE_LIMIT_BYTES) or b"") == said:
        return
    if trouble:
        log_line(root, event, trouble)
    with suppress(OSError):  # the log may be on the same full disk
        prepare_runtime(root)  # nothing is made anew, and nothing written through a link
        if trouble:
            replace_atomically(path, said)
        else:
            posix.unlink(path)
