"""PostCompact: compare the state with the summary, item by item, and store what was lost."""

import json
from typing import Any

from amplihack_compaction.compaction.events import record_event
from amplihack_compaction.compaction.losses import (
    report_losses,
    report_to_json,
)
from amplihack_compaction.content import summary_part
from amplihack_compaction.errors import CompactionError, TranscriptError
from amplihack_compaction.files import replace_atomically
from amplihack_compaction.hook_output.log import logger
from amplihack_compaction.ledger.extract import redacted
from amplihack_compaction.ledger.fold import current_state
from amplihack_compaction.paths import prepare_runtime, session_folder
from amplihack_compaction.settings.settings import load_settings


def answer_post_compact(payload: dict[str, Any], root: str) -> str:
    """Store the loss report beside the event; there is never an answer."""
    log = logger(root, "PostCompact")
    summary = payload.get("compact_summary")
    if not isinstance(summary, str):
        log("payload without compact_summary")
        return ""
    session_id = payload["session_id"]
    folder = session_folder(root, session_id)
    limit = load_settings(root)[0].ledger_items
    try:
        prepare_runtime(root)
        folded = current_state(folder, session_id, payload["transcript_path"], limit)
        if folded.unsaved:
            log(folded.unsaved)
        text = summary_part(summary)
        report = report_losses(folded.state, text)
        path = f"{folder}/losses/{folded.window.start}.json"
        replace_atomically(path, json.dumps(report_to_json(redacted(report))).encode())
        record_event(
            root,
            session_id,
            folded.window.start,
            trigger=payload.get("trigger"),
            loss_report=path,
            summary_characters=len(text),
        )
    except (TranscriptError, CompactionError, OSError) as error:
        log(f"the loss report could not be stored: {error}")
    return ""
