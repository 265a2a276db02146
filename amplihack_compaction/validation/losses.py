"""Report, item by item, what a compaction did to a session's state: the one judgement of it.

PostCompact, Stop, `validate`, `diagnose` and the report all show what is returned here.
An item is *lost* when the summary lacks it, *missing* when the model has it from nowhere else.
"""

import json
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from amplihack_compaction.base.files import replace_atomically
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.signature import signed
from amplihack_compaction.extract.rules import is_likely_lifted, parted_by_hold
from amplihack_compaction.extract.statements import (
    SAID_WITH,
    ExactValue,
    Rule,
    SessionState,
    Todo,
    TodoSource,
    VerifyCommand,
    VerifyKind,
    field_values,
)
from amplihack_compaction.extract.values import telling_values
from amplihack_compaction.extract.verify_commands import is_narrow
from amplihack_compaction.extract.window import redacted
from amplihack_compaction.ledger.superseded import without_superseded
from amplihack_compaction.text.words import GO_ON_WORDS, content_words, counted
from amplihack_compaction.validation.matching.exact_parts import exact_parts
from amplihack_compaction.validation.matching.item_match import match
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import LOST_LABELS, Label

REPORT_VERSION = 1
ALTERED_CERTAINTY = 0.7
"""From which certainty on what is there in part, or turned round, counts as lost: below it, most
such items were only put in other words (rows to develop on, `tests/bench/losses`)."""
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_DONE = re.compile(
    r"\A\s*(?:\[[xX]\]|~~|✓|✔|✅|☑)"
    r"|[\s(\[:,;–—-](?:done|completed?|finished|cancell?ed|erledigt|fertig|terminée?|fait|hecho"
    r"|feito|concluído|готово|сделано|完成|已完成|完了|完료|완료|✓|✔|✅)[\s)\].!]*\Z",
    re.IGNORECASE,
)
_CHECKLIST = 6
"""From more entries on, a checklist in the model's words is none of work to be done now."""
_PARTS, _ADVISED = " · ", " (Recommended)"
# Which of the model's proposals was meant nobody can tell by its number.
_BARE_CHOICE = re.compile(r"\(said: \"(?:option )?\d{1,2}[.)]?\"\)\Z", re.IGNORECASE)
# Who asks for something, or turns an offer down, leaves things as they are.
_NO_CHOICE = re.compile(
    r"\A\s*(?:could|can|would|will) (?:we|you)\b|\?\W{0,9}(?:no|nope|nah)\b", re.IGNORECASE
)
_PASTED_NAMES = 3
_TELLING_WORDS = 2
"""Words of content that an objective must have to be looked for."""
_ALTERED = frozenset({Label.PARTLY, Label.NEGATED})
FATE_WORDS = {
    Label.KEPT: "kept",
    Label.REWORDED: "reworded",
    Label.PARTLY: "kept in part",
    Label.CHANGED: "changed",
    Label.NEGATED: "negated",
    Label.SUPERSEDED: "taken back",
    Label.DROPPED: "lost",
    Label.UNKNOWN: "cannot tell",
}
"""What became of an item, in the words that people read."""
INJECTED, KEPT, SINCE = "injected", "kept", "since"
"""Where else the model has what a summary lost: in an injection, in a message that was kept, in
anything that it was given since."""
SETTLED, LEFT_OUT = "settled", "left out"
"""What it need not have: what was finished, lifted or replaced since, or what the injection left
out as seldom needed."""
BESIDE_WORDS = {
    INJECTED: "brought back", KEPT: "in a message that was kept", SINCE: "given elsewhere",
    SETTLED: "settled since", LEFT_OUT: "seldom needed",
}  # fmt: skip
WORTH_SAYING = frozenset({"rule", "objective", "todo", "verify", "decision"})
"""The kinds whose loss anybody is told of unasked: of the values that are lost few are needed."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of one item; `kind` is rule, objective, todo, verify, decision or value.

    `certainty` (0 to 1) says how likely it is that `is_lost` is right. `beside` says where else the
    model has what the summary lost: see `report_losses`.
    """

    kind: str
    label: Label
    text: str
    evidence: str = ""
    missing: tuple[str, ...] = ()
    score: float = 0.0
    certainty: float = 1.0
    beside: str = ""

    @property
    def is_lost(self) -> bool:
        """Whether the model can no longer act on the item by the summary."""
        needed = ALTERED_CERTAINTY if self.label in _ALTERED else 0.0
        return self.label in LOST_LABELS[self.kind] and self.certainty >= needed

    @property
    def is_missing(self) -> bool:
        """Whether the item is lost, and the model has it from nowhere else."""
        return self.is_lost and not self.beside


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
    def missing(self) -> tuple[Fate, ...]:
        """The items that are lost, and that the model has from nowhere else."""
        return tuple(fate for fate in self.items if fate.is_missing)

    @property
    def in_short(self) -> str:
        """How many items the summary lost and what became of the others, on one line."""
        if not self.items:
            return "there was nothing to keep"
        counts = Counter(FATE_WORDS[fate.label] for fate in self.items if not fate.is_lost)
        back = Counter(fate.beside for fate in self.lost if fate.beside)
        lost = [f"{count} {BESIDE_WORDS[name]}" for name, count in sorted(back.items())]
        told = f" ({', '.join(lost)})" if lost else ""
        kept = [f"{counts[word]} {word}" for word in FATE_WORDS.values() if counts[word]]
        share = f"{len(self.lost)} of {counted(len(self.items), 'item')} lost{told}"
        return ", ".join((share, *kept))

    @property
    def counts(self) -> dict[str, int]:
        """How many items ended under each label."""
        return {str(label): sum(fate.label is label for fate in self.items) for label in Label}


def report_to_json(report: LossReport) -> dict[str, Any]:
    """Return the report as JSON values."""
    items = [{**field_values(fate), "lost": fate.is_lost} for fate in report.items]
    return {"version": report.version, "counts": report.counts, "items": items}


def losses_path(folder: str, window_start: int) -> str:
    """Return the file of a session's folder that has the report on a window's compaction."""
    return f"{folder}/losses/{window_start}.json"


def store_losses(folder: str, window_start: int, report: LossReport) -> str:
    """Store the report in a session's folder, without secrets, and return its path.

    Raises OSError when it cannot be written.
    """
    path = losses_path(folder, window_start)
    replace_atomically(path, signed(json.dumps(report_to_json(redacted(report))).encode(), path))
    return path


def report_losses(
    state: SessionState,
    summary: str | TextIndex,
    beside: Mapping[str, str | TextIndex] = MappingProxyType({}),
    now: SessionState | None = None,
) -> LossReport:
    """Look for every active rule, the objective, open todos, verify commands, decisions, values.

    `state` is the session's when it was compacted. What the `summary` (see `summary_part`) lost is
    looked for in the other texts that the model has; the name of the first that has it is the
    item's `beside`. By the state of `now` what was finished, lifted or replaced since is `SETTLED`.
    """
    text_index = _indexed(summary)
    judged = [fate_of(kind, text, text_index) for kind, text in _items(state)]
    # What may have been meant once is no loss when it is gone; what stands there changed misleads.
    once = parted_by_hold(state.active_rules)[1]
    doubted = {rule.standing for rule in once}
    gone = ("rule", Label.DROPPED)
    fates = [fate for fate in judged if (fate.kind, fate.label) != gone or fate.text not in doubted]
    wanted: set[tuple[str, str]] | None = None
    if now is not None:  # an objective that was only gone on from still matters
        wanted = {*_items(now), *(("objective", step.text) for step in now.continues)}
    others = {name: _indexed(text) for name, text in beside.items()}
    found = [fate if _is_told(fate) else _looked_for(fate, others, wanted) for fate in fates]
    # Work that is still listed says what the session is after, whatever became of the prompt.
    carried = any(fate.kind == "todo" and _is_there(fate) for fate in found)
    return LossReport(tuple(_carry(fate) if carried else fate for fate in found))


def _is_told(fate: Fate) -> bool:
    """Return whether the summary has an item; of another language it may be."""
    return not (fate.is_lost or fate.label is Label.UNKNOWN)


def _is_there(fate: Fate) -> bool:
    return fate.label in _FOUND or fate.beside not in ("", SETTLED, LEFT_OUT)


def _indexed(text: str | TextIndex) -> TextIndex:
    return text if isinstance(text, TextIndex) else TextIndex(text)


def _looked_for(
    fate: Fate, others: Mapping[str, TextIndex], wanted: Container[tuple[str, str]] | None
) -> Fate:
    """Return what the summary lost, or may have lost, with where else it is, if anywhere."""
    if wanted is not None and (fate.kind, fate.text) not in wanted:
        return replace(fate, beside=SETTLED)
    for name, text in others.items():
        other = fate_of(fate.kind, fate.text, text)
        if _is_told(other):
            return replace(fate, beside=name)
        # A part of it that stands elsewhere tells what is missing of it.
        if other.label is Label.PARTLY and fate.label is Label.DROPPED:
            fate = replace(fate, missing=other.missing)
    return fate


def _items(state: SessionState) -> Iterable[tuple[str, str]]:
    """Return `(kind, text)` of all that mattered, without repetitions."""
    return dict.fromkeys(pair for pair in _all_items(state) if pair[1].strip())


def _all_items(state: SessionState) -> Iterator[tuple[str, str]]:
    said, (state, over) = state, without_superseded(state)
    yield from (("rule", rule.standing) for rule in state.active_rules if _stands(rule))
    yield from (("objective", text) for text in _objectives(state))
    yield from (("todo", todo.text) for todo in _open_work(state))
    yield from (("verify", command.text) for command in _newest_commands(state.verify))
    yield from (("decision", text) for text in _decisions(state))
    yield from (("value", value.text) for value in telling_values(state))
    yield from (("value", value.text) for value in _left_of_replaced(said, over))


def _left_of_replaced(state: SessionState, over: Mapping[str, str]) -> Iterator[ExactValue]:
    """Yield what a replaced statement told beside what was replaced: of a kind the new one lacks.

    No injection may tell it, nor does anything else that was said.
    """
    for value in telling_values(state) if over else ():
        news = [new for old, new in over.items() if old in value.context or value.context in old]
        if news and not any(
            value.kind is other.kind and (other.context in new or new in other.context)
            for other in state.values
            for new in news
        ):
            yield value


def _stands(rule: Rule) -> bool:
    """Return whether a rule says something that later words do not likely take back."""
    return not rule.text.rstrip().endswith((":", "：")) and not is_likely_lifted(rule)


def _open_work(state: SessionState) -> list[Todo]:
    """Return the open todos that are still to be done; one that says it is done is not.

    A long checklist in the model's words is a plan to test by, or what could be done one day: of 21
    entries of such that summaries lacked, none was needed (25 real compactions).
    """
    todos = [t for t in state.open_todos if not t.parked and _DONE.search(t.text) is None]
    listed = [todo for todo in todos if todo.source is TodoSource.CHECKLIST]
    return [t for t in todos if t not in listed] if len(listed) > _CHECKLIST else todos


def _objectives(state: SessionState) -> Iterator[str]:
    objective = state.objective
    if objective is None or len(content_words(objective.text)) < _TELLING_WORDS:
        return
    # What was pasted as an error is mostly names and numbers.
    names = len(exact_parts(objective.text))
    if names < _PASTED_NAMES or 3 * names < len(objective.text.split()):
        yield objective.text


def _decisions(state: SessionState) -> Iterator[str]:
    """Yield the decisions that stand, by what names them: of a plan its title, of an option too."""
    for made in state.decisions:
        # A consent ("yes, that's what I mean") says nothing without its question.
        is_bare = len({*content_words(made.text)} - GO_ON_WORDS) <= 1
        text = f"{made.question} {made.text}" if is_bare and made.question else made.text
        name, _, more = text.partition(_PARTS)
        answer = more.rfind(SAID_WITH)
        text = f"{name.removesuffix(_ADVISED)}{more[answer:]}" if answer >= 0 else name
        if not (made.superseded or _BARE_CHOICE.search(text) or _NO_CHOICE.search(text)):
            yield text


def _newest_commands(commands: tuple[VerifyCommand, ...]) -> list[VerifyCommand]:
    """Return the newest tests and checks of style; what only builds was never asked for again.

    A later command of a kind takes the earlier one's place; of single files none is kept.
    """
    checks = [each for each in commands if each.kind is not VerifyKind.BUILD]
    wide = [each for each in checks if not is_narrow(each.text)]
    return list({command.kind: command for command in wide}.values())


def fate_of(kind: str, text: str, text_index: TextIndex) -> Fate:
    """Return what became of one item of a kind in the text."""
    found = match(text, text_index, kind)
    share, certainty = round(found.score, 2), round(found.certainty, 3)
    evidence = redact(found.evidence)  # the summary's words, which nothing redacted before
    return Fate(kind, found.label, text, evidence, found.missing, share, certainty)


def _carry(fate: Fate) -> Fate:
    """Open todos that survived say what the session is after."""
    if fate.kind != "objective" or not fate.is_lost:
        return fate
    return Fate("objective", Label.REWORDED, fate.text, "carried by the open todos")
