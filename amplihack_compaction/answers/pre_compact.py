"""PreCompact: put the state on disk and tell the summariser what to keep.

It fires several times for one compaction, early, or for one that never comes, so it only
refreshes. Its answer is plain text.
"""

from typing import Any

from amplihack_compaction.answers.log import logger
from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.ledger.hint import summary_hint
from amplihack_compaction.preservation.record import record_compaction


def answer_pre_compact(payload: dict[str, Any], root: str) -> str:
    """Record the window and return what the summary must keep word for word."""
    log = logger(root, "PreCompact")
    try:
        recorded = record_compaction(
            root,
            payload["session_id"],
            payload["transcript_path"],
            log,
            trigger=payload.get("trigger"),
        )
    except TranscriptError as error:
        log(str(error))
        return ""
    return summary_hint(recorded.folded.state, recorded.settings.summary_hint_characters)
