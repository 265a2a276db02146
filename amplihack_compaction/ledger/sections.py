"""Say a state in sections of markdown lines, in the order in which it is needed later.

Texts of the session are quoted, on one line each, and made inert: what was said in a transcript
cannot close the frame, open a tag the client gives meaning to, or move a terminal's cursor.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.language.text import normal_form, one_line
from amplihack_compaction.state.model import (
    ExactValue,
    FileRecord,
    Objective,
    SessionState,
    Todo,
    TodoStatus,
    ValueKind,
    VerifyCommand,
)
from amplihack_compaction.work.artifacts import names_file

_RULE_CHARS = 600
_TEXT_CHARS = 320
_SHORT_CHARS = 160
_CONTEXT_CHARS = 110
_FILES_A_LINE = 5
_WHY_CHARS = 120
_SHORT_WHY_CHARS = 60
_TAGS = re.compile(
    r"<(?=[/!?]?\s*(?:[-!]|system|persisted-output|command-|local-command|task-|tools-used"
    r"|antml|function|user-prompt|total_tokens|summary|analysis|budget))",
    re.IGNORECASE,
)
# What can be looked up nowhere comes first, then what only the user's words tie to the work.
# Names of the code and paths are found in the project itself.
_VALUE_RANKS = (
    ((ValueKind.URL, ValueKind.PORT, ValueKind.VERSION), re.compile("")),
    ((ValueKind.IDENTIFIER,), re.compile(r"^#?\d|^[A-Z]+-\d|^[0-9a-f-]{7,}$|^[A-Z0-9_]+=")),
    ((ValueKind.QUANTITY,), re.compile("")),
    ((ValueKind.QUOTED,), re.compile(r"^\S{1,60}$")),
)
_FRAME = re.compile(r"-{2,}>|AMPLIHACK STATE", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case. The first `core` of the lines are needed, the others useful.
    `share` of the room is kept for the section.
    """

    title: str
    lines: tuple[str, ...]
    share: float
    noun: str
    core: int = 0
    always: tuple[str, ...] = ()


def inert(text: str, limit: int = _TEXT_CHARS) -> str:
    """Return a text as one harmless line of at most `limit` characters."""
    line = one_line(text, limit)
    line = "".join(character if character.isprintable() else " " for character in line)
    return _FRAME.sub(_spread, _TAGS.sub("‹", line))


def make_sections(state: SessionState) -> list[Section]:
    """Return the state's sections, most needed first; those without content are left out."""
    sections = [
        _section("Standing rules (the user's words)", _rules(state), 0.26, "rules"),
        _section("Objective", _objective(state), 0.10, "earlier prompts", _thread(state)),
        _section("Todos", _open(state), 0.17, "todos", _closed(state), (_pending(state),)),
        _section("How the work is checked", _verify(state.verify), 0.07, "commands"),
        _section("Decisions", _decisions(state), 0.13, "decisions"),
        _section("Exact values", *_values(state)),
        _section("Already done", (), 0.05, "steps", _done(state)),
        _section("Phase", (), 0.0, "", (), tuple(_phase(state))),
        _section("Failed approaches and open issues", _failed(state), 0.08, "entries",
                 _learned(state)),
        _section("Branch and files", *_files(state)),
        _section("Recent Tool History", (), 0.06, "tool uses", _tools(state)),
        _section("Recent context", (), 0.10, "turns", _recent(state)),
        _section("No longer in force", (), 0.05, "lifted rules", _lifted(state)),
    ]  # fmt: skip
    return [section for section in sections if section.lines or section.always]


def _section(
    title: str,
    core: Iterable[str],
    share: float,
    noun: str,
    others: Iterable[str] = (),
    always: tuple[str, ...] = (),
) -> Section:
    needed = tuple(core)
    return Section(title, (*needed, *others), share, noun, len(needed), always)


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
    for objective in state.continues[:1]:  # says what the whole thread is about
        yield _goes_on(objective)


def _thread(state: SessionState) -> Iterator[str]:
    for objective in reversed(state.continues[1:]):
        yield _goes_on(objective)


def _goes_on(objective: Objective) -> str:
    return f'- Goes on from: "{inert(objective.text, _TEXT_CHARS)}"'


def _pending(state: SessionState) -> str:
    return f"Pending Todos: {len(state.open_todos)}"


def _open(state: SessionState) -> Iterator[str]:
    order = {TodoStatus.IN_PROGRESS: 0, TodoStatus.PENDING: 1}
    for todo in sorted(state.open_todos, key=lambda todo: (todo.parked, order[todo.status])):
        yield f"- [ ] {inert(todo.text, _TEXT_CHARS)}{_todo_note(todo)}"


def _closed(state: SessionState) -> Iterator[str]:
    for todo in reversed(state.todos):
        if not todo.is_open and todo.text:
            done = todo.status is TodoStatus.COMPLETED
            text = inert(todo.text, _SHORT_CHARS)
            yield f"- [x] {text}" if done else f"- [~] {text} (cancelled)"


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
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, _SHORT_CHARS)})"
        plan = "approved plan: " if decision.source == "plan" else ""
        yield f"- {plan}{question}{inert(decision.text, _TEXT_CHARS)}{reason}"


def _values(state: SessionState) -> tuple[list[str], float, str, list[str]]:
    """Return the values' lines: what cannot be looked up in the project is the core.

    Values of one sentence share its line. What rules and objective, or the files, say already is
    said last.
    """
    said = _said_above(state)
    edited = {_below(state.root, file.path) for file in state.files if file.edits}
    ranked: dict[str, int] = {}
    for value in sorted(state.values, key=lambda value: -value.offset):
        known = value.text in edited or any(value.text in other for other in said)
        rank = len(_VALUE_RANKS) if known else _rank(value)
        line = _value_line(value)
        ranked[line] = min(rank, ranked.get(line, rank))
    lines = sorted(ranked, key=lambda line: ranked[line])
    core = [line for line in lines if ranked[line] < len(_VALUE_RANKS)]
    return core, 0.10, "values", lines[len(core) :]


def _rank(value: ExactValue) -> int:
    for rank, (kinds, pattern) in enumerate(_VALUE_RANKS):
        if value.kind in kinds and pattern.search(value.text):
            return rank
    return len(_VALUE_RANKS)


def _value_line(value: ExactValue) -> str:
    """Return the sentence that a value stood in; the value beside it where it is not whole."""
    text, context = inert(value.text, _TEXT_CHARS), inert(value.context, _CONTEXT_CHARS)
    if text in context and len(context) > len(text):
        return f'- "{context}"'
    around = "" if context in text else f' ("{context}")'
    return f"- {value.kind}: `{text}`{around}"


def _said_above(state: SessionState) -> list[str]:
    """Return what rules, objective and decisions say, so that it is not said a second time."""
    objectives = (state.objective, *state.continues[:1]) if state.objective else ()
    items = (*state.active_rules, *objectives, *state.decisions)
    return [item.text for item in items if item]


def _is_said(text: str, said: list[str]) -> bool:
    words = normal_form(text.strip("…"))
    return not words or any(words in normal_form(other) for other in said)


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
    for issue in reversed(state.issues):
        yield f"- unresolved: {inert(issue.text, _TEXT_CHARS)}"
    for approach in reversed(state.failed):
        reason = f" ({inert(approach.reason, _SHORT_CHARS)})" if approach.reason else ""
        yield f"- tried and given up: {inert(approach.text, _TEXT_CHARS)}{reason}"


def _learned(state: SessionState) -> Iterator[str]:
    for learning in reversed(state.learnings):
        yield f"- learned: {inert(learning.text, _TEXT_CHARS)}"


def _files(state: SessionState) -> tuple[list[str], float, str, list[str]]:
    """Return the files' lines: the branch and the files that the user spoke of are the core."""
    core = [f"- git branch: `{inert(state.branch, _SHORT_CHARS)}`"] if state.branch else []
    newest_first = list(reversed(state.files))
    edited = [file for file in newest_first if file.edits]
    spoken = [file for file in edited if names_file(file.why, file.path)]
    core += [_edited(state, [file], file.why, _WHY_CHARS) for file in spoken]
    under: dict[str, list[FileRecord]] = {}
    for file in edited:
        if file not in spoken:
            under.setdefault(file.why, []).append(file)
    others = [
        _edited(state, files[start : start + _FILES_A_LINE], why, _SHORT_WHY_CHARS)
        for why, files in under.items()
        for start in range(0, len(files), _FILES_A_LINE)
    ]
    read = [file for file in newest_first if not file.edits]
    others += [
        f"- read {_paths(state, read[start : start + _FILES_A_LINE])}"
        for start in range(0, len(read), _FILES_A_LINE)
    ]
    return core, 0.09, "lines of files", others


def _edited(state: SessionState, files: list[FileRecord], why: str, limit: int) -> str:
    """Return the line of files that were edited under one prompt."""
    reason = f' (for: "{inert(why, limit)}")' if why else ""
    return f"- edited {_paths(state, files)}{reason}"


def _paths(state: SessionState, files: list[FileRecord]) -> str:
    return ", ".join(f"`{_below(state.root, file.path)}`" for file in files)


def _below(root: str, path: str) -> str:
    """Return a path as the user names it: below the project's root without it."""
    return inert(path.removeprefix(f"{root}/") if root else path, _TEXT_CHARS)


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
