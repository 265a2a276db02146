"""Gather what happened in a session: its compactions, losses, injections, events and problems.

Everything but the receipts, events and the log comes from the transcript alone, so that a session
from before the package was there can be diagnosed as well. The states that a session was given
are found in its transcript, and in our hooks' receipts.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from amplihack_compaction.base.hook_log import read_log
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.cli.sessions import Session, session_states
from amplihack_compaction.cli.terminal import shown_time
from amplihack_compaction.clients.speakers import unknown_origin
from amplihack_compaction.extract.objective import is_done_by_hand, newest_prompt
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.receipts import list_receipts
from amplihack_compaction.injection.render import seldom_needed
from amplihack_compaction.ledger.guard import list_notices
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.transcript.session import Boundary, Entry, Window, as_object, text_in
from amplihack_compaction.validation.before_and_after import kept_texts, summary_of
from amplihack_compaction.validation.events import CompactionEvent, read_events
from amplihack_compaction.validation.losses import (
    INJECTED,
    KEPT,
    LEFT_OUT,
    Fate,
    LossReport,
    report_losses,
    report_to_json,
)
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import Label

_LOG_LINES = 20
_KEPT = (Label.KEPT, Label.REWORDED)
DONE_WORDS = "done by hand"
_TOLD_OF_INJECTION = ("hook", "at", "characters", "delivered", "receipt")


@dataclass(slots=True)
class Injection:
    """A state that the model was given: `hook` is the event; None where it is not known.

    `delivered` says that the transcript shows it, `receipt` that one of our hooks took one.
    """

    hook: str | None
    at: str | None
    characters: int | None
    delivered: bool = False
    receipt: bool = False
    text: str = ""

    @property
    def in_short(self) -> str:
        """Its size, and what came of it, in words."""
        size = "?" if self.characters is None else f"{self.characters:,}"
        arrived = "delivered" if self.delivered else "given, but not seen in the transcript"
        return f"{size} characters, {arrived}{'' if self.receipt else ', no receipt here'}"


def read_injection(entry: Entry) -> Injection | None:
    """Return the state that an entry shows to have been injected; None for any other."""
    attachment = as_object(entry.data.get("attachment"))
    if attachment.get("type") != "hook_additional_context":
        return None
    content = attachment.get("content")
    texts = content if isinstance(content, list) else [content]
    text = "\n".join(text for text in texts if isinstance(text, str))
    if STATE_HEAD not in text:
        return None
    hook, at = text_in(attachment, "hookEvent") or None, text_in(entry.data, "timestamp") or None
    return Injection(hook, at, len(text), delivered=True, text=text)


def _add_receipt(injections: list[Injection], receipt: dict[str, Any]) -> None:
    """Note a receipt with the injection of its hook, or as one that did not arrive."""
    hook, size = receipt.get("event"), receipt.get("utf16")
    known = next((i for i in injections if i.hook in (hook, None) and not i.receipt), None)
    if known is None:
        characters = size if isinstance(size, int) else None
        at = text_in(receipt, "at") or None
        known = Injection(text_in(receipt, "event") or None, at, characters)
        injections.append(known)
    known.receipt = True


@dataclass(slots=True)
class Compaction:
    """One compaction; `state` is the session's at that moment. `losses` is None without summary.

    `window_start` is the byte offset at which the compacted window began. Of what the summary lost,
    `losses` names as `beside` whether an injection brought it back, or a kept message has it.
    """

    number: int
    boundary: Boundary
    window_start: int
    state: SessionState
    losses: LossReport | None = None
    injections: list[Injection] = field(default_factory=list)
    event: CompactionEvent | None = None

    @property
    def fates(self) -> Sequence[Fate]:
        """The items with what the summary did to each; none without a summary."""
        return self.losses.items if self.losses is not None else ()

    @property
    def event_in_short(self) -> str:
        """Its event as our hooks recorded it, in words."""
        event = self.event
        if event is None:
            return "none recorded: the hooks were not there, or did not run"
        removed = f"{counted(event.messages_removed, 'message')} removed"
        return f"recorded {shown_time(event.timestamp)}, turn {event.turn_number}, {removed}"

    @property
    def lost(self) -> int:
        """How many items the model could no longer act on after the summary alone."""
        return sum(fate.is_lost for fate in self.fates)

    @property
    def altered(self) -> Sequence[Fate]:
        """The items that the summary lost or changed; first the lost ones, last what came back."""
        found = [fate for fate in self.fates if fate.label not in _KEPT]
        return sorted(found, key=lambda fate: (not fate.is_lost, fate.beside == INJECTED))

    @property
    def kept(self) -> Sequence[Fate]:
        """The items that the summary has, be it in other words."""
        return [fate for fate in self.fates if fate.label in _KEPT]

    @property
    def brought_back(self) -> int:
        """How many of the lost or changed ones an injection brought back."""
        return sum(fate.beside == INJECTED for fate in self.altered)


@dataclass(slots=True)
class Diagnosis:
    """Everything that is known about a session."""

    session: Session
    size_bytes: int
    state: SessionState
    compactions: list[Compaction] = field(default_factory=list)
    events: list[CompactionEvent] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    unreadable_lines: int = 0
    unknown_origins: Counter[str] = field(default_factory=Counter)
    rules_broken: list[dict[str, Any]] = field(default_factory=list)


def diagnose_session(
    session: Session, on_entry: Callable[[Entry], None] | None = None
) -> Diagnosis:
    """Return what happened in a session. Raises TranscriptError when it cannot be read.

    `on_entry` is called with every entry of the transcript, which is read once.
    """
    size_bytes = session.transcript.stat().st_size
    result = Diagnosis(session, size_bytes, SessionState(session_id=session.id))
    shown: list[Injection] = []
    kept: Sequence[str] = ()

    def look_at(entry: Entry) -> None:
        result.unknown_origins.update(filter(None, [unknown_origin(entry.data)]))
        if (injection := read_injection(entry)) is not None:
            shown.append(injection)
        if on_entry is not None:
            on_entry(entry)

    for window, state in session_states(session, look_at):
        if result.compactions:  # what came of the last one stands in the window that follows
            result.compactions[-1].injections = shown.copy()
            result.compactions[-1].losses = _losses(result.compactions[-1], kept, window)
        shown.clear()
        if window.ended is not None:
            number = len(result.compactions) + 1
            result.compactions.append(Compaction(number, window.ended, window.start, state))
            kept = kept_texts(window)
        result.state = state
        result.unreadable_lines = window.report.skipped
    _add_records(result)
    return result


def compaction_to_json(compaction: Compaction) -> dict[str, Any]:
    """Return a compaction as JSON values."""
    event, told = compaction.event, report_to_json(compaction.losses or LossReport())
    return {
        "number": compaction.number,
        **boundary_to_json(compaction.boundary),
        "window_start": compaction.window_start,
        "state": state_in_short(compaction.state),
        "summary_found": compaction.losses is not None,
        "counts": told["counts"],
        "items": [
            {
                **item,
                "brought_back": item["beside"] == INJECTED,
                "kept_beside": item["beside"] == KEPT,
            }
            for item in told["items"]
        ],
        "injections": [
            {name: getattr(given, name) for name in _TOLD_OF_INJECTION}
            for given in compaction.injections
        ],
        "event": {"timestamp": event.timestamp, "turn_number": event.turn_number,
                  "messages_removed": event.messages_removed, **event.extra} if event else None,
    }  # fmt: skip


def boundary_in_short(boundary: Boundary) -> str:
    """Return by what a compaction was triggered, and its tokens, in words."""
    early = ", its summary made early" if boundary.precomputed else ""
    before, after = boundary.pre_tokens, boundary.post_tokens
    tokens = "size not recorded" if before is None else f"{before:,} tokens before"
    then = "" if before is None or after is None else f", {after:,} after"
    return f"{inert(boundary.trigger, 40) or 'unknown trigger'}{early}, {tokens}{then}"


def boundary_to_json(boundary: Boundary) -> dict[str, Any]:
    """Return what is told of a compaction itself as JSON values."""
    return {
        "at": boundary.timestamp,
        "trigger": boundary.trigger,
        "precomputed": boundary.precomputed,
        "tokens_before": boundary.pre_tokens,
        "tokens_after": boundary.post_tokens,
    }


def diagnosis_to_json(diagnosis: Diagnosis) -> dict[str, Any]:
    """Return a diagnosis as JSON values."""
    return {
        "session_id": diagnosis.session.id,
        "transcript": str(diagnosis.session.transcript),
        "transcript_bytes": diagnosis.size_bytes,
        "project": diagnosis.session.root,
        "unreadable_lines": diagnosis.unreadable_lines,
        "unknown_origins": dict(diagnosis.unknown_origins),
        "compactions": [compaction_to_json(compaction) for compaction in diagnosis.compactions],
        "state": state_in_short(diagnosis.state),
        "events": len(diagnosis.events),
        "problems": diagnosis.problems,
        "rules_broken": diagnosis.rules_broken,
    }


def state_counts(state: SessionState) -> str:
    """Return how many things a state has, in words."""
    decisions = sum(not made.superseded for made in state.decisions)
    return (
        f"{counted(len(state.active_rules), 'rule')}, {len(state.open_todos)} of"
        f" {counted(len(state.todos), 'todo')} open, {counted(decisions, 'decision')},"
        f" {counted(len(state.values), 'exact value')}, {counted(state.turns, 'turn')}"
    )


def wanted_now(state: SessionState) -> list[tuple[str, str]]:
    """Return what the user wants, and what that goes on from, each behind a word for it.

    The same as the model is told of it: the newest prompt, whatever it says, before the objective.
    """
    wanted, newest = [], newest_prompt(state)
    if newest is not None:
        wanted.append((DONE_WORDS if is_done_by_hand(state, newest) else "current", newest.text))
    if state.objective is not None:
        wanted.append(("goes on from" if wanted else "current", state.objective.text))
    return wanted


def current_objective(state: SessionState) -> str:
    """Return what the user wants and is not done by hand; empty for nothing."""
    return next((text for what, text in wanted_now(state) if what != DONE_WORDS), "")


def state_in_short(state: SessionState) -> dict[str, Any]:
    """Return the parts of a state that tell most, as JSON values."""
    return {
        "rules": [rule.standing for rule in state.active_rules],
        "objective": current_objective(state) or None,
        "open_todos": [todo.text for todo in state.open_todos],
        "todos": len(state.todos),
        "decisions": [made.text for made in state.decisions if not made.superseded],
        "values": [value.text for value in state.values],
        "verify": [command.text for command in state.verify],
        "turns": state.turns,
        "tool_uses": state.tool_uses,
    }


def _losses(made: Compaction, kept: Sequence[str], after: Window) -> LossReport | None:
    """Compare the state with the summary in the window that follows, and with what came then."""
    if not after.summary:
        return None
    injected = "\n".join(injection.text for injection in made.injections)
    left_out = seldom_needed(made.state) if injected else ""
    beside = {INJECTED: injected, KEPT: "\n".join(kept), LEFT_OUT: left_out}
    told = {name: text for name, text in beside.items() if text}
    return report_losses(made.state, TextIndex(summary_of(after.summary)), told)


def _add_records(diagnosis: Diagnosis) -> None:
    """Add what our hooks wrote down: receipts, events, notices and the log of problems."""
    session = diagnosis.session
    read = read_events(session.root)
    diagnosis.events = [event for event in read.events if event.session_id == session.id]
    events = {event.extra.get("window_start"): event for event in diagnosis.events}
    receipts = list_receipts(session.folder)
    for compaction in diagnosis.compactions:
        compaction.event = events.get(compaction.window_start)
        for receipt in receipts:
            if receipt.get("window_start") == compaction.window_start:
                _add_receipt(compaction.injections, receipt)
    diagnosis.problems = [*filter(None, [read.problem]), *read_log(session.root)[-_LOG_LINES:]]
    diagnosis.rules_broken = list_notices(session.folder)
