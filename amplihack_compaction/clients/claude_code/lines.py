"""Lines of Claude Code's transcripts made objects, and the lines that are none of a conversation.

A transcript is JSONL that the client appends to. Real files also hold two objects glued on one
line, lines torn by a crash, values that are no objects and lines of several megabytes; each is
skipped on its own and counted, and never takes its neighbours with it.
"""

from collections.abc import Iterator
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, BinaryIO

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.files import is_too_dense, open_regular, parse_object
from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES
from amplihack_compaction.transcript.session import JsonObject, ReadReport

if TYPE_CHECKING:
    from pathlib import Path

# The client records its own API requests, prompts and listings beside the conversation, up to
# 100 kB a line; they are told by their first bytes, before any parsing.
_INTERNAL_TYPES = (
    "api-request",
    "atis-latch",
    "tools-used",
    "file-history",
    "cost-state",
    "progress",
)
_INTERNAL_PREFIXES = tuple(
    f'{{"type":{gap}"{name}'.encode() for name in _INTERNAL_TYPES for gap in ("", " ")
)
_INTERNAL_ATTACHMENT = b'"attachment":{"type":"prompt_snapshot"'
_ATTACHMENT_HEAD_BYTES = 400
# Two lines glued are common, three were seen; a line of thousands of beginnings is hostile, and
# every try reads on from there.
_BROKEN_PIECES = 8
# Most lines are shorter than the few kilobytes that a stream takes at once by itself.
_BUFFER_BYTES = 128 * 1024
_decoder = JSONDecoder()


def is_internal_line(line: bytes) -> bool:
    """Return whether a line is the client's own record, not conversation, by its first bytes."""
    if line.startswith(_INTERNAL_PREFIXES):
        return True
    return line.find(_INTERNAL_ATTACHMENT, 0, _ATTACHMENT_HEAD_BYTES) >= 0


def iterate_lines(
    path: "Path | str", start: int, end: int | None, report: ReadReport
) -> Iterator[tuple[int, bytes]]:
    """Yield `(offset, line)` for each line that starts in `[start, end)`; `end` None is all.

    A line without its end is the last one: the client is writing it, and what it adds meanwhile
    would be taken for a line of its own, with the lines behind it, up to a boundary maybe. Lines
    above the line limit, in bytes or values, are counted and left out. Raises TranscriptError when
    the file cannot be opened or is no regular file.
    """
    try:
        descriptor = open_regular(str(path))
    except (OSError, ValueError) as error:
        raise TranscriptError(f"cannot read the transcript {path}: {reason_of(error)}") from error
    with open(descriptor, "rb", _BUFFER_BYTES) as stream:  # noqa: PTH123 - already checked
        offset = stream.seek(start)
        while end is None or offset < end:
            line = stream.readline(LINE_LIMIT_BYTES)
            if not line:
                return
            report.lines += 1
            here, offset = offset, offset + len(line)
            is_whole = line.endswith(b"\n")
            report.end = offset if is_whole else report.end
            if len(line) >= LINE_LIMIT_BYTES and not is_whole:
                offset += _skip_rest_of_line(stream)
                report.skip("line too long")
                continue
            if is_too_dense(line):
                report.skip("line of too many values")
            else:
                yield here, line
            if not is_whole:
                return


def _skip_rest_of_line(stream: BinaryIO) -> int:
    skipped = 0
    while part := stream.readline(LINE_LIMIT_BYTES):
        skipped += len(part)
        if part.endswith(b"\n"):
            break
    return skipped


def parse_line(line: bytes, report: ReadReport) -> list[JsonObject]:
    """Return the objects of one line: one, more when lines were glued, none when it is broken."""
    # To try to parse a line that has no object costs twenty times what this look does.
    if b"{" not in line or b'"' not in line or b"}" not in line:
        report.skip("not an object")
        return []
    if is_too_dense(line):
        report.skip("line of too many values")
        return []
    whole = parse_object(line)
    if whole is not None:
        return [whole]
    values = _decode_glued(line.decode("utf-8", "replace").strip(), report)
    objects = [value for value in values if isinstance(value, dict)]
    for _ in range(len(values) - len(objects)):
        report.skip("not an object")
    return objects


def _decode_glued(text: str, report: ReadReport) -> list[Any]:
    """Decode what can be decoded of a line that is not one JSON value."""
    values: list[Any] = []
    position = broken = 0
    while 0 <= position < len(text) and broken < _BROKEN_PIECES:
        try:
            value, end = _decoder.raw_decode(text, position)
        except (ValueError, RecursionError):  # ValueError: also an integer of thousands of digits
            report.skip("broken")
            broken += 1
            position = _next_object(text, position + 1)
            continue
        values.append(value)
        position = _skip_space(text, end)
    return values


def _next_object(text: str, position: int) -> int:
    """Return where the next whole line was glued behind a torn one, or -1."""
    starts = (text.find(mark, position) for mark in ('{"parentUuid":', '{"type":"'))
    return min((start for start in starts if start >= 0), default=-1)


def _skip_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position
