"""SessionEnd: complete what is stored of the session, and remove what crashed hooks left.

A session that a later one may go on with is marked as ended, with its newest state on disk.
"""

from dataclasses import replace
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import is_folder, list_names
from amplihack_compaction.base.folders import remove_leftovers
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import linked_folder, runtime_folder, session_folder
from amplihack_compaction.base.settings.settings import FreshStart, load_settings
from amplihack_compaction.handoff.session_offers import (
    Offer,
    announce,
    announced,
    mark_ended,
    pair_clear,
)
from amplihack_compaction.hook.session_start import client_pid
from amplihack_compaction.injection.delivery import observe

_FOLDERS = (
    "", "/snapshots", "/windows", "/receipts", "/losses", "/auto", "/checkpoints", "/handoffs",
    "/levels", "/firings",
)  # fmt: skip


def answer_session_end(payload: dict[str, Any], root: str) -> str:
    """Close the session's files; there is never an answer."""
    folder = session_folder(root, payload["session_id"])
    if linked_folder(root) or not is_folder(folder):
        return ""  # nothing of this session was kept, or not where it may be touched
    remove_leftovers(runtime_folder(root))
    remove_leftovers(f"{runtime_folder(root)}/offers")
    for part in _FOLDERS:
        remove_leftovers(folder + part)
    _complete_event(payload, root, folder)
    _leave_offer(payload, root, folder)
    return ""


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


def _leave_offer(payload: dict[str, Any], root: str, folder: str) -> None:
    """Mark the session as ended, and bring what is offered of it up to now."""
    session_id, pid = payload["session_id"], client_pid()
    reason = str(payload.get("reason") or "")[:40]
    log = logger(root, "SessionEnd")
    try:
        wanted = load_settings(root)[0].fresh_start
        if wanted is not FreshStart.OFF:
            _refresh_offer(payload, root, folder, pid if reason == "clear" else "", wanted)
    except (TranscriptError, OSError) as error:
        log(f"the session's newest state could not be kept for a later one: {error}")
    try:
        mark_ended(root, session_id, reason, pid)
    except OSError as error:
        log(f"the session's end could not be written down: {error}")


def _refresh_offer(
    payload: dict[str, Any], root: str, folder: str, clear_pid: str, wanted: FreshStart
) -> None:
    """Store the newest state of a session that is offered.

    After `/clear` (in the client process `clear_pid`) that is every session with a snapshot, and
    any session at all where the user wants its context injected; else what an automatic snapshot
    or a handoff announced.
    """
    session_id, path = payload["session_id"], payload["transcript_path"]
    known = announced(root, session_id)
    kept = bool(list_names(f"{folder}/snapshots"))
    paired = bool(clear_pid) and (known is not None or wanted is FreshStart.INJECT or kept)
    if known is None and not paired:
        return
    from amplihack_compaction.handoff.checkpoint import read_moment, snapshot_now

    moment = read_moment(root, session_id, path)
    if not moment.has_work:
        return
    snapshot = snapshot_now(moment)
    if known is not None:
        announce(root, replace(known, snapshot=snapshot, transcript_path=path, at=0.0))
    if paired:
        offer = Offer(session_id=session_id, kind="clear", snapshot=snapshot, transcript_path=path)
        pair_clear(root, clear_pid, offer)
