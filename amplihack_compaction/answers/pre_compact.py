"""PreCompact: put the state on disk and tell the summariser what to keep.

It fires several times for one compaction, early, or for one that never comes, so it only
refreshes. Its answer is plain text.
"""

from collections.abc import Callable
from typing import Any

from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.ledger.hint import summary_hint
from amplihack_compaction.log import logger
from amplihack_compaction.paths import prepare_runtime, session_folder
from amplihack_compaction.preservation.firing import claim_firing
from amplihack_compaction.preservation.injection import build_injection
from amplihack_compaction.preservation.prepared import Prepared, prepare
from amplihack_compaction.preservation.record import (
    STORING_FAULTS,
    Recorded,
    record_compaction,
)


def answer_pre_compact(payload: dict[str, Any], root: str) -> str:
    """Record the window and return what the summary must keep word for word.

    The client joins what all hooks print: wired twice, one of them is silent.
    """
    if not _is_first(payload, root):
        return ""
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
    hint = summary_hint(recorded.folded.state, recorded.settings.summary_hint_characters)
    if recorded.folder:
        _prepare_injection(recorded, log)
        if payload.get("trigger") == "auto":
            _act(payload, root, recorded.folder, log)
    return hint


def _is_first(payload: dict[str, Any], root: str) -> bool:
    try:
        prepare_runtime(root)
        folder = session_folder(root, payload["session_id"])
        return claim_firing(folder, payload["transcript_path"])
    except OSError:
        return True  # what the transcript or the disk lacks is said by what comes next


def _act(payload: dict[str, Any], root: str, folder: str, log: Callable[[str], None]) -> None:
    from amplihack_compaction.answers.level_event import act_before_compaction

    try:
        act_before_compaction(root, payload["session_id"], payload["transcript_path"], folder, log)
    except STORING_FAULTS as error:
        log(f"what was due before the compaction could not be done: {error!r}")


def _prepare_injection(recorded: Recorded, log: Callable[[str], None]) -> None:
    ready = Prepared(
        build_injection(recorded),
        recorded.folded.window.start,
        recorded.snapshot_id,
        recorded.folded.end_bytes,
    )
    try:
        prepare(recorded.folder, ready)
    except OSError as error:
        log(f"the injection could not be prepared: {error}")
