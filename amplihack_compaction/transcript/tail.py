"""Find compaction boundaries in a range of a transcript without parsing the rest (hot).

A boundary is a line of its own: an object with `"type":"system"` and
`"subtype":"compact_boundary"`. Inside a JSON string the marker's quotes would be escaped, so a
hit on the raw bytes is such a line or an object that another line carries; parsing that one line
tells which.
"""

from amplihack_compaction.base.files import read_range
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.limits import LINE_LIMIT_BYTES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER = b'"compact_boundary"'
_BLOCK_BYTES = 1024 * 1024


def is_boundary_line(line: bytes) -> bool:
    """Return whether a raw line is, or ends in, a compaction boundary of the main chain."""
    if MARKER not in line:
        return False
    entry = parse_object(line)
    if entry is not None:
        return _is_boundary(entry)
    # Glued behind a torn one: rare, and the reader that takes such lines apart costs more.
    from amplihack_compaction.transcript.entries import ReadReport, parse_line

    return any(_is_boundary(entry) for entry in parse_line(line, ReadReport()))


def _is_boundary(entry: "dict[str, Any]") -> bool:
    return (
        entry.get("type") == "system"
        and entry.get("subtype") == "compact_boundary"
        and not entry.get("isSidechain")
    )


def find_boundaries(descriptor: int, start: int, end: int) -> tuple[list[int], int]:
    """Return the boundaries' byte offsets in `[start, end)`, and where the last whole line ends.

    `start` must be the start of a line or lie in one that is no boundary. A last line without
    its newline is still being written: it is not looked at, and the returned position is its
    start, so that the next search begins there.
    """
    offsets: list[int] = []
    position, carry = start, b""
    while position < end:
        block = read_range(descriptor, position, min(_BLOCK_BYTES, end - position))
        if not block:
            break
        base = position - len(carry)
        position += len(block)
        buffer = carry + block if carry else block
        whole = buffer.rfind(b"\n") + 1
        _collect(buffer, whole, base, offsets)
        carry = buffer[whole:]
        if len(carry) > LINE_LIMIT_BYTES:
            carry = b""
    return offsets, position - len(carry)


def _collect(buffer: bytes, whole: int, base: int, offsets: list[int]) -> None:
    hit = buffer.find(MARKER, 0, whole)
    while hit >= 0:
        line_start = buffer.rfind(b"\n", 0, hit) + 1
        line_end = buffer.find(b"\n", hit)
        if is_boundary_line(buffer[line_start:line_end]):
            offsets.append(base + line_start)
        hit = buffer.find(MARKER, line_end, whole)
