"""The injection, made ready at PreCompact, so that SessionStart need only hand it out.

`<session>/prepared` is a line with its mark, one `WINDOW SIZE SNAPSHOT` and the text: where the
open window began, the transcript's size when it was read, and the snapshot taken then. Extraction
costs forty times an interpreter's start, and between the two events nothing is said, unless
PreCompact came early.
"""

import posix

from amplihack_compaction.base.files import open_regular, read_bytes, read_range, replace_atomically
from amplihack_compaction.base.paths import EDITS_FILE
from amplihack_compaction.base.signature import is_marked, mark_of
from amplihack_compaction.clients import tail_of

_LIMIT_BYTES = 256 * 1024
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
    mark, _, data = (read_bytes(path, _LIMIT_BYTES) or b"").partition(b"\n")
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
