"""`diagnose`: what happened at each compaction of a session, as text or JSON."""

import json
from collections.abc import Iterator

from amplihack_compaction.cli.diagnosis import (
    Compaction,
    Diagnosis,
    boundary_in_short,
    boundary_to_json,
    diagnose_session,
    diagnosis_to_json,
    state_counts,
    wanted_now,
)
from amplihack_compaction.cli.options import AS_JSON, SESSION_ARGUMENT, option
from amplihack_compaction.cli.sessions import chosen_session, state_before
from amplihack_compaction.cli.terminal import coloured, show, showing_progress, shown_time
from amplihack_compaction.extract.statements import SessionState, TodoStatus
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.ledger.stored import dump_state
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.validation.losses import BESIDE_WORDS, FATE_WORDS, Fate
from amplihack_compaction.validation.matching.verdicts import Label

_LINE_CHARS = 110
_ITEMS_SHOWN = 12
_EVIDENCE_CHARS = 80
_COLOURS = {
    Label.PARTLY: "yellow",
    Label.CHANGED: "red",
    Label.NEGATED: "red",
    Label.SUPERSEDED: "yellow",
    Label.DROPPED: "red",
    Label.UNKNOWN: "cyan",
}
_LABEL_CHARS = 24


def diagnose(
    session: str | None = SESSION_ARGUMENT,
    before: int | None = option("--before N", "The state before compaction N, whole.", None, min=1),
    as_json: bool = AS_JSON,
) -> None:
    """Show what happened at each compaction of a session: kept, lost, brought back.

    Works on any transcript, also one that was recorded before the hooks were there.
    """
    found = chosen_session(session)
    if before is not None:
        with showing_progress("Reading the session", quiet=as_json):
            boundary, state = state_before(found, before)
        known = {"number": before, **boundary_to_json(boundary)}
        at = f"{shown_time(boundary.timestamp)}  {boundary_in_short(boundary)}"
        title = f"The state before compaction {before}  {at}\n"
        content = {**known, "state": json.loads(dump_state(state))}
        show(content, (title, render_whole(state)), as_json=as_json)
        return
    with showing_progress("Reading the session", quiet=as_json):
        diagnosis = diagnose_session(found)
    show(diagnosis_to_json(diagnosis), _lines(diagnosis), as_json=as_json)


def _lines(diagnosis: Diagnosis) -> Iterator[str]:
    session = diagnosis.session
    yield f"Session {session.id}"
    yield f"  transcript  {session.transcript} ({diagnosis.size_bytes / 1e6:.1f} MB)"
    yield f"  project     {session.root}"
    if diagnosis.unreadable_lines:
        yield f"  unreadable  {counted(diagnosis.unreadable_lines, 'line')}, passed over"
    for kind, count in diagnosis.unknown_origins.items():
        prompts = f"{counted(count, 'prompt')} of an unknown origin, not taken for the user's"
        yield f"  left out    {prompts}: {inert(kind, 40)}"
    if not diagnosis.compactions:
        yield "\nIt was not compacted so far."
    for compaction in diagnosis.compactions:
        yield ""
        yield from _compaction_lines(compaction)
    yield "\nState now"
    yield from _state_lines(diagnosis.state)
    matched = sum(compaction.event is not None for compaction in diagnosis.compactions)
    if len(diagnosis.events) > matched:
        events = counted(len(diagnosis.events) - matched, "more recorded event")
        yield f"\n{events} without a compaction in the transcript"
    if diagnosis.rules_broken:
        yield "\nRules that a call broke, each once a window: the model was told, or you were asked"
        for notice in diagnosis.rules_broken:
            call = f"{inert(notice['tool'], 40)}: {inert(notice['call'], _LINE_CHARS)}"
            yield f'  {shown_time(notice["at"])}  "{inert(notice["text"], _LINE_CHARS)}" by {call}'
    if diagnosis.problems:
        yield "\nProblems (from hooks.log and the events file, newest last)"
        yield from (f"  {inert(problem, 300)}" for problem in diagnosis.problems)


def _compaction_lines(compaction: Compaction) -> Iterator[str]:
    boundary = compaction.boundary
    at = f"Compaction {compaction.number}  {shown_time(boundary.timestamp)}"
    yield coloured(f"{at}  {boundary_in_short(boundary)}", "bright_white")
    yield from _state_lines(compaction.state)
    if compaction.losses is None:
        yield "  summary     none in the transcript"
    else:
        yield f"  summary     {compaction.losses.in_short}"
    changed = [fate for fate in compaction.fates if fate.label is not Label.KEPT]
    changed.sort(key=lambda fate: (not fate.is_lost, fate.label is Label.REWORDED))
    yield from _first(list(map(_fate_line, changed)), "more item")
    told = [f"{given.hook or 'a hook'}, {given.in_short}" for given in compaction.injections]
    yield from (f"  injected    {each}" for each in told or ["nothing"])
    yield f"  event       {compaction.event_in_short}"


def _state_lines(state: SessionState) -> Iterator[str]:
    yield f"  state       {state_counts(state)}"
    yield from (_item_line(what, text) for what, text in wanted_now(state))
    # Newest first, as `state` and the injected text have them.
    rules = [_item_line("rule", rule.standing) for rule in reversed(state.active_rules)]
    yield from _first(rules, "more rule")
    todos = [
        _item_line("todo", f"[{'>' if todo.status is TodoStatus.IN_PROGRESS else ' '}] {todo.text}")
        for todo in state.open_todos
    ]
    yield from _first(todos, "more open todo")


def _item_line(what: str, text: str) -> str:
    return f"    {inert(what, 40):<{_LABEL_CHARS}} {inert(text, _LINE_CHARS)}"


def _fate_line(fate: Fate) -> str:
    end = f" ({BESIDE_WORDS[fate.beside]})" if fate.beside else ""
    gone = f" (without {', '.join(fate.missing)})" if fate.missing and not end else ""
    if fate.label is Label.REWORDED and fate.evidence:
        end = f' (now: "{inert(fate.evidence, _EVIDENCE_CHARS)}")'
    label = f"{FATE_WORDS[fate.label]}: {fate.kind}"
    text = inert(fate.text + gone, _LINE_CHARS)
    return f"    {coloured(label, _COLOURS.get(fate.label, ''), _LABEL_CHARS)} {text}{end}"


def _first(lines: list[str], noun: str) -> Iterator[str]:
    yield from lines[:_ITEMS_SHOWN]
    left = len(lines) - _ITEMS_SHOWN
    if left > 0:
        yield f"    ... {counted(left, noun)}; --json has all"
