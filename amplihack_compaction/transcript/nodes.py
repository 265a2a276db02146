"""The entries of a session, the nodes that they are to its conversation, and their texts.

A node is slim: who spoke, what, and where it hangs in the tree. Which client wrote the entry does
not matter any more; `clients` makes one out of the other. Texts are cut, made storable, and read
outside of code fences.
"""

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

JsonObject = dict[str, Any]

# What tells what a tool was used on, the most telling first.
_USED_ON = (
    "command", "file_path", "notebook_path", "pattern", "url", "query", "subject", "skill",
    "description", "path", "prompt",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Entry:
    """One object of a transcript as its client wrote it, and the byte offset of its line."""

    offset: int
    data: JsonObject


@dataclass(slots=True)
class ReadReport:
    """What a reader met: lines read, and lines (or objects) it could not use.

    `end` is the offset behind the last whole line.
    """

    end: int = 0
    lines: int = 0
    skipped: int = 0
    reasons: dict[str, int] = field(default_factory=dict)

    def skip(self, reason: str) -> None:
        """Count one line or object that was not understood."""
        self.skipped += 1
        self.reasons[reason] = self.reasons.get(reason, 0) + 1


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

    `refused`: the call was not permitted or was interrupted, and did not run.
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
        """The target of the tool: its command, file, pattern or subject; empty if unknown."""
        values = (self.input.get(key) for key in _USED_ON)
        found = next((value for value in values if isinstance(value, str) and value.strip()), "")
        task = self.input.get("taskId")
        if not isinstance(task, str) or not task:
            return found
        status = self.input.get("status")
        said = status if isinstance(status, str) else found
        return f"task #{task}: {said}" if said else f"task #{task}"


@dataclass(frozen=True, slots=True)
class Boundary:
    """A compaction, as the transcript records it; numbers are None where the client wrote none.

    Clients before 2.0 wrote only the summary; its line then is the boundary (`trigger` "").
    `leaf_uuid` is the last entry of what was compacted, where the client names it.
    """

    offset: int
    uuid: str
    timestamp: str = ""
    trigger: str = ""
    leaf_uuid: str | None = None
    pre_tokens: int | None = None
    post_tokens: int | None = None
    precomputed: bool = False
    preserved: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WindowNotes:
    """What an entry tells of its window as a whole; empty or None where it tells nothing.

    `todos` is the list that old clients attach to user entries; `plan` a plan file's text.
    """

    branch: str = ""
    model: str = ""
    todos: Any = None
    plan_mode: bool | None = None
    plan_path: str = ""
    plan: str = ""


@dataclass(slots=True)
class Node:
    """One entry of the tree.

    `said` is what the user said with a tool's results, each with its origin. `turn` is the number
    of a prompt's turn in its conversation and the prompt's id, where the client tells them.
    `folder` is where it was written; `sidechain` says whether it is a subagent's, None where the
    client does not say. `boundary` is what a boundary's entry records.
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
    folder: str = ""
    sidechain: bool | None = None
    boundary: Boundary | None = None
    noted: WindowNotes | None = None

    def shed(self) -> None:
        """Drop what only recent nodes need; prompts keep their text."""
        if self.kind in (Kind.ASSISTANT, Kind.RESULT, Kind.OTHER):
            self.text, self.tools, self.results, self.said, self.noted = "", [], [], [], None


def was_refused(tool: ToolUse) -> bool:
    """Return whether the call was refused or interrupted, so that it says nothing."""
    result = tool.result
    return result is not None and result.is_error and result.refused


def bash_command(tool: ToolUse) -> str:
    """Return the command line of a Bash call; empty for every other tool."""
    command = tool.input.get("command") if tool.name == "Bash" else None
    return command if isinstance(command, str) else ""


# How far from its place a cut is put off for the end of a sentence.
_NEAR_CHARS = 400
_END = re.compile(r"[.!?](?=\s)|[\n。！？]")
_CUT = re.compile(r"\[\.\.\. [0-9]+ characters \.\.\.\]")
_FENCES = ("```", "~~~")


def cut_middle(text: str, limit: int) -> str:
    """Return the text, or its head and tail around a mark that says how much is left out.

    The mark has a line of its own. Where a sentence or line ends near by, none is cut in two: half
    of one can say the contrary of the whole.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    near = min(_NEAR_CHARS, half // 2)
    head, tail = text[:half], text[len(text) - half :]
    ends = [found.end() for found in _END.finditer(head, half - near)]
    head = head[: ends[-1]] if ends else head
    begin = _END.search(tail, 0, near)
    tail = tail[begin.end() :] if begin is not None else tail
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left} characters ...]\n{tail}"


def is_cut(line: str) -> bool:
    """Return whether a line is the mark of `cut_middle`, which nobody said."""
    return _CUT.fullmatch(line) is not None


def storable(text: str) -> str:
    """Return a text that every database takes: no NUL, no half of a character."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode("utf-8")


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
