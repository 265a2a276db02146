"""Fold a transcript's windows into the session's ledger, and keep the ledger on disk.

`<session>/ledger.json` holds the state of all *finished* windows, with the byte offset and the
uuid of the boundary up to which they are merged. It is a cache: where it is missing, torn, of
another transcript or of an unknown version, all windows are folded again from the transcript,
which is append-only. That is what fork, resume and an installation in mid-session come down to.

`<session>/continues.json` holds the state of an earlier session that this one was told to go on
from (a fresh start); the fold then begins with it.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any

from amplihack_compaction.errors import SnapshotError, TranscriptError, reason_of
from amplihack_compaction.files import (
    list_names,
    open_regular,
    read_bytes,
    read_if_there,
    read_range,
    replace_atomically,
)
from amplihack_compaction.language.text import counted
from amplihack_compaction.ledger.extract import extract_window, redacted
from amplihack_compaction.ledger.merge import DEFAULT_LIMIT, merge_window
from amplihack_compaction.ledger.origin import find_origin, moved_before
from amplihack_compaction.redaction import has_own_patterns
from amplihack_compaction.state.model import STATE_VERSION, SessionState, WindowState
from amplihack_compaction.transcript.boundaries import Window, read_windows
from amplihack_compaction.transcript.entries import Entry, JsonObject, ReadReport

_ORIGINS = 8
_SAVE_STEP_BYTES = 32 * 1024 * 1024
_LEDGER_LIMIT_BYTES = 64 * 1024 * 1024
_TASK_FILES_LIMIT = 500
_TASK_FILE_LIMIT_BYTES = 256 * 1024
_BOUNDARY_LINE_BYTES = 256 * 1024
_AS_IT_WAS = "the ledger stays as it was, and is folded again by the next hook"


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


def fold(
    transcript_path: str,
    session_id: str,
    base: SessionState | None = None,
    task_files: Sequence[JsonObject] = (),
    limit: int = DEFAULT_LIMIT,
    on_window: Callable[[SessionState], None] | None = None,
) -> Folded:
    """Return the state of a transcript, beginning where `base` ends.

    Without a base it begins with what the session's origin said: see `ledger.origin`.
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
    unsaved = "" if base is not None else _unreadable(f"{folder}/continues.json")
    tasks = read_task_files(transcript_path, session_id)
    saved = base.covered_bytes if base is not None else 0

    def save_now_and_then(done: SessionState) -> None:
        # A first read of hundreds of megabytes may run into the hook's time limit; the next hook
        # then goes on from here.
        nonlocal saved
        if not unsaved and done.covered_bytes - saved >= _SAVE_STEP_BYTES:
            saved = done.covered_bytes
            _try_to_save(folder, done)  # if it cannot be, the end says so

    folded = fold(transcript_path, session_id, base, tasks, limit, save_now_and_then)
    if folded.base.windows and folded.base != base:
        return replace(folded, unsaved=unsaved or _try_to_save(folder, folded.base))
    return folded


def known_state(folder: str, session_id: str, transcript_path: str) -> SessionState | None:
    """Return what a fold of the session can begin with: its ledger, or what it goes on from."""
    stored = load_ledger(folder)
    if stored is not None and _fits(stored, session_id, transcript_path):
        return stored
    return continued_state(folder, session_id)


def continue_from(folder: str, session_id: str, state: SessionState) -> None:
    """Make a session, which has not compacted yet, go on from the state of an earlier one.

    What was said there counts as said before everything in this session, as with a fork. Raises
    OSError when it cannot be written.
    """
    before = replace(
        moved_before(state, state.covered_bytes), session_id=session_id, skipped=0,
        turns=0, messages=0, tool_uses=0, covered_bytes=0, covered_uuid="",
    )  # fmt: skip
    replace_atomically(f"{folder}/continues.json", dump_state(before))


def continued_state(folder: str, session_id: str) -> SessionState | None:
    """Return the state of the session that this one goes on from; None without one."""
    data = read_bytes(f"{folder}/continues.json", _LEDGER_LIMIT_BYTES)
    try:
        state = load_state(data) if data is not None else None
    except SnapshotError:
        return None
    return state if state is not None and state.session_id == session_id else None


def _unreadable(path: str) -> str:
    """Return why a file cannot be read; empty when it can be, or is not there."""
    try:
        read_if_there(path, _LEDGER_LIMIT_BYTES)
    except OSError as error:
        return f"{_AS_IT_WAS}: {path} cannot be read: {reason_of(error)}"
    return ""


def load_ledger(folder: str) -> SessionState | None:
    """Return the stored ledger, or None when there is none that can be used."""
    data = read_bytes(f"{folder}/ledger.json", _LEDGER_LIMIT_BYTES)
    if data is None:
        return None
    try:
        return load_state(data)
    except SnapshotError:
        return None


def _try_to_save(folder: str, state: SessionState) -> str:
    """Store the ledger; return why it could not be. It is a cache: nothing is lost with it."""
    try:
        save_ledger(folder, state)
    except OSError as error:
        return f"{_AS_IT_WAS}: {folder}: {reason_of(error)}"
    return ""


def save_ledger(folder: str, state: SessionState) -> None:
    """Store the ledger, unless a newer version of this package wrote the one that is there.

    Raises OSError when it cannot be written, or when it cannot be told whose the one there is.
    """
    try:
        data = read_if_there(f"{folder}/ledger.json", _LEDGER_LIMIT_BYTES)
    except OSError as error:
        if error.errno is not None:
            raise
        data = None  # no file, or none that any version would have written
    if data is None or _version_of(data) <= STATE_VERSION:
        replace_atomically(f"{folder}/ledger.json", dump_state(state))


def dump_state(state: SessionState) -> bytes:
    """Return the state as JSON: one object, keys as in `state.model`.

    A lone surrogate, which JSON cannot carry faithfully, becomes a question mark.
    """
    text = json.dumps(state, default=_plain, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def load_state(data: bytes) -> SessionState:
    """Return the state that JSON holds; unknown keys are ignored.

    What the user has called a secret since it was stored is redacted. Raises SnapshotError when
    it is torn, or of a version that this package does not know.
    """
    from pydantic import TypeAdapter, ValidationError

    version = _version_of(data)
    if version > STATE_VERSION:
        raise SnapshotError(f"the state has version {version}; update amplihack-compaction")
    try:
        state = TypeAdapter(SessionState).validate_json(data)
    except ValidationError as error:
        raise SnapshotError(
            f"the state cannot be read: {counted(error.error_count(), 'error')}"
        ) from error
    return redacted(state) if has_own_patterns() else state


def read_task_files(transcript_path: str, session_id: str) -> list[JsonObject]:
    """Return the client's task files of a session, which lie beside its transcripts.

    `<config>/projects/<project>/<session>.jsonl` has its tasks in `<config>/tasks/<session>/`.
    """
    config = transcript_path.rsplit("/", 3)[0]
    if "/" in session_id or session_id.startswith("."):
        return []
    folder = f"{config}/tasks/{session_id}"
    names = [name for name in list_names(folder) if name.endswith(".json")][:_TASK_FILES_LIMIT]
    contents = (read_bytes(f"{folder}/{name}", _TASK_FILE_LIMIT_BYTES) for name in names)
    return [task for content in contents if content and (task := _object(content))]


def _fits(state: SessionState, session_id: str, transcript_path: str) -> bool:
    """Tell whether a ledger is of this session and its boundary lies where it says."""
    if state.session_id != session_id or not state.covered_uuid:
        return False
    try:
        descriptor = open_regular(transcript_path)
    except (OSError, ValueError):
        return False
    with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor, already checked
        head = read_range(stream.fileno(), state.covered_bytes, _BOUNDARY_LINE_BYTES)
    return state.covered_uuid.encode() in head.partition(b"\n")[0]


def _plain(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    raise TypeError(f"cannot store {type(value).__name__}")


def _version_of(data: bytes) -> int:
    content = _object(data)
    version = content.get("version") if content else None
    return version if isinstance(version, int) else 0


def _object(data: bytes) -> JsonObject | None:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
