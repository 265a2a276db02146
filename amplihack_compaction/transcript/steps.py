"""Put a window's texts and tool uses in the order of the transcript."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypedDict

from amplihack_compaction.transcript.nodes import Kind, ToolUse
from amplihack_compaction.transcript.turns import said_in
from amplihack_compaction.transcript.windows import Window

_NEWEST_ENDS = 100
_FENCES = ("```", "~~~")
_REFUSALS = (
    "The user doesn't want", "[Request interrupted", "Permission to use", "Permission for this",
)  # fmt: skip
_REFUSED = "User rejected tool use"


class EntryPosition(TypedDict):
    """Where something was said or done, as the arguments that every item of the state takes."""

    uuid: str
    offset: int
    position: int
    at: str
    window: int


@dataclass(frozen=True, slots=True)
class TranscriptStep:
    """A text of the user or the model, or one tool use; `tool` is None for a text.

    `prompt` is the prompt of the turn that the step belongs to, empty before the first one.
    """

    uuid: str
    offset: int
    at: str
    window: int
    text: str = ""
    by_user: bool = False
    tool: ToolUse | None = None
    prompt: str = ""

    @property
    def place(self) -> EntryPosition:
        """Where the step stands in the transcript."""
        return {
            "uuid": self.uuid,
            "offset": self.offset,
            "position": 0,
            "at": self.at,
            "window": self.window,
        }


def window_steps(window: Window) -> list[TranscriptStep]:
    """Return the steps of the window's main chain, what the user said with results included."""
    return list(_steps_of(window))


def _steps_of(window: Window) -> Iterator[TranscriptStep]:
    prompt = ""
    for node in window.chain:
        place = (node.uuid, node.offset, node.timestamp, window.index)
        if node.kind is Kind.PROMPT:
            prompt = node.text
            yield TranscriptStep(*place, prompt, by_user=True, prompt=prompt)
        elif node.kind is Kind.ASSISTANT:
            if node.text.strip():
                yield TranscriptStep(*place, node.text, prompt=prompt)
            for tool in node.tools:
                yield TranscriptStep(*place, tool=tool, prompt=prompt)
        elif node.kind is Kind.RESULT:
            for uuid, (prompt, _) in said_in(node):
                yield TranscriptStep(uuid, *place[1:], prompt, by_user=True, prompt=prompt)


def turn_ends(steps: list[TranscriptStep]) -> set[int]:
    """Return the ids of the steps in which the model ended a turn, the newest ones."""
    ends = (
        step
        for step, after in zip(steps, [*steps[1:], None], strict=False)
        if not step.by_user and step.tool is None and (after is None or after.by_user)
    )
    return {id(step) for step in deque(ends, maxlen=_NEWEST_ENDS)}


def was_refused(tool: ToolUse) -> bool:
    """Return whether the call was refused or interrupted, so that it says nothing."""
    result = tool.result
    if result is None or not result.is_error:
        return False
    refused = result.refused or result.data == _REFUSED
    return refused or result.text.lstrip().startswith(_REFUSALS)


def prose_lines(text: str) -> list[str]:
    """Return a text's lines outside code fences; an unclosed fence reaches to the end."""
    if "```" not in text and "~~~" not in text:
        return text.splitlines()
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        else:
            lines.append(line)
    return lines


def bash_command(tool: ToolUse) -> str:
    """Return the command line of a Bash call; empty for every other tool."""
    command = tool.input.get("command") if tool.name == "Bash" else None
    return command if isinstance(command, str) else ""
