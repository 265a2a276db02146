"""Give the model what it is still owed: an injection that was missed, or a waiting text.

Runs inside PreToolUse or UserPromptSubmit, at most once per compaction: when the client missed
its SessionStart hook, when that hook's answer never arrived, or when Stop left a text to be given
with the next prompt or tool use.
"""

import posix
from contextlib import suppress
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import link_on_way, read_kept
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.signature import is_marked
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.claude_code.answers import additional_context
from amplihack_compaction.injection.position import Position, search_before, settle, write_position
from amplihack_compaction.injection.receipts import take_receipt
from amplihack_compaction.injection.record import prepared_injection, record_past_compaction

_PENDING_LIMIT_BYTES = 256 * 1024
_TRIES = 2


def inject_missing(payload: dict[str, Any], root: str, folder: str, position: Position) -> str:
    """Return the injection for a compaction that has none yet, taking its receipt.

    Each try is written down before it begins: one that runs into the hook's time limit, or fails,
    must not be paid for again with every tool call.
    """
    event, session_id = payload["hook_event_name"], payload["session_id"]
    path, log = payload["transcript_path"], logger(root, event)
    position.tries += 1
    if position.tries > _TRIES or (position.window < 0 and locate_window(folder, path, position)):
        position.settled = position.boundary
        write_position(folder, position)
        return ""
    write_position(folder, position)
    try:
        recorded = record_past_compaction(
            root, session_id, path, position.window, log, injects=True, injected_late_by=event
        )
    except TranscriptError as error:
        log(str(error))
        return ""
    ready = prepared_injection(recorded, position.window)
    if not take_receipt(folder, session_id, event, ready, position.attempt):
        return ""
    log(f"the injection for the window at byte {position.window} had not arrived; given now")
    return additional_context(event, ready.text)


def locate_window(folder: str, path: str, position: Position) -> bool:
    """Find where the compacted window began, and return whether its injection is settled."""
    tail = tail_of(path)
    with opened(path) as descriptor:
        search_before(tail, descriptor, position)
        return settle(tail, descriptor, folder, position)


def give_pending(payload: dict[str, Any], folder: str) -> str:
    """Return the waiting text; of hooks that run in parallel, one gets it."""
    path = f"{folder}/pending"
    if link_on_way(path):
        return ""
    taken = f"{path}.{posix.getpid()}.tmp"
    try:
        posix.rename(path, taken)
    except FileNotFoundError:
        return ""
    try:
        text = read_kept(taken, _PENDING_LIMIT_BYTES)
    except OSError:
        posix.rename(taken, path)  # it can be read another time
        raise
    with suppress(FileNotFoundError):
        posix.unlink(taken)
    mark, _, own = (text or b"").partition(b"\n")
    if not own.strip() or not is_marked(own, path, mark.decode("ascii", "replace")):
        return ""
    return additional_context(payload["hook_event_name"], own.decode("utf-8", "replace"))
