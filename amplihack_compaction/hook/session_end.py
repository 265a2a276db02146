"""SessionEnd: complete what is stored of the session, and remove what crashed hooks left.

A session that a later one may go on with is marked as ended, with its newest state on disk.
"""

from dataclasses import replace
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import is_folder, is_regular, list_names
from amplihack_compaction.base.folders import remove_leftovers
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import linked_folder, runtime_folder, session_folder
from amplihack_compaction.base.settings import FreshStart, load_settings
from amplihack_compaction.handoff.session_offers import announce, announced, mark_ended, pair_clear
from amplihack_compaction.hook.session_start import client_pid
from amplihack_compaction.injection.position import observe


def answer_session_end(payload: dict[str, Any], root: str) -> str:
    """Close the session's files; there is never an answer."""
    folder = session_folder(root, payload["session_id"])
    # After `/clear` the next session may go on from this one, whatever hooks were called in it.
    if linked_folder(root) or not (_is_cleared(payload) or is_folder(folder)):
        return ""  # nothing of this session was kept, or not where it may be touched
    for above in (runtime_folder(root), folder):
        for each in (above, *(f"{above}/{name}" for name in list_names(above))):
            remove_leftovers(each)
    _complete_event(payload, root, folder)
    _leave_offer(payload, root)
    return ""


def _is_cleared(payload: dict[str, Any]) -> bool:
    return payload.get("reason") == "clear" and is_regular(payload["transcript_path"])


def _complete_event(payload: dict[str, Any], root: str, folder: str) -> None:
    """Complete a compaction that came after the last Stop, or one whose Stop was too early.

    Its losses stay unchecked: a resumed session's next Stop is the one to speak of them.
    """
    path = payload["transcript_path"]
    position = observe(root, folder, path)
    if position is None or position.boundary <= position.checked or position.window < 0:
        return
    from amplihack_compaction.injection.record import record_past_compaction

    log = logger(root, "SessionEnd")
    try:
        record_past_compaction(root, payload["session_id"], path, position.window, log)
    except TranscriptError as error:
        log(str(error))


def _leave_offer(payload: dict[str, Any], root: str) -> None:
    """Mark the session as ended, and bring what is offered of it up to now."""
    log = logger(root, "SessionEnd")
    try:
        if load_settings(root)[0].fresh_start is not FreshStart.OFF:
            _refresh_offer(payload, root, client_pid() if _is_cleared(payload) else "")
    except (TranscriptError, OSError) as error:
        log(f"the session's newest state could not be kept for a later one: {error}")
    try:
        mark_ended(root, payload["session_id"])
    except OSError as error:
        log(f"the session's end could not be written down: {error}")


def _refresh_offer(payload: dict[str, Any], root: str, clear_pid: str) -> None:
    """Store the newest state of a session that was announced, or cleared by a client's process."""
    session_id, path = payload["session_id"], payload["transcript_path"]
    known = announced(root, session_id)
    if known is None and not clear_pid:
        return
    from amplihack_compaction.handoff.checkpoint import read_moment, snapshot_now

    moment = read_moment(root, session_id, path)
    if known is None and not moment.has_begun:
        return
    snapshot = snapshot_now(moment)
    if known is not None:
        announce(root, replace(known, snapshot=snapshot, transcript_path=path, at=0.0))
    if clear_pid:
        pair_clear(root, clear_pid, moment.offer(snapshot))
