"""Read a transcript's raw lines, and write a copy's: another session id, the parts left out.

A line without a session id stays to the byte, the value of every other one but for that id. Where
something was left out stands a placeholder:

    [Left out: 812 lines of /a/b.py. Read it again, or: amplihack-compaction expand 1f2e3d4c.17]

An id is the first eight digits of the copy's session id and the number of the part, so that it
leads to the copy's manifest.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import groupby
from typing import Any, BinaryIO

from amplihack_compaction.base.errors import CopyError
from amplihack_compaction.base.files import parse_object
from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES
from amplihack_compaction.compactor.transcripts.manifest import LeftOutKind, LeftOutPart, Pointer
from amplihack_compaction.text.words import counted, one_line, printable
from amplihack_compaction.transcript.session import JsonObject, ToolUse

HASH_BYTES = 12
# Of the client's own form of a result, which the model is not sent, only long texts go.
_LONG_CHARS = 400
_DEPTH = 6
# message, content, number
_BLOCK_DEPTH = 3
_ID_KEY = b'"sessionId":"'
_RECORDS = (b'{"type":"api-request', b'{"type": "api-request')


@dataclass(frozen=True, slots=True)
class RawLine:
    """A line's bytes, its offset and number."""

    offset: int
    number: int
    data: bytes

    @property
    def is_read(self) -> bool:
        """Whether it is taken apart: a huge one is copied as it is."""
        return len(self.data) <= LINE_LIMIT_BYTES


def raw_lines(stream: BinaryIO, stop: int) -> Iterator[RawLine]:
    """Yield the lines of the first `stop` bytes.

    A last line without its newline counts when it is a whole object; otherwise it is still being
    written, or torn.
    """
    stream.seek(0)
    offset = 0
    for number, line in enumerate(stream):
        data = line[: stop - offset]
        if not data or not (data.endswith(b"\n") or parse_object(data)):
            return
        yield RawLine(offset, number, data)
        offset += len(data)


def is_record(data: bytes) -> bool:
    """Return whether a line is a record of the client's own request: resuming needs none."""
    return data.startswith(_RECORDS)


def copy_lines(
    stream: BinaryIO, parts: Sequence[LeftOutPart], stop: int, ids: tuple[str, str]
) -> Iterator[bytes]:
    """Yield the bytes of a copy of the first `stop` ones, its session's id the second of `ids`.

    Raises CopyError when the transcript is not what the parts were found in.
    """
    expected = {offset: list(found) for offset, found in groupby(parts, lambda p: p.offset)}
    data = b""
    for line in raw_lines(stream, stop):
        data = line.data
        if line.is_read:
            if is_record(data):
                continue
            found = expected.pop(line.offset, [])
            if found and found[0].hash != line_hash(data):
                raise _changed()
            data = _copied(data, found, *ids)
        yield data
    if expected or stream.seek(0, 2) < stop:
        raise _changed()
    if data and not data.endswith(b"\n"):
        yield b"\n"  # the client appends to this file


def line_hash(data: bytes) -> str:
    """Return the hash that tells whether a line of the original is still the same."""
    return blake2b(data, digest_size=HASH_BYTES).hexdigest()


def follow(entry: Any, pointer: Pointer) -> Any:
    """Return the value that a pointer leads to. Raises LookupError or TypeError without one."""
    for step in pointer:
        entry = entry[step]
    return entry


def _copied(data: bytes, parts: list[LeftOutPart], old_id: str, new_id: str) -> bytes:
    """Return a line with another session's id and without some parts, else as it was.

    What is not one object (torn, or two of them on one line) has the old id's keys replaced.
    """
    if _ID_KEY not in data and not parts:
        return data
    entry = parse_object(data)
    if entry is None:
        old, new = (_ID_KEY + each.encode("utf-8", "replace") + b'"' for each in (old_id, new_id))
        return data.replace(old, new)
    if isinstance(entry.get("sessionId"), str):
        entry["sessionId"] = new_id
    elif not parts:
        return data
    for part in parts:
        _leave_out(entry, part, new_id)
    if gone := {part.pointer[-1] for part in parts if _is_block(part)}:
        # The line stays, with its uuid, maybe without content: the client joins the lines of one
        # message, and thinking goes only where one of them has more.
        content = entry["message"]["content"]
        entry["message"]["content"] = [b for n, b in enumerate(content) if n not in gone]
    # As the client writes it; a lone surrogate, which UTF-8 cannot carry, as the escape it was.
    text = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
    end = data[len(data.rstrip(b"\r\n")) :]
    return text.encode("utf-8", "backslashreplace") + end


def _leave_out(entry: JsonObject, part: LeftOutPart, new_id: str) -> None:
    """Put the placeholder in a part's place; blocks of a message are dropped afterwards."""
    holder, last = follow(entry, part.pointer[:-1]), part.pointer[-1]
    text = numbered(part.text, new_id, part.n)
    if _is_block(part):
        if text:
            # At the end of the user's words, marked as none of them, so that they stay as said.
            text = f"<system-reminder>{text}</system-reminder>"
            holder.append({"type": "text", "text": text})
        return
    is_media = part.kind in (LeftOutKind.IMAGE, LeftOutKind.DOCUMENT)
    holder[last] = {"type": "text", "text": text} if is_media else text
    if part.kind is not LeftOutKind.WRITTEN and "toolUseResult" in entry:
        entry["toolUseResult"] = _without_long_texts(entry["toolUseResult"], text)


def _is_block(part: LeftOutPart) -> bool:
    """Return whether a part is a block of a message: thinking, or an image beside a prompt."""
    return len(part.pointer) == _BLOCK_DEPTH


def _without_long_texts(value: Any, text: str, depth: int = _DEPTH) -> Any:
    """Return the client's form of a result, of the same shape, its long texts replaced."""
    if isinstance(value, str):
        return text if len(value) > _LONG_CHARS else value
    if isinstance(value, dict) and depth:
        return {key: _without_long_texts(inner, text, depth - 1) for key, inner in value.items()}
    if isinstance(value, list) and depth:
        return [_without_long_texts(inner, text, depth - 1) for inner in value]
    return value


def _changed() -> CopyError:
    return CopyError("the transcript changed while it was read; nothing was written, try again")


ID = re.compile(r"([0-9a-f]{8})\.(\d{1,9})")
_COMMAND = "amplihack-compaction expand "
# As long as an id, so that sizes are right before there is one; `_plain` lets no such sign through.
_NUMBER = "\0" * 12
_WHAT_CHARS = 120
_AGAIN = {
    "Read": "Read it again",
    "NotebookRead": "Read it again",
    "Bash": "Run it again",
    "BashOutput": "",
    "Task": "",
    "Agent": "",
}
READERS = frozenset(("Read", "NotebookRead"))


def tool_subject(tool: str, given: dict[str, Any]) -> str:
    """Return what a tool was used on, on one line: a file, a command, a pattern."""
    return _plain(ToolUse("", tool, given).used_on)


def placeholder(
    kind: LeftOutKind, what: str, tool: str = "", lines: int = 1, media_type: str = ""
) -> str:
    """Return what stands in a part's place, still without its id; nothing for thinking.

    `what` is the tool's subject, where a `tool` was used.
    """
    again, amount = "", counted(lines, "line")
    match kind:
        case LeftOutKind.THINKING:
            return ""
        case LeftOutKind.TOOL_OUTPUT:
            again = _AGAIN.get(tool, "Ask again")
            if tool in READERS:
                source = what or "a file"
            elif tool == "Bash":
                source = f"output of `{what}`"
            else:
                source = f"output of {_plain(tool) or 'a tool'} {what}".rstrip()
            told = f"{amount} of {source}"
        case LeftOutKind.SUPERSEDED_READ:
            told = f"{what or tool or 'a file'} as it was here; a later state follows"
        case LeftOutKind.DUPLICATE:
            told = f"{amount} that come again later, of {what or tool or 'a tool'}"
        case LeftOutKind.WRITTEN:
            told = f"{amount} that went into {what or 'a file'} here"
        case LeftOutKind.IMAGE | LeftOutKind.DOCUMENT:
            article = "an image" if kind is LeftOutKind.IMAGE else "a document"
            of_type = f" ({_plain(media_type)})" if media_type else ""
            told = f"{article}{of_type}{' of ' + what if what else ''}"
    return f"[Left out: {told}. {again + ', or' if again else 'See it'}: {_COMMAND}{_NUMBER}]"


def numbered(text: str, session_id: str, number: int) -> str:
    """Return a placeholder with its id."""
    return text.replace(_NUMBER, f"{session_id[:8]}.{number}")


def _plain(text: str) -> str:
    return printable(one_line(text, _WHAT_CHARS))
