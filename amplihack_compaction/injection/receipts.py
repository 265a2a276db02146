"""The injection that is ready, and receipts: the proof that a state was injected.

A receipt is the proof that a state was injected for one compaction, taken once:
`<session>/receipts/<WINDOW>.json`, where WINDOW is the byte offset at which the compacted window
began. At SessionStart the boundary is not in the transcript yet, and the window's start is what
tells this compaction from the others; the hook that finds the boundary later knows the same
number. The file is made by exclusive create, so of hooks that run in parallel one injects.

    {"version": 1, "session_id": ..., "transcript_offset": size of the transcript when taken,
     "window_start": WINDOW, "event": hook event, "at": ISO time, "utf16": length of the text,
     "snapshot": its id}

A receipt says that a text was given out. It was *delivered* when the transcript shows it.

`<session>/prepared` is the injection that PreCompact made ready, so that SessionStart need only
hand it out: extraction costs forty times an interpreter's start, and between the two events nothing
is said, unless PreCompact came early. A line has the mark of the rest, one `WINDOW SIZE SNAPSHOT`:
where the open window began, the transcript's size when it was read, and the snapshot taken then.
"""

import posix

from amplihack_compaction.base.files import (
    create_exclusively,
    is_regular,
    list_names,
    open_regular,
    parse_object,
    read_bytes,
    read_range,
    replace_atomically,
)
from amplihack_compaction.base.paths import EDITS_FILE
from amplihack_compaction.base.signature import is_marked, mark_of
from amplihack_compaction.clients import tail_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


_RECEIPT_LIMIT_BYTES = 64 * 1024


def receipt_path(folder: str, window_start: int, attempt: int = 0) -> str:
    """Return the file of the receipt for a window; `attempt` counts repetitions."""
    suffix = f".{attempt}" if attempt else ""
    return f"{folder}/receipts/{window_start}{suffix}.json"


def take_receipt(
    folder: str, session_id: str, event: str, ready: "Prepared", attempt: int = 0
) -> bool:
    """Take the receipt for a text that is given out; False means that another hook has it.

    Raises OSError when it cannot be written.
    """
    import json

    from amplihack_compaction.base.timestamps import utc_text

    content = {
        "version": 1,
        "session_id": session_id,
        "transcript_offset": ready.transcript_bytes,
        "window_start": ready.window_start,
        "event": event,
        "at": utc_text(),
        "utf16": len(ready.text.encode("utf-16-le", "replace")) // 2,
        "snapshot": ready.snapshot_id,
    }
    return claim(folder, ready.window_start, json.dumps(content).encode(), attempt)


def claim(folder: str, window_start: int, content: bytes, attempt: int = 0) -> bool:
    """Take the receipt for a window; return False when it is taken already."""
    return create_exclusively(receipt_path(folder, window_start, attempt), content)


def read_receipt(folder: str, window_start: int) -> "dict[str, Any] | None":
    """Return the receipt for a window, or None when there is none that can be read."""
    data = read_bytes(receipt_path(folder, window_start), _RECEIPT_LIMIT_BYTES)
    return parse_object(data) if data else None


def is_claimed(folder: str, window_start: int, attempt: int = 0) -> bool:
    """Return whether the receipt for a window is taken."""
    return is_regular(receipt_path(folder, window_start, attempt))


def set_aside(folder: str, window_start: int, offset: int) -> None:
    """Rename a receipt whose compaction never came to pass, so that it can be taken again."""
    path = receipt_path(folder, window_start)
    posix.rename(path, f"{path}.void-{offset}")


def leave_pending(folder: str, text: str) -> None:
    """Leave a text for the next prompt or tool use of the session."""
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


_PREPARED_LIMIT_BYTES = 256 * 1024
_NEWS_LIMIT_BYTES = 1024 * 1024


class Prepared:
    """A text that is ready: its window, its snapshot, and the transcript's size now."""

    __slots__ = ("snapshot_id", "text", "transcript_bytes", "window_start")

    def __init__(
        self, text: str, window_start: int, snapshot_id: str, transcript_bytes: int
    ) -> None:
        self.text = text
        self.window_start = window_start
        self.snapshot_id = snapshot_id
        self.transcript_bytes = transcript_bytes


def prepare(folder: str, prepared: Prepared) -> None:
    """Store the text for the window that is open."""
    head = f"{prepared.window_start} {prepared.transcript_bytes} {prepared.snapshot_id}\n"
    data = (head + prepared.text).encode("utf-8", "replace")
    path = f"{folder}/prepared"
    mark = mark_of(data, path)
    if mark:
        replace_atomically(path, mark.encode() + b"\n" + data)


def read_prepared(folder: str, transcript_path: str) -> Prepared | None:
    """Return the text that is ready; None when there is none, or anything was said since."""
    path = f"{folder}/prepared"
    mark, _, data = (read_bytes(path, _PREPARED_LIMIT_BYTES) or b"").partition(b"\n")
    if not is_marked(data, path, mark.decode("ascii", "replace")):
        return None
    head, _, text = data.partition(b"\n")
    try:
        window_start, seen, snapshot_id = head.decode("ascii").split(" ")
        size = _size_without_news(transcript_path, int(seen))
        if not text or size < 0 or is_edited_since(folder, path):
            return None
        return Prepared(text.decode("utf-8"), int(window_start), snapshot_id, size)
    except (ValueError, OSError):
        return None


def is_edited_since(folder: str, path: str) -> bool:
    """Return whether the session's ledger was changed by hand after a file was written."""
    try:
        return posix.stat(f"{folder}/{EDITS_FILE}").st_mtime_ns > posix.stat(path).st_mtime_ns
    except OSError:
        return False


def _size_without_news(transcript_path: str, seen: int) -> int:
    """Return the transcript's size, or -1 when something was said; raises OSError."""
    descriptor = open_regular(transcript_path)
    try:
        size = posix.fstat(descriptor).st_size
        if not 0 <= size - seen <= _NEWS_LIMIT_BYTES:
            return -1
        news = read_range(descriptor, seen, size - seen)
    finally:
        posix.close(descriptor)
    return -1 if any(mark in news for mark in tail_of(transcript_path).CONVERSATION_MARKS) else size
