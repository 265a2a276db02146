"""`state`: a session's state as of now, or what was added, changed and dropped between two."""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import Any

import typer

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.cli.options import AS_JSON, SESSION_ARGUMENT, option
from amplihack_compaction.cli.sessions import Session, chosen_session, folded_now, state_before
from amplihack_compaction.cli.terminal import coloured, show, showing_progress
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import load_snapshot, open_snapshot, project_snapshots
from amplihack_compaction.ledger.edits import FORGOTTEN, LedgerItem, list_items
from amplihack_compaction.ledger.guard import (
    GuardedRule,
    checked_out_branch,
    guarded_rules,
    read_guard,
)
from amplihack_compaction.ledger.stored import dump_state
from amplihack_compaction.text.words import inert, normal_form

_FIRST_CHARS = 60
"""By so many of its first characters an item is known in a line that may be cut."""
HISTORY = "## Recent Tool History"
"""The section of a state that quotes calls: nothing in it is kept."""
_NUMBER_CHARS = 6
"""A longer number is no compaction's but the beginning of a snapshot's id."""
_NOT_YET = "(not yet)"
_SIGNS = (("+", "green"), ("~", "yellow"), ("-", "red"))

_Things = dict[str, tuple[str, str]]
"""Of one kind: text and standing of each thing, by what tells it from the others."""
_Diff = dict[str, list[Any]]
"""What was added and dropped, as texts; what changed, as its text and what became of it."""


def state(
    session: str | None = SESSION_ARGUMENT,
    diff: tuple[str, str] | None = option(
        "--diff A B",
        "What changed from A to B: a snapshot's id, `latest`, `now`, or the number of a"
        " compaction.",
        None,
    ),
    trial: str | None = option(
        "--try COMMAND",
        "Which of the rules that tool calls are held against a shell command would break."
        " It is not run.",
        None,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Print the state of a session as of now, nothing left out, or what changed in it.

    The ids behind the lines are what `forget`, `done` and `pin` take.
    """
    found = chosen_session(session)
    if diff is not None:
        _show_diff(found, diff, as_json=as_json)
        return
    with showing_progress("Reading the session", quiet=as_json):
        current = folded_now(found).state
    if trial is not None:
        _try_command(trial, current, found, as_json=as_json)
        return
    items = list_items(current)
    by_id = {item.id: {"kind": item.kind, "text": item.text} for item in items}
    content = {**json.loads(dump_state(current)), "items": by_id}
    show(content, with_ids(render_whole(current).splitlines(), items), as_json=as_json)


def _try_command(command: str, state: SessionState, session: Session, *, as_json: bool) -> None:
    """Show the rules that a command would break, and the others that calls are held against.

    Those that are not held yet, since no hook has written them down, are marked.
    """
    if not command.strip():
        raise typer.BadParameter("--try: there is no command")
    rules, call = list(guarded_rules(state.active_rules)), {"command": command}
    branch = checked_out_branch(session.root)
    broken = [rule for rule in rules if rule.broken_by("Bash", call, session.root, branch)]
    held = {rule.id for rule in read_guard(session.folder)}
    others = [rule for rule in rules if rule not in broken and rule.can_be_broken]
    content = {
        key: [{"id": rule.id, "text": rule.text, "held": rule.id in held} for rule in some]
        for key, some in {"broken": broken, "others": others}.items()
    }
    known = [item.id for item in list_items(state)]

    def told(rule: GuardedRule) -> str:
        """Return a rule with the id that a line of the state ends with."""
        shown = next((each for each in known if rule.id.startswith(each)), rule.id)
        mark = "" if rule.id in held else f"  {_NOT_YET}"
        return f'  {shown}  "{inert(rule.text)}"{mark}'

    lines = ["It would break:" if broken else "It would break none of the rules."]
    lines += map(told, broken)
    if others:
        lines.append("Also held against:" if broken else "Calls are held against:")
        lines += map(told, others)
    if any(rule.id not in held for rule in (*broken, *others)):
        lines.append(f"{_NOT_YET}: held from the next compaction on, or at once if you `pin` it.")
    nothing = "No standing rule here names anything that a call can be held against."
    show(content, lines if rules else [nothing], as_json=as_json)


def with_ids(lines: Sequence[str], items: Sequence[LedgerItem]) -> Iterator[str]:
    """Yield the lines of a state, each with the ids of the items whose words it has."""
    ids: dict[str, list[str]] = {}
    # A call of the history has the words of the todo that it made.
    before = takewhile(lambda line: line != HISTORY, lines)
    told = sorted((line for line in before if line[:2] == "- "), key=len)
    for item in items:
        words = inert(item.text, _FIRST_CHARS).rstrip("…")
        # The shortest line with its words says the least beside it.
        if line := next((line for line in told if words in line), ""):
            ids.setdefault(line, []).append(item.id)
    for line in lines:
        yield f"{line}  [{' '.join(ids.pop(line))}]" if line in ids else line


def _show_diff(session: Session, between: tuple[str, str], *, as_json: bool) -> None:
    with showing_progress("Reading the session", quiet=as_json):
        (old_name, old), (new_name, new) = (named_state(session, name) for name in between)
    olds, news = _things(old), _things(new)
    diffs = {kind: _diff(olds[kind], news[kind]) for kind in news}
    kinds = {kind: diff for kind, diff in diffs.items() if any(diff.values())}
    lines = [line for kind, diff in kinds.items() for line in _lines(kind, diff)]
    title = f"From {old_name} to {new_name}"
    content = {"from": old_name, "to": new_name, "kinds": kinds}
    show(content, [title, *(lines or ["  nothing changed"])], as_json=as_json)


def named_state(session: Session, name: str) -> tuple[str, SessionState]:
    """Return a state of a session by its name, with the name in words.

    Raises TranscriptError and SnapshotError for what there is not.
    """
    if name == "now":
        return "now", folded_now(session).state
    if name.isdecimal() and len(name) <= _NUMBER_CHARS:
        boundary, state = state_before(session, int(name))
        return f"compaction {name} ({boundary.timestamp})", state
    try:
        snapshot = load_snapshot(session.folder, name)
    except SnapshotError:
        # Another session's, as after a fresh start.
        file = next((f for f in project_snapshots(session.root) if f.id == name), None)
        if file is None:
            raise
        snapshot = open_snapshot(file)
    return f"snapshot {snapshot.id} ({snapshot.created})", snapshot.state


def _lines(kind: str, diff: _Diff) -> Iterator[str]:
    said = ", ".join(f"{len(items)} {what}" for what, items in diff.items() if items)
    yield f"\n{kind}: {said}"
    for (sign, colour), items in zip(_SIGNS, diff.values(), strict=True):
        for item in items:
            text = item if isinstance(item, str) else f"{item['text']}: {item['what']}"
            yield coloured(f"  {sign} {inert(text)}", colour)


def _diff(before: _Things, after: _Things) -> _Diff:
    both = [(after[key][0], _change(before[key], after[key])) for key in after if key in before]
    return {
        "added": [_shown(*thing) for key, thing in after.items() if key not in before],
        "changed": [{"text": text, "what": what} for text, what in both if what],
        "dropped": [_shown(*thing) for key, thing in before.items() if key not in after],
    }


def _change(old: tuple[str, str], new: tuple[str, str]) -> str:
    """Return in words what became of something that both states have; empty for nothing."""
    if normal_form(old[0]) != normal_form(new[0]):
        return f"was: {old[0]}"
    return "" if old[1] == new[1] else f"{old[1] or 'in force'} -> {new[1] or 'in force'}"


def _shown(text: str, standing: str) -> str:
    return f"{text} ({standing})" if standing else text


def _things(state: SessionState) -> dict[str, _Things]:
    """Return what a state has, by kind in the order of their importance."""
    facts = {
        "phase": state.phase.name, "failures in a row": state.strikes.count,
        "branch": state.branch, "model": state.model, "windows": state.windows,
        "turns": state.turns, "tool uses": state.tool_uses,
    }  # fmt: skip
    return {
        "rule": _by_text(
            (rule.whole if rule.after or rule.lifted else rule.text, _standing(rule))
            for rule in state.rules
        ),
        "objective": {"": (state.objective.text, "")} if state.objective else {},
        "todo": {
            todo.task_id or normal_form(todo.text): (
                todo.text,
                str(todo.status).replace("_", " ") + ", parked" * todo.parked,
            )
            for todo in state.todos
            if todo.text
        },
        "decision": _by_text((d.text, "superseded" * d.superseded) for d in state.decisions),
        "value": {value.text: (value.text, "") for value in state.values},
        "verify": _by_text((check.text, check.result) for check in state.verify),
        "file": {
            file.path: (file.path, f"{file.reads:,}x read, {file.edits:,}x edited")
            for file in state.files
        },
        "failed approach": _by_text((item.text, item.reason) for item in state.failed),
        "issue": _by_text((item.text, "") for item in state.issues),
        "learning": _by_text((item.text, "") for item in state.learnings),
        "progress": _by_text((item.text, "") for item in state.progress),
        "prompt": {p.uuid or normal_form(p.text): (p.text, "") for p in state.prompts},
        "session": {name: (name, str(value) or "none") for name, value in facts.items()},
    }


def _by_text(things: Iterable[tuple[str, str]]) -> _Things:
    return {normal_form(text): (text, standing) for text, standing in things}


def _standing(rule: Rule) -> str:
    if rule.active:
        return ""
    return "forgotten by hand" if rule.retired_by == FORGOTTEN else f"lifted by: {rule.retired_by}"
