"""`state`: a session's state as of now, or what was added, changed and dropped between two."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.cli.options import JsonOption, SessionArgument, examples
from amplihack_compaction.cli.sessions import Session, chosen_session, state_before, state_now
from amplihack_compaction.cli.terminal import coloured, showing_progress
from amplihack_compaction.extract.statements import Rule, SessionState, Todo
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import load_snapshot, open_snapshot, project_snapshots
from amplihack_compaction.ledger.edits import FORGOTTEN, LedgerItem, list_items
from amplihack_compaction.ledger.stored import dump_state
from amplihack_compaction.text.words import inert, normal_form

_TEXT_CHARS = 160
_FIRST_CHARS = 60
"""By so many of its first characters an item is known in a line that may be cut."""
_NUMBER_CHARS = 6
"""A longer number is no compaction's but the beginning of a snapshot's id."""
_WORDS = (("+", "green"), ("~", "yellow"), ("-", "red"))
_RESULTS = {True: "passed", False: "failed", None: "result unknown"}
commands = typer.Typer()


@dataclass(frozen=True, slots=True)
class ItemChange:
    """Something that both states have, and what became of it, in words."""

    text: str
    what: str


@dataclass(frozen=True, slots=True)
class KindDiff:
    """How two states differ in one kind of thing."""

    kind: str
    added: tuple[str, ...] = ()
    changed: tuple[ItemChange, ...] = ()
    dropped: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """Return whether they differ at all."""
        return bool(self.added or self.changed or self.dropped)


@dataclass(frozen=True, slots=True)
class _Entry:
    """One thing of a state: what tells it from the others, its text, and how it stands."""

    key: str
    text: str
    standing: str = ""


@commands.command(
    epilog=examples(
        "state",
        "state 1f2e3d4c --json",
        "state --diff 1 now",
        "state --diff 20260201-143022-a1b2 latest",
    )
)
def state(
    session: SessionArgument = None,
    diff: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--diff",
            metavar="A B",
            help="What changed from A to B: a snapshot's id, `latest`, `now`, or the number of a"
            " compaction.",
            show_default=False,
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Print the state of a session as of now, nothing left out, or what changed in it.

    The ids behind the lines are what `forget`, `done` and `pin` take.
    """
    found = chosen_session(session)
    if diff is not None:
        _show_diff(found, diff, as_json=as_json)
        return
    with showing_progress("Reading the session", quiet=as_json):
        current = state_now(found)
    if as_json:
        items = {item.id: {"kind": item.kind, "text": item.text} for item in list_items(current)}
        typer.echo(json.dumps({**json.loads(dump_state(current)), "items": items}, indent=2))
    else:
        typer.echo("\n".join(with_ids(render_whole(current).splitlines(), list_items(current))))


def with_ids(lines: Sequence[str], items: Sequence[LedgerItem]) -> Iterator[str]:
    """Yield the lines of a state, each with the ids of the items whose words it has."""
    left = {item.id: inert(item.text, _FIRST_CHARS).rstrip("…") for item in items}
    for line in lines:
        ids = [id_ for id_, words in left.items() if words in line] if line[:2] == "- " else []
        for id_ in ids:
            del left[id_]
        yield f"{line}  [{' '.join(ids)}]" if ids else line


def _show_diff(session: Session, between: tuple[str, str], *, as_json: bool) -> None:
    with showing_progress("Reading the session", quiet=as_json):
        (old_name, old), (new_name, new) = (named_state(session, name) for name in between)
    diffs = diff_states(old, new)
    if as_json:
        typer.echo(json.dumps(_to_json(old_name, new_name, diffs), indent=2))
        return
    typer.echo(f"From {old_name} to {new_name}")
    if not diffs:
        typer.echo("  nothing changed")
    for diff in diffs:
        typer.echo("\n".join(_lines(diff)))


def named_state(session: Session, name: str) -> tuple[str, SessionState]:
    """Return a state of a session by its name, with the name in words.

    Raises TranscriptError and SnapshotError for what there is not.
    """
    if name == "now":
        return "now", state_now(session)
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


def _to_json(old: str, new: str, diffs: list[KindDiff]) -> dict[str, Any]:
    kinds = {
        diff.kind: {
            "added": list(diff.added),
            "changed": [{"text": change.text, "what": change.what} for change in diff.changed],
            "dropped": list(diff.dropped),
        }
        for diff in diffs
    }
    return {"from": old, "to": new, "kinds": kinds}


def _lines(diff: KindDiff) -> Iterator[str]:
    counts = (("added", diff.added), ("changed", diff.changed), ("dropped", diff.dropped))
    said = ", ".join(f"{len(items)} {what}" for what, items in counts if items)
    yield f"\n{diff.kind}: {said}"
    changed = [f"{inert(c.text, _TEXT_CHARS)}: {inert(c.what, _TEXT_CHARS)}" for c in diff.changed]
    for (sign, colour), texts in zip(_WORDS, (diff.added, changed, diff.dropped), strict=True):
        for text in texts:
            yield coloured(f"  {sign} {inert(text, 2 * _TEXT_CHARS)}", colour)


def diff_states(old: SessionState, new: SessionState) -> list[KindDiff]:
    """Return in which kinds two states differ, in the order of their importance."""
    olds, news = _entries(old), _entries(new)
    diffs = [_diff_kind(kind, olds[kind], news[kind]) for kind in news]
    return [diff for diff in (*diffs, _diff_facts(old, new)) if diff]


def _diff_kind(kind: str, old: Sequence[_Entry], new: Sequence[_Entry]) -> KindDiff:
    before = {entry.key: entry for entry in old}
    after = {entry.key: entry for entry in new}
    both = [(before[key], after[key]) for key in after if key in before]
    return KindDiff(
        kind,
        tuple(_shown(entry) for key, entry in after.items() if key not in before),
        tuple(change for a, b in both if (change := _change(a, b)) is not None),
        tuple(_shown(entry) for key, entry in before.items() if key not in after),
    )


def _change(old: _Entry, new: _Entry) -> ItemChange | None:
    if normal_form(old.text) != normal_form(new.text):
        return ItemChange(new.text, f"was: {old.text}")
    if old.standing == new.standing:
        return None
    return ItemChange(new.text, f"{old.standing or 'in force'} -> {new.standing or 'in force'}")


def _shown(entry: _Entry) -> str:
    return f"{entry.text} ({entry.standing})" if entry.standing else entry.text


def _lifted(rule: Rule) -> str:
    by_hand = rule.retired_by == FORGOTTEN
    return "forgotten by hand" if by_hand else f"lifted by: {rule.retired_by}"


def _entries(state: SessionState) -> dict[str, list[_Entry]]:
    objective = [_Entry("objective", state.objective.text)] if state.objective else []
    return {
        "rule": [
            _by_text(
                rule.whole if rule.after else rule.text,
                "" if rule.active else _lifted(rule),
            )
            for rule in state.rules
        ],
        "objective": objective,
        "todo": [
            _Entry(todo.task_id or normal_form(todo.text), todo.text, _todo(todo))
            for todo in state.todos
            if todo.text
        ],
        "decision": [
            _by_text(made.text, "superseded" if made.superseded else "") for made in state.decisions
        ],
        "value": [_Entry(value.text, value.text) for value in state.values],
        "verify": [_by_text(command.text, _RESULTS[command.passed]) for command in state.verify],
        "file": [
            _Entry(file.path, file.path, f"{file.reads:,}x read, {file.edits:,}x edited")
            for file in state.files
        ],
        "failed approach": [_by_text(item.text, item.reason) for item in state.failed],
        "issue": [_by_text(item.text) for item in state.issues],
        "learning": [_by_text(item.text) for item in state.learnings],
        "progress": [_by_text(item.text) for item in state.progress],
        "prompt": [_Entry(p.uuid or normal_form(p.text), p.text) for p in state.prompts],
    }


def _by_text(text: str, standing: str = "") -> _Entry:
    return _Entry(normal_form(text), text, standing)


def _todo(todo: Todo) -> str:
    status = str(todo.status).replace("_", " ")
    return f"{status}, parked" if todo.parked else status


def _diff_facts(old: SessionState, new: SessionState) -> KindDiff:
    """Compare what a state has one of: phase, branch, model, counts."""
    changes = (
        ItemChange(name, f"{before or 'none'} -> {after or 'none'}")
        for name, before, after in (
            ("phase", old.phase.name, new.phase.name),
            ("failures in a row", str(old.strikes.count), str(new.strikes.count)),
            ("branch", old.branch, new.branch),
            ("model", old.model, new.model),
            ("windows", str(old.windows), str(new.windows)),
            ("turns", str(old.turns), str(new.turns)),
            ("tool uses", str(old.tool_uses), str(new.tool_uses)),
        )
        if before != after
    )
    return KindDiff("session", changed=tuple(changes))
