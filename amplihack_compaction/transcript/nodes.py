"""Turn a raw entry into a node: what was said, by whom, and where it hangs in the tree.

A node is slim. Texts are cut to what extraction can use, so that a window of any size fits in
memory; the transcript itself stays the place for the whole text.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.transcript.content import blocks_of, cut_middle, message_text
from amplihack_compaction.transcript.entries import Entry, JsonObject
from amplihack_compaction.transcript.prompts import is_by_another, said_with_results, typed_prompt

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
# What tells what a tool was used on, the most telling first.
_USED_ON = (
    "command", "file_path", "notebook_path", "pattern", "url", "query", "subject", "skill",
    "description", "path", "prompt",
)  # fmt: skip


class Kind(Enum):
    """What a node is to the conversation."""

    PROMPT = "prompt"
    ASSISTANT = "assistant"
    RESULT = "result"
    SUMMARY = "summary"
    BOUNDARY = "boundary"
    OTHER = "other"


@dataclass(slots=True)
class ToolResult:
    """A tool's answer: `text` as the model saw it (cut), `data` what the client adds to it.

    `refused`: the client recorded that the call was not permitted, and did not run.
    """

    text: str
    is_error: bool
    data: Any = None
    refused: bool = False


@dataclass(slots=True)
class ToolUse:
    """One call of a tool; `result` is None while it is open or was never recorded."""

    id: str
    name: str
    input: JsonObject
    timestamp: str = ""
    result: ToolResult | None = None

    @property
    def succeeded(self) -> bool | None:
        """Whether the call succeeded; None when no result is known."""
        return None if self.result is None else not self.result.is_error

    @property
    def used_on(self) -> str:
        """What the tool was used on: its command, file, pattern or subject; empty if unknown."""
        values = (self.input.get(key) for key in _USED_ON)
        found = next((value for value in values if isinstance(value, str) and value.strip()), "")
        task = self.input.get("taskId")
        if not isinstance(task, str) or not task:
            return found
        status = self.input.get("status")
        said = status if isinstance(status, str) else found
        return f"task #{task}: {said}" if said else f"task #{task}"


@dataclass(slots=True)
class Node:
    """One entry of the tree; `entry` keeps the raw object for the few kinds that need more.

    `said` is what the user said with a tool's results, each with its origin. `turn` is the number
    of a prompt's turn in its conversation and the prompt's id, where the client tells them.
    """

    kind: Kind
    uuid: str
    parent: str | None
    offset: int
    timestamp: str = ""
    message_id: str = ""
    text: str = ""
    origin: str = ""
    tools: list[ToolUse] = field(default_factory=list)
    results: list[tuple[str, ToolResult]] = field(default_factory=list)
    said: list[tuple[str, str]] = field(default_factory=list)
    turn: tuple[int, str] | None = None
    entry: JsonObject | None = None

    def shed(self) -> None:
        """Drop what only recent nodes need; prompts keep their text."""
        if self.kind in (Kind.ASSISTANT, Kind.RESULT, Kind.OTHER):
            self.text, self.tools, self.results, self.said, self.entry = "", [], [], [], None


def make_node(entry: Entry) -> Node | None:
    """Return the entry's node, or None for lines outside the tree (no uuid, no conversation)."""
    data = entry.data
    kind = data.get("type")
    uuid = data.get("uuid")
    if not isinstance(uuid, str):
        return None
    parent = data.get("parentUuid")
    node = Node(
        Kind.OTHER,
        uuid,
        parent if isinstance(parent, str) else None,
        entry.offset,
        timestamp=_string(data.get("timestamp")),
    )
    if kind == "user":
        _fill_user(node, data)
    elif kind == "assistant":
        _fill_assistant(node, data)
    elif kind == "system" and data.get("subtype") == "compact_boundary":
        node.kind, node.entry = Kind.BOUNDARY, data
    elif kind == "attachment":
        _fill_attachment(node, data)
    return node


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
    node.entry = {"todos": data["todos"]} if data.get("todos") else None
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
    return _string(block.get("tool_use_id")), ToolResult(
        clean(text, RESULT_LIMIT_CHARS),
        block.get("is_error") is True,
        _slim(_without_echoes(data.get("toolUseResult"))),
        isinstance(decision, dict) and decision.get("decision") == "reject",
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
    node.entry = {"model": message.get("model"), "branch": data.get("gitBranch")}


def _fill_attachment(node: Node, data: JsonObject) -> None:
    attachment = data.get("attachment")
    if not isinstance(attachment, dict):
        return
    kind = attachment.get("type")
    if kind == "queued_command" and attachment.get("commandMode", "prompt") == "prompt":
        if not is_by_another(attachment):
            _set_prompt(node, message_text(attachment.get("prompt")), "queued")
    elif kind in ("plan_mode", "plan_mode_exit", "plan_file_reference"):
        node.entry = {"attachment": _slim(attachment)}


def _slim(value: Any, depth: int = _SLIM_DEPTH) -> Any:
    """Return a copy whose long strings and lists are cut, down to a few levels."""
    if isinstance(value, str):
        return clean(value, INPUT_LIMIT_CHARS)
    if isinstance(value, dict):
        return {k: _slim(v, depth - 1) for k, v in list(value.items())[:60]} if depth else {}
    if isinstance(value, list):
        return [_slim(item, depth - 1) for item in value[:500]] if depth else []
    return value


def _string(value: Any) -> str:
    return value if isinstance(value, str) else ""
