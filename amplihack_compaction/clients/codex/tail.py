"""Read a rollout's end without parsing the rest: boundaries and token numbers (hot).

A boundary is a line of `"type":"compacted"`, told by its head: what stands deeper belongs to a
payload. It is written before the hooks of SessionStart run. The numbers of each response stand in
a line of their own, right behind it and before the results of its tools:

    {"timestamp":...,"ordinal":n,"type":"token_usage_record","payload":{"response_id":...,"usage":{
        "input_tokens":n,"cached_input_tokens":n,"output_tokens":n,"total_tokens":n}}}
"""

from amplihack_compaction.base.files import find_back, find_lines, parse_object, read_range
from amplihack_compaction.clients.claude_code.tail import Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER = b'"type":"compacted"'
ANSWER_MARK = b'"type":"token_usage_record"'
DELIVERED_MARK = b'"hooks.additional_context"'
# The summary's own lines are none of these.
CONVERSATION_MARKS = (b'"type":"UserMessage"', b'"type":"AgentMessage"', b'"CommandExecution"')
BOUNDARY_COMES_FIRST = True
# Seen by running 0.169.0: what a Stop hook adds is dropped, and `ask` lets the call pass.
HEARS_AT_STOP = CAN_ASK = False
_HEAD_BYTES = 160
_MOST_TOKENS = 1_000_000_000


def is_boundary_line(line: bytes) -> bool:
    """Return whether a raw line is a compaction's, by what stands before its payload."""
    return 0 <= line.find(MARKER) < line.find(b'"payload"')


def find_boundaries(descriptor: int, start: int, end: int) -> tuple[list[int], int]:
    """Return the boundaries' byte offsets in `[start, end)`, and where the last whole line ends."""
    return find_lines(descriptor, start, end, MARKER, is_boundary_line)


def newest_usage(descriptor: int, size: int, limit_bytes: int) -> Usage | None:
    """Return the newest response's numbers among the last `limit_bytes` before `size`."""
    found: Usage | None = find_back(descriptor, size, limit_bytes, _newest_in)
    return found


def _newest_in(buffer: bytes, base: int) -> Usage | None:
    hit = buffer.rfind(ANSWER_MARK)
    while hit >= 0:
        start = buffer.rfind(b"\n", 0, hit) + 1
        end = buffer.find(b"\n", hit)
        data = parse_object(buffer[start : end if end >= 0 else len(buffer)])
        numbers = usage_numbers(data.get("payload")) if data is not None else None
        if numbers is not None:
            sent, output, name = numbers
            return Usage(sent, sent + output, "", name, base + start)  # it names no model
        hit = buffer.rfind(ANSWER_MARK, 0, start)
    return None


def usage_numbers(payload: "Any") -> tuple[int, int, str] | None:
    """Return the tokens that a response was sent and answered with, and its id; None without."""
    usage = payload.get("usage") if isinstance(payload, dict) else None
    if not isinstance(usage, dict):
        return None
    sent, output = _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))
    return (sent, output, str(payload.get("response_id") or "")) if sent else None


def _count(value: "Any") -> int:
    return value if type(value) is int and 0 < value < _MOST_TOKENS else 0


def estimate_tokens(
    descriptor: int, usage: Usage, end: int, base_tokens: int, tokens_per_1000: int
) -> int:
    """Return the context's tokens at `end`: the response's numbers and a line on characters."""
    characters = 0
    for line in read_range(descriptor, usage.offset, end - usage.offset).split(b"\n"):
        if line.find(b'"type":"response_item"', 0, _HEAD_BYTES) >= 0:
            characters += _characters((parse_object(line) or {}).get("payload"))
    if not characters:
        return usage.tokens
    return usage.tokens + base_tokens + characters * tokens_per_1000 // 1000


def _characters(payload: "Any") -> int:
    if not isinstance(payload, dict):
        return 0
    total = 0
    for name in ("output", "arguments", "input"):
        value = payload.get(name)
        total += len(value) if isinstance(value, str) else 0
    content = payload.get("content")
    for part in content if isinstance(content, list) else ():
        text = part.get("text") if isinstance(part, dict) else None
        total += len(text) if isinstance(text, str) else 0
    return total
