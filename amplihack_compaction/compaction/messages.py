"""Read messages, flat or as the client writes them, and turn them into windows.

A flat message is `{"role": ..., "content": ...}`, content being a string or a list of blocks. A
real one is an entry of a transcript. Lists may mix both.
"""

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.transcript.boundaries import Boundary, Window, read_boundary
from amplihack_compaction.transcript.chain import main_chain
from amplihack_compaction.transcript.entries import (
    Entry,
    JsonObject,
)
from amplihack_compaction.transcript.nodes import Kind, Node, make_node, message_text
from amplihack_compaction.transcript.turns import make_turns

LATER_WINDOW = 1
"""Index of windows made here: whether they are a session's first is not known."""
_SUMMARY_HEAD = "This session is being continued from a previous conversation"
_ROLES = {
    "user": "user",
    "human": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "model": "assistant",
}


def window_of(messages: Sequence[object]) -> Window:
    """Return the messages as one window, flat and real ones alike; offsets are list positions."""
    nodes: list[Node] = []
    seen: set[str] = set()
    began: Boundary | None = None
    side = _is_subagents(messages)
    for place, message in enumerate(messages):
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
    chain = main_chain(nodes, _leaf(nodes))
    window = Window(LATER_WINDOW, 0, len(messages), began, None, make_turns(chain), chain)
    _note_entries(window, chain)
    return window


def _is_subagents(messages: Sequence[object]) -> bool:
    """Tell whether the first entry that says so belongs to a subagent: then all of them count."""
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


def _note_entries(window: Window, chain: list[Node]) -> None:
    for node in chain:
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
    if kind == "user" and message_text(content).lstrip().startswith(_SUMMARY_HEAD):
        entry["isCompactSummary"] = True
    return entry


@dataclass(frozen=True, slots=True)
class Split:
    """A list of messages cut at its last compaction.

    `now` is what the model has: what follows the boundary, and the messages it preserved.
    `before` is the window that was compacted. Without a boundary everything is `now`.
    """

    before: list[JsonObject]
    now: list[JsonObject]
    boundary_uuid: str = ""


def split_at_boundary(messages: Sequence[object], boundary_uuid: str | None = None) -> Split:
    """Cut real entries at their last compaction; with a uuid, at the boundary that has it.

    Flat messages have no boundary: such a list is what its owner says the model has.
    """
    objects = [message for message in messages if isinstance(message, dict)]
    places = _boundary_places(objects)
    if boundary_uuid is not None:
        while places and objects[places[-1]].get("uuid") != boundary_uuid:
            places.pop()
    if not places:
        return Split([], objects)
    last = places[-1]
    start = places[-2] if len(places) > 1 else 0
    boundary = read_boundary(Entry(last, objects[last]))
    kept = boundary.preserved if boundary is not None else frozenset[str]()
    preserved = [
        message
        for message in objects[:last]
        if isinstance(message.get("uuid"), str) and message["uuid"] in kept
    ]
    return Split(
        objects[start:last], preserved + objects[last:], str(objects[last].get("uuid") or "")
    )


def split_at_summary(messages: Sequence[object]) -> list[JsonObject]:
    """Return the flat messages that stand before a compaction's summary; none without one."""
    objects = [message for message in messages if isinstance(message, dict)]
    for place, message in enumerate(objects):
        if message_text(message.get("content")).lstrip().startswith(_SUMMARY_HEAD):
            return objects[:place]
    return []


def _boundary_places(messages: Sequence[JsonObject]) -> list[int]:
    """Return where compactions lie; the summary under a boundary is part of the same one."""
    places: list[int] = []
    fresh = False
    for place, message in enumerate(messages):
        if message.get("isSidechain") is True:
            continue
        kind = message.get("type")
        if kind == "system" and message.get("subtype") == "compact_boundary":
            places.append(place)
            fresh = True
        elif message.get("isCompactSummary") is True:
            if not fresh:
                places.append(place)
            fresh = False
        elif kind == "assistant":
            fresh = False
    return places


def removed_count(window: Window, preserved: Container[str]) -> int:
    """Return how many main-chain messages a compaction takes away: all but the preserved."""
    return window.count_messages(preserved)


def visible_texts(messages: Sequence[object]) -> Iterator[str]:
    """Yield every text that the messages put before the model: speech, tools, attachments."""
    for message in messages:
        if not isinstance(message, dict):
            continue
        if isinstance(message.get("attachment"), dict):
            yield from _attachment_texts(message)
            continue
        inner = message.get("message")
        source = inner if isinstance(inner, dict) else message
        content = source.get("content")
        if isinstance(content, (str, list)):
            yield from _strings(content)


def _attachment_texts(message: JsonObject) -> Iterator[str]:
    """Yield what an attachment shows the model: `rendered` where the client recorded it."""
    attachment = message["attachment"]
    if message.get("rendered"):
        yield from _strings(message["rendered"])
    elif attachment.get("type") == "hook_success":
        # Plain output reaches the model from these two events only.
        if attachment.get("hookEvent") in ("SessionStart", "UserPromptSubmit"):
            yield from _strings(attachment.get("content"))
    elif attachment.get("type") not in ("prompt_snapshot", "session_context"):
        yield from _strings(attachment)


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
