"""Keep a session's ledger on disk, and what it goes on from; read the client's task files.

`<session>/ledger.json` holds the state of all *finished* windows, with the byte offset and the
uuid of the boundary up to which they are merged. It is a cache: where it is missing, torn, of
another transcript or of an unknown version, all windows are folded again from the transcript,
which is append-only. That is what fork, resume and an installation in mid-session come down to.

`<session>/continues.json` holds the state of an earlier session that this one was told to go on
from (a fresh start); the fold then begins with it.
"""

from dataclasses import replace

from amplihack_compaction.base.errors import SnapshotError, reason_of
from amplihack_compaction.base.files import (
    list_names,
    open_regular,
    read_bytes,
    read_if_there,
    read_kept,
    read_range,
    replace_atomically,
)
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.redaction.redact import has_own_patterns
from amplihack_compaction.extract.model import STATE_VERSION, SessionState
from amplihack_compaction.extract.window import redacted
from amplihack_compaction.ledger.origin import moved_before
from amplihack_compaction.ledger.state_json import dump_state, parse_state, state_of, version_of
from amplihack_compaction.transcript.entries import JsonObject

_LEDGER_LIMIT_BYTES = 64 * 1024 * 1024
_TASK_FILES_LIMIT = 500
_TASK_FILE_LIMIT_BYTES = 256 * 1024
_BOUNDARY_LINE_BYTES = 256 * 1024
_AS_IT_WAS = "the ledger stays as it was, and is folded again by the next hook"


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


def unreadable_origin(folder: str) -> str:
    """Return why what a session goes on from cannot be read; empty where it can be or is not."""
    path = f"{folder}/continues.json"
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


def try_to_save(folder: str, state: SessionState) -> str:
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
    data = read_kept(f"{folder}/ledger.json", _LEDGER_LIMIT_BYTES)
    if data is None or version_of(data) <= STATE_VERSION:
        replace_atomically(f"{folder}/ledger.json", dump_state(state))


def load_state(data: bytes) -> SessionState:
    """Return the state that JSON holds, without what the user has called a secret since.

    Raises SnapshotError when it is torn, or of a version that this package does not know.
    """
    return _as_of_now(parse_state(data))


def load_part(content: object) -> SessionState:
    """Return the state that is a part of some JSON, as `load_state` does."""
    return _as_of_now(state_of(content))


def _as_of_now(state: SessionState) -> SessionState:
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
    return [task for content in contents if content and (task := parse_object(content))]


def _fits(state: SessionState, session_id: str, transcript_path: str) -> bool:
    """Return whether a ledger is of this session and its boundary lies where it says."""
    if state.session_id != session_id or not state.covered_uuid:
        return False
    try:
        descriptor = open_regular(transcript_path)
        with open(descriptor, "rb") as stream:  # noqa: PTH123 - a descriptor, already checked
            head = read_range(stream.fileno(), state.covered_bytes, _BOUNDARY_LINE_BYTES)
    except (OSError, ValueError, OverflowError):  # the offset of a damaged ledger can be any number
        return False
    return state.covered_uuid.encode() in head.partition(b"\n")[0]
