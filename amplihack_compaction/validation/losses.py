"""Report, item by item, what became of a session's state in the text that the model now has."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.extract.statements import (
    Decision,
    SessionState,
    VerifyCommand,
    field_values,
)
from amplihack_compaction.text.words import content_words, counted, one_line
from amplihack_compaction.validation.matching.item_match import Label, Match, match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import LOST_LABELS, verdict

REPORT_VERSION = 1
STEPS_LIMIT = 20
STEP_CHARS = 300
ALARM_CERTAINTY = 0.9
"""From which certainty on a loss is worth an alarm: a summary that keeps all must raise none."""
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_STEPS = {
    "rule": "Restate the rule",
    "objective": "Restate the objective",
    "todo": "Recreate the todo",
    "verify": "Use this command to check the work",
    "decision": "Keep to the decision",
    "value": "Note the exact value",
}


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one item; `kind` is rule, objective, todo, verify, decision or value.

    `certainty` (0 to 1) says how likely it is that `is_lost` is right.
    """

    kind: str
    label: Label
    text: str
    evidence: str = ""
    missing: tuple[str, ...] = ()
    score: float = 0.0
    certainty: float = 1.0

    @property
    def is_lost(self) -> bool:
        """Whether the model can no longer act on the item."""
        return self.label in LOST_LABELS[self.kind]

    @property
    def alarms(self) -> bool:
        """Whether the item is lost so surely that the user is to hear of it."""
        return self.is_lost and self.certainty >= ALARM_CERTAINTY


@dataclass(frozen=True, slots=True)
class LossReport:
    """The fate of every item that matters, in order of its importance."""

    items: tuple[Fate, ...] = ()
    version: int = REPORT_VERSION

    @property
    def lost(self) -> tuple[Fate, ...]:
        """The items that are gone, turned round, or robbed of what they hang on."""
        return tuple(fate for fate in self.items if fate.is_lost)

    @property
    def counts(self) -> dict[str, int]:
        """How many items ended under each label."""
        counts = dict.fromkeys((str(label) for label in Label), 0)
        for fate in self.items:
            counts[str(fate.label)] += 1
        return counts

    @property
    def recovery_steps(self) -> list[str]:
        """Steps that name the lost items, 20 at most, and how many more there are."""
        lost = self.lost
        steps = [_step(fate) for fate in lost[:STEPS_LIMIT]]
        if len(lost) > STEPS_LIMIT:
            left = counted(len(lost) - STEPS_LIMIT, "more item")
            steps.append(f"{left} in the loss report.")
        return steps


def report_to_json(report: LossReport) -> dict[str, Any]:
    """Return the report as JSON values; `report_from_json` turns them back."""
    items = [
        {**field_values(fate), "label": str(fate.label), "missing": list(fate.missing)}
        for fate in report.items
    ]
    return {"version": report.version, "counts": report.counts, "items": items}


def report_from_json(data: object) -> LossReport | None:
    """Return a stored report; None when it is none or of another version."""
    if not isinstance(data, dict) or data.get("version") != REPORT_VERSION:
        return None
    stored = data.get("items")
    fates = [_read_fate(item) for item in stored] if isinstance(stored, list) else []
    return LossReport(tuple(fate for fate in fates if fate is not None))


def report_losses(state: SessionState, text_now: str | TextIndex) -> LossReport:
    """Look for every active rule, the objective, open todos, verify commands, decisions, values.

    `text_now` is all that the model has: of a summary, what `summary_part` returns.
    """
    text_index = text_now if isinstance(text_now, TextIndex) else TextIndex(text_now)
    fates = [fate_of(kind, text, text_index) for kind, text in _items(state)]
    # Work that is still listed says what the session is after, whatever became of the prompt.
    carried = any(fate.kind == "todo" and fate.label in _FOUND for fate in fates)
    return LossReport(tuple(_carry(fate) if carried else fate for fate in fates))


def _items(state: SessionState) -> Iterator[tuple[str, str]]:
    """Yield `(kind, text)` of all that mattered, without repetitions."""
    seen: set[tuple[str, str]] = set()
    for pair in _all_items(state):
        if pair[1].strip() and pair not in seen:
            seen.add(pair)
            yield pair


def _all_items(state: SessionState) -> Iterator[tuple[str, str]]:
    yield from (("rule", rule.text) for rule in state.active_rules)
    if state.objective is not None:
        yield "objective", state.objective.text
    yield from (("todo", todo.text) for todo in state.open_todos if not todo.parked)
    yield from (("verify", command.text) for command in _newest_commands(state.verify))
    yield from (("decision", _whole(made)) for made in state.decisions if not made.superseded)
    yield from (("value", value.text) for value in state.values)


def _whole(made: Decision) -> str:
    """Return a decision's words; an answer of one word says nothing without its question."""
    bare = len(content_words(made.text)) <= 1 and made.question
    return f"{made.question} {made.text}" if bare else made.text


def _newest_commands(commands: tuple[VerifyCommand, ...]) -> list[VerifyCommand]:
    # A later command of a kind takes the earlier one's place.
    return list({command.kind: command for command in commands}.values())


def fate_of(kind: str, text: str, text_index: TextIndex, *, own_words: bool = False) -> Fate:
    """Return what became of one item of a kind in the text.

    `own_words` says that the text is of messages as they were, not a summary of them: then the
    words alone decide, which takes a quarter of the time.
    """
    # Messages as they were hold their items word for word, or not at all.
    judge_by = match if own_words else verdict
    found: Match = judge_by(text, text_index, "command" if kind == "verify" else kind)
    share, certainty = round(found.score, 2), round(found.certainty, 3)
    return Fate(kind, found.label, text, found.evidence, found.missing, share, certainty)


def _carry(fate: Fate) -> Fate:
    """Open todos that survived say what the session is after."""
    if fate.kind != "objective" or not fate.is_lost:
        return fate
    return Fate("objective", Label.REWORDED, fate.text, "carried by the open todos")


def _step(fate: Fate) -> str:
    gone = f" (gone: {', '.join(fate.missing)})" if fate.missing else ""
    turned = " (stated otherwise since)" if fate.label is Label.NEGATED else ""
    return f"{_STEPS[fate.kind]}: {one_line(fate.text, STEP_CHARS)}{turned or gone}"


def _read_fate(item: object) -> Fate | None:
    if not isinstance(item, dict) or item.get("kind") not in LOST_LABELS:
        return None
    label, text, missing = item.get("label"), item.get("text"), item.get("missing")
    if label not in {str(known) for known in Label} or not isinstance(text, str):
        return None
    return Fate(
        item["kind"],
        Label(label),
        text,
        str(item.get("evidence") or ""),
        tuple(str(part) for part in missing) if isinstance(missing, list) else (),
        score if isinstance(score := item.get("score"), float) else 0.0,
        sure if isinstance(sure := item.get("certainty"), float) else 1.0,
    )
