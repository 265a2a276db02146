"""Say a state in sections of markdown lines, in the order in which it is needed later."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amplihack_compaction.acts.chances import chances_of
from amplihack_compaction.language.text import normal_form
from amplihack_compaction.ledger.lines import (
    TEXT_CHARS,
    file_lines,
    is_said,
    said_above,
    value_lines,
)
from amplihack_compaction.ledger.lines import inert as inert
from amplihack_compaction.ledger.remarks import LIKELY, in_one_breath, weight_of
from amplihack_compaction.speech.objective import by_likelihood
from amplihack_compaction.state.model import (
    Objective,
    Rule,
    SessionState,
    Todo,
    TodoStatus,
    VerifyCommand,
)
from amplihack_compaction.work.failures import by_certainty

_RULE_CHARS = 600
_REMARK_CHARS = 200
# How much of a remark another line has that says nearly all of it.
_MOST_OF = 0.7
_SHORT_CHARS = 160
_MAIN_STEPS = 2
# Chances from which a text surely set work, is like a rule, and takes one back.
_SETS_WORK = 0.3
_RULE_LIKE = 0.3
_LIFTS = 0.3


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case. The first `core` of the lines are needed, the others useful.
    `share` of the room is kept for the section's core, `spare` of what that leaves for the others.
    """

    title: str
    lines: tuple[str, ...]
    share: float
    noun: str
    core: int = 0
    spare: float = 0.0
    always: tuple[str, ...] = ()


def make_sections(state: SessionState) -> list[Section]:
    """Return the state's sections, most needed first; those without content are left out."""
    values, other_values = value_lines(state)
    files, other_files = file_lines(state)
    remarks, other_remarks = _remarks(state)
    todos = (_pending(state),)
    sections = [
        _section("Standing rules (the user's words)", "rule", 0.26, _rules(state)),
        _section("Rules that may have changed", "rule", 0.05, _questioned(state)),
        _section("Objective", "earlier prompt", 0.10, _objective(state), 0.10, _thread(state)),
        _section("Todos", "todo", 0.17, _open(state), 0.10, _closed(state), todos),
        _section("How the work is checked, with the last result", "command", 0.07,
                 _verify(state.verify)),
        _section("Decisions", "decision", 0.13, _decisions(state)),
        _section("Exact values", "value", 0.10, values, 0.10, other_values),
        _section("Already done", "step", 0, (), 0.10, _done(state)),
        _section("Phase", "", 0, (), always=tuple(_phase(state))),
        _section("Failed approaches and open issues", "issue", 0.08, _failed(state), 0.06,
                 _learned(state)),
        _section("Branch and files", "file line", 0.12, files, 0.08, other_files),
        _section("Also said (the user's words)", "remark", 0.10, remarks, 0.3, other_remarks),
        _section("Recent Tool History", "tool use", 0, (), 0.07, _tools(state)),
        _section("Recent context", "turn", 0, (), 0.18, _recent(state)),
        _section("No longer in force", "lifted rule", 0, (), 0.06, _lifted(state)),
    ]  # fmt: skip
    return [section for section in sections if section.lines or section.always]


def _section(
    title: str,
    noun: str,
    share: float,
    core: Iterable[str],
    spare: float = 0.0,
    others: Iterable[str] = (),
    always: tuple[str, ...] = (),
) -> Section:
    needed = tuple(core)
    return Section(title, (*needed, *others), share, noun, len(needed), spare, always)


def _rules(state: SessionState) -> Iterator[str]:
    # Newest first: where the budget ends, what was said last weighs more.
    for rule in reversed(state.active_rules):
        if not _is_likely_lifted(rule):
            yield f'- "{inert(rule.text, _RULE_CHARS)}"{_later(rule)}'


def _questioned(state: SessionState) -> Iterator[str]:
    for rule in reversed(state.active_rules):
        if _is_likely_lifted(rule):
            yield f'- "{inert(rule.text, _RULE_CHARS)}"{_later(rule)}'


def _is_likely_lifted(rule: Rule) -> bool:
    """Tell whether a rule's later words likely take it back; a mention only stands beside it."""
    return bool(rule.questioned_by) and chances_of(rule.questioned_by).lift >= _LIFTS


def _later(rule: Rule) -> str:
    return f' - later: "{inert(rule.questioned_by)}"' if rule.questioned_by else ""


def _in_question(remark: Rule) -> bool:
    """Tell whether a remark is one that later words can take back, and no fact."""
    return bool(remark.questioned_by) and chances_of(remark.text).rule >= _RULE_LIKE


def _remarks(state: SessionState) -> tuple[list[str], list[str]]:
    """Return the lines of the likely remarks and of the others, the likeliest first."""
    decided = [made for made in state.decisions if not made.superseded]
    understood = [item.text for item in (*state.active_rules, *decided)]
    objective = state.objective.text if state.objective is not None else ""
    doubted = [*state.questioned_rules, *filter(_in_question, state.remarks)]
    beside = {rule.retired_by for rule in state.rules} | {rule.questioned_by for rule in doubted}
    quoted = [*understood, *_quoted_elsewhere(state)]
    ranked: dict[str, float] = {}
    for remark in reversed(in_one_breath(state.remarks)):
        # An objective that goes on around a remark hides it: only what is all of it is not said.
        said = remark.text == objective or any(remark.text in text for text in understood)
        if not said and remark.text not in beside:
            later = _later(remark) if remark in doubted else ""
            line = f'- "{inert(remark.text, _REMARK_CHARS)}"{later}'
            ranked[line] = 0 if _is_quoted(remark.text, quoted) else weight_of(remark.text)
    lines = sorted(ranked, key=lambda line: -ranked[line])
    likely = [line for line in lines if ranked[line] >= LIKELY]
    return likely, lines[len(likely) :]


def _quoted_elsewhere(state: SessionState) -> Iterator[str]:
    """Yield what the lines of exact values and of files quote."""
    yield from (value.context for value in state.values)
    yield from (file.why for file in state.files if file.edits)


def _is_quoted(text: str, quoted: Iterable[str]) -> bool:
    """Tell whether a text is quoted elsewhere, all of it or all but a few words."""
    return any(
        other and (text in other or (other in text and len(other) > _MOST_OF * len(text)))
        for other in quoted
    )


def _lifted(state: SessionState) -> Iterator[str]:
    for rule in reversed(state.rules):
        if not rule.active:
            lifted = inert(rule.retired_by, _SHORT_CHARS)
            yield f'- lifted: "{inert(rule.text, _SHORT_CHARS)}" (by: "{lifted}")'
    for objective in reversed(state.past_objectives):
        if _set_work(objective):
            yield f'- turned away from: "{inert(objective.text, _SHORT_CHARS)}"'


def _set_work(objective: Objective) -> bool:
    """Tell whether a prompt surely set work: who turns to other work takes back no choice."""
    chances = chances_of(objective.text)
    return chances.kept < LIKELY or max(chances.work, objective.chance) > _SETS_WORK


def _objective(state: SessionState) -> Iterator[str]:
    if state.objective is None:
        return
    yield f'- Current: "{inert(state.objective.text, _RULE_CHARS)}"'
    for objective in _main_steps(state):
        yield _goes_on(objective, _SHORT_CHARS)


def _main_steps(state: SessionState) -> tuple[Objective, ...]:
    """Return what the thread began with, and what set new work most likely, newest first."""
    begun, later = state.continues[:1], state.continues[1:]
    likely = by_likelihood(later)[:_MAIN_STEPS]
    return (*sorted(likely, key=lambda step: -step.offset), *begun)


def _thread(state: SessionState) -> Iterator[str]:
    shown = _main_steps(state)
    for objective in reversed(state.continues[1:]):
        if objective not in shown:
            yield _goes_on(objective)


def _goes_on(objective: Objective, limit: int = TEXT_CHARS) -> str:
    return f'- Goes on from: "{inert(objective.text, limit)}"'


def _pending(state: SessionState) -> str:
    return f"Pending Todos: {len(state.open_todos)}"


def _open(state: SessionState) -> Iterator[str]:
    order = {TodoStatus.IN_PROGRESS: 0, TodoStatus.PENDING: 1}
    for todo in sorted(state.open_todos, key=lambda todo: (todo.parked, order[todo.status])):
        yield f"- [ ] {inert(todo.text, TEXT_CHARS)}{_todo_note(todo)}"


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
    outcome = {True: "passed", False: "failed", None: "result unknown"}
    for command in sorted(commands, key=lambda command: -command.offset):
        yield f"- {command.kind}: `{inert(command.text, TEXT_CHARS)}` ({outcome[command.passed]})"


def _decisions(state: SessionState) -> Iterator[str]:
    for decision in reversed(state.decisions):
        if decision.superseded:
            continue
        question = f"{inert(decision.question, _SHORT_CHARS)} -> " if decision.question else ""
        known = normal_form(decision.reason) in normal_form(decision.text)
        reason = "" if known else f" (because: {inert(decision.reason, _SHORT_CHARS)})"
        plan = "approved plan: " if decision.source == "plan" else ""
        yield f"- {plan}{question}{inert(decision.text, TEXT_CHARS)}{reason}"


def _done(state: SessionState) -> Iterator[str]:
    for step in reversed(state.progress):
        yield f"- {inert(step.text, _SHORT_CHARS)}"


_TOLD_BY = {
    "marker": "as announced",
    "todo": "task in progress",
    "tools": "by the last tools",
}


def _phase(state: SessionState) -> Iterator[str]:
    if state.phase.name:
        source = _TOLD_BY.get(state.phase.source, state.phase.source)
        told = f" ({inert(source, 60)})" if source else ""
        yield f"Workflow Phase: {inert(state.phase.name, _SHORT_CHARS)}{told}"
    strikes = state.strikes
    if strikes.count:
        step = f" on {inert(strikes.step, 60)}" if strikes.step else ""
        error = f": {inert(strikes.error, _SHORT_CHARS)}" if strikes.error else ""
        yield f"Error Recovery: {strikes.count} strike{'s' * (strikes.count > 1)}{step}{error}"


def _failed(state: SessionState) -> Iterator[str]:
    for issue in by_certainty(state.issues):
        yield f"- unresolved: {inert(issue.text, TEXT_CHARS)}"
    for approach in reversed(state.failed):
        reason = f" ({inert(approach.reason, _SHORT_CHARS)})" if approach.reason else ""
        yield f"- tried and given up: {inert(approach.text, TEXT_CHARS)}{reason}"


def _learned(state: SessionState) -> Iterator[str]:
    for learning in reversed(state.learnings):
        yield f"- learned: {inert(learning.text, TEXT_CHARS)}"


def _tools(state: SessionState) -> Iterator[str]:
    outcome = {True: "", False: " (error)", None: " (no result)"}
    for tool in reversed(state.tools[-10:]):
        detail = tool.detail.replace(f"{state.root}/", "") if state.root else tool.detail
        shown = f" {inert(detail, 80)}" if detail else ""
        yield f"- {inert(tool.name, 60)}{outcome[tool.succeeded]}{shown}"


def _recent(state: SessionState) -> Iterator[str]:
    said = said_above(state)
    for turn in reversed(state.recent):
        prompt = "" if is_said(turn.text, said) else f'user: "{inert(turn.text, _SHORT_CHARS)}"'
        answer = f'model: "{inert(turn.answer, 240)}"' if turn.answer else ""
        if prompt or answer:
            yield f"- {' — '.join(part for part in (prompt, answer) if part)}"
