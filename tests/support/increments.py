"""What requests added to real sessions, by which the estimates of tokens are judged.

A pair is one response of the main chain and the next: the growth of the input tokens, and the
text from the first response's first line to the next response's. The growth is taken from input
to input, for clients before 2.1.40 often recorded the output tokens of a response's first event,
a handful, instead of those of the whole.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amplihack_compaction.clients.reading import Usage, iterate_entries, usage_of
from amplihack_compaction.transcript.session import Entry, JsonObject

_BOUNDARIES = ("compact_boundary", "microcompact_boundary")
_UNTOLD = ("image", "document", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class Increment:
    """What one request added to the context: the text, and its tokens by the API's numbers."""

    model: str
    text: str
    tokens: int


def added_text(entry: JsonObject) -> str | None:
    """Return the text that one line of a transcript adds to the context, "" for none.

    Prompts, the model's texts, thinking and tool calls, tool results and rendered attachments
    count. None when the line also holds what no text tells the tokens of: an image, a document,
    or thinking that was kept from the transcript, which stays in the context all the same.
    """
    message = entry.get("message")
    if entry.get("type") in ("user", "assistant") and isinstance(message, dict):
        return _content_text(message.get("content"))
    attachment = entry.get("attachment")
    if entry.get("type") == "attachment" and isinstance(attachment, dict):
        return _content_text(attachment.get("rendered"))
    return ""


def increments(entries: Iterable[Entry]) -> Iterator[Increment]:
    """Yield the increments of a transcript's main chain, in order.

    Left out: pairs across a compaction or a change of model, with images or hidden thinking,
    without text or usage, or after which the context did not grow.
    """
    response: _Response | None = None
    for entry in entries:
        data, usage = entry.data, usage_of(entry.data, entry.offset)
        if data.get("isSidechain"):
            continue
        if data.get("subtype") in _BOUNDARIES or data.get("isCompactSummary"):
            response = None
        elif usage is not None:
            if response is None or not usage.message_id or usage.message_id != response.message_id:
                if response is not None:
                    yield from response.increment(usage)
                response = _Response(usage)
            response.usage = usage
            response.add(data)
        elif response is not None and data.get("type") != "assistant":
            response.add(data)


class _Response:
    """One response and what was added since; its last line's usage counts."""

    def __init__(self, usage: Usage) -> None:
        self.usage, self.message_id = usage, usage.message_id
        self.parts: list[str] | None = []

    def add(self, data: JsonObject) -> None:
        text = added_text(data)
        if text is None:
            self.parts = None
        elif text and self.parts is not None:
            self.parts.append(text)

    def increment(self, following: Usage) -> Iterator[Increment]:
        growth = following.input_tokens - self.usage.input_tokens
        if self.parts and growth > 0 and self.usage.model == following.model != "":
            yield Increment(self.usage.model, "\n".join(self.parts), growth)


def _content_text(content: Any) -> str | None:
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = [_block_text(block) for block in content if isinstance(block, dict)]
    return None if None in texts else "\n".join(text for text in texts if text)


def _block_text(block: JsonObject) -> str | None:
    kind = block.get("type")
    if kind in _UNTOLD or (kind == "thinking" and not block.get("thinking")):
        return None
    if kind == "tool_result":
        return _content_text(block.get("content"))
    if kind == "tool_use":
        return f"{block.get('name')}{json.dumps(block.get('input'), ensure_ascii=False)}"
    text = block.get("thinking") if kind == "thinking" else block.get("text")
    return text if isinstance(text, str) else ""


# The newest part of the transcript; 200 pairs of a usual session lie in less.
READ_BYTES = 8 * 1024 * 1024


def read_increments(transcript: str | Path) -> Iterable[Increment]:
    """Yield the increments in the last 8 MB of a transcript.

    Raises TranscriptError when it cannot be opened.
    """
    try:
        size = Path(transcript).stat().st_size
    except (OSError, ValueError):
        size = 0  # opening it says what is wrong
    return increments(iterate_entries(transcript, max(0, size - READ_BYTES)))
