"""PostCompact: compare the state with the summary, item by item, and store what was lost."""

import json
from typing import Any

from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.files import replace_atomically
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.clients.reading import summary_part
from amplihack_compaction.extract.window import redacted
from amplihack_compaction.ledger.stored import current_state
from amplihack_compaction.validation.events import record_event
from amplihack_compaction.validation.losses import (
    report_losses,
    report_to_json,
)


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
