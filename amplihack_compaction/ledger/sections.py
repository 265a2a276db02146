"""Say a state in sections of markdown lines, in the order in which it is needed later.

Texts of the session are quoted, on one line each, and made inert: what was said in a transcript
cannot close the frame, open a tag the client gives meaning to, or move a terminal's cursor.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.language.text import normal_form, one_line
from amplihack_compaction.state.model import (
    FileRecord,
    SessionState,
    Todo,
    TodoStatus,
    VerifyCommand,
)

_RULE_CHARS = 600
_TEXT_CHARS = 320
_SHORT_CHARS = 160
_FILES_A_LINE = 5
_TAGS = re.compile(
    r"<(?=[/!?]?\s*(?:[-!]|system|persisted-output|command-|local-command|task-|tools-used"
    r"|antml|function|user-prompt|total_tokens|summary|analysis|budget))",
    re.IGNORECASE,
)
_FRAME = re.compile(r"-{2,}>|AMPLIHACK STATE", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading: `always` are printed in any case, `share` is kept of the budget.

    `noun` names what a line is, for the count of those that were left out.
    """

    title: str
    lines: tuple[str, ...]
    share: float
    noun: str
    always: tuple[str, ...] = ()


def inert(text: str, limit: int = _TEXT_CHARS) -> str:
    """Return a text as one harmless line of at most `limit` characters."""
    line = one_line(text, limit)
    line = "".join(character if character.isprintable() else " " for character in line)
    return _FRAME.sub(_spread, _TAGS.sub("‹", line))


def make_sections(state: SessionState) -> list[Section]:
    """Return the state's sections, most needed first; those without content are left out."""
    sections = [
        Section("Standing rules (the user's words)", tuple(_rules(state)), 0.30, "rules"),
        Section("Objective", tuple(_objective(state)), 0.16, "earlier prompts"),
        Section("Todos", tuple(_todos(state)), 0.20, "todos", (_pending(state),)),
        Section("How the work is checked", tuple(_verify(state.verify)), 0.06, "commands"),
        Section("Decisions", tuple(_decisions(state)), 0.08, "decisions"),
        Section("Exact values", tuple(_values(state)), 0.08, "values"),
        Section("Already done outside this conversation", tuple(_done(state)), 0.04, "steps"),
        Section("Phase", (), 0.0, "", tuple(_phase(state))),
        Section("Failed approaches and open issues", tuple(_failed(state)), 0.05, "entries"),
        Section("Branch and files", tuple(_files(state)), 0.05, "files"),
        Section("Recent Tool History", tuple(_tools(state)), 0.04, "tool uses"),
        Section("Recent context", tuple(_recent(state)), 0.05, "turns"),
        Section("No longer in force", tuple(_lifted(state)), 0.03, "lifted rules"),
    ]
    return [section for section in sections if section.lines or section.always]


def _spread(found: re.Match[str]) -> str:
    return "- >" if found.group().endswith(">") else "AMPLIHACK-STATE"


def _rules(state: SessionState) -> Iterator[str]:
    # Newest first: where the budget ends, what was said last weighs more.
    for rule in reversed(state.active_rules):
        yield f'- "{inert(rule.text, _RULE_CHARS)}"'


def _lifted(state: SessionState) -> Iterator[str]:
    for rule in reversed(state.rules):
        if not rule.active:
            lifted = inert(rule.retired_by, _SHORT_CHARS)
            yield f'- lifted: "{inert(rule.text, _SHORT_CHARS)}" (by: "{lifted}")'
    for objective in reversed(state.past_objectives):
        yield f'- turned away from: "{inert(objective.text, _SHORT_CHARS)}"'


def _objective(state: SessionState) -> Iterator[str]:
    if state.objective is None:
        return
    yield f'- Current: "{inert(state.objective.text, _RULE_CHARS)}"'
    for objective in reversed(state.continues):
        yield f'- Goes on from: "{inert(objective.text, _TEXT_CHARS)}"'


def _pending(state: SessionState) -> str:
    return f"Pending Todos: {len(state.open_todos)}"


def _todos(state: SessionState) -> Iterator[str]:
    order = {TodoStatus.IN_PROGRESS: 0, TodoStatus.PENDING: 1}
    for todo in sorted(state.open_todos, key=lambda todo: (todo.parked, order[todo.status])):
        yield f"- [ ] {inert(todo.text, _TEXT_CHARS)}{_todo_note(todo)}"
    closed = [todo for todo in state.todos if not todo.is_open and todo.text]
    for todo in reversed(closed):
        if todo.status is TodoStatus.COMPLETED:
            yield f"- [x] {inert(todo.text, _SHORT_CHARS)} (done)"
        else:
            yield f"- [~] {inert(todo.text, _SHORT_CHARS)} (cancelled)"


def _todo_note(todo: Todo) -> str:
    number = f"task #{todo.task_id}" if todo.task_id else ""
    working = "in progress" if todo.status is TodoStatus.IN_PROGRESS else ""
    parked = "from an earlier list, never marked done" if todo.parked else ""
    notes = ", ".join(note for note in (working, number, parked) if note)
    return f" ({notes})" if notes else ""


def _verify(commands: Iterable[VerifyCommand]) -> Iterator[str]:
    outcome = {True: "passed when last run", False: "failed when last run", None: "result unknown"}
    for command in sorted(commands, key=lambda command: -command.offset):
        yield f"- {command.kind}: `{inert(command.text, _TEXT_CHARS)}` ({outcome[command.passed]})"


def _decisions(state: SessionState) -> Iterator[str]:
    for decision in reversed(state.decisions):
        if decision.superseded:
            continue
        question = f"{inert(decision.question, _SHORT_CHARS)} -> " if decision.question else ""
        reason = f" (because: {inert(decision.reason, _SHORT_CHARS)})" if decision.reason else ""
        plan = "approved plan: " if decision.source == "plan" else ""
        yield f"- {plan}{question}{inert(decision.text, _TEXT_CHARS)}{reason}"


def _values(state: SessionState) -> Iterator[str]:
    said = _said_above(state)
    for value in sorted(state.values, key=lambda value: -value.offset):
        known = _is_said(value.context, said) or normal_form(value.context) == normal_form(
            value.text
        )
        context = "" if known else f' ("{inert(value.context, 90)}")'
        yield f"- {value.kind}: `{inert(value.text, _TEXT_CHARS)}`{context}"


def _said_above(state: SessionState) -> list[str]:
    """Return what rules and objective say, so that it is not said a second time."""
    objectives = [state.objective, *state.continues] if state.objective else []
    return [normal_form(item.text) for item in (*state.active_rules, *objectives) if item]


def _is_said(text: str, said: list[str]) -> bool:
    words = normal_form(text.strip("…"))
    return not words or any(words in other for other in said)


def _done(state: SessionState) -> Iterator[str]:
    for step in reversed(state.progress):
        yield f"- {inert(step.text, _SHORT_CHARS)}"


def _phase(state: SessionState) -> Iterator[str]:
    source = f" ({inert(state.phase.source, 60)})" if state.phase.source else ""
    yield f"Workflow Phase: {inert(state.phase.name, _SHORT_CHARS) or 'unknown'}{source}"
    strikes = state.strikes
    step = f" on {inert(strikes.step, 60)}" if strikes.count and strikes.step else ""
    error = f": {inert(strikes.error, _SHORT_CHARS)}" if strikes.count and strikes.error else ""
    yield f"Error Recovery: {strikes.count} strike(s){step}{error}"


def _failed(state: SessionState) -> Iterator[str]:
    for approach in reversed(state.failed):
        reason = f" ({inert(approach.reason, _SHORT_CHARS)})" if approach.reason else ""
        yield f"- tried and given up: {inert(approach.text, _TEXT_CHARS)}{reason}"
    for issue in reversed(state.issues):
        yield f"- unresolved: {inert(issue.text, _TEXT_CHARS)}"
    for learning in reversed(state.learnings):
        yield f"- learned: {inert(learning.text, _TEXT_CHARS)}"


def _files(state: SessionState) -> Iterator[str]:
    if state.branch:
        yield f"- git branch: `{inert(state.branch, _SHORT_CHARS)}`"
    newest_first = list(reversed(state.files))
    for file in newest_first:
        if file.edits:
            yield f"- edited `{_below(state.root, file.path)}`{_why(file)}"
    read = [f"`{_below(state.root, file.path)}`" for file in newest_first if not file.edits]
    for start in range(0, len(read), _FILES_A_LINE):
        yield f"- read {', '.join(read[start : start + _FILES_A_LINE])}"


def _below(root: str, path: str) -> str:
    """Return a path as the user names it: below the project's root without it."""
    return inert(path.removeprefix(f"{root}/") if root else path, _TEXT_CHARS)


def _why(file: FileRecord) -> str:
    return f' (for: "{inert(file.why, 60)}")' if file.why else ""


def _tools(state: SessionState) -> Iterator[str]:
    outcome = {True: "success", False: "error", None: "no result"}
    for tool in reversed(state.tools[-10:]):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, 80)}" if detail else ""
        yield f"- {inert(tool.name, 60)} ({outcome[tool.succeeded]}){shown}"


def _recent(state: SessionState) -> Iterator[str]:
    said = _said_above(state)
    for turn in reversed(state.recent):
        prompt = "" if _is_said(turn.text, said) else f'user: "{inert(turn.text, _SHORT_CHARS)}"'
        answer = f'model: "{inert(turn.answer, 240)}"' if turn.answer else ""
        if prompt or answer:
            yield f"- {' — '.join(part for part in (prompt, answer) if part)}"
