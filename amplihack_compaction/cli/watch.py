"""The session that `watch` shows: what is known of it now, and that laid out.

Each look costs the sizes and ages of a few files. When they change, the context is measured at the
transcript's end. The ledger needs the whole open window, so it is read after the rest is shown, and
less often the longer that takes. Nothing is written. Of hook calls, the client writes a line where
a hook printed something or failed, and one at the end of each turn; our own hooks leave receipts
of what they gave, and a log of problems.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Group
from rich.text import Text

from amplihack_compaction.base.errors import CompactionError, reason_of
from amplihack_compaction.base.files import parse_object
from amplihack_compaction.base.folders import read_end
from amplihack_compaction.base.hook_log import read_log
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.cli.diagnosis import state_counts, wanted_now
from amplihack_compaction.cli.sessions import Session, hook_traces
from amplihack_compaction.cli.terminal import LEVEL_COLOURS
from amplihack_compaction.clients.claude_code.wiring.hook_entries import hook_program
from amplihack_compaction.clients.reading import read_task_files
from amplihack_compaction.context.levels import DESCRIPTIONS, ContextStatus
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.extract.statements import Rule, SessionState, Todo, TodoStatus
from amplihack_compaction.injection.receipts import list_receipts
from amplihack_compaction.ledger.edits import LedgerItem, list_items
from amplihack_compaction.ledger.stored import fold_transcript, known_state
from amplihack_compaction.text.words import counted, inert
from amplihack_compaction.transcript.session import text_in
from amplihack_compaction.validation.events import epoch_seconds

CALLS_LIMIT = 20
_TAIL_BYTES = 256 * 1024
_LOG_LINES = 20
_OUTCOMES = {
    "": "ran",  # in the sum at a turn's end
    "hook_success": "ran",
    "hook_additional_context": "told the model",
    "hook_system_message": "told the user",
    "hook_blocking_error": "stopped it",
    "hook_non_blocking_error": "failed",
    "hook_cancelled": "was cancelled",
    "hook_stopped_continuation": "ended the turn",
    "async_hook_response": "answered later",
}
LEAST_PAUSE_SECONDS = 2.0
# So many times as long as the last reading took, the next one waits: 5 % of one processor at most.
PAUSE_FACTOR = 20
FOOTER = "q quits   ↑ ↓ go through the items"
CHOSEN_FOOTER = "q quits   f forgets   d is done   p pins   u takes back"
_BAR_CHARS = 40
_LEAST_BAR_CHARS = 10
_LEAST_CALLS = 3
_HEAD_LINES = 3
"""Of the ledger, above its items, at most."""


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call: when (ISO time), for which event, what became of it, and how long it took."""

    at: str
    event: str
    outcome: str
    milliseconds: float | None = None
    is_problem: bool = False


@dataclass(frozen=True, slots=True)
class SessionNow:
    """What is known of the session now. `status` and `state` are None while they are not known.

    `root` is the project, `changed` when the transcript last grew, in epoch seconds.
    """

    root: str
    session: Session | None = None
    status: ContextStatus | None = None
    state: SessionState | None = None
    calls: tuple[HookCall, ...] = ()
    size_bytes: int = 0
    changed: float = 0.0
    problem: str = ""


class SessionReader:
    """Reads one session; `picture` is the same object as long as nothing has changed.

    Its state is read with a look after the first one, the more seldom the longer that takes.
    """

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self.session = session
        self._clock = clock
        self._picture = SessionNow(session.root, session)
        self._seen: tuple[object, ...] = ()
        self._base: SessionState | None = None
        self._read_bytes = -1
        self._next = 0.0

    def picture(self) -> SessionNow:
        """Return what is known of the session now; never raises for what its files hold."""
        session, is_first = self.session, not self._seen
        runtime, folder = runtime_folder(session.root), session.folder
        kept = (f"{folder}/receipts", f"{folder}/limits", f"{folder}/window.json")
        stamps = tuple(map(_stamp, (str(session.transcript), f"{runtime}/hooks.log", *kept)))
        if stamps != self._seen:
            self._seen = stamps
            self._picture = replace(_measured(session), state=self._picture.state)
        has_grown = self._picture.size_bytes != self._read_bytes
        if has_grown and not is_first and self._clock() >= self._next:
            self._read()
        return self._picture

    def look_again(self) -> None:
        """Read all of its state again with the next look: it was changed by hand."""
        self._base, self._read_bytes, self._next = None, -1, 0.0

    def _read(self) -> None:
        began = self._clock()
        self._read_bytes = self._picture.size_bytes
        path, session_id = str(self.session.transcript), self.session.id
        try:
            folder, tasks = self.session.folder, read_task_files(path, session_id)
            base = self._base or known_state(folder, session_id, path)
            folded = fold_transcript(path, session_id, base, tasks, folder=folder)
        except (CompactionError, OSError) as error:
            self._picture = replace(self._picture, problem=self._picture.problem or str(error))
        else:
            self._base = folded.base if folded.base.windows else None
            self._picture = replace(self._picture, state=folded.state)
        took = self._clock() - began
        self._next = self._clock() + max(LEAST_PAUSE_SECONDS, PAUSE_FACTOR * took)


def _measured(session: Session) -> SessionNow:
    problem, status = "", None
    size, changed = _stamp(str(session.transcript))
    try:
        status = read_status(session.root, session.id, str(session.transcript))
    except (OSError, ValueError) as error:
        problem = f"the transcript cannot be read: {reason_of(error)}"
    calls = tuple(last_hook_calls(session))
    return SessionNow(session.root, session, status, None, calls, size, changed / 1e9, problem)


def _stamp(path: str) -> tuple[int, int]:
    """Return a file's size and age in nanoseconds; zeros when it is not there."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return 0, 0
    return found.st_size, found.st_mtime_ns


def last_hook_calls(session: Session) -> list[HookCall]:
    """Return the last 20 calls that left a trace, newest first."""
    calls = [*_of_transcript(str(session.transcript)), *_of_receipts(session.folder)]
    calls += _of_log(session.root)
    return sorted(calls, key=lambda call: call.at, reverse=True)[:CALLS_LIMIT]


def _of_transcript(path: str) -> Iterator[HookCall]:
    tail = b""
    with suppress(OSError, ValueError):
        tail = read_end(path, _TAIL_BYTES)
    for line in tail.split(b"\n"):
        entry = parse_object(line) if b'"hook' in line or b"_hook_" in line else None
        at = text_in(entry or {}, "timestamp")
        for trace in hook_traces(entry or {}):
            if trace.kind in _OUTCOMES:
                outcome = f"{_OUTCOMES[trace.kind]} {redact(hook_program(trace.command))}".rstrip()
                problem = trace.kind in ("hook_non_blocking_error", "hook_cancelled")
                yield HookCall(at, trace.event, outcome, trace.milliseconds, problem)


def _of_receipts(folder: str) -> Iterator[HookCall]:
    for receipt in list_receipts(folder):
        size = receipt.get("utf16")
        told = f"gave the state, {size:,} characters" if isinstance(size, int) else "gave the state"
        yield HookCall(text_in(receipt, "at"), text_in(receipt, "event"), told)


def _of_log(root: str) -> Iterator[HookCall]:
    """Yield the newest problems; a line is `TIME EVENT pid=N message`."""
    for line in read_log(root)[-_LOG_LINES:]:
        at, event, message = [*line.split(" ", 2), "", ""][:3]
        told = message.partition(" ")[2] if message.startswith("pid=") else message
        yield HookCall(at, event, redact(told), is_problem=True)


@dataclass(frozen=True, slots=True)
class ChosenItem:
    """The whole id of the item that is chosen, and its session; what was done to one last."""

    item_id: str = ""
    session_id: str = ""
    told: str = ""

    def number_in(self, picture: SessionNow) -> int:
        """Return the item's number among the `ledger_items` of a picture; -1 where it is gone."""
        if picture.session is None or picture.session.id != self.session_id:
            return -1
        items = ledger_items(picture.state) if picture.state is not None else []
        ids = [item.whole_id for item in items]
        return ids.index(self.item_id) if self.item_id in ids else -1


def lay_out_view(
    picture: SessionNow,
    width: int,
    height: int,
    *,
    footer: bool = True,
    choice: ChosenItem = ChosenItem(),
) -> Group:
    """Return the view for a terminal of that many columns and rows; what has no room is left out.

    Every text is one line, cut at the right edge, without control characters.
    """
    head = list(_head(picture, width))
    room = max(0, height - len(head) - footer)
    calls = list(_calls(picture.calls)) if picture.session is not None else []
    for_calls = min(len(calls), max(_LEAST_CALLS + 2, room // 3))
    number = choice.number_in(picture)
    ledger, for_ledger = list(_ledger(picture, number)), max(0, room - for_calls)
    beyond = min(number + _HEAD_LINES + 2, len(ledger)) - for_ledger
    ledger = ledger[max(0, beyond) :][:for_ledger]  # the chosen one among them
    lines = [*head, *ledger, *calls[: room - len(ledger)]][: max(0, height - footer)]
    if footer:
        keys = FOOTER if number < 0 else CHOSEN_FOOTER
        is_here = picture.session is not None and picture.session.id == choice.session_id
        told = choice.told if is_here else ""
        lines.append(Text(told or keys, "yellow" if told else "dim"))
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    return Group(*lines)


def _head(picture: SessionNow, width: int) -> Iterator[Text]:
    session = picture.session
    if session is None:
        yield Text(f"Waiting for a session of {inert(picture.root)} to begin ...")
        return
    yield Text(f"Session {inert(session.id, 80)}", "bold").append(f"  {inert(session.root)}", "dim")
    if picture.status is not None:
        yield from _meter(picture.status, width)
    else:
        yield Text("No response has told its token numbers yet.")
    written = _clock(picture.changed)
    yield Text(f"Transcript {picture.size_bytes / 1e6:.1f} MB, last written {written}", "dim")
    if picture.problem:
        yield Text(inert(picture.problem), "red")


def _meter(status: ContextStatus, width: int) -> Iterator[Text]:
    colour = LEVEL_COLOURS[status.level]
    told = f" {status.usage_percentage:.1f} %  {DESCRIPTIONS[status.level]}"
    size = max(_LEAST_BAR_CHARS, min(_BAR_CHARS, width - len(told)))
    filled = min(size, round(size * status.usage_percentage / 100))
    bar = Text("█" * filled, colour).append("░" * (size - filled), "dim")
    yield bar.append(told, colour)
    following = status.next_threshold
    then = f", the next level begins at {following:g} %" if following is not None else ""
    yield Text(f"{status.current_tokens:,} of {status.max_tokens:,} tokens{then}")


def ledger_items(state: SessionState) -> list[LedgerItem]:
    """Return the items of a state in the order in which they are shown."""
    items = list_items(state)
    newest_first = dict.fromkeys(("rule", "decision", "value", "note"), items[::-1])
    order = {"objective": items[::-1], "todo": items, **newest_first}
    return [item for kind, some in order.items() for item in some if item.kind == kind]


def _ledger(picture: SessionNow, chosen: int) -> Iterator[Text]:
    state = picture.state
    if picture.session is None:
        return
    yield Text("")
    if state is None:
        yield Text("Ledger", "bold").append("  being read ...", "dim")
        return
    counts = f"{state_counts(state)}, {counted(max(0, state.windows - 1), 'compaction')}"
    yield Text("Ledger", "bold").append(f"  {counts}", "dim")
    wanted, items, behind = wanted_now(state), ledger_items(state), "objective"
    if len(wanted) > 1 or (wanted and state.objective is None):  # a prompt behind the objective
        (what, text), behind = wanted[0], "goes on from"
        if all(item.text != text for item in items if item.kind == "objective"):
            yield Text(f"  {what:<12} ", "dim").append(inert(text), "default")
    for number, item in enumerate(items):
        kind = item.kind
        if kind == "objective":
            kind = wanted[0][0] if len(wanted) > 1 and item.text == wanted[0][1] else behind
        line = Text(f"  {kind:<12} ", "dim").append(inert(_told(item)), "default")
        if number == chosen:
            line.append(f"  {item.id}")
            line.stylize("reverse")
        yield line


def _told(item: LedgerItem) -> str:
    said, by = item.said, "model: " if item.by_model else ""
    if isinstance(said, Todo):
        return f"{'[>]' if said.status is TodoStatus.IN_PROGRESS else '[ ]'} {by}{said.text}"
    if isinstance(said, Rule) and said.after:
        return said.whole
    return f"{by}{said.text}{' (pinned)' * item.pinned}"


def _calls(calls: Sequence[HookCall]) -> Iterator[Text]:
    yield Text("")
    yield Text("Last hook calls", "bold").append("  those that left a trace", "dim")
    if not calls:
        yield Text("  none so far", "dim")
    for call in calls:
        took = f"{call.milliseconds:,.0f} ms" if call.milliseconds is not None else ""
        at, event = _clock(epoch_seconds(call.at)), inert(call.event, 20)
        line = Text(f"  {at:<8} {event:<20} {took:>9}  ", "dim")
        yield line.append(inert(call.outcome), "red" if call.is_problem else "default")


def _clock(seconds: float | None) -> str:
    """Return the local time of an epoch; question marks for none."""
    try:
        return time.strftime("%H:%M:%S", time.localtime(seconds)) if seconds is not None else "??"
    except (OverflowError, ValueError, OSError):
        return "??"
