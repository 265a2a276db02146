"""What a resumable copy leaves out of a transcript, what that saves, and the placeholders for it.

    [Left out: 812 lines of /a/b.py. Read it again, or: amplihack-compaction expand 1f2e3d4c.17]

An id is the first eight digits of the copy's session id and the number of the part, so that it
leads to the copy's manifest.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from amplihack_compaction.context.estimate import line_for
from amplihack_compaction.extract.recent_context import tool_detail
from amplihack_compaction.text.words import counted, one_line, printable
from amplihack_compaction.transcript.session import ToolUse

Pointer = tuple[str | int, ...]


class LeftOutKind(StrEnum):
    """Why something is left out of a copy."""

    TOOL_OUTPUT = "tool_output"
    SUPERSEDED_READ = "superseded_read"
    DUPLICATE = "duplicate"
    IMAGE = "image"
    DOCUMENT = "document"
    THINKING = "thinking"
    WRITTEN = "written"


@dataclass(frozen=True, slots=True, kw_only=True)
class Original:
    """The session to copy: its transcript, its id, and the project that keeps our files."""

    path: str
    session_id: str
    root: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOutPart:
    """One thing that is left out: where it stands, what it is, and its characters.

    `n` is its number in the copy. `offset`, `length` and `line` are the original line's place in
    bytes and its number from 0, `hash` tells whether it is still the same, and `pointer` leads to
    the value inside the parsed line. `what` is the text that names it in a placeholder, and `text`
    the placeholder without its number; thinking has none. `resumed` says that the client would
    send it when the session is resumed.
    """

    n: int = 0
    kind: LeftOutKind
    what: str
    characters: int
    offset: int
    length: int = 0
    line: int
    hash: str = ""
    pointer: Pointer
    resumed: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a copy leaves out of the first `end` bytes of a transcript.

    `whole_characters` are those of all messages in the file, `resumed_characters` of those that
    the client sends when the session is resumed.
    """

    end: int
    model: str
    parts: tuple[LeftOutPart, ...]
    whole_characters: int
    resumed_characters: int
    records: int = 0
    record_bytes: int = 0

    @property
    def whole_tokens(self) -> list[int]:
        """Estimated tokens of the whole file's messages, before and after."""
        return self._tokens(self.whole_characters, self.parts)

    @property
    def resumed_tokens(self) -> list[int]:
        """The same of the messages that are sent when the session is resumed."""
        return self._tokens(self.resumed_characters, (p for p in self.parts if p.resumed))

    def _tokens(self, characters: int, parts: Iterable[LeftOutPart]) -> list[int]:
        saved = sum(part.characters - len(part.text) for part in parts)
        slope = line_for(self.model).slope
        return [round(slope * characters), round(slope * max(0, characters - saved))]


ID = re.compile(r"([0-9a-f]{8})\.(\d{1,9})")
_COMMAND = "amplihack-compaction expand "
# As long as an id, so that sizes are right before there is one; `_plain` lets no such sign through.
_NUMBER = "\0" * 12
_WHAT_CHARS = 120
_AGAIN = {
    "Read": "Read it again",
    "NotebookRead": "Read it again",
    "Bash": "Run it again",
    "BashOutput": "",
    "Task": "",
    "Agent": "",
}
READERS = frozenset(("Read", "NotebookRead"))


def tool_subject(tool: str, given: dict[str, Any]) -> str:
    """Return what a tool was used on, on one line: a file, a command, a pattern."""
    path = given.get("file_path") or given.get("notebook_path")
    detail = path if isinstance(path, str) else tool_detail(ToolUse("", tool, given))
    return _plain(detail)


def result_text(tool: str, what: str, lines: int) -> str:
    """Return the placeholder of a tool's result."""
    again = _AGAIN.get(tool, "Ask again")
    if tool in READERS:
        source = what or "a file"
    elif tool == "Bash":
        source = f"output of `{what}`"
    else:
        source = f"output of {_plain(tool) or 'a tool'} {what}".rstrip()
    return _placeholder(f"{counted(lines, 'line')} of {source}", again)


def superseded_text(what: str) -> str:
    """Return the placeholder of a file's text which was read or written again later."""
    return _placeholder(f"{what or 'a file'} as it was here; a later state follows", "")


def duplicate_text(what: str, lines: int) -> str:
    """Return the placeholder of a result that came again later, word for word."""
    again_later = f"{counted(lines, 'line')} that come again later"
    return _placeholder(f"{again_later}, of {what or 'a tool'}", "")


def media_text(kind: LeftOutKind, media_type: str, what: str) -> str:
    """Return the placeholder of an image or a document."""
    article = "an image" if kind is LeftOutKind.IMAGE else "a document"
    of_type = f" ({_plain(media_type)})" if media_type else ""
    return _placeholder(f"{article}{of_type}{' of ' + what if what else ''}", "")


def reminder(text: str) -> str:
    """Return a placeholder as the client marks its own words beside a user's."""
    return f"<system-reminder>{text}</system-reminder>"


def written_text(what: str, lines: int) -> str:
    """Return the placeholder of a text that went into a file."""
    return _placeholder(f"{counted(lines, 'line')} that went into {what or 'a file'} here", "")


def numbered(text: str, session_id: str, number: int) -> str:
    """Return a placeholder with its id."""
    return text.replace(_NUMBER, f"{session_id[:8]}.{number}")


def _placeholder(what: str, again: str) -> str:
    return f"[Left out: {what}. {again + ', or' if again else 'See it'}: {_COMMAND}{_NUMBER}]"


def _plain(text: str) -> str:
    return printable(one_line(text, _WHAT_CHARS))
