"""Carry the client's task files over to a copy.

The client keeps a session's tasks in `<config>/tasks/<session>/<n>.json`, beside the folder of its
transcripts, and reads them by the session's id: without them, a resumed copy has no tasks.
"""

import posix
import re
from contextlib import suppress
from pathlib import Path

from amplihack_compaction.base.files import create_exclusively, is_folder, list_names, read_bytes

_NAME = re.compile(r"[\w-]{1,80}\.json")
_MOST_FILES = 500
_LIMIT_BYTES = 256 * 1024


def carry_tasks(transcript_path: str, old_id: str, new_id: str) -> list[str]:
    """Copy a session's task files to another id; return their names. Raises OSError."""
    source, target = _folder(transcript_path, old_id), _folder(transcript_path, new_id)
    if source is None or target is None or not is_folder(source):
        return []
    names = [name for name in list_names(source) if _NAME.fullmatch(name)][:_MOST_FILES]
    carried: list[str] = []
    try:
        for name in names:
            data = read_bytes(f"{source}/{name}", _LIMIT_BYTES)
            if data is not None and create_exclusively(f"{target}/{name}", data):
                carried.append(name)
    except BaseException:
        with suppress(OSError):
            drop_tasks(transcript_path, new_id, carried)
        raise
    return carried


def drop_tasks(transcript_path: str, session_id: str, names: list[str]) -> None:
    """Remove task files that were carried over, and their folder when nothing else is in it.

    Raises OSError when one of them cannot be removed.
    """
    folder = _folder(transcript_path, session_id)
    if folder is None or not names or not is_folder(folder):
        return
    for name in names:
        if _NAME.fullmatch(name):
            with suppress(FileNotFoundError):
                posix.unlink(f"{folder}/{name}")
    with suppress(OSError):  # not empty
        posix.rmdir(folder)


def _folder(transcript_path: str, session_id: str) -> str | None:
    """Return the folder of a session's tasks; None for a transcript that lies elsewhere."""
    projects = Path(transcript_path).absolute().parent.parent
    if projects.name != "projects" or "/" in session_id or session_id.startswith("."):
        return None
    return f"{projects.parent}/tasks/{session_id}"
