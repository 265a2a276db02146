"""PostCompact: compare the state with the summary, item by item, and store what was lost."""

from typing import Any

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.speakers import summary_part
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.position import observe
from amplihack_compaction.ledger.stored import Folded, current_state
from amplihack_compaction.validation.events import record_event
from amplihack_compaction.validation.losses import report_losses, store_losses

# The longest of 84 real summaries has 42,000; looking for the state in a megabyte takes a second.
_SUMMARY_CHARS = 400_000


def answer_post_compact(payload: dict[str, Any], root: str) -> str:
    """Store the loss report beside the event; there is never an answer."""
    log = logger(root, "PostCompact")
    session_id, path = payload["session_id"], payload["transcript_path"]
    folder = session_folder(root, session_id)
    limit = load_settings(root)[0].ledger_items
    try:
        prepare_runtime(root)
        folded = current_state(folder, session_id, path, limit)
        if folded.unsaved:
            log(folded.unsaved)
        if tail_of(path).BOUNDARY_COMES_FIRST:
            state, start, text = _as_written(root, folder, path, folded)
        else:
            state, start = folded.state, folded.window.start
            text = payload.get("compact_summary")
        if not isinstance(text, str):
            log("no summary, neither in the payload nor in the transcript")
            return ""
        text = summary_part(text[:_SUMMARY_CHARS])
        record_event(
            root,
            session_id,
            start,
            trigger=payload.get("trigger"),
            loss_report=store_losses(folder, start, report_losses(state, text)),
            summary_characters=len(text),
        )
    except (CompactionError, OSError) as error:
        log(f"the loss report could not be stored: {error}")
    return ""


def _as_written(
    root: str, folder: str, path: str, folded: Folded
) -> tuple[SessionState, int, str | None]:
    """Return state, window and summary of a compaction whose boundary is written already."""
    position = observe(root, folder, path, look_back=True)
    if position is None or position.window < 0:
        return folded.base, 0, None
    return folded.base, position.window, folded.window.summary
