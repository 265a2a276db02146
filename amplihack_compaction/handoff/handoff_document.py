"""The handoff document: what whoever goes on with a session has to know, as plain text.

`handoff-document.txt` is the template. Rendered, every section has content or says that nothing
is recorded. A backslash before a first `#`, `=` or `(` keeps what was said from being taken for the
document's own marks.
"""

import re
import shlex
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.text.words import inert

TEMPLATE = Path(__file__).with_name("handoff-document.txt")
NOTHING = "(nothing recorded)"
_LINE_CHARS = 1000
_HEADS = ("feature", "created", "session_id", "checkpoint_id")
_PLACE = re.compile(r"\{([a-z_]+)\}")
_MARK = re.compile(r"^(?=[#=(])")


@dataclass(frozen=True, slots=True)
class ModifiedFile:
    """A file that was changed, and what for."""

    path: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class HandoffDecision:
    """A decision that stands, and why it was made."""

    text: str
    reason: str = ""


@dataclass(slots=True, kw_only=True)
class HandoffDocument:
    """A handoff; `progress` is in percent of the todos, None where there are none."""

    feature: str
    created: str = ""
    session_id: str = ""
    checkpoint_id: str = ""
    current_task: str = ""
    progress: int | None = None
    completed: list[str] = field(default_factory=list)
    in_progress: list[str] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)
    files_modified: list[ModifiedFile] = field(default_factory=list)
    issues: list[str] = field(default_factory=list)
    decisions: list[HandoffDecision] = field(default_factory=list)
    context: str = ""

    @property
    def command(self) -> str:
        """The command that prints what is needed to go on."""
        return continue_command(_line(self.feature))

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON values; files and decisions are pairs."""
        files = [[each.path, each.description] for each in self.files_modified]
        decisions = [[each.text, each.reason] for each in self.decisions]
        return {**asdict(self), "files_modified": files, "decisions": decisions}


def continue_command(feature: str) -> str:
    """Return the command that prints what is needed to go on with a feature."""
    return f"{own_command()} feature continue {shlex.quote(feature)}"


def _keep_command(session_id: str) -> str:
    named = f" --session {shlex.quote(_line(session_id))}" if session_id else ""
    return f"{own_command()} handoff{named}"


def render_handoff(document: HandoffDocument) -> str:
    """Return the document as text; each item is made one harmless line."""
    values = {name: _line(getattr(document, name)) or "unknown" for name in _HEADS}
    values["current_task"] = _task(document)
    for name in ("completed", "in_progress", "issues"):
        values[name] = _items(getattr(document, name))
    values["next_steps"] = _items(document.next_steps, numbered=True)
    values["files_modified"] = _items(
        f"{file.path}: {file.description}" if file.description else file.path
        for file in document.files_modified
    )
    values["decisions"] = _items(
        f"{each.text} (because: {each.reason})" if each.reason else each.text
        for each in document.decisions
    )
    lines = [_as_no_mark(line) for line in document.context.splitlines()]
    values["context"] = "\n".join(line for line in lines if line) or NOTHING
    if document.checkpoint_id:
        values["last_line"] = f"To go on: {document.command}"
    else:
        values["checkpoint_id"] = "none, only printed"
        values["last_line"] = f"To keep it: {_keep_command(document.session_id)}"
    # One pass, so that what was said can name no placeholder of its own.
    return _PLACE.sub(lambda found: values[found[1]], TEMPLATE.read_text(encoding="utf-8"))


def _task(document: HandoffDocument) -> str:
    task = _as_no_mark(document.current_task)
    if not task:
        return NOTHING
    known = document.progress is not None
    return f"{task} ({f'{document.progress}% complete' if known else 'progress unknown'})"


def _items(items: Iterable[str], numbered: bool = False) -> str:
    lines = [line for item in items if (line := _line(item))]
    if numbered:
        lines = [f"{number}. {line}" for number, line in enumerate(lines, 1)]
    else:
        lines = [f"- {line}" for line in lines]
    return "\n".join(lines) or NOTHING


def _as_no_mark(text: str) -> str:
    return _MARK.sub(r"\\", _line(text))


def _line(text: str) -> str:
    return " ".join(inert(text, _LINE_CHARS).split())
