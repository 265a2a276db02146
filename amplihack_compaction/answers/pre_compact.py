"""PreCompact: put the state on disk and tell the summariser what to keep.

It fires several times for one compaction, early, or for one that never comes, so it only
refreshes. Its answer is plain text.

Wired in two places (two settings files, or one and the plugin), it is run twice by the client, at
the same moment, and one of the two acts. Nothing in payload or environment names the firing, so it
is told by the transcript's size then: `<session>/firings/<SIZE>` is made by exclusive create. A
summary that failed is asked for again after another round, by which the transcript has grown.
"""

import posix
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.files import create_exclusively, list_names
from amplihack_compaction.hook_output.log import logger
from amplihack_compaction.moments import utc_text
from amplihack_compaction.paths import prepare_runtime, session_folder
from amplihack_compaction.preservation.injection import build_injection
from amplihack_compaction.preservation.prepared import Prepared, prepare
from amplihack_compaction.preservation.record import (
    STORING_FAULTS,
    Recorded,
    record_compaction,
)
from amplihack_compaction.rendering.hint import summary_hint

_TOGETHER_SECONDS = 10.0
"""Hooks of one firing start within this, on the slowest machine; a round takes longer, mostly."""


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
            pre_compact_at=utc_text(),
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


def claim_firing(folder: str, transcript_path: str) -> bool:
    """Return whether this process is the first that the firing started; one of them is.

    Raises OSError when the transcript is not there, or nothing can be written.
    """
    size = str(posix.stat(transcript_path).st_size)
    claims = f"{folder}/firings"
    path = f"{claims}/{size}"
    if not create_exclusively(path, b""):
        if abs(time.time() - posix.stat(path).st_mtime) < _TOGETHER_SECONDS:
            return False
        posix.utime(path)
    for name in list_names(claims):
        if name != size and not name.endswith(".tmp"):
            with suppress(OSError):  # removed by another hook, as it should be
                posix.unlink(f"{claims}/{name}")
    return True


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
