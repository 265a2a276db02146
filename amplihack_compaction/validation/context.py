"""What a compaction was, and what validating it found.

These three classes are a public interface: they are mutable and built by keyword, as the code
that uses them expects.
"""

import math
from dataclasses import dataclass, field
from enum import StrEnum
from time import time
from typing import Any

from amplihack_compaction.text.strings import counted

STALE_HOURS = 24.0
_SECONDS_PER_HOUR = 3600.0
_MILLISECONDS_FROM = 1e11
"""An epoch above this many seconds (the year 5138) is taken for milliseconds."""


def epoch_seconds(timestamp: object) -> float | None:
    """Return the timestamp as seconds since 1970, or None when it is no point in time.

    ISO 8601 in any zone notation (`Z`, `+02:00`, `+0200`, ` UTC`); without a zone it is UTC.
    Numbers are an epoch in seconds or milliseconds. Never raises.
    """
    if isinstance(timestamp, (int, float)) and not isinstance(timestamp, bool):
        return _epoch_of_number(timestamp)
    if not isinstance(timestamp, str):
        return None
    from datetime import UTC, datetime  # a PreCompact loads this module and reads no timestamp

    text = timestamp.strip()
    for zone in (" UTC", " GMT", "z"):
        text = text.removesuffix(zone) + "+00:00" if text.endswith(zone) else text
    try:
        moment = datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-"))
        moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
        return moment.timestamp()
    except (ValueError, OverflowError):
        return None


def _epoch_of_number(number: float) -> float | None:
    try:
        value = float(number)
    except OverflowError:
        return None
    if not math.isfinite(value):
        return None
    return value / 1000 if abs(value) > _MILLISECONDS_FROM else value


@dataclass
class CompactionEvent:
    """One entry of `compaction_events.json`; `extra` holds every further key, known or not."""

    timestamp: str
    turn_number: int
    messages_removed: int
    pre_compaction_transcript_path: str
    session_id: str
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass
class CompactionContext:
    """The session's latest compaction; the defaults mean that none is known.

    `age_hours` and `is_stale` (above 24 hours) follow from `timestamp` where they are not given.
    `pre_compaction_transcript` is None when it could not be read; `note` then says why.
    """

    has_compaction_event: bool = False
    turn_at_compaction: int = 0
    messages_removed: int = 0
    pre_compaction_transcript: list[dict[str, Any]] | None = None
    timestamp: str | None = None
    is_stale: bool = False
    age_hours: float = 0.0
    has_security_violation: bool = False
    note: str = ""

    def __post_init__(self) -> None:
        """Derive the age; a timestamp from the future has none."""
        moment = epoch_seconds(self.timestamp)
        if moment is None:
            return
        self.age_hours = self.age_hours or max(0.0, time() - moment) / _SECONDS_PER_HOUR
        self.is_stale = self.is_stale or self.age_hours > STALE_HOURS

    def get_diagnostic_summary(self) -> str:
        """Return one line on the compaction: its turn, how much it removed, what is amiss."""
        if not self.has_compaction_event:
            return f"No compaction recorded for this session{': ' * bool(self.note)}{self.note}."
        removed = f"{counted(self.messages_removed, 'message')} removed"
        parts = [f"Compaction at turn {self.turn_at_compaction}: {removed}"]
        if epoch_seconds(self.timestamp) is not None:
            stale = ", stale" if self.is_stale else ""
            parts.append(f"{self.age_hours:.1f} hours ago{stale}")
        if self.has_security_violation:
            parts.append("transcript path refused: it leads outside the project")
        elif self.note or self.pre_compaction_transcript is None:
            parts.append(self.note or "pre-compaction transcript not available")
        return "; ".join(parts) + "."


class Outcome(StrEnum):
    """The three results of a validation."""

    PASSED = "passed"
    LOST = "lost"
    UNCHECKED = "could not check"


@dataclass
class ValidationResult:
    """What a validation found.

    `warnings` name what was lost and `recovery_steps` how to get it back. `notes` say what
    could not be checked: passing with a note is not the same as passing. `passed` says that
    nothing is known to be lost, and so is true of what was not `checked`; `outcome` tells the
    two apart.
    """

    passed: bool
    warnings: list[str] = field(default_factory=list)
    recovery_steps: list[str] = field(default_factory=list)
    compaction_context: CompactionContext = field(default_factory=CompactionContext)
    used_fallback: bool = False
    notes: list[str] = field(default_factory=list)
    checked: bool = True

    @property
    def outcome(self) -> Outcome:
        """Whether everything that was looked for is there, something is lost, or nobody knows."""
        if not self.passed:
            return Outcome.LOST
        return Outcome.PASSED if self.checked else Outcome.UNCHECKED

    def get_summary(self) -> str:
        """Return the result as text; every warning, step and note appears word for word."""
        lines = [_HEADLINES[self.outcome]]
        if self.outcome is Outcome.PASSED and self.notes:
            lines = ["Compaction check passed, but not everything could be checked."]
        if self.compaction_context.has_compaction_event or not self.checked:
            lines.append(self.compaction_context.get_diagnostic_summary())
        if self.used_fallback:
            lines.append("The given transcript served in place of the pre-compaction one.")
        for title, texts in (
            ("Warnings:", self.warnings),
            ("Recovery steps:", self.recovery_steps),
            ("Could not check:", self.notes),
        ):
            if texts:
                lines += [title, *(f"- {text}" for text in texts)]
        return "\n".join(lines)


_HEADLINES = {
    Outcome.PASSED: "Compaction check passed.",
    Outcome.LOST: "Compaction check failed.",
    Outcome.UNCHECKED: "Compaction not checked.",
}
