"""The command `statusline`: one short line for the client's status bar, and a note of its window.

The client calls it often, with its own figures as JSON on standard input, so it imports neither
the command line's framework nor pydantic. Whatever is wrong, it says nothing and exits with 0.
"""

import os
import sys
from typing import Any

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.base.paths import is_transcript_path
from amplihack_compaction.context.levels import ContextStatus, Level, fullness
from amplihack_compaction.context.meter import note_window, read_status
from amplihack_compaction.transcript.session import as_object, text_in

_MOST_PERCENT = 1_000
_LIMIT_BYTES = 1024 * 1024
_OTHER_SECONDS = 5.0
_CENT, _MOST = 0.005, 1e6
_WINDOW_TOKENS = range(1_000, 100_000_001)
_COLOURS: dict[Level, str] = {"raw": "32", "compact": "33", "summarize": "35", "handoff": "31"}


def print_status_line() -> None:
    """Read the client's figures from standard input and print the line."""
    stdin = sys.stdin.buffer.read(_LIMIT_BYTES)
    other = line_of_other(sys.argv[3], stdin) if len(sys.argv) > 3 else ""
    line = "  ".join(filter(None, (other, status_line(stdin))))
    if line:
        sys.stdout.write(line + "\n")


def line_of_other(command: str, stdin: bytes) -> str:
    """Return what another status line's command prints; empty where it fails or takes too long."""
    from subprocess import DEVNULL, PIPE, SubprocessError, run

    try:
        done = run(  # noqa: S602 - the user's own command, from his own settings
            command, shell=True, input=stdin, stdout=PIPE, stderr=DEVNULL,
            timeout=_OTHER_SECONDS, check=False,
        )  # fmt: skip
    except (OSError, SubprocessError, ValueError):
        return ""
    return done.stdout.decode("utf-8", "replace").rstrip()


def status_line(stdin: bytes) -> str:
    """Return the line for what the client said; empty when that cannot be understood."""
    said = parse_object(stdin)
    if said is None:
        return ""
    root = os.environ.get("CLAUDE_PROJECT_DIR") or text_in(
        as_object(said.get("workspace")), "project_dir"
    )
    session_id, path = text_in(said, "session_id"), text_in(said, "transcript_path")
    if not root or not session_id:
        return ""
    try:
        size = as_object(said.get("context_window")).get("context_window_size")
        model = text_in(as_object(said.get("model")), "id")
        if type(size) is int and size in _WINDOW_TOKENS and model:
            note_window(root, model, size, session_id)
        status = read_status(root, session_id, path) if is_transcript_path(path) else None
    except (OSError, ValueError):
        status = None
    return _coloured(status, said) if status is not None else _of_the_client(said)


def _number(said: dict[str, Any], group: str, name: str) -> float:
    """Return one of the client's numbers; -1 for none, and for one that none can be."""
    value: Any = as_object(said.get(group)).get(name)
    return value if type(value) in (int, float) and 0 <= value <= _MOST else -1


def _coloured(status: ContextStatus, said: dict[str, Any]) -> str:
    dollars = _number(said, "cost", "total_cost_usd")  # as the client reckons
    text = fullness(status) + (f", ${dollars:,.2f}" if dollars >= _CENT else "")
    if os.environ.get("NO_COLOR"):
        return text
    return f"\x1b[{_COLOURS[status.level]}m{text}\x1b[0m"


def _of_the_client(said: dict[str, Any]) -> str:
    """Return the client's own percentage, which is of the model's window; empty before one."""
    used = _number(said, "context_window", "used_percentage")
    return f"{used:.0f} % full" if 0 <= used <= _MOST_PERCENT else ""
