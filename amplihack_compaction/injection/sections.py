"""What of a state is said in which section, and how much each line is needed.

A line's `need` is about how often one of its kind, so new and so far up, was of use in 25 real
compactions whose lines a reader judged: from 1 (always) to 0. Nothing below `SHOWN_FROM` is
injected, whatever room there is; it stands in the file with the whole state.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from amplihack_compaction.extract.statements import Item, SessionState
from amplihack_compaction.injection.lines import (
    SHOWN_FROM,
    StateLine,
    falling,
    file_lines,
    value_lines,
)
from amplihack_compaction.injection.objectives import objective_lines, objective_words
from amplihack_compaction.injection.user_lines import (
    decision_lines,
    lifted_lines,
    questioned_lines,
    remark_lines,
    replaced_lines,
    rule_lines,
)
from amplihack_compaction.injection.work_lines import (
    attempt_lines,
    done_lines,
    issue_lines,
    pending_line,
    phase_lines,
    recent_lines,
    running_lines,
    todo_lines,
    tool_lines,
    verify_lines,
)
from amplihack_compaction.ledger.edits import EDIT_CHARS, is_kept, list_items
from amplihack_compaction.ledger.superseded import without_superseded
from amplihack_compaction.text.words import inert, is_quoted


@dataclass(frozen=True, slots=True)
class Section:
    """Lines under a heading; `noun` names what a line is, for the count of those left out.

    `always` are printed in any case.
    """

    title: str
    noun: str
    lines: tuple[StateLine, ...]
    always: tuple[str, ...] = ()


def make_sections(state: SessionState, *, apart: bool = False) -> list[Section]:
    """Return the state's sections in the order of the text; those without content are left out.

    `apart` gives each past turn a line of its own, for people.
    """
    kept, state = list(_kept_lines(state)), _without_kept(state)
    state, over = without_superseded(state)
    values = value_lines(state)
    files = file_lines(state)
    issues = list(issue_lines(state))
    quoted = [line.text for line in (*files, *issues) if line.need >= SHOWN_FROM]
    shown_values = [line.text for line in values if line.need >= SHOWN_FROM]
    remarks = remark_lines(state, quoted, shown_values)
    stated = [item.text for item in (*state.active_rules, *state.decisions)]
    # All rules are needed; of very many the older leave room for the rest.
    rules = falling(rule_lines(state, sure=True), 0.99, 0.01, least=0.5)
    asked = falling(rule_lines(state, sure=False), 0.9, 0.01, least=0.5)
    above = [*objective_words(state), *stated]
    changed = [
        f'- "{inert(new)}"' for new in dict.fromkeys(over.values()) if not is_quoted(new, above)
    ]
    failed = [*issues, *attempt_lines(state)]
    checks = list(verify_lines(state, issues))
    first = [
        _ranked("Kept by hand", "kept line", kept, 1.0, 0.001),
        _section("Standing rules (the user's words)", "rule", rules),
        _section("Rules that may have been meant once (the user's words)", "possible rule", asked),
        _ranked("Rules that may have changed", "rule", questioned_lines(state),
                0.7, 0.02),
    ]  # fmt: skip
    work = [
        _section("Todos", "todo", todo_lines(state), tuple(pending_line(state))),
        _ranked("Checks, with the last result", "command", checks, 0.8, 0.1),
        _section("Decisions", "decision", decision_lines(state)),
        _section("Exact values", "value", values),
        _section("Running in the background", "piece of work", running_lines(state)),
    ]  # fmt: skip
    others = [
        _section("Branch and files", "file line", files),
        _section("Already done", "step", done_lines(state)),
        _section("Also said (the user's words)", "remark", remarks),
        _ranked("No longer in force", "lifted rule", lifted_lines(state), 0.36, 0.02),
        _ranked("Holds since it changed (the user's words)", "statement", changed, 0.8, 0.02),
        _ranked("Replaced since", "replaced statement", replaced_lines(over), 0.15, 0.001),
        _section("Recent Tool History", "tool use", tool_lines(state)),
    ]  # fmt: skip
    shown = (
        line
        for lines in (failed, *(part.lines for part in (*first, *work, *others)))
        for line in lines
        if line.need >= SHOWN_FROM
    )
    turns, unhelpful, under = recent_lines(
        state, [*above, *(line.text for line in shown)], apart=apart
    )
    now = [
        _section("Objective", "earlier prompt", objective_lines(state, under)),
        _section(
            "Recent context (prompts before, answered; done since, but for open todos)",
            "turn",
            turns,
        ),
    ]
    failed += unhelpful
    trouble = _section("Failed approaches and open issues", "issue", failed,
                       tuple(phase_lines(state)))  # fmt: skip
    parts = (*first, *now, *work, trouble, *others)
    return [part for part in parts if part.lines or part.always]


def _section(
    title: str, noun: str, lines: Iterable[StateLine], always: tuple[str, ...] = ()
) -> Section:
    return Section(title, noun, tuple(lines), always)


def _ranked(title: str, noun: str, texts: Iterable[str], first: float, step: float) -> Section:
    """Return a section of lines of which each is needed by a `step` less than the one before."""
    return Section(title, noun, tuple(falling(texts, first, step)))


_I = TypeVar("_I", bound=Item)


def _kept_lines(state: SessionState) -> Iterator[str]:
    """Yield what was kept by hand, newest first; what the model had noted is marked as its own."""
    kept = [item for item in list_items(state) if item.pinned] if state.pinned else []
    for item in sorted(kept, key=lambda item: -item.said.offset):
        text = inert(item.text, EDIT_CHARS)
        told = f"model: {text}" if item.by_model or item.kind == "note" else f'"{text}"'
        yield f"- {item.kind}: {told}"


def _without_kept(state: SessionState) -> SessionState:
    """Return the state without what stands in the lines of what was kept by hand."""
    if not state.pinned:
        return state
    return replace(
        state,
        rules=_others(state, "rule", state.rules),
        decisions=_others(state, "decision", state.decisions),
        values=_others(state, "value", state.values),
        todos=_others(state, "todo", state.todos),
        learnings=_others(state, "note", state.learnings),
        remarks=_others(state, "remark", state.remarks),
    )


def _others(state: SessionState, kind: str, items: tuple[_I, ...]) -> tuple[_I, ...]:
    return tuple(item for item in items if not is_kept(state, kind, item))
