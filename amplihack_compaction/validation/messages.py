"""Read messages, flat or as the client writes them, and turn them into windows.

A flat message is `{"role": ..., "content": ...}`, content being a string or a list of blocks. A
real one is an entry of a transcript. Lists may mix both.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from amplihack_compaction.transcript.chain import main_chain
from amplihack_compaction.transcript.content import message_text
from amplihack_compaction.transcript.entries import (
    Entry,
    JsonObject,
)
from amplihack_compaction.transcript.nodes import Kind, Node, make_node
from amplihack_compaction.transcript.turns import make_turns
from amplihack_compaction.transcript.windows import Boundary, Window, read_boundary

LATER_WINDOW = 1
"""Index of windows made here: whether they are a session's first is not known."""
SUMMARY_HEAD = "This session is being continued from a previous conversation"
"""How the message begins that holds a compaction's summary."""
_ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
}


def window_of(messages: Sequence[object], start: int = 0) -> Window:
    """Return the messages as one window, flat and real ones alike.

    Offsets are list positions, counted from `start`.
    """
    nodes: list[Node] = []
    seen: set[str] = set()
    began: Boundary | None = None
    side = _is_subagents(messages)
    for place, message in enumerate(messages, start):
        entry = _as_entry(message, place, nodes[-1].uuid if nodes else None)
        node = make_node(Entry(place, entry)) if entry is not None else None
        if entry is None or node is None or node.uuid in seen:
            continue
        if entry.get("isSidechain", side) is not side:
            continue
        if node.kind is Kind.OTHER and not node.text and "_text" in entry:
            node.text = entry["_text"]
        if node.kind is Kind.BOUNDARY:
            began = read_boundary(Entry(place, entry))
        seen.add(node.uuid)
        nodes.append(node)
    spoken = main_chain(nodes, _leaf(nodes))
    end = start + len(messages)
    window = Window(LATER_WINDOW, start, end, began, None, make_turns(spoken), spoken)
    _note_entries(window, spoken)
    return window


def _is_subagents(messages: Sequence[object]) -> bool:
    """Return whether the first entry that says so belongs to a subagent: then all of them count."""
    flags = (message.get("isSidechain") for message in messages if isinstance(message, dict))
    return next((flag for flag in flags if isinstance(flag, bool)), False)


def _leaf(nodes: list[Node]) -> str | None:
    """Return the leaf where the chain's own rule would miss it.

    Right after a compaction the last conversation node is a preserved message, which stands
    before the summary.
    """
    for node in reversed(nodes):
        if node.kind in (Kind.PROMPT, Kind.ASSISTANT, Kind.RESULT):
            return None
        if node.kind in (Kind.SUMMARY, Kind.BOUNDARY):
            return nodes[-1].uuid
    return None


def _note_entries(window: Window, spoken: list[Node]) -> None:
    for node in spoken:
        entry = node.entry or {}
        if node.kind is Kind.SUMMARY:
            window.summary = node.text
        elif node.kind is Kind.ASSISTANT:
            window.branch = str(entry.get("branch") or window.branch)
            window.model = str(entry.get("model") or window.model)
        elif isinstance(entry.get("todos"), list):
            window.todos = [todo for todo in entry["todos"] if isinstance(todo, dict)]


def _as_entry(message: object, place: int, above: str | None) -> JsonObject | None:
    """Return the message as an entry of a transcript; None for what is no message."""
    if not isinstance(message, dict):
        return None
    if isinstance(message.get("type"), str) and isinstance(message.get("uuid"), str):
        return message
    inner = message.get("message")
    source = inner if isinstance(inner, dict) else message
    role = source.get("role") or message.get("type")
    content = source.get("content")
    entry: JsonObject = {**message, "uuid": f"flat:{place}", "parentUuid": above}
    kind = _ROLES.get(role) if isinstance(role, str) else None
    if kind is None:
        entry.setdefault("type", "other")
        return {**entry, "_text": message_text(content)}
    entry |= {"type": kind, "message": {**source, "content": content}}
    if kind == "user" and message_text(content).lstrip().startswith(SUMMARY_HEAD):
        entry["isCompactSummary"] = True
    return entry


def content_of(message: JsonObject) -> Any:
    """Return a message's content, of a flat one and of an entry alike."""
    inner = message.get("message")
    return (inner if isinstance(inner, dict) else message).get("content")


def visible_texts(messages: Sequence[object]) -> Iterator[str]:
    """Yield every text that the messages put before the model: speech, tools, attachments.

    The client's own lines (`system`) are shown to the user only.
    """
    for message in messages:
        if not isinstance(message, dict) or message.get("type") == "system":
            continue
        if isinstance(message.get("attachment"), dict):
            yield from _attachment_texts(message)
            continue
        content = content_of(message)
        if isinstance(content, (str, list)):
            yield from _strings(content)


def _attachment_texts(message: JsonObject) -> Iterator[str]:
    """Yield what an attachment shows the model: `rendered` where the client recorded it."""
    attachment = message["attachment"]
    kind = str(attachment.get("type"))
    if message.get("rendered"):
        yield from _strings(message["rendered"])
    elif kind == "hook_success":
        # Plain output reaches the model from these two events only.
        if attachment.get("hookEvent") in ("SessionStart", "UserPromptSubmit"):
            yield from _strings(attachment.get("content"))
    elif kind in _SHOWN_OF_HOOKS or not kind.startswith(_KEPT_TO_ITSELF):
        yield from _strings(attachment)


_SHOWN_OF_HOOKS = frozenset({"hook_additional_context", "hook_blocking_error"})
# What else the client notes of hooks has the output of one that failed or came too late.
_KEPT_TO_ITSELF = ("prompt_snapshot", "session_context", "hook_", "async_hook_")
_SILENT_KEYS = frozenset({"type", "id", "tool_use_id", "role", "uuid", "signature", "hookEvent"})


def _strings(value: Any, depth: int = 6) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _strings(item, depth - 1)
    elif isinstance(value, dict) and depth:
        for key, item in value.items():
            if key not in _SILENT_KEYS:
                yield from _strings(item, depth - 1)
