"""Say in words what was added to a state, changed in it, and dropped from it, kind by kind."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from amplihack_compaction.extract.model import Decision, Rule, SessionState, Todo, VerifyCommand
from amplihack_compaction.text.strings import normal_form


@dataclass(frozen=True, slots=True)
class Change:
    """Something that both states have, and what became of it, in words."""

    text: str
    what: str


@dataclass(frozen=True, slots=True)
class KindDiff:
    """How two states differ in one kind of thing."""

    kind: str
    added: tuple[str, ...] = ()
    changed: tuple[Change, ...] = ()
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


def _change(old: _Entry, new: _Entry) -> Change | None:
    if normal_form(old.text) != normal_form(new.text):
        return Change(new.text, f"was: {old.text}")
    if old.standing == new.standing:
        return None
    return Change(new.text, f"{old.standing or 'in force'} -> {new.standing or 'in force'}")


def _shown(entry: _Entry) -> str:
    return f"{entry.text} ({entry.standing})" if entry.standing else entry.text


def _entries(state: SessionState) -> dict[str, list[_Entry]]:
    objective = [_Entry("objective", state.objective.text)] if state.objective else []
    return {
        "rule": [
            _by_text(rule.whole if rule.after else rule.text, _rule(rule)) for rule in state.rules
        ],
        "objective": objective,
        "todo": [
            _Entry(todo.task_id or normal_form(todo.text), todo.text, _todo(todo))
            for todo in state.todos
            if todo.text
        ],
        "decision": [_by_text(made.text, _decision(made)) for made in state.decisions],
        "value": [_Entry(value.text, value.text) for value in state.values],
        "verify": [_by_text(command.text, _verify(command)) for command in state.verify],
        "file": [
            _Entry(file.path, file.path, f"{_times(file.reads)} read, {_times(file.edits)} edited")
            for file in state.files
        ],
        "failed approach": [_by_text(item.text, item.reason) for item in state.failed],
        "issue": _by_texts(item.text for item in state.issues),
        "learning": _by_texts(item.text for item in state.learnings),
        "progress": _by_texts(item.text for item in state.progress),
        "prompt": [_Entry(p.uuid or normal_form(p.text), p.text) for p in state.prompts],
    }


def _by_text(text: str, standing: str = "") -> _Entry:
    return _Entry(normal_form(text), text, standing)


def _by_texts(texts: Iterable[str]) -> list[_Entry]:
    return [_by_text(text) for text in texts]


def _rule(rule: Rule) -> str:
    return "" if rule.active else f"lifted by: {rule.retired_by}"


def _decision(made: Decision) -> str:
    return "superseded" if made.superseded else ""


def _todo(todo: Todo) -> str:
    status = str(todo.status).replace("_", " ")
    return f"{status}, parked" if todo.parked else status


def _verify(command: VerifyCommand) -> str:
    return {True: "passed", False: "failed", None: "result unknown"}[command.passed]


def _times(number: int) -> str:
    return f"{number:,}x"


def _diff_facts(old: SessionState, new: SessionState) -> KindDiff:
    """Compare what a state has one of: phase, branch, model, counts."""
    changes = (
        Change(name, f"{before or 'none'} -> {after or 'none'}")
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
