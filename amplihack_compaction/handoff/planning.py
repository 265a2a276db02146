"""Read a planning folder: PLAN.md, STATE.md and ROADMAP.md, as plans for agents are written.

What is looked for: `Phase:`, `Plan:`, `Task:` and `Next:` lines, the first open checkbox, and
lists under headings that speak of decisions, issues or learnings. Nothing is executed, and only
regular files below the project are read.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from amplihack_compaction.base.contained_files import read_inside
from amplihack_compaction.base.redaction.redact import redact

_FILE_LIMIT_BYTES = 256 * 1024
_LINE_CHARS = 1000
_FILES = 12
_SEEN = 1_000
_ITEMS = 20
_NOTHING = frozenset({"none", "n/a", "none yet", "nothing", "-", "tbd", "(none)"})
_HEADING = re.compile(r"^#{1,6} +(\S.*)$")
_ITEM = re.compile(r"^\s{0,8}(?:[-*+]|\d{1,3}[.)]) +(?:\[( |x|X)\] +)?(.+)$")
_FIELD = re.compile(
    r"^[\s*_>#-]*(current phase|phase|current plan|plan|current task|task|next action|next steps?"
    r"|next)[*_]*:[*_]*\s+(.+)$",
    re.IGNORECASE,
)
_KINDS = (
    ("decisions", re.compile(r"decision", re.IGNORECASE)),
    ("issues", re.compile(r"issue|blocker|problem|open question|concern", re.IGNORECASE)),
    ("learnings", re.compile(r"learning|lesson|learned|pattern|insight", re.IGNORECASE)),
)


@dataclass(slots=True)
class Planning:
    """What a planning folder says; `files` are those it was read from, by name."""

    phase: str = ""
    plan: str = ""
    task: str = ""
    next_action: str = ""
    decisions: list[str] = field(default_factory=list)
    issues: list[str] = field(default_factory=list)
    learnings: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


def read_planning(root: str, folder: str = ".planning") -> Planning | None:
    """Return what a project's planning folder says; None when there is nothing to read.

    Where STATE and ROADMAP both name a phase, STATE counts: it is of now. Secrets are redacted.
    """
    base = Path(root) / folder
    planning = Planning()
    for path in _planning_files(Path(root), base):
        data = _read_resolved(Path(root), path)
        if data is None or not data.strip():
            continue
        planning.files.append(str(path.relative_to(base)))
        _read_text(redact(data.decode("utf-8", "replace")), path.stem.upper(), planning)
    return planning if planning.files else None


def _read_resolved(root: Path, path: Path) -> bytes | None:
    """Return a file's content; links inside the project are followed, none that leads out."""
    try:
        inside = path.resolve().relative_to(root.resolve())
    except (OSError, RuntimeError, ValueError):  # RuntimeError: links that lead in a circle
        return None
    return read_inside(str(root), str(inside), _FILE_LIMIT_BYTES)


def _planning_files(root: Path, base: Path) -> Iterator[Path]:
    """Yield STATE first, then ROADMAP, then the plans, newest first; none outside the project."""
    try:
        inside = root.resolve()
        if not base.resolve().is_relative_to(inside):
            return
        seen = islice(base.rglob("*.md"), _SEEN)
        paths = [path for path in seen if path.resolve().is_relative_to(inside)]
        aged = sorted(paths, key=lambda path: -path.stat().st_mtime)
    except (OSError, RuntimeError):
        return
    named = {name: [p for p in aged if p.stem.upper() == name] for name in ("STATE", "ROADMAP")}
    plans = [path for path in aged if path.stem.upper().endswith("PLAN")]
    # A plan in the folder itself is the project's; one below it is of a phase.
    plans.sort(key=lambda path: len(path.parts))
    yield from [*named["STATE"][:1], *named["ROADMAP"][:1], *plans][:_FILES]


def _read_text(text: str, name: str, planning: Planning) -> None:
    kind = ""
    for whole in text.splitlines():
        line = whole[:_LINE_CHARS]
        heading = _HEADING.match(line)
        if heading is not None:
            title = heading[1].rstrip(" #")
            kind = next((k for k, pattern in _KINDS if pattern.search(title)), "")
            if name.endswith("PLAN") and not planning.plan:
                planning.plan = title
        found = _FIELD.match(line)
        if found is not None:
            _set_field(planning, found[1].casefold(), found[2].strip("*_ "))
        item = _ITEM.match(line)
        if item is not None:
            _add_item(planning, kind, name, item)


def _set_field(planning: Planning, name: str, value: str) -> None:
    if value.casefold() in _NOTHING:
        return
    target = next((t for t in ("phase", "plan", "task") if t in name), "next_action")
    if not getattr(planning, target):
        setattr(planning, target, value)


def _add_item(planning: Planning, kind: str, name: str, item: re.Match[str]) -> None:
    box, text = item[1], item[2].strip("*_ ")
    if box == " ":
        target = "phase" if name == "ROADMAP" else "task"
        if not getattr(planning, target):
            setattr(planning, target, text)
    if kind and text.casefold() not in _NOTHING and (box or " ") == " ":
        items: list[str] = getattr(planning, kind)
        if len(items) < _ITEMS and text not in items:
            items.append(text)
