"""A fresh start: everything a new session needs to go on from a snapshot of an earlier one.

Beside the snapshot, a planning folder is read: PLAN.md, STATE.md and ROADMAP.md, as plans for
agents are written. What is looked for: `Phase:`, `Plan:`, `Task:` and `Next:` lines, the first
open checkbox, and lists under headings that speak of decisions, issues or learnings. Nothing is
executed, and only regular files below the project are read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.folders import read_inside
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import project_root, session_folder
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.base.size_limits import INJECTION_LIMIT_UTF16
from amplihack_compaction.extract.statements import BY_PLAN, SessionState, TodoStatus
from amplihack_compaction.handoff.checkpoint import list_checkpoints
from amplihack_compaction.handoff.handoff_document import (
    current_task,
    decision_text,
    newest_request,
    open_issues,
)
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.injection.snapshot import (
    Snapshot,
    SnapshotFile,
    open_snapshot,
    project_snapshots,
    text_path,
)
from amplihack_compaction.ledger.superseded import without_superseded
from amplihack_compaction.text.markdown import atx_heading, list_item
from amplihack_compaction.text.words import inert, utf16_length

_FILE_LIMIT_BYTES = 256 * 1024
_LINE_CHARS = 1000
_PLANNING_FILES = 12
_SEEN_FILES = 1_000
_PLANNING_ITEMS = 20
_EMPTY_VALUES = frozenset({"none", "n/a", "none yet", "nothing", "-", "tbd", "(none)"})
_FIELD = re.compile(
    r"^[\s*_>#-]*(current phase|phase|current plan|plan|current task|task|next action|next steps?"
    r"|next)[*_]*:[*_]*\s+(.+)$",
    re.IGNORECASE,
)
_LISTS_WANTED = (
    ("decisions", re.compile(r"decision", re.IGNORECASE)),
    ("issues", re.compile(r"issue|blocker|problem|open question|concern", re.IGNORECASE)),
    ("learnings", re.compile(r"learning|lesson|learned|pattern|insight", re.IGNORECASE)),
)
LATEST = "latest"
_NOTHING = (
    "# No context snapshot available\n\nNothing was recorded of an earlier session of this"
    " project, and there is no planning folder. Snapshots are taken at a compaction, at 80 % of"
    " the context, and by `{} handoff`."
)
_OWN = (
    " The snapshots that there are, {0} the newest, are of the session that asks:"
    " `{1} snapshot show {0}` prints it."
)
_LEARNINGS = 20
_ITEMS = 10


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
        inside = str(path.relative_to(root))
        data = read_inside(root, inside, _FILE_LIMIT_BYTES, linked=True)
        if data is None or not data.strip():
            continue
        planning.files.append(str(path.relative_to(base)))
        _read_text(redact(data.decode("utf-8", "replace")), path.stem.upper(), planning)
    return planning if planning.files else None


def _planning_files(root: Path, base: Path) -> list[Path]:
    """Return STATE first, then ROADMAP, then the plans, newest first; none of a folder outside."""
    try:
        if not base.resolve().is_relative_to(root.resolve()):
            return []
        seen = islice(base.rglob("*.md"), _SEEN_FILES)
        aged = sorted(seen, key=lambda path: -path.lstat().st_mtime)
    except (OSError, RuntimeError):  # RuntimeError: links that lead in a circle
        return []
    named = {name: [p for p in aged if p.stem.upper() == name] for name in ("STATE", "ROADMAP")}
    plans = [path for path in aged if path.stem.upper().endswith("PLAN")]
    # A plan in the folder itself is the project's; one below it is of a phase.
    plans.sort(key=lambda path: len(path.parts))
    return [*named["STATE"][:1], *named["ROADMAP"][:1], *plans][:_PLANNING_FILES]


def _read_text(text: str, name: str, planning: Planning) -> None:
    kind = ""
    for whole in text.splitlines():
        line = whole[:_LINE_CHARS]
        heading, field_line, item = atx_heading(line), _FIELD.match(line), list_item(line)
        if heading is not None and heading.title:
            kind = next((k for k, pattern in _LISTS_WANTED if pattern.search(heading.title)), "")
            if name.endswith("PLAN"):
                _note(planning, "plan", heading.title)
        if field_line is not None:
            said = field_line[1].casefold()
            target = next((t for t in ("phase", "plan", "task") if t in said), "next_action")
            _note(planning, target, field_line[2])
        if item is not None and item.box == " ":
            _note(planning, "phase" if name == "ROADMAP" else "task", item.text)
        if item is not None and kind and item.box not in ("x", "X"):
            _note(planning, kind, item.text)


def _note(planning: Planning, name: str, text: str) -> None:
    """Note what is said under a name: of lists each item once, of all others what comes first."""
    known, text = getattr(planning, name), text.strip("*_ ")
    if not text or text.casefold() in _EMPTY_VALUES:
        return
    if not isinstance(known, list):
        setattr(planning, name, known or text)
    elif len(known) < _PLANNING_ITEMS and text not in known:
        known.append(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactedContext:
    """What a fresh start restores. `source` is snapshot, planning, or both joined by a plus.

    `snapshot_id` is empty, and `state` None, where only a planning folder was read.
    """

    snapshot_id: str = ""
    session_id: str = ""
    created: str = ""
    source: str = ""
    objective: str = ""
    phase: str = ""
    plan: str = ""
    task: str = ""
    next_action: str = ""
    rules: tuple[str, ...] = ()
    open_todos: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    unresolved_issues: tuple[str, ...] = ()
    recent_learnings: tuple[str, ...] = ()
    planning_files: tuple[str, ...] = ()
    state: SessionState | None = None


@dataclass(frozen=True, slots=True)
class FreshStartContext:
    """A text for the new session, what it was made of, and how to go on.

    `skipped` are sentences on snapshots that may be newer and could not be used.
    """

    prompt: str
    compacted: CompactedContext
    instructions: str
    skipped: tuple[str, ...] = ()


def prepare_fresh_start(
    snapshot_id: str = LATEST,
    project: Path | str | None = None,
    *,
    budget_tokens: int | None = None,
    running: str = "",
) -> FreshStartContext | None:
    """Return what a new session needs to go on; None when nothing was recorded.

    `latest` is the project's newest snapshot that can be used, but for those of the session that
    is `running`; an id is a snapshot's or a checkpoint's. `budget_tokens` bounds the state's part
    of the text, by default as the settings say; the whole stays below the client's limit for a
    hook's text. Raises SnapshotError when a snapshot that was named is missing, torn, of a newer
    version or somebody else's, and when there are only such ones.
    """
    root = str(Path(project).absolute()) if project is not None else project_root()
    settings, _ = load_settings(root)
    snapshot, folder, skipped = _find(root, snapshot_id, running)
    planning = read_planning(root, settings.planning_folder)
    if snapshot is None and planning is None:
        if skipped:
            raise SnapshotError("; ".join(skipped))
        return None
    compacted = collect(snapshot, planning)
    session = collect(snapshot, None)
    told = [_session_lines(session, skipped)] if snapshot or skipped else []
    if planning is not None:
        told.append(_planning_lines(planning, len(session.unresolved_issues)))
    instructions = "\n\n".join("\n".join(lines) for lines in told)
    parts = [instructions]
    if snapshot is not None:
        room = INJECTION_LIMIT_UTF16 - utf16_length(instructions) - 2
        budget = budget_tokens or settings.injection_tokens
        full = text_path(folder, snapshot.id)
        parts.insert(0, render_state(snapshot.state, budget, full, room).text)
    return FreshStartContext("\n\n".join(parts), compacted, instructions, tuple(skipped))


def nothing_recorded(own: Sequence[SnapshotFile] = ()) -> str:
    """Return what is said where nothing was kept but the `own` snapshots of who asks."""
    said = _OWN.format(own[0].id, own_command()) if own else ""
    return _NOTHING.format(own_command()) + said


def inject_compacted_context(snapshot_id: str = LATEST, project: Path | str | None = None) -> str:
    """Return the text for the new session; never raises for a snapshot that cannot be used."""
    try:
        fresh = prepare_fresh_start(snapshot_id, project)
    except SnapshotError as error:
        return f"# The context snapshot cannot be used\n\n{inert(str(error), 600)}"
    return fresh.prompt if fresh is not None else nothing_recorded()


def collect(snapshot: Snapshot | None, planning: Planning | None) -> CompactedContext:
    """Return what a snapshot and a planning folder say together; the session's words first."""
    compacted = CompactedContext() if snapshot is None else _of_snapshot(snapshot)
    if planning is None:
        return compacted
    return replace(
        compacted,
        source=f"{compacted.source}+planning" if compacted.source else "planning",
        phase=planning.phase or compacted.phase,
        plan=planning.plan or compacted.plan,
        task=compacted.task or planning.task,
        next_action=compacted.next_action or planning.next_action or planning.task,
        decisions=_united(compacted.decisions, planning.decisions),
        unresolved_issues=_united(compacted.unresolved_issues, planning.issues),
        recent_learnings=_united(compacted.recent_learnings, planning.learnings),
        planning_files=tuple(planning.files),
    )


def next_action(state: SessionState) -> str:
    """Return what a session was to do next: the todo at hand, else the next one, else its task."""
    todos = [todo for todo in state.open_todos if not todo.parked]
    at_hand = [todo for todo in todos if todo.status is TodoStatus.IN_PROGRESS]
    for todo in (*at_hand, *todos):
        return todo.text
    return newest_request(state) or current_task(state)


def _of_snapshot(snapshot: Snapshot) -> CompactedContext:
    state, _ = without_superseded(snapshot.state)
    plans = [d for d in state.decisions if d.source == BY_PLAN and not d.superseded]
    at_hand = [todo for todo in state.open_todos if todo.status is TodoStatus.IN_PROGRESS]
    return CompactedContext(
        snapshot_id=snapshot.id,
        session_id=snapshot.session_id,
        created=snapshot.created,
        source="snapshot",
        objective=state.objective.text if state.objective else "",
        phase=state.phase.name,
        plan=plans[-1].text if plans else "",
        task=at_hand[0].text if at_hand else current_task(state),
        next_action=next_action(state),
        rules=tuple(rule.standing for rule in state.active_rules),
        open_todos=tuple(todo.text for todo in state.open_todos),
        decisions=tuple(
            decision_text(d) + (f" (because: {d.reason})" if d.reason else "")
            for d in state.decisions
            if not d.superseded
        ),
        unresolved_issues=tuple(open_issues(state)),
        recent_learnings=tuple(item.text for item in state.learnings[-_LEARNINGS:]),
        state=snapshot.state,
    )


def _find(root: str, snapshot_id: str, running: str) -> tuple[Snapshot | None, str, list[str]]:
    """Return a project's snapshot, its session's folder, and what was wrong with newer ones."""
    skipped: list[str] = []
    files = project_snapshots(root, skipped)
    if snapshot_id != LATEST:
        checkpoints = {checkpoint.id: checkpoint for checkpoint in list_checkpoints(root)}
        named = checkpoints.get(snapshot_id)
        wanted = named.snapshot if named else snapshot_id
        file = next((file for file in files if file.id == wanted), None)
        if file is None:
            known = ", ".join(file.id for file in files[:5])
            hint = f"; known snapshots: {known}" if known else ", nor any other in this project"
            raise SnapshotError(f"there is no snapshot {wanted[:60]!r}{hint}")
        return open_snapshot(file), file.folder, []
    own = session_folder(root, running) if running else ""
    for file in files:
        if file.folder == own:
            continue
        try:
            return open_snapshot(file), file.folder, skipped
        except (SnapshotError, OSError) as error:
            skipped.append(str(error))
    return None, "", skipped


def _session_lines(session: CompactedContext, skipped: Sequence[str]) -> Iterator[str]:
    """Say where the session stood, and what comes next, as facts."""
    yield "# Where the work stands"
    if session.session_id:
        yield (
            f"This is the state of session {inert(session.session_id, 80)}, recorded"
            f" {inert(session.created, 40)} (snapshot {session.snapshot_id})."
        )
    for sentence in skipped:
        yield f"What may be newer was passed over: {inert(sentence, 300)}."
    # The rendered state has the issues in its sections, as far as its budget reaches.
    yield from _position_lines(session)


def _position_lines(context: CompactedContext, issues_before: int = 0) -> Iterator[str]:
    for name in ("phase", "plan", "task"):
        if value := getattr(context, name):
            yield f"{name.capitalize()}: {inert(value)}"
    if context.unresolved_issues:
        yield f"Unresolved issues: {len(context.unresolved_issues)}"
    room = max(0, _ITEMS - issues_before)
    yield from (f"- {inert(issue)}" for issue in context.unresolved_issues[:room])
    if context.next_action:
        yield f"Next action: {inert(context.next_action)}"


def _planning_lines(planning: Planning, issues_before: int) -> Iterator[str]:
    """Say what a planning folder says, apart: it is no session's, and may be somebody else's."""
    yield f"# From the planning folder ({inert(', '.join(planning.files), 300)})"
    yield from _position_lines(collect(None, planning), issues_before)
    for title, items in (("Decisions", planning.decisions), ("Learnings", planning.learnings)):
        if items:
            yield f"## {title}"
            yield from (f"- {inert(item)}" for item in items[:_ITEMS])


def _united(first: Sequence[str], second: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*first, *second]))
