"""Merge a window into the ledger: what was done stays done, what was lifted stays lifted.

An item is identified by the entry it was said in and its words, so merging the same window twice
changes nothing. Every kind has a bound; what matters least goes first: retired rules, closed
todos, then the oldest.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TypeVar

from amplihack_compaction.extract.checks import newest_commands
from amplihack_compaction.extract.decisions import mark_superseded
from amplihack_compaction.extract.edited_files import reason_for
from amplihack_compaction.extract.issues import is_called_fixed, is_settled, is_told_of
from amplihack_compaction.extract.model import (
    ExactValue,
    FileRecord,
    Issue,
    Item,
    Objective,
    Phase,
    Rule,
    SessionState,
    Todo,
    ToolRecord,
    WindowState,
)
from amplihack_compaction.extract.objective import by_likelihood, goes_back_to
from amplihack_compaction.extract.recent_context import PHASE_TURNS, phase_of_todos
from amplihack_compaction.extract.remarks import REMARKS_LIMIT
from amplihack_compaction.extract.rule_wording import UNNAMED
from amplihack_compaction.extract.todos import merge_todos
from amplihack_compaction.ledger.retiring import retire
from amplihack_compaction.text.strings import is_quoted, normal_form

I = TypeVar("I", bound=Item)  # noqa: E741 - an item

DEFAULT_LIMIT = 400
_THREAD_LIMIT = 10
_NEWEST_OF_THREAD = 3
PAST_LIMIT = 20
_RECENT_TOOLS = 10
_RECENT_TURNS = 10
_NOTES_LIMIT = 40
_BY_TOOLS = "tools"


def merge_window(
    state: SessionState, found: WindowState, limit: int = DEFAULT_LIMIT
) -> SessionState:
    """Return the ledger with one later window merged in; `limit` bounds each kind of item."""
    again = found.index < state.windows
    state = _merge_objectives(state, found)
    rules = _merge_rules(state, found)
    todos = _drop_first(merge_todos(state.todos, found.todos), limit, lambda todo: todo.is_open)
    return replace(
        state,
        windows=max(state.windows, found.index + 1),
        prompts=_union(state.prompts, found.prompts)[-limit:],
        rules=_drop_first(rules, limit, lambda rule: rule.active),
        remarks=_merge_remarks(state, found, rules),
        decisions=mark_superseded(_union(state.decisions, found.decisions))[-limit:],
        todos=todos,
        values=_merge_values(state.values, found.values)[-limit:],
        verify=newest_commands((*state.verify, *found.verify)),
        phase=_merge_phases(state.phase, found, todos),
        strikes=found.strikes if found.tool_uses else state.strikes,
        tools=_merge_tools(state, found),
        files=_merge_files(state.files, found.files, again)[-limit:],
        failed=_union(state.failed, found.failed)[-_NOTES_LIMIT:],
        issues=_still_open(state, found)[-_NOTES_LIMIT:],
        learnings=_union(state.learnings, found.learnings)[-_NOTES_LIMIT:],
        progress=_union(state.progress, found.progress)[-_NOTES_LIMIT:],
        recent=_union(state.recent, found.recent)[-_RECENT_TURNS:],
        root=state.root or found.root,
        branch=found.branch or state.branch,
        model=found.model or state.model,
        turns=state.turns + (0 if again else found.turns),
        messages=state.messages + (0 if again else found.messages),
        tool_uses=state.tool_uses + (0 if again else found.tool_uses),
    )


def _identity(item: Item) -> tuple[str, str]:
    return item.uuid, normal_form(item.text)


def _union(old: Iterable[I], new: Iterable[I]) -> tuple[I, ...]:
    """Return old items and the new ones among them, in the order they were said."""
    known = {_identity(item): item for item in old}
    for item in new:
        known.setdefault(_identity(item), item)
    return tuple(sorted(known.values(), key=lambda item: (item.offset, item.position)))


def _merge_objectives(state: SessionState, found: WindowState) -> SessionState:
    seen = {
        _identity(objective)
        for objective in (*state.past_objectives, *state.continues, state.objective)
        if objective is not None
    }
    current, thread, past = state.objective, list(state.continues), list(state.past_objectives)
    for objective in found.objectives:
        if _identity(objective) in seen or _is_before(objective, current):
            continue
        if objective.switches and current is not None:
            past, thread = [*past, *thread, current], []
        elif current is not None:
            thread.append(current)
        again = [left for left in past if goes_back_to(objective.text, left.text)]
        past = [left for left in past if left not in again]
        thread = [*again, *thread]
        current = objective
    return replace(
        state,
        objective=current,
        continues=_bounded_thread(thread),
        past_objectives=tuple(past[-PAST_LIMIT:]),
    )


def _is_before(objective: Objective, current: Objective | None) -> bool:
    """Return whether an objective was merged before and went at the bound."""
    place = (objective.offset, objective.position)
    return current is not None and place < (current.offset, current.position)


def _bounded_thread(thread: list[Objective]) -> tuple[Objective, ...]:
    """Cut a thread to the limit: the first says what it is about, the newest where it went.

    Of those between, the ones go that set new work least likely.
    """
    between = thread[1:-_NEWEST_OF_THREAD]
    surplus = max(0, len(thread) - _THREAD_LIMIT)
    least = by_likelihood(between)[len(between) - surplus :]
    return tuple(objective for objective in thread if objective not in least)


def _merge_rules(state: SessionState, found: WindowState) -> tuple[Rule, ...]:
    """Unite the rules, drop restatements of one that stands, and apply the retractions."""
    united = retire(_union(state.rules, found.rules), found.retractions)
    standing: set[tuple[str, str]] = set()
    rules: list[Rule] = []
    for rule in united:
        claim = (normal_form(rule.text), rule.after)
        if rule.active and claim in standing:
            continue
        if rule.active:
            standing.add(claim)
        rules.append(rule)
    return tuple(rules)


def _merge_remarks(
    state: SessionState, found: WindowState, rules: tuple[Rule, ...]
) -> tuple[Rule, ...]:
    """Unite the remarks, without what was lifted: what stands for it is the newer remark.

    Who takes back "that", all rules, or one of the `rules`, means what was understood for one, and
    these words stand beside it.
    """
    lifted = {rule.retired_by for rule in rules}
    beside = lifted | {rule.questioned_by for rule in rules}
    named = [
        lift for lift in found.retractions if lift.target not in UNNAMED and lift.text not in lifted
    ]
    united = retire(_union(state.remarks, found.remarks), named)
    left = (remark for remark in united if remark.active and not is_quoted(remark.text, beside))
    return tuple(left)[-REMARKS_LIMIT:]


def _drop_first(items: tuple[I, ...], limit: int, matters: Callable[[I], bool]) -> tuple[I, ...]:
    """Cut to the limit: the oldest that do not matter go first, then the oldest."""
    surplus = len(items) - limit
    if surplus <= 0:
        return items
    idle = [place for place, item in enumerate(items) if not matters(item)][:surplus]
    gone = set(idle)
    kept = tuple(item for place, item in enumerate(items) if place not in gone)
    return kept[-limit:]


def _merge_values(
    old: tuple[ExactValue, ...], new: tuple[ExactValue, ...]
) -> tuple[ExactValue, ...]:
    """Unite by the letter; the newest mention tells the context."""
    newest: dict[str, ExactValue] = {}
    for value in (*old, *new):
        known = newest.get(value.text)
        if known is None or value.offset >= known.offset:
            newest[value.text] = value
    return tuple(sorted(newest.values(), key=lambda value: value.offset))


def _merge_phases(old: Phase, found: WindowState, todos: tuple[Todo, ...]) -> Phase:
    """Return the phase: what a few tools look like says least, and least of all after a compaction.

    A todo in progress may be of an earlier window, as may an announcement that still holds.
    """
    if found.phase.name and found.phase.source != _BY_TOOLS:
        return found.phase
    if old.source == "marker" and found.turns <= PHASE_TURNS:
        return old
    is_over = old.source == "todo"
    return phase_of_todos(todos) or (found.phase if found.phase.name or is_over else old)


def _merge_tools(state: SessionState, found: WindowState) -> tuple[ToolRecord, ...]:
    known = {(tool.id, tool.offset) for tool in state.tools}
    fresh = [tool for tool in found.tools if (tool.id, tool.offset) not in known]
    return (*state.tools, *fresh)[-_RECENT_TOOLS:]


def _merge_files(
    old: tuple[FileRecord, ...], new: tuple[FileRecord, ...], again: bool
) -> tuple[FileRecord, ...]:
    """Add up per path; a window merged again adds nothing to the counts."""
    files = {file.path: file for file in old}
    for file in new:
        known = files.pop(file.path, None)
        if known is None:
            files[file.path] = file
            continue
        files[file.path] = replace(
            file,
            reads=known.reads + (0 if again else file.reads),
            edits=known.edits + (0 if again else file.edits),
            why=reason_for(file.path, known.why, file.why),
            offset=max(file.offset, known.offset),
        )
    return tuple(sorted(files.values(), key=lambda file: file.offset))


def _still_open(state: SessionState, found: WindowState) -> tuple[Issue, ...]:
    """Unite the issues, but for those of what has passed since, or called fixed since."""
    succeeded = {command.text: command.offset for command in found.succeeded}
    passed = [command for command in found.verify if command.passed]
    issues = _union(state.issues, found.issues)
    settled = [
        issue
        for issue in issues
        if issue.offset < succeeded.get(issue.command, 0)
        or any(issue.offset < c.offset and is_settled(issue, c.kind, c.text) for c in passed)
    ]
    prompts = [prompt.offset for prompt in (*state.prompts, *found.prompts)]
    return tuple(
        issue
        for issue in issues
        if issue not in settled
        and not is_told_of(issue, settled)
        and not is_called_fixed(issue, found.solved, prompts)
    )
