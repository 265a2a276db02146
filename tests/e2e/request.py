"""A request as the API received it, and which part of the client it came from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .script import Step

Json = dict[str, Any]

CONTINUED = "This session is being continued from a previous conversation"
"""Opening words of the message in which the client hands a summary to the model."""

SUMMARY_PROMPT = re.compile(
    r"create a detailed summary of (the|this) (conversation|RECENT portion)"
    r"|response must be plain text: an <analysis> block",
    re.IGNORECASE,
)
SUBAGENT_MARK = re.compile(r"\[\[sub:([\w-]+)\]\]")
AGENT_TOOLS = {"Agent", "Task"}


@dataclass
class Request:
    """One request to the API.

    `kind` is main, summary, sub:NAME, aux, count_tokens or other. `agent` is the subagent's NAME,
    also in its summary requests, and "" in the main session. `answer` is what the script replied.
    """

    number: int
    received_at: float
    path: str
    kind: str
    agent: str
    headers: Mapping[str, str]
    body: Json
    answer: Step | None = field(default=None, repr=False)

    @property
    def messages(self) -> list[Json]:
        """The conversation which the model was sent."""
        messages: list[Json] = self.body.get("messages") or []
        return messages

    @property
    def model(self) -> str:
        """The model which was asked for."""
        return str(self.body.get("model", ""))

    def text(self, role: str = "") -> str:
        """Return the messages' text: strings, text blocks, tool results; of one role or all."""
        chosen = (m for m in self.messages if role in ("", m.get("role")))
        return "\n".join(text for message in chosen for text in texts(message.get("content")))

    def system_text(self) -> str:
        """Return the system prompt, which is no part of `text()`."""
        return "\n".join(texts(self.body.get("system")))

    def tool_names(self) -> list[str]:
        """Return the names of the tools offered to the model."""
        return [str(tool.get("name")) for tool in self.body.get("tools") or []]

    def tool_results(self) -> list[Json]:
        """Return the tool_result blocks in the messages."""
        return [block for message in self.messages for block in blocks(message, "tool_result")]

    def tool_uses(self) -> list[Json]:
        """Return the tool_use blocks in the messages."""
        return [block for message in self.messages for block in blocks(message, "tool_use")]

    def summary_handed_over(self) -> str:
        """Return the message which carries the last compaction's summary, or "" without one."""
        parts = texts(self.messages[0].get("content")) if self.messages else iter(())
        return next((part for part in parts if part.startswith(CONTINUED)), "")


def texts(content: object) -> Iterator[str]:
    """Yield the texts in a message's content, or in a system prompt."""
    if isinstance(content, str):
        yield content
    for block in content if isinstance(content, list) else ():
        if block.get("type") == "text":
            yield block.get("text", "")
        elif block.get("type") == "tool_result":
            yield from texts(block.get("content"))


def blocks(message: Json, kind: str) -> list[Json]:
    """Return a message's content blocks of one type."""
    content = message.get("content")
    return [b for b in content if b.get("type") == kind] if isinstance(content, list) else []


def is_summary(body: Json) -> bool:
    """Tell whether the last user message asks for the summary of a compaction."""
    users = [m for m in body.get("messages") or [] if m.get("role") == "user"]
    if not users:
        return False
    content = users[-1].get("content")
    texts_of_blocks = [block["text"] for block in blocks(users[-1], "text")]
    asked = [content] if isinstance(content, str) else texts_of_blocks
    return any(SUMMARY_PROMPT.search(text) for text in asked)


def subagent_name(body: Json) -> str:
    """Return NAME where the conversation opens with the mark of a scripted subagent."""
    messages: Sequence[Json] = body.get("messages") or []
    opening = "\n".join(texts(messages[0].get("content"))) if messages else ""
    found = SUBAGENT_MARK.search(opening)
    return found.group(1) if found else ""


def is_main(body: Json) -> bool:
    """Tell the session's own loop from helper requests: only it may start agents."""
    return not AGENT_TOOLS.isdisjoint(tool.get("name") for tool in body.get("tools") or [])
