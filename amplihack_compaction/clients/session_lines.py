"""Session lines made entries, and entries made nodes of the session model.

Their shape is that of Claude Code's own lines; other clients' are translated into it.

A transcript is JSONL that the client appends to. Real files also hold two objects glued on one
line, lines torn by a crash, values that are no objects and lines of several megabytes; each is
skipped on its own and counted, and never takes its neighbours with it.

Texts are cut to what extraction can use, so that a window of any size fits in memory; the
transcript itself stays the place for the whole text.
"""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from json import JSONDecoder
from pathlib import Path
from typing import Any, BinaryIO

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.files import is_too_dense, open_regular, parse_object
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES
from amplihack_compaction.clients.speakers import (
    DENIALS_MARKED,
    INTERRUPTED,
    QUEUED,
    blocks_of,
    ended_work,
    is_before,
    is_by_another,
    is_decided_by_another,
    message_text,
    said_with_results,
    typed_prompt,
)
from amplihack_compaction.transcript.session import (
    Boundary,
    Entry,
    JsonObject,
    Kind,
    Node,
    ReadReport,
    ToolResult,
    ToolUse,
    WindowNotes,
    as_list,
    as_object,
    cut_middle,
    text_in,
)

# The client records its own API requests, prompts and listings beside the conversation, up to
# 100 kB a line; they are told by their first bytes, before any parsing.
_INTERNAL_TYPES = "api-request atis-latch tools-used file-history cost-state progress".split()
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


def lines_between(
    path: Path | str, start: int, end: int | None, report: ReadReport
) -> Iterator[tuple[int, bytes]]:
    """Yield `(offset, line)` for each line that starts in `[start, end)`; `end` None is all.

    Raises TranscriptError as `opened_transcript` does.
    """
    with opened_transcript(path) as stream:
        yield from lines_in(stream, start, end, report)


@contextmanager
def opened_transcript(path: Path | str) -> Iterator[BinaryIO]:
    """Open a transcript to be read.

    Raises TranscriptError when the file cannot be opened or is no regular file.
    """
    try:
        descriptor = open_regular(str(path))
    except (OSError, ValueError) as error:
        raise TranscriptError(f"cannot read the transcript {path}: {reason_of(error)}") from error
    with open(descriptor, "rb", _BUFFER_BYTES) as stream:  # noqa: PTH123 - already checked
        yield stream


def lines_in(
    stream: BinaryIO, start: int, end: int | None, report: ReadReport
) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of an open transcript as `lines_between` does.

    A line without its end is the last one: the client is writing it, and what it adds meanwhile
    would be taken for a line of its own, with the lines behind it, up to a boundary maybe. Lines
    above the line limit, in bytes or values, are counted and left out.
    """
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
        broken += not isinstance(value, dict)
        position = end
        while position < len(text) and text[position].isspace():
            position += 1
    return values


def _next_object(text: str, position: int) -> int:
    """Return where the next whole line was glued behind a torn one, or -1."""
    starts = (text.find(mark, position) for mark in ('{"parentUuid":', '{"type":"'))
    return min((start for start in starts if start >= 0), default=-1)


PROMPT_LIMIT_CHARS = 20_000
WHOLE_PROMPT_LIMIT_CHARS = 64_000
TEXT_LIMIT_CHARS = 8_000
_SLIM_DEPTH = 5
INPUT_LIMIT_CHARS = 4_000
RESULT_LIMIT_CHARS = 3_000
# What a tool's structured answer repeats of its text or of the call: half of all there is to read.
_ECHOES = frozenset(
    "content file filenames newString oldString originalFile prompt result results stderr stdout"
    " structuredPatch".split()
)
_REFUSALS = ("The user doesn't want", "[Request interrupted", "Permission for this tool use")
_BY_CLIENT = ("Permission to use", "Permission for this action")
_REFUSED = "User rejected tool use"
# Of a call that the client did not run, since nothing could judge it: 2.1.233 to 2.1.332. What a
# command failed with begins with its exit code.
_UNJUDGED = re.compile(
    r"\s*[\w.\[\]-]{1,80} is temporarily unavailable(?: \([^()\n]{1,80}\))?"
    r", so auto mode cannot determine the safety of "
)
_QUEUE_LIMIT = 50


def make_node(entry: Entry, calls: Mapping[str, str] | None = None) -> Node | None:
    """Return the entry's node, or None for lines outside the tree (no uuid, no conversation).

    `calls` names the tools of the calls that are open, by their ids.
    """
    data = entry.data
    kind = data.get("type")
    uuid = data.get("uuid")
    if not isinstance(uuid, str):
        return None
    parent, sidechain = data.get("parentUuid"), data.get("isSidechain")
    node = Node(
        Kind.OTHER,
        uuid,
        parent if isinstance(parent, str) else None,
        entry.offset,
        timestamp=text_in(data, "timestamp"),
        folder=text_in(data, "cwd"),
        sidechain=sidechain if isinstance(sidechain, bool) else None,
    )
    if kind == "user":
        _fill_user(node, data, calls or {})
    elif kind == "assistant":
        _fill_assistant(node, data)
    elif kind == "system" and data.get("subtype") == "compact_boundary":
        node.kind, node.boundary = Kind.BOUNDARY, _make_boundary(node, data)
    elif kind == "attachment":
        _fill_attachment(node, data)
    elif kind == "system":
        node.noted = WindowNotes(text_in(data, "gitBranch"), text_in(data, "model"))
    return node


def is_message(entry: Entry) -> bool:
    """Return whether an entry is a message of the conversation, also one that nobody typed."""
    return entry.data.get("type") in ("user", "assistant")


def read_boundary(entry: Entry) -> Boundary | None:
    """Return the boundary that an entry records, or None."""
    node = make_node(entry)
    return node.boundary if node is not None else None


def _set_prompt(node: Node, content: object, origin: str = "") -> None:
    text, found = typed_prompt(content)
    if text:
        node.kind, node.origin = Kind.PROMPT, origin or found
        whole = clean(text, WHOLE_PROMPT_LIMIT_CHARS)
        node.text = cut_middle(whole, PROMPT_LIMIT_CHARS)
        node.whole = whole if node.text != whole else ""


def clean(text: str, limit: int) -> str:
    """Return the text without secrets, cut to the limit.

    In this order: a private key whose end was cut away could not be told from any other text.
    """
    return cut_middle(redact(text), limit)


def _fill_user(node: Node, data: JsonObject, calls: Mapping[str, str]) -> None:
    content = as_object(data.get("message")).get("content")
    if data.get("isCompactSummary"):
        node.kind, node.text = Kind.SUMMARY, message_text(content)
        return
    results = blocks_of(content, "tool_result")
    if results:
        node.kind = Kind.RESULT
        node.results = [_tool_result(block, data) for block in results]
        said = said_with_results(data, calls)
        node.said = [(clean(text, PROMPT_LIMIT_CHARS), how) for text, how in said]
        return
    _note_ended(node, message_text(content), data.get("todos"))
    if is_by_another(data) or data.get("toolUseResult") is not None:
        return
    _set_prompt(node, content)
    number = as_object(data.get("turnPosition")).get("turnIndex")
    if isinstance(number, int):
        node.turn = number, text_in(data, "promptId")


def _note_ended(node: Node, text: str, todos: Any = None) -> None:
    ended, completed, failure = ended_work(text)
    interrupted = text.startswith(INTERRUPTED)
    if ended or todos or interrupted:
        node.noted = WindowNotes(
            todos=todos, ended=ended, completed=completed, failure=failure, interrupted=interrupted
        )


# What the client writes in the place of no output.
_SILENT = re.compile(r"\(\w+ completed with no output\)")


def _tool_result(block: JsonObject, data: JsonObject) -> tuple[str, ToolResult]:
    content = block.get("content")
    text = message_text(content)
    if not text and isinstance(content, dict):
        text = str(content)
    shown, added = clean(text, RESULT_LIMIT_CHARS), data.get("toolUseResult")
    shown = "" if _SILENT.fullmatch(shown) else shown
    if isinstance(added, dict):
        added = {key: value for key, value in added.items() if key not in _ECHOES}
    by_client = shown.lstrip().startswith(_BY_CLIENT) or bool(_UNJUDGED.match(shown))
    refused = (
        as_object(data.get("permissionDecision")).get("decision") == "reject"
        or added == _REFUSED
        or shown.lstrip().startswith(_REFUSALS)
        or by_client
    )
    return text_in(block, "tool_use_id"), ToolResult(
        shown,
        block.get("is_error") is True,
        _slim(added),
        refused,
        is_decided_by_another(data),
        by_client,
    )


def _fill_assistant(node: Node, data: JsonObject) -> None:
    message = data.get("message")
    if not isinstance(message, dict):
        return
    node.kind = Kind.ASSISTANT
    node.message_id = text_in(message, "id")
    content = message.get("content")
    branch, model = str(data.get("gitBranch") or ""), str(message.get("model") or "")
    # Under `<synthetic>` stands what the client says in the model's place: an error of the API's,
    # that a limit is reached, "No response requested."
    is_client = bool(data.get("isApiErrorMessage")) or model.startswith("<")
    node.text = "" if is_client else clean(message_text(content), TEXT_LIMIT_CHARS)
    node.tools = [
        ToolUse(
            text_in(block, "id"),
            text_in(block, "name"),
            _slim(as_object(block.get("input"))),
            node.timestamp,
        )
        for block in blocks_of(content, "tool_use")
    ]
    node.noted = WindowNotes(branch, "" if is_client else model)


def _fill_attachment(node: Node, data: JsonObject) -> None:
    attachment = as_object(data.get("attachment"))
    kind = attachment.get("type")
    mode = attachment.get("commandMode", "prompt")
    if kind == "queued_command" and mode == "task-notification":  # one that came in mid-turn
        _note_ended(node, text_in(attachment, "prompt"))
    elif kind == "queued_command" and mode == "prompt":
        if not is_by_another(attachment):
            _set_prompt(node, attachment.get("prompt"), "queued")
    elif kind in ("plan_mode", "plan_mode_exit", "plan_file_reference"):
        node.noted = WindowNotes(
            plan_mode=None if kind == "plan_file_reference" else kind == "plan_mode",
            plan_path=str(_slim(attachment.get("planFilePath")) or ""),
            plan=str(_slim(attachment.get("planContent")) or ""),
        )
    elif kind == "nested_memory":
        is_imported = "parent" in as_object(attachment.get("content"))
        path = "" if is_imported else text_in(attachment, "path")
        node.noted = WindowNotes(instructions=path)


def _make_boundary(node: Node, entry: JsonObject) -> Boundary:
    metadata = as_object(entry.get("compactMetadata"))
    # Of a part that the rewind menu summarised it names where that part begins or ends: what was
    # said behind it was not taken back.
    is_part = metadata.get("messagesSummarized") is not None
    leaf = None if is_part else entry.get("logicalParentUuid")
    return Boundary(
        node.offset,
        node.uuid,
        node.timestamp,
        str(metadata.get("trigger") or ""),
        leaf if isinstance(leaf, str) else None,
        _integer(metadata.get("preTokens")),
        _integer(metadata.get("postTokens")),
        metadata.get("precomputed") is True,
        _preserved(metadata),
    )


def _preserved(metadata: JsonObject) -> frozenset[str]:
    kept = as_object(metadata.get("preservedMessages"))
    names = [*as_list(kept.get("uuids")), *as_list(kept.get("allUuids"))]
    return frozenset(name for name in names if isinstance(name, str))


def _slim(value: Any, depth: int = _SLIM_DEPTH) -> Any:
    """Return a copy whose long strings and lists are cut, down to a few levels."""
    if isinstance(value, str):
        return clean(value, INPUT_LIMIT_CHARS)
    if isinstance(value, dict):
        return {k: _slim(v, depth - 1) for k, v in list(value.items())[:60]} if depth else {}
    if isinstance(value, list):
        return [_slim(item, depth - 1) for item in value[:500]] if depth else []
    return value


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


class PromptQueue:
    """The prompts that were typed while the model worked, as clients up to 2.1 tell of them.

    What leaves the queue by `dequeue` comes as a prompt, and by `popAll` goes back to be edited.
    What is `remove`d was given to the model with the next results of a tool, and stands on no line
    of its own. Messages of other agents and tasks come the same way, each in its tag or as JSON.
    """

    def __init__(self) -> None:
        self._waiting: list[str] = []
        self._taken: list[str] = []

    def pass_by(self, data: JsonObject) -> None:
        """Note what a line tells of the queue; put what was taken beside results, as `QUEUED`."""
        kind = data.get("type")
        if kind == "queue-operation":
            self._change(str(data.get("operation")), data.get("content"))
        elif kind == "attachment":
            # So do newer clients tell what was typed, with who said it.
            said = as_object(data.get("attachment")).get("prompt")
            self._taken = [text for text in self._taken if text != said]
        elif kind == "user":
            data.pop(QUEUED, None)
            if self._taken and not data.get("isSidechain"):
                self._hand_over(data)

    def _change(self, operation: str, content: object) -> None:
        if operation == "enqueue":
            self._waiting = [*self._waiting, str(content or "")][-_QUEUE_LIMIT:]
        elif operation == "popAll":
            self._waiting = []
        elif self._waiting:
            text = self._waiting.pop(0)
            if operation == "remove" and text and text[0] not in "<{/":
                self._taken = [*self._taken, text][-_QUEUE_LIMIT:]

    def _hand_over(self, data: JsonObject) -> None:
        content = as_object(data.get("message")).get("content")
        if blocks_of(content, "tool_result") and is_before(data.get("version"), DENIALS_MARKED):
            data[QUEUED] = [text for text in self._taken if typed_prompt(text)[0]]
        self._taken = []
