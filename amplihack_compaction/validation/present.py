"""Gather what the model has after a compaction: everything it was sent since the boundary.

The `<summary>` part of the summary, the messages that were kept, the files the client read again,
what hooks injected, and what was said since. An item that stands in one of these is not lost.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from amplihack_compaction.transcript.content import blocks_of, message_text
from amplihack_compaction.transcript.entries import JsonObject, iterate_entries
from amplihack_compaction.transcript.windows import Boundary

# More than a model's window holds is not before the model; what came first is what the client and
# the hooks put there, and what is asked for here.
_WHOLE_CHARS = 6_000_000
_TEXT_CHARS = 200_000


def present_text(transcript_path: str, window_start: int, boundary: Boundary) -> str:
    """Return the text of all that the model was sent since the boundary.

    `window_start` is where the compacted window began: the kept messages lie in it, and are
    named by the boundary, not repeated after it.
    """
    parts = _Parts()
    if boundary.preserved:
        for entry in iterate_entries(transcript_path, window_start, boundary.offset):
            uuid = entry.data.get("uuid")
            if isinstance(uuid, str) and uuid in boundary.preserved:
                parts.add(_entry_texts(entry.data))
    for entry in iterate_entries(transcript_path, boundary.offset):
        if not entry.data.get("isSidechain"):
            parts.add(_entry_texts(entry.data))
        if parts.room <= 0:
            break
    return "\n".join(parts.texts)


class _Parts:
    """Collects texts up to what a model's window can hold."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.room = _WHOLE_CHARS

    def add(self, texts: Iterable[str]) -> None:
        for text in texts:
            if text and self.room > 0:
                self.texts.append(text[: min(_TEXT_CHARS, self.room)])
                self.room -= len(self.texts[-1])


def _entry_texts(data: JsonObject) -> Iterator[str]:
    kind = data.get("type")
    if kind == "attachment":
        yield from _attachment_texts(data)
    elif kind in ("user", "assistant"):
        message = data.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        yield message_text(content)
        for block in blocks_of(content, "tool_use"):
            yield json.dumps(block.get("input"), ensure_ascii=False)
        for block in blocks_of(content, "tool_result"):
            inner = block.get("content")
            yield inner if isinstance(inner, str) else message_text(inner)


def _attachment_texts(data: JsonObject) -> Iterator[str]:
    """Yield what the model was shown of an attachment: its rendering, else a hook's context."""
    rendered = data.get("rendered")
    if isinstance(rendered, list):
        for part in rendered:
            content = part.get("content") if isinstance(part, dict) else None
            yield content if isinstance(content, str) else message_text(content)
        return
    attachment = data.get("attachment")
    if isinstance(attachment, dict) and attachment.get("type") == "hook_additional_context":
        yield from _strings(attachment.get("content"))


def _strings(value: Any) -> list[str]:
    values = value if isinstance(value, list) else [value]
    return [text for text in values if isinstance(text, str)]
