"""Read a transcript's end without parsing the rest: boundaries and token numbers (hot).

A boundary is a line of its own: an object with `"type":"system"` and
`"subtype":"compact_boundary"`. Inside a JSON string the marker's quotes would be escaped, so a
hit on the raw bytes is such a line or an object that another line carries; parsing that one line
tells which. A response's own numbers:

    {"type":"assistant","isSidechain":false,"message":{"id":...,"model":...,"usage":{
        "input_tokens":n,"cache_creation_input_tokens":n,"cache_read_input_tokens":n,
        "output_tokens":n}}}

A response is spread over several lines with one `message.id`, of which the last one counts;
results of its tools can lie between them. Subagents' lines, API errors and lines whose numbers
make no sense are passed over. What came after a response is measured in characters of the texts
that the model is sent.
"""

from amplihack_compaction.base.files import find_back, find_lines, parse_object, read_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARKER = b'"compact_boundary"'
ANSWER_MARK = b'"type":"assistant"'
# The client records a hook's raw output too; this attachment is what the model was sent.
DELIVERED_MARK = b'"type":"hook_additional_context"'
# At SessionStart(compact) the boundary is not written yet.
BOUNDARY_COMES_FIRST = False
HEARS_AT_STOP = CAN_ASK = True
# What else the client writes after a hook are notes of its own; these are conversation.
CONVERSATION_MARKS = (b'"type":"user"', ANSWER_MARK, b'"type":"queued_command"', MARKER)
_USAGE = b'"usage"'
_INPUTS = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
_SYNTHETIC = "<synthetic>"
# A picture costs at most about 1,600 tokens; in the characters of the line that estimates texts.
IMAGE_CHARACTERS = 4_000


def is_boundary_line(line: bytes) -> bool:
    """Return whether a raw line is, or ends in, a compaction boundary of the main chain."""
    if MARKER not in line:
        return False
    entry = parse_object(line)
    if entry is not None:
        return _is_boundary(entry)
    # Glued behind a torn one: rare, and the reader that takes such lines apart costs more.
    from amplihack_compaction.clients.session_lines import parse_line
    from amplihack_compaction.transcript.session import ReadReport

    return any(_is_boundary(entry) for entry in parse_line(line, ReadReport()))


def _is_boundary(entry: "dict[str, Any]") -> bool:
    return (
        entry.get("type") == "system"
        and entry.get("subtype") == "compact_boundary"
        and not entry.get("isSidechain")
    )


def find_boundaries(descriptor: int, start: int, end: int) -> tuple[list[int], int]:
    """Return the boundaries' byte offsets in `[start, end)`, and where the last whole line ends."""
    return find_lines(descriptor, start, end, MARKER, is_boundary_line)


class Usage:
    """One response's numbers: `input_tokens` is all that it was sent, `tokens` with its output.

    `start` is the offset of the response's first line that was seen, `offset` of its last.
    """

    __slots__ = ("input_tokens", "message_id", "model", "offset", "start", "tokens")

    def __init__(
        self, input_tokens: int, tokens: int, model: str, message_id: str, offset: int
    ) -> None:
        self.input_tokens = input_tokens
        self.tokens = tokens
        self.model = model
        self.message_id = message_id
        self.start = self.offset = offset


def newest_usage(descriptor: int, size: int, limit_bytes: int) -> Usage | None:
    """Return the newest response's numbers among the last `limit_bytes` before `size`.

    None when there is none. The file's size does not matter, only how far back the response is.
    """
    found: Usage | None = find_back(descriptor, size, limit_bytes, _newest_in)
    return found


def usage_of(entry: "dict[str, Any] | None", offset: int) -> Usage | None:
    """Return an entry's numbers, or None when it is no response of the main chain."""
    if entry is None or entry.get("type") != "assistant" or entry.get("isSidechain"):
        return None
    message = entry.get("message")
    if not isinstance(message, dict) or entry.get("isApiErrorMessage"):
        return None
    usage, model = message.get("usage"), message.get("model")
    if not isinstance(usage, dict) or model == _SYNTHETIC:
        return None
    sent = 0
    for name in _INPUTS:
        sent += _count(usage, name)
    output = _count(usage, "output_tokens")
    if sent <= 0 or output < 0 or min(_count(usage, name) for name in _INPUTS) < 0:
        return None
    message_id = message.get("id")
    return Usage(
        sent,
        sent + output,
        model if isinstance(model, str) else "",
        message_id if isinstance(message_id, str) else "",
        offset,
    )


def characters_since(descriptor: int, usage: Usage, end: int) -> "tuple[int, int]":
    """Return the characters of what came after a response, and of the response itself.

    What came after lies between the response's first line and `end`: its tools' results too.
    """
    after = own = 0
    for line in read_range(descriptor, usage.start, end - usage.start).split(b"\n"):
        # The client's records of its own requests are no conversation, but large.
        if b'"message"' not in line and b'"attachment"' not in line:
            continue
        entry = parse_object(line)
        if entry is None or entry.get("isSidechain"):
            continue
        if usage.message_id and _message_id(entry) == usage.message_id:
            own += text_characters(entry)
        else:
            after += text_characters(entry)
    return after, own


def estimate_tokens(
    descriptor: int, usage: Usage, end: int, base_tokens: int, tokens_per_1000: int
) -> int:
    """Return the context's tokens at `end`: the response's numbers and a line on characters.

    The line is `base_tokens + characters * tokens_per_1000 / 1000`. Older clients wrote the
    numbers down before the answer was complete (`output_tokens` of 1 to 8): where an answer's
    own text is far longer than they say, it is estimated too.
    """
    after, own = characters_since(descriptor, usage, end)
    output = usage.tokens - usage.input_tokens
    estimated = own * tokens_per_1000 // 1000
    tokens = usage.input_tokens + (output if 2 * output >= estimated else estimated)
    if after:
        tokens += base_tokens + after * tokens_per_1000 // 1000
    return tokens


def text_characters(entry: "dict[str, Any]") -> int:
    """Return the characters of an entry's text as the model is sent it."""
    kind, message = entry.get("type"), entry.get("message")
    if kind == "attachment":  # newer clients record the texts as they were sent
        return content_characters(entry.get("rendered"))
    if kind not in ("user", "assistant") or not isinstance(message, dict):
        return 0
    if entry.get("isApiErrorMessage"):
        return 0
    return content_characters(message.get("content"))


def _newest_in(buffer: bytes, base: int) -> Usage | None:
    """Search a buffer from its end; a first line that is cut off cannot be parsed anyway."""
    found, end = None, len(buffer)
    while True:
        hit = buffer.rfind(_USAGE, 0, end)
        if hit < 0:
            return found
        line_start = buffer.rfind(b"\n", 0, hit) + 1
        line_end = buffer.find(b"\n", hit)
        line = buffer[line_start : line_end if line_end >= 0 else len(buffer)]
        usage = usage_of(parse_object(line), base + line_start)
        if found is None:
            found = usage
        elif usage is not None:
            if not usage.message_id or usage.message_id != found.message_id:
                return found
            found.start = usage.offset
        end = line_start


def _count(usage: "dict[str, Any]", name: str) -> int:
    """Return one number; 0 where there is none, -1 where it is not a count."""
    value = usage.get(name)
    if value is None:
        return 0
    return value if type(value) is int and 0 <= value < 1_000_000_000 else -1


def content_characters(content: object) -> int:
    """Return the characters of a message's content as the model is sent it."""
    if isinstance(content, str):
        return len(content)
    if not isinstance(content, list):
        return 0
    total = 0
    for block in content:
        if not isinstance(block, dict):
            continue
        kind = block.get("type")
        if kind == "text" or kind == "thinking":
            text = block.get(kind)
            total += len(text) if isinstance(text, str) else 0
        elif kind == "tool_result" or kind is None:
            total += content_characters(block.get("content"))
        elif kind == "tool_use":
            total += len(str(block.get("input")))
        elif kind in ("image", "document"):
            total += IMAGE_CHARACTERS
    return total


def _message_id(entry: "dict[str, Any]") -> object:
    message = entry.get("message")
    return message.get("id") if isinstance(message, dict) else None
