"""Keep the list of compactions of a project: `compaction_events.json` in the runtime folder.

The file is a JSON list of objects. Five keys are the ones every reader of it knows: `timestamp`
(ISO 8601), `turn_number`, `messages_removed`, `pre_compaction_transcript_path` (relative ones
start at the project root), `session_id`. Ours beside them: `window_start`, the byte offset in the
session's transcript where the compacted window begins, which together with `session_id` names the
compaction; `pre_compact_at`, when PreCompact told of it, empty where it did not; and whatever the
hooks add. Unknown keys and foreign events stay as they are.

CompactionEvent, CompactionContext and ValidationResult are a public interface: they are mutable
and built by keyword, as the code that uses them expects.
"""

import json
import posix
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import count
from time import time
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.errors import CompactionError, place_and_reason
from amplihack_compaction.base.files import list_names, read_if_there, replace_atomically
from amplihack_compaction.base.folders import lock_file
from amplihack_compaction.base.paths import prepare_runtime, runtime_folder
from amplihack_compaction.base.timestamps import exact_utc_text
from amplihack_compaction.text.words import counted

if TYPE_CHECKING:  # a PreCompact loads this module, and judges nothing
    from amplihack_compaction.validation.losses import LossReport

STALE_HOURS = 24.0
_FEW_MESSAGES = 12
"""So few between two compactions are a question, an answer, and what filled the context."""
_SECONDS_PER_HOUR = 3600.0


def epoch_seconds(timestamp: object) -> float | None:
    """Return the timestamp as seconds since 1970, or None when it is no point in time.

    ISO 8601 in any zone notation (`Z`, `+02:00`, `+0200`, ` UTC`); without a zone it is local.
    Never raises.
    """
    if not isinstance(timestamp, str):
        return None
    from datetime import datetime  # a PreCompact loads this module and reads no timestamp

    text = timestamp.strip()
    for zone in (" UTC", " GMT", "z"):
        text = text.removesuffix(zone) + "+00:00" if text.endswith(zone) else text
    try:
        return datetime.fromisoformat(text.replace(" +", "+").replace(" -", "-")).timestamp()
    except (ValueError, OverflowError, OSError):
        return None


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
            hours = self.age_hours
            age = f"{hours:.1f} hours" if hours < 48 else f"{hours // 24:.0f} days"
            parts.append(f"{age} ago{stale}")
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
    two apart. `losses` has every item, also those that the model has from elsewhere;
    `recent_warnings` are those of the warnings that are about the last turns.
    """

    passed: bool
    warnings: list[str] = field(default_factory=list)
    recovery_steps: list[str] = field(default_factory=list)
    compaction_context: CompactionContext = field(default_factory=CompactionContext)
    used_fallback: bool = False
    notes: list[str] = field(default_factory=list)
    checked: bool = True
    losses: "LossReport | None" = None
    recent_warnings: list[str] = field(default_factory=list)

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
        missing = self.losses.missing if self.losses is not None else ()
        values = [fate.text for fate in missing if fate.kind == "value"]
        if values:  # few of them are needed: their loss alone fails nothing
            lines.append(f"Exact values that the model has from nowhere: {', '.join(values)}.")
        if self.compaction_context.has_compaction_event or not self.checked:
            lines.append(self.compaction_context.get_diagnostic_summary())
        if self.used_fallback:
            lines.append("The given transcript served in place of the pre-compaction one.")
        if self.losses is not None and self.losses.items:
            lines.append(f"By the summary: {self.losses.in_short}.")
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


FILE_NAME = "compaction_events.json"
EVENTS_LIMIT = 500
EVENTS_LIMIT_BYTES = 64 * 1024 * 1024
LOCK_TIMEOUT_SECONDS = 5.0
_BASE_KEYS: dict[str, Any] = {
    "timestamp": "", "turn_number": 0, "messages_removed": 0,
    "pre_compaction_transcript_path": "", "session_id": "",
}  # fmt: skip
"""The keys that every reader expects, and what they hold where nothing is known."""


@dataclass(frozen=True, slots=True)
class EventsRead:
    """The events of a project, in the order of the file; `skipped` counts what was no event.

    `problem` says why nothing could be read; it is empty for a missing file too.
    """

    events: tuple[CompactionEvent, ...] = ()
    skipped: int = 0
    problem: str = ""


def events_path(root: str) -> str:
    """Return the path of the project's events file."""
    return f"{runtime_folder(root)}/{FILE_NAME}"


def read_events(root: str) -> EventsRead:
    """Return the project's events; never raises."""
    try:
        raw = _read_list(events_path(root))
    except NotADirectoryError as error:
        return EventsRead(problem=place_and_reason(error))
    except (OSError, ValueError):
        raw = None
    if raw is None:
        return EventsRead(problem=f"{FILE_NAME} cannot be read as a JSON list")
    events = tuple(_make_event(item) for item in raw if isinstance(item, dict))
    return EventsRead(events, len(raw) - len(events))


def latest_event(events: Iterable[CompactionEvent], session_id: str) -> CompactionEvent | None:
    """Return the session's newest event by time, the later in the file where times are equal.

    An event whose timestamp says nothing is older than every other one. That of a later window is
    not older than that of an earlier one: the clock may have been set back between them.
    """
    own = [event for event in events if event.session_id == session_id]
    moments = _moments(own)
    newest = max(range(len(own)), key=lambda place: (moments[place], place), default=None)
    return own[newest] if newest is not None else None


def compactions_in_a_row(events: Iterable[CompactionEvent], session_id: str) -> int:
    """Return how many of the session's newest automatic compactions had hardly a step between.

    Before each of them the context was filled again by a few messages.
    """
    number = 0
    own = (event for event in events if event.session_id == session_id)
    for event in sorted(own, key=_window_start, reverse=True):
        few = 0 < event.messages_removed <= _FEW_MESSAGES
        if event.extra.get("trigger") != "auto" or not few:
            break
        number += 1
    return number


def _window_start(event: CompactionEvent) -> int:
    start = event.extra.get("window_start")
    return start if isinstance(start, int) else -1


def _moments(events: list[CompactionEvent]) -> list[float]:
    """Return when each event was, in epoch seconds that do not fall from window to window."""
    times = [epoch_seconds(event.timestamp) for event in events]
    moments = [float("-inf") if seconds is None else seconds for seconds in times]
    windows = {
        place: start
        for place, event in enumerate(events)
        if isinstance(start := event.extra.get("window_start"), int)
    }
    latest = float("-inf")
    for place in sorted(windows, key=windows.__getitem__):
        latest = moments[place] = max(latest, moments[place])
    return moments


def record_event(root: str, session_id: str, window_start: int, **fields: Any) -> None:
    """Append the compaction of the window that starts at this byte offset, or refresh it.

    `fields` are written over what the event holds; what is not named stays. A new event gets the
    present time and empty values for the keys every reader expects. The newest 500 events are
    kept. A file that is no JSON list is first set aside as `compaction_events.json.corrupt-N`.
    Raises CompactionError when another process holds the lock for more than five seconds, and
    OSError when the folder cannot be written, or the file not be read.
    """
    prepare_runtime(root)
    path = events_path(root)
    try:
        # A hook writes this: filelock, which waits for the same lock, takes long to load.
        with lock_file(f"{path}.lock", LOCK_TIMEOUT_SECONDS):
            _write_event(path, session_id, window_start, fields)
    except TimeoutError as error:
        if error.errno is not None:  # the file system's own, as of one in a network
            raise
        raise CompactionError(
            f"{FILE_NAME} stayed locked for {LOCK_TIMEOUT_SECONDS:.0f} s: event not recorded"
        ) from error


def _write_event(path: str, session_id: str, window_start: int, fields: dict[str, Any]) -> None:
    raw = _read_list(path)
    if raw is None:
        _set_aside(path)
        raw = []
    name = {"session_id": session_id, "window_start": window_start}
    known = (item for item in reversed(raw) if isinstance(item, dict))
    event = next((item for item in known if name.items() <= item.items()), None)
    # Several hooks tell of one compaction, each what it knows.
    if event is None:
        event = {**_BASE_KEYS, "timestamp": exact_utc_text(), **name, "pre_compact_at": ""}
        raw.append(event)
    event.update(fields)
    kept = json.dumps(raw[-EVENTS_LIMIT:], indent=1)
    replace_atomically(path, kept.encode("ascii") + b"\n")


def _read_list(path: str) -> list[Any] | None:
    """Return the file's list; empty when there is no file, None when it holds anything else.

    Raises OSError when it cannot be read now: what it holds is not known then.
    """
    try:
        data = read_if_there(path, EVENTS_LIMIT_BYTES)
    except OSError as error:
        if error.errno is not None:
            raise
        return None
    if data is None:
        return []
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _set_aside(path: str) -> None:
    folder, _, name = path.rpartition("/")
    taken = set(list_names(folder))
    number = next(each for each in count(1) if f"{name}.corrupt-{each}" not in taken)
    posix.rename(path, f"{path}.corrupt-{number}")


def _make_event(item: dict[str, Any]) -> CompactionEvent:
    """Return an event of the file; a value of another type than its key has counts as missing."""
    found = {key: item[key] for key in _BASE_KEYS.keys() & item.keys()}
    known = {key: value for key, value in found.items() if type(value) is type(_BASE_KEYS[key])}
    extra = {key: value for key, value in item.items() if key not in _BASE_KEYS}
    return CompactionEvent(**{**_BASE_KEYS, **known}, extra=extra)
