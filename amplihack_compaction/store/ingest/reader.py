"""Read a transcript's new lines into messages, a batch at a time (light).

Only whole lines are read, and only lines of the conversation are parsed. What must be known from
one increment to the next is in `Progress`; as text, for the store:

    TURN BOUNDARY          prompts so far; the uuid of a boundary whose summary is to come, or -
    CALL_ID TOOL           one line for each tool call without a result yet
"""

from amplihack_compaction.base.files import read_range
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.limits import LINE_LIMIT_BYTES
from amplihack_compaction.store.ingest.messages import messages_of, named, said_at, summary_text
from amplihack_compaction.transcript.content import storable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from amplihack_compaction.store.messages import Message

_BLOCK_BYTES = 1024 * 1024
# A batch is stored in one go: the memory that an import needs, and how long it holds the lock.
BATCH_BYTES = 4 * 1024 * 1024
_MESSAGE, _BOUNDARY, _QUEUED = b'"message"', b'"compact_boundary"', b'"queued_command"'
_INTERNAL = b'{"type":"api-request'
# A copy of the result as the client shows it, often the larger half of its line; needed is only
# that it is there. Inside a JSON string its quotes would be escaped.
_COPY = b'"toolUseResult":'
_LINE_START = b'{"parentUuid":'
_OPEN_CALLS = 64


class Progress:
    """How far a transcript is read, and what its next lines need from the ones before."""

    __slots__ = ("boundary", "calls", "position", "sidechain", "turn")

    def __init__(self, position: int = 0, state: str = "") -> None:
        """Take up where the store's position and state left off."""
        self.position = position
        self.turn = 0
        self.boundary = ""
        self.calls: dict[str, str] = {}
        head, _, rest = state.partition("\n")
        turn, _, boundary = head.partition(" ")
        if turn.isdigit():
            self.turn = int(turn)
            self.boundary = "" if boundary == "-" else boundary
            self.calls = dict(line.split(" ", 1) for line in rest.splitlines() if " " in line)

    def as_text(self) -> str:
        """Return the state as the store keeps it."""
        calls = list(self.calls.items())[-_OPEN_CALLS:]
        lines = [f"{name} {tool}" for name, tool in calls if _is_word(name) and tool.isprintable()]
        return "\n".join([f"{self.turn} {self.boundary or '-'}", *lines])


def _is_word(name: str) -> bool:
    return name.isprintable() and " " not in name


class Batch:
    """Messages in the order of the transcript, and the compaction that ends them, if one does.

    `boundary` is `(uuid, place, trigger, time)`, `summary` `(boundary's uuid, text, place, time)`.
    """

    __slots__ = ("boundary", "messages", "position", "state", "summary")

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.boundary: tuple[str, int, str, str] | None = None
        self.summary: tuple[str, str, int, str] | None = None
        self.position = 0
        self.state = ""


def read_batches(
    descriptor: int, progress: Progress, end: int, batch_bytes: int = BATCH_BYTES
) -> "Iterator[Batch]":
    """Yield what the whole lines in `[progress.position, end)` hold.

    `progress` goes along; each batch carries the position and state that belong to it. The last
    batch may be empty: lines that hold no message are read too.
    """
    batch = Batch()
    began = progress.position
    for place, line in _whole_lines(descriptor, progress.position, end):
        progress.position = place + len(line) + 1
        for entry in _entries(line):
            boundary = _boundary_in(entry, place, progress)
            if boundary is not None:
                batch.boundary = boundary
                yield _closed(batch, progress)
                batch, began = Batch(), progress.position
            summary = _summary_in(entry, place, progress)
            if summary is not None:
                batch.summary = summary
                yield _closed(batch, progress)
                batch, began = Batch(), progress.position
            elif boundary is None:
                batch.messages += messages_of(entry, place, progress)
        if progress.position - began >= batch_bytes:
            yield _closed(batch, progress)
            batch, began = Batch(), progress.position
    yield _closed(batch, progress)


def _closed(batch: Batch, progress: Progress) -> Batch:
    batch.position, batch.state = progress.position, progress.as_text()
    return batch


def _whole_lines(descriptor: int, start: int, end: int) -> "Iterator[tuple[int, bytes]]":
    """Yield `(offset, line)`; a line without its end, or one above the limit, is left out."""
    position, carry, too_long = start, b"", False
    while position < end:
        block = read_range(descriptor, position, min(_BLOCK_BYTES, end - position))
        if not block:
            return
        here = position - len(carry)
        position += len(block)
        lines = (carry + block).split(b"\n")
        carry = lines.pop()
        for line in lines:
            if too_long:
                too_long = False
            else:
                yield here, line
            here += len(line) + 1
        if len(carry) > LINE_LIMIT_BYTES:
            carry, too_long = b"", True


def _entries(line: bytes) -> "list[dict[str, Any]]":
    """Return the conversation's entries of a line: one or none, and more where lines were glued."""
    if _MESSAGE not in line and _BOUNDARY not in line and _QUEUED not in line:
        return []
    if line.startswith(_INTERNAL):
        return []
    copy = line.find(_COPY)
    if copy > 0 and line.endswith(b"}") and line.find(_LINE_START, copy) < 0:
        entry = parse_object(line[:copy] + b'"toolUseResult":0}')
        if entry is not None and "uuid" in entry and "message" in entry:
            return [entry]
    entry = parse_object(line)
    if entry is not None:
        return [entry]
    # Torn or glued: rare, and the reader that takes such lines apart costs more to import.
    from amplihack_compaction.transcript.entries import ReadReport, parse_line

    return parse_line(line, ReadReport())


def _boundary_in(
    entry: "dict[str, Any]", place: int, progress: Progress
) -> "tuple[str, int, str, str] | None":
    """Return the compaction that an entry records; clients before 2.0 wrote only its summary."""
    if entry.get("isSidechain"):
        return None
    name, at = named(entry, place), said_at(entry)
    if entry.get("type") == "system" and entry.get("subtype") == "compact_boundary":
        metadata = entry.get("compactMetadata")
        trigger = metadata.get("trigger") if isinstance(metadata, dict) else ""
        progress.boundary = name
        return name, place, storable(str(trigger or "")), at
    if entry.get("isCompactSummary") is True and not progress.boundary:
        progress.boundary = name
        return name, place, "", at
    return None


def _summary_in(
    entry: "dict[str, Any]", place: int, progress: Progress
) -> "tuple[str, str, int, str] | None":
    if entry.get("isCompactSummary") is not True or entry.get("isSidechain"):
        return None
    boundary, progress.boundary = progress.boundary, ""
    return boundary, summary_text(entry), place, said_at(entry)
