"""`state`: a session's state as of now, or what was added, changed and dropped between two."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence, Set
from itertools import takewhile
from pathlib import Path
from typing import Any

import typer

from amplihack_compaction.base.settings import Guard, load_settings
from amplihack_compaction.cli.options import AS_JSON, SESSION_ARGUMENT, filled, option
from amplihack_compaction.cli.sessions import Session, chosen_session, folded_now, state_before
from amplihack_compaction.cli.terminal import coloured, show, showing_progress
from amplihack_compaction.clients import tail_of
from amplihack_compaction.extract.barred_calls import Ban
from amplihack_compaction.extract.statements import Rule, SessionState
from amplihack_compaction.hook.rule_broken import broken_unasked
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import load_snapshot, open_snapshot, project_snapshots
from amplihack_compaction.ledger.edits import FORGOTTEN, LedgerItem, list_items
from amplihack_compaction.ledger.guard import (
    GuardedRule,
    checked_out_branch,
    guarded_rules,
    read_guard,
    rules_told,
)
from amplihack_compaction.ledger.stored import Folded, dump_state
from amplihack_compaction.text.words import inert, normal_form

_FIRST_CHARS = 60
"""By so many of its first characters an item is known in a line that may be cut."""
HISTORY = "## Recent Tool History"
"""The section of a state that quotes calls: nothing in it is kept."""
_NUMBER_CHARS = 6
"""A longer number is no compaction's but the beginning of a snapshot's id."""
_NOT_YET = "(not yet)"
_GIVEN = {
    "Bash": "command", "Edit": "file_path", "MultiEdit": "file_path", "Write": "file_path",
    "Read": "file_path", "NotebookEdit": "notebook_path", "Grep": "path", "Glob": "path",
    "WebFetch": "url",
}  # fmt: skip
"""What a tool of the client is given, by the name of it that a rule is held against."""
_LABEL = re.compile(r'- [A-Z][a-z, ]+: "')
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
        "--try CALL",
        "Which rules a shell command would break, and what the guard would do. It is not run.",
        None,
    ),
    tool: str | None = option(
        "--tool NAME",
        "What --try is a call of: Edit, Write and Read take a path, WebFetch an address."
        " The default is Bash.",
        None,
        parser=filled,
    ),
    as_json: bool = AS_JSON,
) -> None:
    """Print the state of a session as of now, nothing left out, or what changed in it.

    The ids behind the lines are what `forget`, `done` and `pin` take.
    """
    if tool is not None and trial is None:
        raise typer.BadParameter("--tool goes with --try")
    found = chosen_session(session)
    if diff is not None:
        _show_diff(found, diff, as_json=as_json)
        return
    with showing_progress("Reading the session", quiet=as_json):
        folded = folded_now(found)
    if trial is not None:
        _try_call(tool or "Bash", trial, folded, found, as_json=as_json)
        return
    current = folded.state
    items = list_items(current)
    by_id = {item.id: {"kind": item.kind, "text": item.text} for item in items}
    content = {**json.loads(dump_state(current)), "items": by_id}
    show(content, with_ids(render_whole(current).splitlines(), items), as_json=as_json)


def _try_call(tool: str, trial: str, folded: Folded, session: Session, *, as_json: bool) -> None:
    """Show the rules that a call would break, what is done then, and the other rules.

    Those that are not held yet, since no hook has written them down, are marked.
    """
    if not trial.strip():
        raise typer.BadParameter("--try: there is no call")
    rules = list(guarded_rules(folded.state.active_rules))
    guard = load_settings(session.root)[0].guard
    name, given = _call_of(tool, trial, session.root)
    branch = checked_out_branch(session.root)

    def bans_broken(rule: GuardedRule) -> Sequence[Ban]:
        return rule.broken_by(name, given, session.root, branch)

    broken = list(filter(bans_broken, rules))
    held = {rule.id for rule in (rules if guard is Guard.OFF else read_guard(session.folder))}
    others = [rule for rule in rules if rule not in broken and rule.can_be_broken]
    content: dict[str, Any] = {
        key: [{"id": rule.id, "text": rule.text, "held": rule.id in held} for rule in some]
        for key, some in {"broken": broken, "others": others}.items()
    }
    content["guard"] = str(guard)
    if broken:
        unasked = list(broken_unasked(broken, folded, bans_broken))
        content["effect"] = _effect(unasked, held, guard, folded.window.start, session)
    known = [item.id for item in list_items(folded.state)]

    def told(rule: GuardedRule) -> str:
        """Return a rule with the id that a line of the state ends with."""
        shown = next((each for each in known if rule.id.startswith(each)), rule.id)
        mark = "" if rule.id in held else f"  {_NOT_YET}"
        return f'  {shown}  "{inert(rule.text)}"{mark}'

    lines = ["It would break:" if broken else "It would break none of the rules."]
    lines += map(told, broken)
    if broken:
        lines.append(content["effect"])
    if others:
        lines.append("Also held against:" if broken else "Calls are held against:")
        lines += map(told, others)
    if any(rule.id not in held for rule in (*broken, *others)):
        lines.append(f"{_NOT_YET}: held from the next compaction on, or at once if you `pin` it.")
    nothing = "No standing rule here names anything that a call can be held against."
    show(content, lines if broken or others else [nothing], as_json=as_json)


def _call_of(tool: str, trial: str, root: str) -> tuple[str, dict[str, str]]:
    """Return a tool by the client's name, and what it is given: a path of a file is absolute."""
    name = next((each for each in _GIVEN if each.casefold() == tool.casefold()), tool)
    key = _GIVEN.get(name, "query")  # of a server's tool any argument counts
    return name, {key: str(Path(root, trial)) if key.endswith("path") else trial}


def _effect(
    unasked: Sequence[GuardedRule], held: Set[str], guard: Guard, window: int, session: Session
) -> str:
    """Return what PreToolUse does about a call that breaks rules, unless the user asks for it."""
    if guard is Guard.OFF:
        return "Nothing would happen: `guard` is off."
    if not unasked:
        return "Nothing would happen: your newest prompt asks for it."
    if not (ids := {rule.id for rule in unasked} & held):
        return f"Nothing would happen: {_NOT_YET}."
    if guard is Guard.ASK and tail_of(str(session.transcript)).CAN_ASK:
        return "You would be asked before it runs, each time: `guard` is ask."
    if guard is Guard.ASK:
        return "The model would be told, each time: `guard` is ask, but this client cannot ask."
    if ids <= rules_told(session.folder, window):
        return "Nothing would happen: the model was told in this window. `guard` is tell."
    return "The model would be told, once until the next compaction: `guard` is tell."


def with_ids(lines: Sequence[str], items: Sequence[LedgerItem]) -> Iterator[str]:
    """Yield the lines of a state, each with the ids of the items whose words it has."""
    ids: dict[str, list[str]] = {}
    # A call of the history has the words of the todo that it made.
    before = takewhile(lambda line: line != HISTORY, lines)
    told = sorted((line for line in before if line[:2] == "- "), key=len)
    for item in items:
        words = inert(item.text, _FIRST_CHARS).rstrip("…")
        # The shortest line with its words says the least beside it; an objective's has its label.
        having = [line for line in told if words in line]
        labelled = [line for line in having if item.kind == "objective" and _LABEL.match(line)]
        if line := next(iter(labelled or having), ""):
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
    # It may be another session's, as after a fresh start.
    file = next((f for f in project_snapshots(session.root) if f.id == name), None)
    snapshot = open_snapshot(file) if file is not None else load_snapshot(session.folder, name)
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
