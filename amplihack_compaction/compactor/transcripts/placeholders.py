"""Word the placeholders that stand in a copy where something was left out.

    [Left out: 812 lines of /a/b.py. Read it again, or: amplihack-compaction expand 1f2e3d4c.17]

An id is the first eight digits of the copy's session id and the number of the part, so that it
leads to the copy's manifest.
"""

import re
from typing import Any

from amplihack_compaction.compactor.transcripts.model import Kind
from amplihack_compaction.extract.phase import tool_detail
from amplihack_compaction.text.strings import counted, one_line
from amplihack_compaction.transcript.nodes import ToolUse

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


def name_of(tool: str, given: dict[str, Any]) -> str:
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


def media_text(kind: Kind, media_type: str, what: str) -> str:
    """Return the placeholder of an image or a document."""
    article = "an image" if kind is Kind.IMAGE else "a document"
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
    line = one_line(text, _WHAT_CHARS)
    if line.isprintable():
        return line
    return "".join(character if character.isprintable() else " " for character in line)
