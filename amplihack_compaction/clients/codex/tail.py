"""Read a rollout's end without parsing the rest: boundaries and token numbers (hot).

A boundary is a line of `"type":"compacted"`, told by its head: what stands deeper belongs to a
payload. It is written before the hooks of SessionStart run. The numbers of each response stand in
a line of their own, right behind it and before the results of its tools:

    {"timestamp":...,"ordinal":n,"type":"token_usage_record","payload":{"response_id":...,"usage":{
        "input_tokens":n,"cached_input_tokens":n,"output_tokens":n,"total_tokens":n}}}
"""

from amplihack_compaction.base.files import parse_object, read_range
from amplihack_compaction.clients.claude_code.tail import ClientTail, Usage, lines_back

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_HEAD_BYTES = 160
_MOST_TOKENS = 1_000_000_000


def usage_numbers(payload: "Any") -> tuple[int, int, str] | None:
    """Return the tokens that a response was sent and answered with, and its id; None without."""
    usage = payload.get("usage") if isinstance(payload, dict) else None
    if not isinstance(usage, dict):
        return None
    sent, output = _count(usage.get("input_tokens")), _count(usage.get("output_tokens"))
    return (sent, output, str(payload.get("response_id") or "")) if sent else None


def _count(value: "Any") -> int:
    return value if type(value) is int and 0 < value < _MOST_TOKENS else 0


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


class RolloutTail(ClientTail):
    """What the hot path knows of Codex's rollouts."""

    MARKER = b'"type":"compacted"'
    ANSWER_MARK = b'"type":"token_usage_record"'
    DELIVERED_MARK = b'"hooks.additional_context"'
    # The summary's own lines are none of these.
    CONVERSATION_MARKS = (b'"type":"UserMessage"', b'"type":"AgentMessage"', b'"CommandExecution"')
    BOUNDARY_COMES_FIRST = True
    # Seen by running 0.169.0: what a Stop hook adds is dropped, and `ask` lets the call pass.
    HEARS_AT_STOP = CAN_ASK = False

    def is_boundary_line(self, line: bytes) -> bool:
        """Return whether a raw line is a compaction's, by what stands before its payload."""
        return 0 <= line.find(self.MARKER) < line.find(b'"payload"')

    def newest_in(self, buffer: bytes, base: int) -> Usage | None:
        """Return the last response's numbers in a part of the file, which begins at `base`."""
        for start, line in lines_back(buffer, self.ANSWER_MARK):
            numbers = usage_numbers((parse_object(line) or {}).get("payload"))
            if numbers is not None:
                sent, output, name = numbers
                return Usage(sent, sent + output, "", name, base + start)  # it names no model
        return None

    def estimate_tokens(
        self, descriptor: int, usage: Usage, end: int, base_tokens: int, tokens_per_1000: int
    ) -> int:
        """Return the context's tokens at `end`: the response's numbers and a line on characters."""
        characters = 0
        for line in read_range(descriptor, usage.offset, end - usage.offset).split(b"\n"):
            if line.find(b'"type":"response_item"', 0, _HEAD_BYTES) >= 0:
                characters += _characters((parse_object(line) or {}).get("payload"))
        if not characters:
            return usage.tokens
        return usage.tokens + base_tokens + characters * tokens_per_1000 // 1000
