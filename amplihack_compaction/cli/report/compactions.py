"""Show each compaction of a session: the state then, what was lost, what was brought back."""

from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from amplihack_compaction.cli.diagnosis.diagnosis import FATE_WORDS, Compaction, Verdict
from amplihack_compaction.cli.diagnosis.injections import Injection
from amplihack_compaction.cli.report.markup import (
    Child,
    details,
    element,
    moment,
    size_of,
    table,
    visible,
)
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.text.strings import counted
from amplihack_compaction.validation.matching.item_match import Label

_ROWS_LIMIT = 120
_TEXT_CHARS = 300
_GOOD = frozenset({Label.KEPT, Label.REWORDED})
_OPEN_COMPACTIONS = 3


def show_compactions(compactions: Sequence[Compaction], limit_bytes: int) -> Element:
    """Return the compactions in their order; the newest ones where not all have room."""
    title = element("h3", "Compactions")
    if not compactions:
        return element("section", title, element("p", "The session was not compacted so far."))
    shown: list[Element] = []
    for compaction in reversed(compactions):
        article = _article(compaction, is_open=len(shown) < _OPEN_COMPACTIONS)
        limit_bytes -= size_of(article)
        if limit_bytes < 0 and shown:
            break
        shown.append(article)
    left = len(compactions) - len(shown)
    note = f"{counted(left, 'earlier compaction')} left out here; `diagnose --json` has them all."
    notes = [element("p", note, class_="quiet")] if left else []
    return element("section", title, *notes, *reversed(shown))


def _article(compaction: Compaction, *, is_open: bool) -> Element:
    boundary = compaction.boundary
    head = f"Compaction {compaction.number}: {moment(boundary.timestamp) or 'time unknown'}"
    early = ", its summary made early" if boundary.precomputed else ""
    tokens = (
        f"{visible(boundary.trigger, 40) or 'unknown trigger'}{early};"
        f" {_tokens_word(boundary.pre_tokens)} tokens before,"
        f" {_tokens_word(boundary.post_tokens)} after."
    )
    parts: list[Child] = [element("h4", head), element("p", tokens)]
    parts += _state(compaction.state)
    parts += _summary(compaction, is_open=is_open)
    parts += [_injections(compaction.injections), element("p", _event(compaction))]
    return element("article", *parts)


def _tokens_word(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


def _state(state: SessionState) -> Iterator[Element]:
    made = sum(not decision.superseded for decision in state.decisions)
    yield element(
        "p",
        f"The state then: {counted(len(state.active_rules), 'rule')},"
        f" {len(state.open_todos)} of {counted(len(state.todos), 'todo')} open,"
        f" {counted(made, 'decision')}, {counted(len(state.values), 'exact value')},"
        f" {counted(state.turns, 'turn')}.",
    )
    if state.objective is not None:
        objective = visible(state.objective.text, _TEXT_CHARS)
        yield element("p", f"The objective then: “{objective}”")


def _summary(compaction: Compaction, *, is_open: bool) -> Iterator[Element]:
    verdicts = compaction.verdicts
    if verdicts is None:
        yield element("p", "The transcript has no summary of it.")
        return
    counts = compaction.counts
    said = ", ".join(
        f"{counts[label]} {word}" for label, word in FATE_WORDS.items() if counts[label]
    )
    yield element("p", f"What the summary did: {said or 'there was nothing to keep'}.")
    changed = [verdict for verdict in verdicts if verdict.fate.label not in _GOOD]
    changed.sort(key=lambda verdict: (not verdict.fate.is_lost, verdict.brought_back))
    kept = [verdict for verdict in verdicts if verdict.fate.label in _GOOD]
    number = compaction.number
    if changed:
        title = (
            f"Lost or changed: {compaction.lost} lost, {compaction.brought_back} of them"
            " brought back"
        )
        yield details(title, *_items(changed, f"Lost or changed at compaction {number}"),
                      is_open=is_open)  # fmt: skip
    if kept:
        yield details(f"Kept: {len(kept)}", *_items(kept, f"Kept at compaction {number}"))


def _items(verdicts: Sequence[Verdict], caption: str) -> Iterator[Element]:
    rows = [_item(verdict) for verdict in verdicts[:_ROWS_LIMIT]]
    yield table(caption, ("Kind", "What became of it", "In the words of the session"), rows)
    left = len(verdicts) - len(rows)
    if left:
        yield element("p", f"{left} more; `diagnose --json` has them all.", class_="quiet")


def _item(verdict: Verdict) -> tuple[Child, ...]:
    fate = verdict.fate
    name = "back" if verdict.brought_back else str(fate.label)
    word = FATE_WORDS[fate.label] + (", brought back" if verdict.brought_back else "")
    gone = (
        f" (without {', '.join(fate.missing)})" if fate.missing and not verdict.brought_back else ""
    )
    text = visible(fate.text, _TEXT_CHARS) + visible(gone, _TEXT_CHARS)
    kind = element("span", fate.kind, class_="kind")
    return kind, element("span", word, class_=f"fate fate-{name}"), text


def _injections(injections: Sequence[Injection]) -> Element:
    if not injections:
        return element("p", "Injected: nothing.")
    return element("ul", *(element("li", _injection(injection)) for injection in injections))


def _injection(injection: Injection) -> str:
    arrived = "delivered" if injection.delivered else "given, but not seen in the transcript"
    receipt = "" if injection.receipt else ", no receipt here"
    at = f", {moment(injection.at)}" if injection.at else ""
    size = "?" if injection.characters is None else f"{injection.characters:,}"
    hook = visible(injection.hook or "a hook", 60)
    return f"Injected by {hook}: {size} characters, {arrived}{receipt}{at}"


def _event(compaction: Compaction) -> str:
    event = compaction.event
    if event is None:
        return "No event was recorded: the hooks were not there, or did not run."
    return (
        f"Event recorded {moment(event.timestamp)}, turn {event.turn_number},"
        f" {counted(event.messages_removed, 'message')} removed."
    )
