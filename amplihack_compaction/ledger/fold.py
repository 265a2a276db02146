"""Fold a transcript's windows into the session's state, and keep its ledger up to date."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.clients.reading import read_task_files, read_windows
from amplihack_compaction.extract.model import SessionState, WindowState
from amplihack_compaction.extract.window import extract_window
from amplihack_compaction.ledger.merge import DEFAULT_LIMIT, merge_window
from amplihack_compaction.ledger.stored import (
    find_origin,
    known_state,
    moved_before,
    try_to_save,
    unreadable_origin,
)
from amplihack_compaction.transcript.nodes import Entry, JsonObject, ReadReport
from amplihack_compaction.transcript.windows import Window

_ORIGINS = 8
_SAVE_STEP_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Folded:
    """A transcript's state: `base` of the finished windows, `state` with the open one too.

    `end_bytes` is the offset behind the last whole line that was read; `cut` names what the open
    window said beyond the bounds. `unsaved` says why the ledger on disk lacks something of `base`,
    which the next hook then folds again; empty when it has all of it.
    """

    base: SessionState
    state: SessionState
    window: Window
    end_bytes: int
    cut: tuple[str, ...] = ()
    unsaved: str = ""


def fold_transcript(
    transcript_path: str,
    session_id: str,
    base: SessionState | None = None,
    task_files: Sequence[JsonObject] = (),
    limit: int = DEFAULT_LIMIT,
    on_window: Callable[[SessionState], None] | None = None,
) -> Folded:
    """Return the state of a transcript, beginning where `base` ends.

    Without a base it begins with what the session's origin said: see `find_origin`.
    `on_window` is called with the state of the finished windows whenever one ends. Raises
    TranscriptError when the transcript cannot be read, or when it is not empty and nothing in
    it is understood.
    """
    if base is None:
        base = state_of_origin(transcript_path, session_id, limit)
    report = ReadReport()
    state, window, found = base, None, WindowState()
    for window in read_windows(transcript_path, base.covered_bytes, base.windows, report):
        finished = window.ended is not None
        found = extract_window(window, () if finished else task_files)
        state = merge_window(base, found, limit)
        if window.ended is not None:
            state = replace(
                state, covered_bytes=window.ended.offset, covered_uuid=window.ended.uuid
            )
            base = state
            if on_window is not None:
                on_window(base)
    if window is None or (report.lines and report.lines == report.skipped):
        raise TranscriptError(f"nothing in {transcript_path} could be understood")
    skipped = base.skipped + report.skipped
    state = replace(state, covered_bytes=window.end, covered_uuid="", skipped=skipped)
    return Folded(base, state, window, report.end, found.cut)


def state_of_origin(
    transcript_path: str, session_id: str, limit: int = DEFAULT_LIMIT, depth: int = _ORIGINS
) -> SessionState:
    """Return what was said in the session that this one was forked from; empty without one.

    A fork of a fork is followed through `depth` origins.
    """
    nothing = SessionState(session_id=session_id)
    origin = find_origin(transcript_path) if depth else None
    if origin is None:
        return nothing
    state = state_of_origin(origin.path, session_id, limit, depth - 1)
    for window in read_windows(origin.path, 0, state.windows):
        state = merge_window(state, extract_window(window), limit)
        if window.ended is not None and window.ended.uuid == origin.boundary_uuid:
            return replace(moved_before(state, window.ended.offset), session_id=session_id)
    return nothing


def states_at_boundaries(
    transcript_path: str,
    session_id: str,
    limit: int = DEFAULT_LIMIT,
    base: SessionState | None = None,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[tuple[Window, SessionState]]:
    """Yield each window of a transcript with the state at its end, the open one last.

    `base` is the state of an earlier session that this one goes on from. `on_entry` is called
    with every entry of the transcript, before its window is yielded.
    """
    state = base if base is not None else state_of_origin(transcript_path, session_id, limit)
    for window in read_windows(transcript_path, 0, state.windows, on_entry=on_entry):
        state = merge_window(state, extract_window(window), limit)
        yield window, state


def current_state(
    folder: str, session_id: str, transcript_path: str, limit: int = DEFAULT_LIMIT
) -> Folded:
    """Return the session's state as of now, and bring its ledger on disk up to date.

    Where it cannot be told now what the session goes on from, the ledger stays as it is: one that
    was folded without that would stay without it. `unsaved` of what is returned says so.
    """
    base = known_state(folder, session_id, transcript_path)
    unsaved = "" if base is not None else unreadable_origin(folder)
    tasks = read_task_files(transcript_path, session_id)
    saved = base.covered_bytes if base is not None else 0

    def save_now_and_then(done: SessionState) -> None:
        # A first read of hundreds of megabytes may run into the hook's time limit; the next hook
        # then goes on from here.
        nonlocal saved
        if not unsaved and done.covered_bytes - saved >= _SAVE_STEP_BYTES:
            saved = done.covered_bytes
            try_to_save(folder, done)  # if it cannot be, the end says so

    folded = fold_transcript(transcript_path, session_id, base, tasks, limit, save_now_and_then)
    if folded.base.windows and folded.base != base:
        return replace(folded, unsaved=unsaved or try_to_save(folder, folded.base))
    return folded
