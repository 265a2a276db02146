"""The handoff document: what whoever goes on with a session has to know, as plain text.

`handoff-document.txt` is the template. Rendered, every section has content or says that nothing
is recorded; parsed back, the text gives the same document. A backslash keeps what was said from
being taken for the document's own marks: before a first `#`, `=` or `(`, and inside a separator.
"""

import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.text.words import inert

TEMPLATE = Path(__file__).with_name("handoff-document.txt")
NOTHING = "(nothing recorded)"
_LINE_CHARS = 1000
_HEADS = ("feature", "created", "session_id", "checkpoint_id")
_PLACE = re.compile(r"\{([a-z_]+)\}")
_MARK = re.compile(r"^(\\*)(?=[#=(])")
_PROGRESS = re.compile(r" \((?:(\d{1,3})% complete|progress unknown)\)$")
_NUMBER = re.compile(r"^\d+\. ")


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
    """A handoff; `progress` is in percent of the todos, None where there are none.

    `issues` also takes one text, as older documents have it.
    """

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

    def __post_init__(self) -> None:
        """Turn the older form of `issues` into the present one; a feature's name is one line."""
        self.issues = _as_list(self.issues)
        if not isinstance(self.feature, str):
            raise TypeError("the feature's name is no text")
        self.feature = _line(self.feature)

    @property
    def command(self) -> str:
        """The command that prints what is needed to go on."""
        return continue_command(self.feature)

    def to_json(self) -> dict[str, Any]:
        """Return the document as JSON values."""
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "files_modified": [[f.path, f.description] for f in self.files_modified],
            "decisions": [[d.text, d.reason] for d in self.decisions],
        }

    @classmethod
    def from_json(cls, content: dict[str, Any]) -> "HandoffDocument":
        """Return the document that JSON values hold; unknown keys are ignored.

        Raises CompactionError when the feature or a list is of another kind.
        """
        try:
            files = [ModifiedFile(*_texts(item)) for item in content.get("files_modified") or ()]
            decisions = [HandoffDecision(*_texts(item)) for item in content.get("decisions") or ()]
            known = {name: content[name] for name in _PLAIN if name in content}
            lists = {name: _as_list(known[name]) for name in _LISTS if name in known}
            return cls(**{**known, **lists}, files_modified=files, decisions=decisions)
        except (TypeError, ValueError) as error:
            raise CompactionError(f"this is no handoff document: {error}") from error


_LISTS = ("completed", "in_progress", "next_steps", "issues")
_PLAIN = (*_HEADS, "current_task", "progress", *_LISTS, "context")


def continue_command(feature: str) -> str:
    """Return the command that prints what is needed to go on with a feature."""
    return f"{own_command()} feature continue {shlex.quote(feature)}"


def render_handoff(document: HandoffDocument) -> str:
    """Return the document as text; each item is made one harmless line."""
    values = {name: _line(getattr(document, name)) or "unknown" for name in _HEADS}
    values["current_task"] = _task(document)
    values["completed"] = _items(map(_escape_mark, document.completed))
    values["in_progress"] = _items(map(_escape_mark, document.in_progress))
    values["next_steps"] = _items(map(_escape_mark, document.next_steps), numbered=True)
    values["files_modified"] = _items(
        _joined(file.path, ": ", file.description, "") for file in document.files_modified
    )
    values["issues"] = _items(map(_escape_mark, document.issues))
    values["decisions"] = _items(
        _joined(decision.text, " (because: ", decision.reason, ")")
        for decision in document.decisions
    )
    lines = [_escape_mark(_line(line)) for line in document.context.splitlines()]
    values["context"] = "\n".join(line for line in lines if line) or NOTHING
    values["command"] = document.command
    # One pass, so that what was said can name no placeholder of its own.
    return _PLACE.sub(lambda found: values[found[1]], TEMPLATE.read_text(encoding="utf-8"))


def parse_handoff(text: str) -> HandoffDocument:
    """Return the document that a text is. Raises CompactionError when it is none."""
    head, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    values = dict(re.findall(r"^([A-Za-z ]+): (.*)$", head, flags=re.MULTILINE))
    if "HANDOFF DOCUMENT" not in values:
        raise CompactionError("this is no handoff document: its first lines name no feature")
    bodies: dict[str, list[str]] = {}
    for part in parts:
        title, _, body = part.partition("\n")
        lines = [line for line in body.splitlines() if line and not line.startswith("===")]
        bodies[title.strip()] = [] if lines[:1] == [NOTHING] else lines
    task, progress = _read_task(bodies.get("CURRENT TASK", []))
    context = bodies.get("CONTEXT FOR CONTINUATION", [])
    if context and context[-1].startswith("To go on: "):
        context.pop()
    context = [] if context[:1] == [NOTHING] else context
    return HandoffDocument(
        feature=values["HANDOFF DOCUMENT"],
        created=_known(values.get("Created", "")),
        session_id=_known(values.get("Session", "")),
        checkpoint_id=_known(values.get("Checkpoint", "")),
        current_task=task,
        progress=progress,
        completed=_read_items(bodies.get("COMPLETED", [])),
        in_progress=_read_items(bodies.get("IN PROGRESS", [])),
        next_steps=_read_items(bodies.get("NEXT STEPS", [])),
        files_modified=[
            ModifiedFile(*_split(line, ": ", "")) for line in bodies.get("FILES MODIFIED", [])
        ],
        issues=_read_items(bodies.get("BLOCKING ISSUES", [])),
        decisions=[
            HandoffDecision(*_split(line, " (because: ", ")"))
            for line in bodies.get("DECISIONS MADE", [])
        ],
        context="\n".join(map(_without_mark, context)),
    )


def _task(document: HandoffDocument) -> str:
    task = _escape_mark(_line(document.current_task))
    if not task:
        return NOTHING
    known = document.progress is not None
    return f"{task} ({f'{document.progress}% complete' if known else 'progress unknown'})"


def _read_task(lines: Sequence[str]) -> tuple[str, int | None]:
    line = lines[0] if lines else ""
    progress = _PROGRESS.search(line)
    if progress is None:
        return _without_mark(line), None
    percent = progress[1]
    return _without_mark(line[: progress.start()]), int(percent) if percent else None


def _items(items: Iterable[str], numbered: bool = False) -> str:
    lines = [line for item in items if (line := _line(item))]
    if not lines:
        return NOTHING
    if numbered:
        return "\n".join(f"{number}. {line}" for number, line in enumerate(lines, 1))
    return "\n".join(f"- {line}" for line in lines)


def _read_items(lines: Sequence[str]) -> list[str]:
    return [_without_mark(_bare(line)) for line in lines]


def _bare(line: str) -> str:
    return line[2:] if line.startswith("- ") else _NUMBER.sub("", line)


def _joined(left: str, separator: str, right: str, end: str) -> str:
    """Return two texts as one line; a separator inside the left one is broken by a backslash."""
    broken = _breaker(separator, "").sub(r"\1\2\\", _line(left))
    return f"{broken}{separator}{_line(right)}{end}" if _line(right) else broken


def _split(line: str, separator: str, end: str) -> tuple[str, str]:
    left, found, right = _bare(line).partition(separator)
    whole = _breaker(separator, r"\\").sub(r"\1\2", left)
    return whole, right.removesuffix(end) if found else right


def _breaker(separator: str, more: str) -> re.Pattern[str]:
    return re.compile(f"({re.escape(separator.rstrip())}){more}" + r"(\\*)(?= |$)")


def _escape_mark(text: str) -> str:
    return _MARK.sub(r"\1\\", _line(text))


def _without_mark(line: str) -> str:
    return re.sub(r"^\\(\\*)(?=[#=(])", r"\1", line)


def _line(text: str) -> str:
    return " ".join(inert(text, _LINE_CHARS).split())


def _known(value: str) -> str:
    return "" if value == "unknown" else value


def _as_list(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if value.strip() else []
    return [str(item) for item in value or ()]


def _texts(item: Any) -> list[str]:
    if isinstance(item, str):
        return [item]
    return [str(part) for part in item][:2]
