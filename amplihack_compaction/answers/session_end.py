"""SessionEnd: complete what is stored of the session, and remove what crashed hooks left."""

import posix
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.files import list_names
from amplihack_compaction.log import logger
from amplihack_compaction.paths import session_folder
from amplihack_compaction.preservation.delivery import observe
from amplihack_compaction.preservation.record import record_past_compaction

_LEFTOVER_SECONDS = 60
_FOLDERS = ("", "/snapshots", "/windows", "/receipts", "/losses")


def answer_session_end(payload: dict[str, Any], root: str) -> str:
    """Close the session's files; there is never an answer."""
    folder = session_folder(root, payload["session_id"])
    if not Path(folder).is_dir():
        return ""  # nothing was ever compacted here, and nothing is to be closed
    for part in _FOLDERS:
        _remove_leftovers(folder + part)
    _complete_event(payload, root, folder)
    return ""


def _complete_event(payload: dict[str, Any], root: str, folder: str) -> None:
    """Complete a compaction that came after the last Stop, or one whose Stop was too early.

    Its losses stay unchecked: a resumed session's next Stop is the one to speak of them.
    """
    path = payload["transcript_path"]
    position = observe(root, folder, path)
    if position is None or position.boundary <= position.checked or position.window < 0:
        return
    log = logger(root, "SessionEnd")
    try:
        record_past_compaction(root, payload["session_id"], path, position.window, log)
    except TranscriptError as error:
        log(str(error))


def _remove_leftovers(folder: str) -> None:
    """Remove temporary files whose process died before it could rename them."""
    now = time.time()
    for name in list_names(folder):
        if name.endswith(".tmp"):
            with suppress(OSError):
                path = f"{folder}/{name}"
                if now - posix.stat(path).st_mtime > _LEFTOVER_SECONDS:
                    posix.unlink(path)
