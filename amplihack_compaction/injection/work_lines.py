"""Say in lines how the work stands: todos, checks, phase, failures, the last turns."""

from collections.abc import Iterable, Iterator, Sequence

from amplihack_compaction.extract.issues import by_certainty, command_name, is_sure
from amplihack_compaction.extract.statements import (
    FailedApproach,
    Issue,
    SessionState,
    Todo,
    TodoStatus,
    VerifyCommand,
)
from amplihack_compaction.injection.lines import SHORT_CHARS, is_said, later, said_above
from amplihack_compaction.ledger.replaced import todos_set_aside
from amplihack_compaction.text.words import TEXT_CHARS, counted, inert

_ISSUES_AN_ATTEMPT = 2
# What only sounds like an issue was mostly solved by what was asked for next: of those older than
# so many prompts one in ten was still open (25 real compactions).
_GUESS_FOR_PROMPTS = 3
_TOLD_BY = {
    "marker": "as announced",
    "todo": "task in progress",
}


def pending_line(state: SessionState) -> str:
    """Return how many todos are open."""
    return f"Pending Todos: {sum(not todo.parked for todo in state.open_todos)}"


def open_lines(state: SessionState) -> Iterator[str]:
    """Yield the open todos, those in progress first, with the words that set one aside.

    Left out is what a later list dropped without a word: on real sessions none of it was open.
    """
    aside = todos_set_aside(state)
    order = {TodoStatus.IN_PROGRESS: 0, TodoStatus.PENDING: 1}
    standing = [todo for todo in state.open_todos if not todo.parked]
    for todo in sorted(standing, key=lambda todo: order[todo.status]):
        words = inert(aside.get(todo.text, ""), SHORT_CHARS)
        yield f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}{later(words)}"


def parked_lines(state: SessionState) -> Iterator[str]:
    """Yield the todos that a later list dropped without a word, newest first."""
    for todo in reversed(state.open_todos):
        if todo.parked:
            yield f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}"


def closed_lines(state: SessionState) -> Iterator[str]:
    """Yield the todos that are done or cancelled, newest first."""
    for todo in reversed(state.todos):
        if not todo.is_open and todo.text:
            done = todo.status is TodoStatus.COMPLETED
            text = inert(todo.text, SHORT_CHARS)
            yield f"- [x] {text}" if done else f"- [~] {text} (cancelled)"


def _todo_note(todo: Todo) -> str:
    number = f"task #{todo.task_id}" if todo.task_id else ""
    working = "in progress" if todo.status is TodoStatus.IN_PROGRESS else ""
    parked = "from an earlier list, never marked done" if todo.parked else ""
    notes = ", ".join(note for note in (working, number, parked) if note)
    return f" ({notes})" if notes else ""


def verify_lines(commands: Iterable[VerifyCommand], failures: Sequence[str]) -> Iterator[str]:
    """Yield the commands that check the work, with their last results.

    Left out is a failure that one of the lines on `failures` tells, with its error.
    """
    outcome = {True: "passed", False: "failed", None: "result unknown"}
    for command in sorted(commands, key=lambda command: -command.offset):
        fails = inert(f"{command_name(command.text)} fails")
        told = command.passed is False and any(fails in line for line in failures)
        if not told:
            result = outcome[command.passed]
            yield f"- {command.kind}: `{inert(command.text, TEXT_CHARS)}` ({result})"


def done_lines(state: SessionState) -> Iterator[str]:
    """Yield the finished steps, newest first."""
    for step in reversed(state.progress):
        yield f"- {inert(step.text, SHORT_CHARS)}"


def phase_lines(state: SessionState) -> Iterator[str]:
    """Yield the workflow's phase, and the strikes against a step; an issue tells its own error.

    A phase that only the last tools suggest tells nobody anything.
    """
    if state.phase.name and state.phase.source != "tools":
        yield f"Workflow Phase: {_phase(state)}"
    strikes = state.strikes
    if strikes.count:
        step = f" on {inert(strikes.step, 60)}" if strikes.step else ""
        known = any(strikes.error in issue.text for issue in state.issues)
        error = "" if known or not strikes.error else f": {inert(strikes.error, SHORT_CHARS)}"
        yield f"Error Recovery: {counted(strikes.count, 'strike')}{step}{error}"


def _phase(state: SessionState) -> str:
    """Return the phase and what told it; a todo in progress that it is named by stands above."""
    phase = state.phase
    working = (todo.text for todo in state.todos if todo.status is TodoStatus.IN_PROGRESS)
    if phase.name in working:
        return "the todo in progress"
    source = _TOLD_BY.get(phase.source, phase.source)
    told = f" ({inert(source, 60)})" if source else ""
    return f"{inert(phase.name, SHORT_CHARS)}{told}"


def failed_lines(state: SessionState) -> Iterator[str]:
    """Yield what is unresolved and what was given up, one of these after two of those."""
    issues = [_unresolved(issue) for issue in by_certainty(state.issues) if _stands(issue, state)]
    attempts = [_given_up(approach) for approach in reversed(state.failed)]
    for number, attempt in enumerate(attempts):
        yield from issues[number * _ISSUES_AN_ATTEMPT :][:_ISSUES_AN_ATTEMPT]
        yield attempt
    yield from issues[len(attempts) * _ISSUES_AN_ATTEMPT :]


def doubtful_lines(state: SessionState) -> Iterator[str]:
    """Yield what only sounded like an issue, some prompts ago."""
    for issue in by_certainty(state.issues):
        if not _stands(issue, state):
            yield _unresolved(issue)


def _unresolved(issue: Issue) -> str:
    return f"- unresolved: {inert(issue.text, SHORT_CHARS)}"


def _stands(issue: Issue, state: SessionState) -> bool:
    """Return whether an issue is sure, or so new that nothing can have solved it."""
    later = sum(prompt.offset > issue.offset for prompt in state.prompts)
    return later <= _GUESS_FOR_PROMPTS or is_sure(issue)


def _given_up(approach: FailedApproach) -> str:
    told = not approach.reason or approach.reason.strip("…") in approach.text
    reason = "" if told else f" ({inert(approach.reason, SHORT_CHARS)})"
    return f"- tried and given up: {inert(approach.text, SHORT_CHARS)}{reason}"


def learned_lines(state: SessionState) -> Iterator[str]:
    """Yield what was learned, newest first."""
    for learning in reversed(state.learnings):
        yield f"- learned: {inert(learning.text, TEXT_CHARS)}"


def tool_lines(state: SessionState) -> Iterator[str]:
    """Yield the newest uses of tools."""
    outcome = {True: "", False: " (error)", None: " (no result)"}
    for tool in reversed(state.tools[-10:]):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, 80)}" if detail else ""
        yield f"- {inert(tool.name, 60)}{outcome[tool.succeeded]}{shown}"


def recent_lines(state: SessionState) -> Iterator[str]:
    """Yield the newest turns, without what is said above already."""
    said = said_above(state)
    for turn in reversed(state.recent):
        prompt = "" if is_said(turn.text, said) else f'user: "{inert(turn.text, SHORT_CHARS)}"'
        answer = f'model: "{inert(turn.answer, 240)}"' if turn.answer else ""
        if prompt or answer:
            yield f"- {' — '.join(part for part in (prompt, answer) if part)}"
