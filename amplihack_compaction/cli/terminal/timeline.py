"""Follow a session's state through its compactions, as the hooks fold it; nothing is written."""

from collections.abc import Callable, Iterator

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.settings.settings import load_settings
from amplihack_compaction.cli.terminal.sessions import Session
from amplihack_compaction.extract.model import SessionState
from amplihack_compaction.ledger.fold import fold, states_at_boundaries
from amplihack_compaction.ledger.stored import continued_state, read_task_files
from amplihack_compaction.transcript.entries import Entry
from amplihack_compaction.transcript.windows import Boundary, Window


def session_states(
    session: Session, on_entry: Callable[[Entry], None] | None = None
) -> Iterator[tuple[Window, SessionState]]:
    """Yield each window of a session with the state at its end, the open one last.

    `on_entry` is called with every entry of the transcript, before its window is yielded. Raises
    TranscriptError when the transcript cannot be read.
    """
    limit = load_settings(session.root)[0].ledger_items
    base = continued_state(session.folder, session.id)
    return states_at_boundaries(str(session.transcript), session.id, limit, base, on_entry)


def state_before(session: Session, number: int) -> tuple[Boundary, SessionState]:
    """Return a compaction, counted from 1, and the state when it came.

    Raises TranscriptError when the session has no compaction of that number.
    """
    seen = 0
    for seen, (window, state) in enumerate(session_states(session), 1):
        if window.ended is not None and seen == number:
            return window.ended, state
    compactions = max(0, seen - 1)  # the last window is still open
    had = f"has {compactions}" if compactions else "was not compacted so far"
    raise TranscriptError(f"there is no compaction {number}: session {session.id} {had}")


def state_now(session: Session) -> SessionState:
    """Return a session's state as of now. Raises TranscriptError when it cannot be read."""
    path = str(session.transcript)
    limit = load_settings(session.root)[0].ledger_items
    base = continued_state(session.folder, session.id)
    return fold(path, session.id, base, read_task_files(path, session.id), limit).state
