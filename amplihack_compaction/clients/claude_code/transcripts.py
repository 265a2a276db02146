"""Claude Code's transcripts: lines into entries, and entries into nodes of the session model.

A transcript is JSONL that the client appends to. Real files also hold two objects glued on one
line, lines torn by a crash, values that are no objects and lines of several megabytes; each is
skipped on its own and counted, and never takes its neighbours with it.

Texts are cut to what extraction can use, so that a window of any size fits in memory; the
transcript itself stays the place for the whole text.
"""

import json
from collections.abc import Iterator
from json import JSONDecoder
from typing import TYPE_CHECKING, Any, BinaryIO

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.files import open_regular, parse_object
from amplihack_compaction.base.limits import LINE_LIMIT_BYTES
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.clients.claude_code.messages import (
    blocks_of,
    is_by_another,
    message_text,
    said_with_results,
    typed_prompt,
)
from amplihack_compaction.transcript.nodes import (
    Boundary,
    Entry,
    JsonObject,
    Kind,
    Node,
    ReadReport,
    ToolResult,
    ToolUse,
    WindowNotes,
)
from amplihack_compaction.transcript.texts import cut_middle

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
    above the line limit are counted and left out. Raises TranscriptError when the file cannot be
    opened or is no regular file.
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


def read_entries(
    path: "Path | str", start: int = 0, end: int | None = None, report: ReadReport | None = None
) -> Iterator[Entry]:
    """Yield the conversation's entries whose lines start in `[start, end)`, in file order."""
    report = report if report is not None else ReadReport()
    for offset, line in iterate_lines(path, start, end, report):
        if line.isspace() or is_internal_line(line):
            continue
        for data in parse_line(line, report):
            yield Entry(offset, data)


def parse_line(line: bytes, report: ReadReport) -> list[JsonObject]:
    """Return the objects of one line: one, more when lines were glued, none when it is broken."""
    # To try to parse a line that has no object costs twenty times what this look does.
    if b"{" not in line or b'"' not in line or b"}" not in line:
        report.skip("not an object")
        return []
    whole = parse_object(line)
    if whole is not None:
        return [whole]
    text = line.decode("utf-8", "replace").strip()
    try:
        values = [json.loads(text)]
    except (ValueError, RecursionError):  # ValueError: also an integer of thousands of digits
        values = _decode_glued(text, report)
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
        except (ValueError, RecursionError):
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


PROMPT_LIMIT_CHARS = 20_000
TEXT_LIMIT_CHARS = 8_000
_SLIM_DEPTH = 4
INPUT_LIMIT_CHARS = 4_000
RESULT_LIMIT_CHARS = 3_000
# What a tool's structured answer repeats of its text or of the call: half of all there is to read.
_ECHOES = frozenset(
    "content file filenames newString oldString originalFile prompt result results stderr stdout"
    " structuredPatch".split()
)
_REFUSALS = (
    "The user doesn't want", "[Request interrupted", "Permission to use", "Permission for this",
)  # fmt: skip
_REFUSED = "User rejected tool use"


def make_node(entry: Entry) -> Node | None:
    """Return the entry's node, or None for lines outside the tree (no uuid, no conversation)."""
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
        timestamp=_string(data.get("timestamp")),
        folder=_string(data.get("cwd")),
        sidechain=sidechain if isinstance(sidechain, bool) else None,
    )
    if kind == "user":
        _fill_user(node, data)
    elif kind == "assistant":
        _fill_assistant(node, data)
    elif kind == "system" and data.get("subtype") == "compact_boundary":
        node.kind, node.boundary = Kind.BOUNDARY, _make_boundary(node, data)
    elif kind == "attachment":
        _fill_attachment(node, data)
    return node


def is_message(entry: Entry) -> bool:
    """Return whether an entry is a message of the conversation, also one that nobody typed."""
    return entry.data.get("type") in ("user", "assistant")


def read_boundary(entry: Entry) -> Boundary | None:
    """Return the boundary that an entry records, or None."""
    node = make_node(entry)
    return node.boundary if node is not None else None


def _set_prompt(node: Node, content: str, origin: str = "") -> None:
    text, found = typed_prompt(content)
    if text:
        node.kind, node.origin = Kind.PROMPT, origin or found
        node.text = clean(text, PROMPT_LIMIT_CHARS)


def clean(text: str, limit: int) -> str:
    """Return the text without secrets, cut to the limit.

    In this order: a private key whose end was cut away could not be told from any other text.
    """
    return cut_middle(redact(text), limit)


def _fill_user(node: Node, data: JsonObject) -> None:
    message = data.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    if data.get("isCompactSummary"):
        node.kind, node.text = Kind.SUMMARY, message_text(content)
        return
    results = blocks_of(content, "tool_result")
    if results:
        node.kind = Kind.RESULT
        node.results = [_tool_result(block, data) for block in results]
        node.said = [(clean(t, PROMPT_LIMIT_CHARS), how) for t, how in said_with_results(data)]
        return
    node.noted = WindowNotes(todos=data["todos"]) if data.get("todos") else None
    if is_by_another(data) or data.get("toolUseResult") is not None:
        return
    _set_prompt(node, message_text(content))
    position = data.get("turnPosition")
    number = position.get("turnIndex") if isinstance(position, dict) else None
    if isinstance(number, int):
        node.turn = number, _string(data.get("promptId"))


def _tool_result(block: JsonObject, data: JsonObject) -> tuple[str, ToolResult]:
    content = block.get("content")
    text = content if isinstance(content, str) else message_text(content)
    if not text and isinstance(content, dict):
        text = str(content)
    decision = data.get("permissionDecision")
    shown, added = clean(text, RESULT_LIMIT_CHARS), data.get("toolUseResult")
    refused = (
        (isinstance(decision, dict) and decision.get("decision") == "reject")
        or added == _REFUSED
        or shown.lstrip().startswith(_REFUSALS)
    )
    return _string(block.get("tool_use_id")), ToolResult(
        shown, block.get("is_error") is True, _slim(_without_echoes(added)), refused
    )


def _without_echoes(data: Any) -> Any:
    if not isinstance(data, dict) or _ECHOES.isdisjoint(data):
        return data
    return {key: value for key, value in data.items() if key not in _ECHOES}


def _fill_assistant(node: Node, data: JsonObject) -> None:
    message = data.get("message")
    if not isinstance(message, dict):
        return
    node.kind = Kind.ASSISTANT
    node.message_id = _string(message.get("id"))
    content = message.get("content")
    node.text = clean(message_text(content), TEXT_LIMIT_CHARS)
    if data.get("isApiErrorMessage"):
        node.text = ""
    node.tools = [
        ToolUse(
            _string(block.get("id")),
            _string(block.get("name")),
            _slim(block.get("input")) if isinstance(block.get("input"), dict) else {},
            node.timestamp,
        )
        for block in blocks_of(content, "tool_use")
    ]
    branch, model = str(data.get("gitBranch") or ""), str(message.get("model") or "")
    node.noted = WindowNotes(branch, model)


def _fill_attachment(node: Node, data: JsonObject) -> None:
    attachment = data.get("attachment")
    if not isinstance(attachment, dict):
        return
    kind = attachment.get("type")
    if kind == "queued_command" and attachment.get("commandMode", "prompt") == "prompt":
        if not is_by_another(attachment):
            _set_prompt(node, message_text(attachment.get("prompt")), "queued")
    elif kind in ("plan_mode", "plan_mode_exit", "plan_file_reference"):
        node.noted = WindowNotes(
            plan_mode=None if kind == "plan_file_reference" else kind == "plan_mode",
            plan_path=str(_slim(attachment.get("planFilePath")) or ""),
            plan=str(_slim(attachment.get("planContent")) or ""),
        )


def _make_boundary(node: Node, entry: JsonObject) -> Boundary:
    metadata = entry.get("compactMetadata")
    metadata = metadata if isinstance(metadata, dict) else {}
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
    kept = metadata.get("preservedMessages")
    if not isinstance(kept, dict):
        return frozenset()
    names = [*_list(kept.get("uuids")), *_list(kept.get("allUuids"))]
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


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
