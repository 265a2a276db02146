"""Gather what happened in a session: its compactions, losses, injections, events and problems.

Everything but the receipts, events and the log comes from the transcript alone, so that a session
from before the package was there can be diagnosed as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from amplihack_compaction.compaction.context import CompactionEvent
from amplihack_compaction.compaction.events import read_events
from amplihack_compaction.compaction.losses import Fate, LossReport, report_losses
from amplihack_compaction.content import summary_part
from amplihack_compaction.ledger.fold import states_at_boundaries
from amplihack_compaction.paths import runtime_folder
from amplihack_compaction.preservation.receipts import STATE_MARKER, list_receipts
from amplihack_compaction.scanner import parse_object
from amplihack_compaction.state.model import SessionState
from amplihack_compaction.terminal.sessions import Session
from amplihack_compaction.transcript.boundaries import Boundary
from amplihack_compaction.wording.matching import Label

LOG_LINES = 20
_SUMMARY_OPENING = "Summary:\n"


@dataclass(frozen=True, slots=True)
class Injection:
    """A state that the model was given: `hook` is the event; None where it is not known.

    `delivered` says that the transcript shows it, `receipt` that one of our hooks took one.
    """

    hook: str | None = None
    at: str | None = None
    characters: int | None = None
    delivered: bool = False
    receipt: bool = False
    text: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the summary did to one item, and whether an injection brought it back."""

    fate: Fate
    brought_back: bool = False


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
    event: CompactionEvent | None = None

    @property
    def counts(self) -> dict[str, int]:
        """How many items ended under each label, `lost` being those the model cannot act on."""
        verdicts = self.verdicts or ()
        labels = {str(label): 0 for label in Label}
        for verdict in verdicts:
            labels[str(verdict.fate.label)] += 1
        return labels


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


def diagnose_session(session: Session) -> Diagnosis:
    """Return what happened in a session. Raises TranscriptError when it cannot be read."""
    path = session.transcript
    result = Diagnosis(session, path.stat().st_size, SessionState(session_id=session.id))
    shown = _shown_injections(path)
    pending: tuple[Boundary, int, SessionState] | None = None
    for window, state in states_at_boundaries(str(path), session.id):
        if pending is not None:
            end = window.ended.offset if window.ended is not None else result.size_bytes
            injections = [found for offset, found in shown if window.start <= offset < end]
            number = len(result.compactions) + 1
            compaction = Compaction(number, *pending, injections=injections)
            result.compactions.append(_judge(compaction, window.summary))
        pending = (window.ended, window.start, state) if window.ended is not None else None
        result.state = state
        result.unreadable_lines = window.report.skipped
    _add_records(result)
    return result


def compaction_to_json(compaction: Compaction) -> dict[str, Any]:
    """Return a compaction as JSON values."""
    boundary, event = compaction.boundary, compaction.event
    return {
        "number": compaction.number,
        "at": boundary.timestamp,
        "trigger": boundary.trigger,
        "precomputed": boundary.precomputed,
        "tokens_before": boundary.pre_tokens,
        "tokens_after": boundary.post_tokens,
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
            }
            for verdict in compaction.verdicts or ()
        ],
        "injections": [
            {
                "hook": injection.hook,
                "at": injection.at,
                "characters": injection.characters,
                "delivered": injection.delivered,
                "receipt": injection.receipt,
            }
            for injection in compaction.injections
        ],
        "event": {"timestamp": event.timestamp, "turn_number": event.turn_number,
                  "messages_removed": event.messages_removed, **event.extra} if event else None,
    }  # fmt: skip


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


def _judge(compaction: Compaction, summary: str) -> Compaction:
    """Compare the state with the summary that replaced its window, and with what was injected."""
    if not summary:
        return compaction
    # The client's own opening names the transcript; what was summarised follows it.
    text = summary_part(summary.partition(_SUMMARY_OPENING)[2] or summary)
    report = report_losses(compaction.state, text)
    injected = "\n".join(injection.text for injection in compaction.injections)
    back = _still_lost(report_losses(compaction.state, injected)) if injected else None
    verdicts = tuple(
        Verdict(fate, back is not None and fate.is_lost and (fate.kind, fate.text) not in back)
        for fate in report.items
    )
    return replace(compaction, verdicts=verdicts)


def _still_lost(report: LossReport) -> set[tuple[str, str]]:
    return {(fate.kind, fate.text) for fate in report.lost}


def _shown_injections(path: Path) -> list[tuple[int, Injection]]:
    """Return what the transcript shows of injected states, each with its line's offset.

    Lines are looked at as bytes first: parsing them all would double the time.
    """
    found: list[tuple[int, Injection]] = []
    offset = 0
    with path.open("rb") as stream:
        for line in stream:
            if STATE_MARKER in line and b"hook_additional_context" in line:
                injection = _read_injection(line)
                found += [(offset, injection)] if injection else []
            offset += len(line)
    return found


def _read_injection(line: bytes) -> Injection | None:
    entry = parse_object(line) or {}
    attachment = entry.get("attachment")
    if not isinstance(attachment, dict) or attachment.get("type") != "hook_additional_context":
        return None
    content = attachment.get("content")
    texts = content if isinstance(content, list) else [content]
    text = "\n".join(text for text in texts if isinstance(text, str))
    if STATE_MARKER.decode() not in text:
        return None
    hook, at = attachment.get("hookEvent"), entry.get("timestamp")
    return Injection(
        hook if isinstance(hook, str) else None,
        at if isinstance(at, str) else None,
        len(text),
        delivered=True,
        text=text,
    )


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
            injections=_with_receipts(compaction, receipts),
            event=events.get(compaction.window_start),
        )
        for compaction in diagnosis.compactions
    ]
    log = Path(runtime_folder(session.root)) / "hooks.log"
    if log.is_file():
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        diagnosis.problems += lines[-LOG_LINES:]


def _with_receipts(
    compaction: Compaction, receipts: Sequence[dict[str, Any]]
) -> Sequence[Injection]:
    """Return the injections with the receipts of the window, matched by the hook that gave them.

    A receipt that nothing in the transcript matches is an injection that did not arrive.
    """
    injections = list(compaction.injections)
    for receipt in receipts:
        if receipt.get("window_start") != compaction.window_start:
            continue
        hook, at, characters = receipt.get("event"), receipt.get("at"), receipt.get("utf16")
        place = next(
            (n for n, i in enumerate(injections) if i.hook == hook and not i.receipt), None
        )
        if place is not None:
            injections[place] = replace(injections[place], receipt=True)
        else:
            injections.append(
                Injection(
                    hook if isinstance(hook, str) else None,
                    at if isinstance(at, str) else None,
                    characters if isinstance(characters, int) else None,
                    receipt=True,
                )
            )
    return injections
