"""Receipts: the proof that a state was injected.

A receipt is the proof that a state was injected for one compaction, taken once:
`<session>/receipts/<WINDOW>.json`, where WINDOW is the byte offset at which the compacted window
began. At SessionStart the boundary is not in the transcript yet, and the window's start is what
tells this compaction from the others; the hook that finds the boundary later knows the same
number. The file is made by exclusive create, so of hooks that run in parallel one injects.

    {"version": 1, "session_id": ..., "transcript_offset": size of the transcript when taken,
     "window_start": WINDOW, "event": hook event, "at": ISO time, "utf16": length of the text,
     "snapshot": its id}

A receipt says that a text was given out. It was *delivered* when the transcript shows it.
"""

import posix

from amplihack_compaction.base.files import (
    create_exclusively,
    list_names,
    parse_object,
    read_bytes,
    replace_atomically,
)
from amplihack_compaction.base.size_limits import STATE_HEAD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


STATE_MARKER = STATE_HEAD.encode()
_RECEIPT_LIMIT_BYTES = 64 * 1024


def receipt_path(folder: str, window_start: int, attempt: int = 0) -> str:
    """Return the file of the receipt for a window; `attempt` counts repetitions."""
    suffix = f".{attempt}" if attempt else ""
    return f"{folder}/receipts/{window_start}{suffix}.json"


def take_receipt(
    folder: str,
    session_id: str,
    event: str,
    window_start: int,
    attempt: int,
    transcript_bytes: int,
    text: str,
    snapshot_id: str,
) -> bool:
    """Take the receipt for a text that is given out; False means that another hook has it.

    `transcript_bytes` is the transcript's size now. Raises OSError when it cannot be written.
    """
    import json

    from amplihack_compaction.base.timestamps import utc_text

    content = {
        "version": 1,
        "session_id": session_id,
        "transcript_offset": transcript_bytes,
        "window_start": window_start,
        "event": event,
        "at": utc_text(),
        "utf16": len(text.encode("utf-16-le", "replace")) // 2,
        "snapshot": snapshot_id,
    }
    return claim(folder, window_start, json.dumps(content).encode(), attempt)


def claim(folder: str, window_start: int, content: bytes, attempt: int = 0) -> bool:
    """Take the receipt for a window; return False when it is taken already."""
    return create_exclusively(receipt_path(folder, window_start, attempt), content)


def read_receipt(folder: str, window_start: int) -> "dict[str, Any] | None":
    """Return the receipt for a window, or None when there is none that can be read."""
    data = read_bytes(receipt_path(folder, window_start), _RECEIPT_LIMIT_BYTES)
    return parse_object(data) if data else None


def is_claimed(folder: str, window_start: int, attempt: int = 0) -> bool:
    """Return whether the receipt for a window is taken."""
    try:
        posix.stat(receipt_path(folder, window_start, attempt))
    except OSError:
        return False
    return True


def set_aside(folder: str, window_start: int, offset: int) -> None:
    """Rename a receipt whose compaction never came to pass, so that it can be taken again."""
    path = receipt_path(folder, window_start)
    posix.rename(path, f"{path}.void-{offset}")


def leave_pending(folder: str, text: str) -> None:
    """Leave a text for the next prompt or tool use of the session."""
    from amplihack_compaction.base.signature import mark_of

    data, path = text.encode("utf-8", "replace"), f"{folder}/pending"
    replace_atomically(path, mark_of(data, path).encode() + b"\n" + data)


def list_receipts(folder: str) -> "list[dict[str, Any]]":
    """Return all receipts of a session that can be read, by window."""
    names = [name for name in list_names(f"{folder}/receipts") if name.endswith(".json")]
    contents = (read_bytes(f"{folder}/receipts/{name}", _RECEIPT_LIMIT_BYTES) for name in names)
    found = [parse_object(content) for content in contents if content]
    return sorted((r for r in found if r), key=lambda r: int(r.get("window_start") or 0))


def claim_check(folder: str, window_start: int) -> bool:
    """Take the right to speak about a compaction's losses; False when it is taken already."""
    return create_exclusively(f"{folder}/receipts/{window_start}.checked", b"1\n")
