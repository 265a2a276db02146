"""SessionStart after a compaction: inject the state.

At this moment the summary exists, but the transcript still has no boundary: it is the complete
file from before. Nearly always PreCompact has read it a moment ago, and its text is handed out;
when something was said since, the window is read again.
"""

from typing import Any

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.clients.claude_code.answers import additional_context
from amplihack_compaction.injection.prepared import Prepared, read_prepared
from amplihack_compaction.injection.receipts import take_receipt

EVENT = "SessionStart"


def answer_session_start(payload: dict[str, Any], root: str) -> str:
    """Return the injection after a compaction (source `compact`), once for each."""
    text = _hand_out(payload, root) or _read_again(payload, root)
    return additional_context(EVENT, text) if text else ""


def _hand_out(payload: dict[str, Any], root: str) -> str:
    """Return the text that PreCompact prepared, if it still tells the whole window."""
    folder = session_folder(root, payload["session_id"])
    ready = read_prepared(folder, payload["transcript_path"])
    if ready is None:
        return ""
    return ready.text if _take_receipt(payload, root, folder, ready) else ""


def _read_again(payload: dict[str, Any], root: str) -> str:
    from amplihack_compaction.base.errors import TranscriptError
    from amplihack_compaction.base.hook_log import logger
    from amplihack_compaction.injection.inject import build_injection, void_unused_receipt
    from amplihack_compaction.injection.record import record_compaction

    log = logger(root, EVENT)
    session_id, path = payload["session_id"], payload["transcript_path"]
    try:
        recorded = record_compaction(root, session_id, path, log)
    except TranscriptError as error:
        log(str(error))
        return ""
    text, start = build_injection(recorded), recorded.folded.window.start
    if not recorded.folder:
        return text  # where no receipt may be written, the text is still what the user needs
    try:
        void_unused_receipt(recorded.folder, start, path, log)
    except OSError as error:
        log(f"an unused receipt could not be set aside: {error}")
    ready = Prepared(text, start, recorded.snapshot_id, recorded.folded.end_bytes)
    return text if _take_receipt(payload, root, recorded.folder, ready) else ""


def _take_receipt(payload: dict[str, Any], root: str, folder: str, ready: Prepared) -> bool:
    """Take the receipt; where none can be written, the text is given out all the same.

    Without a receipt the injection cannot be proved later, but it is what the user needs.
    """
    session_id, start = payload["session_id"], ready.window_start
    size, snapshot_id = ready.transcript_bytes, ready.snapshot_id
    try:
        return take_receipt(folder, session_id, EVENT, start, 0, size, ready.text, snapshot_id)
    except OSError as error:
        from amplihack_compaction.base.hook_log import log_line

        log_line(root, EVENT, f"no receipt could be written: {error}")
        return True
