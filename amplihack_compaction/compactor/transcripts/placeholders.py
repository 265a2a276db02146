"""What stands in a copy where something was left out.

    [Left out: 812 lines of /a/b.py. Read it again, or: amplihack-compaction expand 1f2e3d4c.17]

An id is the first eight digits of the copy's session id and the number of the part, so that it
leads to the copy's manifest.
"""

import re
from typing import Any

from amplihack_compaction.compactor.transcripts.manifest import LeftOutKind
from amplihack_compaction.extract.recent_context import tool_detail
from amplihack_compaction.text.words import counted, one_line, printable
from amplihack_compaction.transcript.session import ToolUse

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


def placeholder(
    kind: LeftOutKind, what: str, tool: str = "", lines: int = 1, media_type: str = ""
) -> str:
    """Return what stands in a part's place, still without its id; nothing for thinking.

    `what` is the tool's subject, where a `tool` was used.
    """
    again, amount = "", counted(lines, "line")
    match kind:
        case LeftOutKind.THINKING:
            return ""
        case LeftOutKind.TOOL_OUTPUT:
            again = _AGAIN.get(tool, "Ask again")
            if tool in READERS:
                source = what or "a file"
            elif tool == "Bash":
                source = f"output of `{what}`"
            else:
                source = f"output of {_plain(tool) or 'a tool'} {what}".rstrip()
            told = f"{amount} of {source}"
        case LeftOutKind.SUPERSEDED_READ:
            told = f"{what or tool or 'a file'} as it was here; a later state follows"
        case LeftOutKind.DUPLICATE:
            told = f"{amount} that come again later, of {what or tool or 'a tool'}"
        case LeftOutKind.WRITTEN:
            told = f"{amount} that went into {what or 'a file'} here"
        case LeftOutKind.IMAGE | LeftOutKind.DOCUMENT:
            article = "an image" if kind is LeftOutKind.IMAGE else "a document"
            of_type = f" ({_plain(media_type)})" if media_type else ""
            told = f"{article}{of_type}{' of ' + what if what else ''}"
    return f"[Left out: {told}. {again + ', or' if again else 'See it'}: {_COMMAND}{_NUMBER}]"


def numbered(text: str, session_id: str, number: int) -> str:
    """Return a placeholder with its id."""
    return text.replace(_NUMBER, f"{session_id[:8]}.{number}")


def _plain(text: str) -> str:
    return printable(one_line(text, _WHAT_CHARS))
