"""Put a session's state on disk at a compaction, and build the text that is injected after it.

Stored are ledger, snapshot, window copy and event.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.files import is_regular
from amplihack_compaction.base.folders import lock_folder
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import STORE_FILE, prepare_runtime, session_folder
from amplihack_compaction.base.settings import Settings, Switch, load_settings
from amplihack_compaction.clients.reading import iterate_entries, read_windows
from amplihack_compaction.clients.session_lines import is_message
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.receipts import Prepared, is_claimed, read_receipt, set_aside
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.injection.snapshot import (
    copy_window,
    take_snapshot,
    text_path,
    whole_snapshot_of_window,
)
from amplihack_compaction.ledger.guard import write_guard
from amplihack_compaction.ledger.stored import (
    Folded,
    current_state,
    fold_transcript,
    states_at_boundaries,
    unsigned_state,
)
from amplihack_compaction.transcript.session import ReadReport, Window
from amplihack_compaction.validation.events import record_event

T = TypeVar("T")
Log = Callable[[str], None]
# What refuses to be stored, for whatever reason, must not take the injection with it.
STORING_FAULTS = (
    OSError, CompactionError, ArithmeticError, LookupError, RuntimeError, TypeError, ValueError,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was put on disk.

    `folder` is empty where nothing may be written, `snapshot_id` where the disk refused.
    """

    folder: str
    folded: Folded
    settings: Settings
    snapshot_id: str

    @property
    def text_file(self) -> str:
        """The file with the whole state as text; empty where there is none."""
        return text_path(self.folder, self.snapshot_id) if self.snapshot_id else ""


def record_compaction(
    root: str, session_id: str, transcript_path: str, log: Log, **event: Any
) -> Recorded:
    """Bring everything stored of the open window up to now, and return it.

    Called again for the same window, it refreshes what is there; with nothing new in the
    transcript, only the event. What the disk refuses is logged, and the state still returned:
    what can be injected must not depend on what can be stored. `event` are further keys of the
    compaction's event. Raises TranscriptError when the transcript cannot be read.
    """
    stored = _open_store(root, session_id, transcript_path, log)
    folded = stored.fold()
    if not stored.folder:
        return Recorded("", folded, stored.settings, "")
    start = folded.window.start
    snapshot_id, covered = stored.known_snapshot(start) or ("", -1)
    is_new = covered != folded.state.covered_bytes
    if is_new and folded.cut:
        log(f"of a window of extreme size these were left out: {', '.join(folded.cut)}")
    if is_new:
        snapshot_id = stored.snapshot(folded.state, start) or snapshot_id
    fields = {
        "turn_number": folded.state.turns,
        # Counted less the preserved ones once the boundary names them.
        "messages_removed": folded.window.count_messages(),
    }
    copy = stored.copy(start, None, anew=is_new)
    stored.event(start, snapshot_id, copy, {**fields, **event})
    return Recorded(stored.folder, folded, stored.settings, snapshot_id)


def record_past_compaction(
    root: str,
    session_id: str,
    transcript_path: str,
    window_start: int,
    log: Log,
    *,
    injects: bool = False,
    **event: Any,
) -> Recorded:
    """Complete what is stored of a compaction whose boundary is in the transcript by now.

    The boundary tells what was not known before: when and why it came, its tokens, and which
    messages it kept. Where PreCompact was missed, snapshot and copy are made up for. The state
    that is returned is that of now; who `injects` it gets a snapshot of that, too, since the
    compaction's has nothing of what was said or remembered after it. Raises TranscriptError when
    the transcript cannot be read.
    """
    stored = _open_store(root, session_id, transcript_path, log)
    folded = stored.fold()
    if not stored.folder:
        return Recorded("", folded, stored.settings, "")
    compacted = next(read_windows(transcript_path, window_start))
    known = stored.known_snapshot(window_start)
    snapshot_id, copy = known[0] if known else "", ""
    if not compacted.count_messages():
        # A fork's inherited boundary: what it took away is not in this session's file.
        return Recorded(stored.folder, folded, stored.settings, snapshot_id)
    before = folded.base
    if compacted.ended is not None:
        if folded.window.start != compacted.end:
            # The next compaction came before this one was recorded.
            before = stored.state_at_end_of(compacted)
        if known is not None:  # else it may have one, and that is the one to be left
            snapshot_id = snapshot_id or stored.snapshot(before, window_start)
        copy = stored.copy(window_start, compacted.end, anew=False)
    fields = {"turn_number": before.turns, **_boundary_fields(compacted), **event}
    stored.event(window_start, snapshot_id, copy, fields)
    if injects and folded.window.start != window_start:
        snapshot_id = stored.snapshot(folded.state, folded.window.start) or snapshot_id
    return Recorded(stored.folder, folded, stored.settings, snapshot_id)


def _open_store(root: str, session_id: str, transcript_path: str, log: Log) -> "_Store":
    settings, problems = load_settings(root)
    for problem in problems:
        log(problem)
    try:
        prepare_runtime(root)
        folder = session_folder(root, session_id)
    except OSError as error:
        log(f"the runtime folder cannot be made: {error}")
        folder = ""
    return _Store(root, session_id, transcript_path, settings, log, folder)


@dataclass(frozen=True, slots=True)
class _Store:
    """Puts what is known of a session on disk; what cannot be stored is logged and left out.

    `folder` is empty where the runtime folder may not be written in.
    """

    root: str
    session_id: str
    transcript_path: str
    settings: Settings
    log: Log
    folder: str

    def fold(self) -> Folded:
        """Return the session's state as of now; its ledger and guard are stored where they can."""
        path, limit = self.transcript_path, self.settings.ledger_items
        if not self.folder:
            return fold_transcript(path, self.session_id, limit=limit)
        if unknown := unsigned_state(self.folder):
            self.log(f"{unknown}: the session is folded again from its transcript")
        folded = current_state(self.folder, self.session_id, path, limit)
        if folded.unsaved:
            self.log(folded.unsaved)
        what = "the rules that calls are held against could not be stored"
        given = (self.folder, folded.state, folded.window.start, self.settings.guard)
        self._tried(what, None, lambda: write_guard(*given))
        return folded

    def state_at_end_of(self, compacted: Window) -> SessionState:
        """Return the state at the end of a window that is not the last."""
        states = states_at_boundaries(
            self.transcript_path, self.session_id, self.settings.ledger_items, folder=self.folder
        )
        return next(state for window, state in states if window.start == compacted.start)

    def known_snapshot(self, start: int) -> tuple[str, int] | None:
        """Return `whole_snapshot_of_window`; None when it cannot be read now which one there is."""
        what = "which snapshot there is of this window cannot be read"
        return self._tried(what, None, lambda: whole_snapshot_of_window(self.folder, start))

    def snapshot(self, state: SessionState, start: int) -> str:
        """Take a window's snapshot and return its id; empty where it could not be stored."""
        what = "the snapshot could not be stored"
        given = (self.folder, state, start, self.transcript_path, self.settings.snapshots)
        return self._tried(what, "", lambda: take_snapshot(*given).id)

    def copy(self, start: int, end: int | None, *, anew: bool) -> str:
        """Write a window's copy and return its path; empty where it could not be stored."""
        what = "the window's copy could not be stored"
        given = (self.folder, self.transcript_path, start, end, self.settings.window_copies)
        return self._tried(what, "", lambda: copy_window(*given, anew=anew))

    def event(self, start: int, snapshot_id: str, copy: str, fields: dict[str, Any]) -> None:
        """Record a window's event; of what was not stored it keeps what it has."""
        names = {"snapshot": snapshot_id, "pre_compaction_transcript_path": copy}
        named = {key: name for key, name in names.items() if name} | fields
        what = "the event could not be stored"
        self._tried(what, None, lambda: record_event(self.root, self.session_id, start, **named))

    def _tried(self, what: str, without: T, work: Callable[[], T]) -> T:
        try:
            return work()
        except STORING_FAULTS as error:
            self.log(f"{what}: {error!r}")
            return without


def _boundary_fields(compacted: Window) -> dict[str, Any]:
    boundary = compacted.ended
    if boundary is None:
        return {}
    told = {"timestamp": boundary.timestamp, "trigger": boundary.trigger}
    return {
        **{name: value for name, value in told.items() if value},
        "messages_removed": compacted.count_messages(boundary.preserved),
        "pre_tokens": boundary.pre_tokens,
        "post_tokens": boundary.post_tokens,
        "precomputed": boundary.precomputed,
        "boundary_uuid": boundary.uuid,
        "boundary_offset": boundary.offset,
    }


_LOCK_SECONDS = 5.0


def prepared_injection(recorded: Recorded, window_start: int | None = None) -> Prepared:
    """Return the state as the model will read it, of the open window where none is named."""
    folded = recorded.folded
    budget, last_line = recorded.settings.injection_tokens, _recall_line(recorded)
    text = render_state(folded.state, budget, recorded.text_file, last_line=last_line).text
    start = folded.window.start if window_start is None else window_start
    return Prepared(text, start, recorded.snapshot_id, folded.end_bytes)


def _recall_line(recorded: Recorded) -> str:
    """Say how everything else is found again; nothing where the store is not kept."""
    runtime = recorded.folder.rpartition("/sessions/")[0]
    if recorded.settings.store is not Switch.ON or not is_regular(f"{runtime}/{STORE_FILE}"):
        return ""
    return f"All that was said and done before is kept: `{own_command()} recall WORDS` searches it."


def void_unused_receipt(folder: str, window_start: int, transcript_path: str, log: Log) -> None:
    """Set a receipt aside whose compaction never came to pass, or was of a transcript that is gone.

    A compaction can fail after SessionStart, when the client dies before it writes the boundary.
    The window then goes on, and its next compaction must not find its receipt taken; nor must one
    of a transcript that was deleted and begun anew. Two hooks
    of one compaction, running in parallel, see no conversation behind the receipt's offset. They
    look one after the other: else the second would set the receipt aside that the first one took
    since. Raises OSError when it cannot be done, as where the lock is held too long.
    """
    if not is_claimed(folder, window_start):
        return
    with lock_folder(f"{folder}/receipts", _LOCK_SECONDS):
        receipt = read_receipt(folder, window_start)
        offset = receipt.get("transcript_offset") if receipt else 0
        is_there = is_claimed(folder, window_start)  # another hook may have set it aside by now
        if not is_there or not isinstance(offset, int) or not _talk_since(transcript_path, offset):
            return
        set_aside(folder, window_start, offset)
    log(f"no compaction came of the one announced at byte {offset}; its receipt was set aside")


def _talk_since(transcript_path: str, offset: int) -> bool:
    if Path(transcript_path).stat().st_size < offset:
        return True
    entries = iterate_entries(transcript_path, offset, None, ReadReport())
    return any(is_message(entry) for entry in entries)
