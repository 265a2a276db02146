"""Keep a redacted copy of a window's transcript: what a compaction took out of the conversation.

The copy has the window's lines in file order, without the client's own request records, with
secrets replaced. It is what the validator compares with, inside the project as it demands.
"""

import posix
import stat
from collections.abc import Iterator
from contextlib import suppress

from amplihack_compaction.base.files import list_names, replace_with_parts
from amplihack_compaction.base.redaction.redacted_json import holds_no_secret, redact_line
from amplihack_compaction.transcript.entries import ReadReport, is_internal_line, iterate_lines

# More than any model's window; of a larger one the newest lines are kept.
_COPY_LIMIT_BYTES = 32 * 1024 * 1024


def copy_window(
    folder: str, transcript_path: str, window_start: int, window_end: int | None, keep: int
) -> str:
    """Write the copy of the window between two byte offsets and return its path.

    `window_end` is None for the window that is still open. `keep` is the number of copies that
    stay; 0 writes none and returns nothing.
    """
    if keep == 0:
        return ""
    path = copy_path(folder, window_start)
    replace_with_parts(path, _redacted_lines(transcript_path, window_start, window_end))
    _remove_oldest(f"{folder}/windows", keep)
    return path


def has_copy(folder: str, window_start: int) -> bool:
    """Return whether there is a copy of the window that begins at this byte offset.

    Raises OSError when that cannot be told.
    """
    try:
        return stat.S_ISREG(posix.stat(copy_path(folder, window_start)).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def copy_path(folder: str, window_start: int) -> str:
    """Return the file of the copy of the window that begins at this byte offset."""
    return f"{folder}/windows/{window_start}.jsonl"


def _redacted_lines(transcript_path: str, start: int, end: int | None) -> Iterator[bytes]:
    last = posix.stat(transcript_path).st_size if end is None else end
    first = max(start, last - _COPY_LIMIT_BYTES)
    for offset, line in iterate_lines(transcript_path, first, last, ReadReport()):
        torn_by_the_limit = offset == first and first > start
        if torn_by_the_limit or not line.endswith(b"\n") or is_internal_line(line):
            continue
        if holds_no_secret(line):
            yield line
        else:
            yield redact_line(line.decode("utf-8", "replace")).encode()


def _remove_oldest(folder: str, keep: int) -> None:
    names = (name[:-6] for name in list_names(folder) if name.endswith(".jsonl"))
    starts = sorted(int(name) for name in names if name.isdecimal())
    for start in starts[: max(0, len(starts) - keep)]:
        with suppress(FileNotFoundError):
            posix.unlink(f"{folder}/{start}.jsonl")
