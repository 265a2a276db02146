"""Gather what happened in a session: its compactions, losses, injections, events and problems.

Everything but the receipts, events and the log comes from the transcript alone, so that a session
from before the package was there can be diagnosed as well.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.cli.diagnosis.injections import (
    Injection,
    injection_to_json,
    shown_injections,
    with_receipts,
)
from amplihack_compaction.cli.diagnosis.later_use import Use, kept_texts, later_uses
from amplihack_compaction.cli.sessions import Session, session_states
from amplihack_compaction.clients.reading import summary_part
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.delivery import list_receipts
from amplihack_compaction.transcript.session import Boundary, Entry, Window
from amplihack_compaction.validation.events import CompactionEvent, read_events
from amplihack_compaction.validation.losses import (
    Fate,
    fate_of,
    report_losses,
)
from amplihack_compaction.validation.matching.item_match import Label
from amplihack_compaction.validation.matching.text_index import TextIndex

LOG_LINES = 20
FATE_WORDS = {
    Label.KEPT: "kept",
    Label.REWORDED: "reworded",
    Label.PARTLY: "kept in part",
    Label.NEGATED: "negated",
    Label.SUPERSEDED: "taken back",
    Label.DROPPED: "lost",
    Label.UNKNOWN: "cannot tell",
}
"""What became of an item, in the words that people read."""
_SUMMARY_OPENING = "Summary:\n"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the summary did to one item, and whether the model has it from elsewhere.

    `brought_back` is by an injection; `kept_beside` in a message that the compaction kept.
    """

    fate: Fate
    brought_back: bool = False
    kept_beside: bool = False


@dataclass(frozen=True, slots=True)
class Compaction:
    """One compaction; `state` is the session's at that moment. `verdicts` is None without summary.

    `window_start` is the byte offset at which the compacted window began.
    """

    number: int
    boundary: Boundary
    window_start: int
    state: SessionState
    verdicts: Sequence[Verdict] | None = None
    injections: Sequence[Injection] = ()
    used_later: Sequence[Use] = ()
    event: CompactionEvent | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many items ended under each label, `lost` being those the model cannot act on."""
        verdicts = self.verdicts or ()
        labels = {str(label): 0 for label in Label}
        for verdict in verdicts:
            labels[str(verdict.fate.label)] += 1
        return labels

    @property
    def lost(self) -> int:
        """How many items the model could no longer act on after the summary alone."""
        return sum(verdict.fate.is_lost for verdict in self.verdicts or ())

    @property
    def brought_back(self) -> int:
        """How many of the lost ones an injection brought back."""
        return sum(verdict.brought_back for verdict in self.verdicts or ())


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


def diagnose_session(
    session: Session, on_entry: Callable[[Entry], None] | None = None
) -> Diagnosis:
    """Return what happened in a session. Raises TranscriptError when it cannot be read.

    `on_entry` is called with every entry of the transcript, which is read once.
    """
    path = session.transcript
    result = Diagnosis(session, path.stat().st_size, SessionState(session_id=session.id))
    shown = shown_injections(path)
    pending: _Pending | None = None
    for window, state in session_states(session, on_entry):
        if pending is not None:
            end = window.ended.offset if window.ended is not None else result.size_bytes
            injections = [given for given in shown if window.start <= given.offset < end]
            number = len(result.compactions) + 1
            result.compactions.append(_judge(pending, number, window, injections, path))
        if window.ended is not None:
            pending = _Pending(window.ended, window.start, state, kept_texts(window))
        result.state = state
        result.unreadable_lines = window.report.skipped
    _add_records(result)
    return result


def compaction_to_json(compaction: Compaction) -> dict[str, Any]:
    """Return a compaction as JSON values."""
    event = compaction.event
    return {
        "number": compaction.number,
        **boundary_to_json(compaction.boundary),
        "window_start": compaction.window_start,
        "state": state_in_short(compaction.state),
        "summary_found": compaction.verdicts is not None,
        "counts": compaction.counts,
        "items": [
            {
                "kind": verdict.fate.kind,
                "label": str(verdict.fate.label),
                "text": verdict.fate.text,
                "missing": list(verdict.fate.missing),
                "lost": verdict.fate.is_lost,
                "brought_back": verdict.brought_back,
                "kept_beside": verdict.kept_beside,
            }
            for verdict in compaction.verdicts or ()
        ],
        "injections": [
            injection_to_json(injection) for injection in compaction.injections
        ],
        "used_later": [
            {
                "kind": use.kind,
                "text": use.text,
                "by": use.by,
                "at": use.at,
                "evidence": use.evidence,
                "sources": [str(source) for source in use.sources],
            }
            for use in compaction.used_later
        ],
        "event": {"timestamp": event.timestamp, "turn_number": event.turn_number,
                  "messages_removed": event.messages_removed, **event.extra} if event else None,
    }  # fmt: skip


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
        "compactions": [compaction_to_json(compaction) for compaction in diagnosis.compactions],
        "state": state_in_short(diagnosis.state),
        "events": len(diagnosis.events),
        "problems": diagnosis.problems,
    }


def state_in_short(state: SessionState) -> dict[str, Any]:
    """Return the parts of a state that tell most, as JSON values."""
    return {
        "rules": [rule.text for rule in state.active_rules],
        "objective": state.objective.text if state.objective else None,
        "open_todos": [todo.text for todo in state.open_todos],
        "todos": len(state.todos),
        "decisions": [made.text for made in state.decisions if not made.superseded],
        "values": [value.text for value in state.values],
        "verify": [command.text for command in state.verify],
        "turns": state.turns,
        "tool_uses": state.tool_uses,
    }


@dataclass(frozen=True, slots=True)
class _Pending:
    """A compaction whose summary is still to be read: it stands in the window that follows."""

    boundary: Boundary
    window_start: int
    state: SessionState
    kept: Sequence[str]


def _judge(
    pending: _Pending, number: int, after: Window, injections: Sequence[Injection], path: Path
) -> Compaction:
    """Compare the state with the summary that replaced its window, and with what came then."""
    state = pending.state
    place = (number, pending.boundary, pending.window_start, state)
    if not after.summary:
        return Compaction(*place, injections=injections)
    # The client's own opening names the transcript; what was summarised follows it.
    text = summary_part(after.summary.partition(_SUMMARY_OPENING)[2] or after.summary)
    summary = TextIndex(text)
    report = report_losses(state, summary)
    injected = "\n".join(injection.text for injection in injections)
    lost_from_all = report_losses(state, injected).lost if injected else ()
    not_back = {(fate.kind, fate.text) for fate in lost_from_all}
    kept = TextIndex(pending.kept) if pending.kept else None
    verdicts = tuple(
        Verdict(
            fate,
            bool(injected) and fate.is_lost and (fate.kind, fate.text) not in not_back,
            kept is not None
            and fate.is_lost
            and not fate_of(fate.kind, fate.text, kept, own_words=True).is_lost,
        )
        for fate in report.items
    )
    uses = later_uses(report.lost, state, summary, pending.kept, after, injections, path)
    return Compaction(*place, verdicts, injections, uses)


def _add_records(diagnosis: Diagnosis) -> None:
    """Add what our hooks wrote down: receipts, events and the log of problems."""
    session = diagnosis.session
    receipts = list_receipts(session.folder)
    read = read_events(session.root)
    diagnosis.events = [event for event in read.events if event.session_id == session.id]
    if read.problem:
        diagnosis.problems.append(read.problem)
    events = {event.extra.get("window_start"): event for event in diagnosis.events}
    diagnosis.compactions = [
        replace(
            compaction,
            injections=with_receipts(compaction.injections, receipts, compaction.window_start),
            event=events.get(compaction.window_start),
        )
        for compaction in diagnosis.compactions
    ]
    log = Path(runtime_folder(session.root)) / "hooks.log"
    if log.is_file():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        diagnosis.problems += lines[-LOG_LINES:]
