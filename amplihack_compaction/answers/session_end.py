"""SessionEnd: bring the session's ledger up to date and remove what crashed hooks left behind."""

import posix
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from amplihack_compaction.answers.log import logger
from amplihack_compaction.errors import TranscriptError
from amplihack_compaction.files import list_names
from amplihack_compaction.paths import session_folder

_LEFTOVER_SECONDS = 60
_FOLDERS = ("", "/snapshots", "/windows", "/receipts", "/losses")


def answer_session_end(payload: dict[str, Any], root: str) -> str:
    """Close the session's files; there is never an answer."""
    folder = session_folder(root, payload["session_id"])
    if not Path(folder).is_dir():
        return ""  # nothing was ever compacted here, and nothing is to be closed
    for part in _FOLDERS:
        _remove_leftovers(folder + part)
    from amplihack_compaction.ledger.fold import current_state
    from amplihack_compaction.settings import load_settings

    limit = load_settings(root)[0].ledger_items
    try:
        current_state(folder, payload["session_id"], payload["transcript_path"], limit)
    except (TranscriptError, OSError) as error:
        logger(root, "SessionEnd")(str(error))
    return ""


def _remove_leftovers(folder: str) -> None:
    """Remove temporary files whose process died before it could rename them."""
    now = time.time()
    for name in list_names(folder):
        if name.endswith(".tmp"):
            with suppress(OSError):
                path = f"{folder}/{name}"
                if now - posix.stat(path).st_mtime > _LEFTOVER_SECONDS:
                    posix.unlink(path)
