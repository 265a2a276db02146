"""SessionStart after a compaction: refresh what is stored, and inject the state.

At this moment the summary exists, but the transcript still has no boundary: it is the complete
file from before, and so the place to extract from.
"""

from pathlib import Path
from typing import Any

from amplihack_compaction.answers.decisions import additional_context
from amplihack_compaction.answers.log import logger
from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.preservation.injection import (
    build_injection,
    take_receipt,
    void_unused_receipt,
)
from amplihack_compaction.preservation.record import record_compaction


def answer_session_start(payload: dict[str, Any], root: str) -> str:
    """Return the injection after a compaction (source `compact`), once for each."""
    log = logger(root, "SessionStart")
    path = payload["transcript_path"]
    try:
        recorded = record_compaction(
            root, payload["session_id"], path, log, restored_at_session_start=True
        )
    except TranscriptError as error:
        log(str(error))
        return ""
    text = build_injection(recorded)
    window_start = recorded.folded.window.start
    try:
        void_unused_receipt(recorded.folder, window_start, path, log)
        size = Path(path).stat().st_size
        if not take_receipt(recorded, "SessionStart", text, window_start, 0, size):
            return ""
    except OSError as error:
        # Without a receipt the injection cannot be proved later, but it is what the user needs.
        log(f"no receipt could be written: {error}")
    return additional_context("SessionStart", text)
