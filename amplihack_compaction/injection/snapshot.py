"""Snapshots: the whole ledger at one moment, so that the newest is enough and any can serve.

    <session>/snapshots/20260201-143022-a1b2.json
        {"mark": ..., "version": 1, "id": ..., "session_id": ..., "created": ISO time,
         "window_start": bytes, "transcript_path": ..., "transcript_bytes": size when taken,
         "state": {...}}
    <session>/snapshots/20260201-143022-a1b2.md     the same, as text, nothing left out, with the
                                                    prompts that it has shortened, whole
    <session>/windows/<WINDOW>.snapshot             "ID BYTES" of the snapshot taken for a window;
                                                    BYTES is 0 until it is there
    <session>/windows/<WINDOW>.jsonl                the window's transcript, redacted

The window's copy shows what a compaction took out of the conversation, without the client's own
request records. It is what the validator compares with, inside the project as it demands. Old
snapshots and window copies are removed beyond a number that the settings give.
"""

import json
import posix
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.base.errors import NewerVersionError, SnapshotError, reason_of
from amplihack_compaction.base.files import (
    create_exclusively,
    is_regular,
    list_names,
    names_in,
    read_if_there,
    read_kept,
    replace_atomically,
    replace_with_parts,
)
from amplihack_compaction.base.folders import remove_oldest
from amplihack_compaction.base.paths import runtime_folder, session_name
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.redaction.redact import redact_line
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.timestamps import next_stamp, utc_text
from amplihack_compaction.clients.reading import iterate_lines
from amplihack_compaction.clients.session_lines import is_internal_line
from amplihack_compaction.extract.statements import SessionState, field_values
from amplihack_compaction.injection.receipts import is_edited_since
from amplihack_compaction.injection.render import render_long_prompts, render_whole
from amplihack_compaction.ledger.stored import dump_state, load_ledger, state_of
from amplihack_compaction.transcript.session import ReadReport

SNAPSHOT_VERSION = 1
_LIMIT_BYTES = 64 * 1024 * 1024
_POINTER_BYTES = 100
_ID_CHARACTERS = frozenset("0123456789abcdef-")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A stored state and where it was taken."""

    id: str
    session_id: str
    created: str
    window_start: int
    transcript_path: str
    transcript_bytes: int
    state: SessionState


def take_snapshot(
    folder: str, state: SessionState, window_start: int, transcript_path: str, keep: int
) -> Snapshot:
    """Store the state for a window and return its snapshot; a window's earlier one is replaced.

    `keep` is the number of snapshots that stay.
    """
    identifier, covered = _identifier_for(folder, window_start), state.covered_bytes
    snapshot = Snapshot(
        identifier, state.session_id, utc_text(), window_start, transcript_path, covered, state
    )
    path = f"{folder}/snapshots/{identifier}"
    text = f"{render_whole(state)}\n\n{render_long_prompts(state)}".rstrip() + "\n"
    replace_atomically(text_path(folder, identifier), text.encode("utf-8", "replace"))
    replace_atomically(f"{path}.json", signed(_dump(snapshot), f"{path}.json"))
    replace_atomically(_pointer(folder, window_start), f"{identifier} {covered}".encode())
    for old in remove_oldest(f"{folder}/snapshots", ".json", keep):
        with suppress(FileNotFoundError):
            posix.unlink(text_path(folder, old))
    return snapshot


def _dump(snapshot: Snapshot) -> bytes:
    """Return a snapshot as JSON; a path of bytes that are no UTF-8 stands as it is."""
    head = {"version": SNAPSHOT_VERSION, **field_values(snapshot)}
    del head["state"]
    return json.dumps(head).encode()[:-1] + b', "state": ' + dump_state(snapshot.state) + b"}"


def _identifier_for(folder: str, window_start: int) -> str:
    """Return the id of a window's snapshot: that of its earlier one, or the one it will have.

    Hooks that are wired twice take it at the same moment: the first names it for both.
    """
    names = list_names(f"{folder}/snapshots")
    made, known = f"{next_stamp(names)}-{posix.urandom(2).hex()}", ""
    with suppress(OSError):  # rather one snapshot too many than none
        if not create_exclusively(_pointer(folder, window_start), f"{made} 0".encode()):
            known, _ = snapshot_of_window(folder, window_start)
    return known or made


def _pointer(folder: str, window_start: int) -> str:
    return f"{folder}/windows/{window_start}.snapshot"


def text_path(folder: str, snapshot_id: str) -> str:
    """Return the file that has a snapshot's state as text, whole."""
    return f"{folder}/snapshots/{snapshot_id}.md"


def snapshot_of_window(folder: str, window_start: int) -> tuple[str, int]:
    """Return the id of the snapshot taken for a window and the transcript's size it has seen.

    Without one: an empty id and -1. Raises OSError when it cannot be read now which one there is.
    """
    data = read_kept(_pointer(folder, window_start), _POINTER_BYTES) or b""
    identifier, _, covered = data.decode("ascii", "replace").partition(" ")
    if not _is_identifier(identifier) or not covered.isdecimal():
        return "", -1
    return identifier, int(covered)


def whole_snapshot_of_window(folder: str, window_start: int) -> tuple[str, int]:
    """Return what `snapshot_of_window` does, but nothing for a snapshot that is gone or torn.

    It is then to be taken anew. Raises OSError when it cannot be read now what there is.
    """
    identifier, covered = snapshot_of_window(folder, window_start)
    path = f"{folder}/snapshots/{identifier}.json"
    if identifier and own_part(read_kept(path, _LIMIT_BYTES) or b"", path) is None:
        return "", -1
    if is_edited_since(folder, _pointer(folder, window_start)):
        covered = 0  # what was changed by hand since is not in it
    return identifier, covered


def list_snapshots(folder: str) -> list[str]:
    """Return the ids of a session's snapshots, oldest first."""
    return _identifiers(list_names(f"{folder}/snapshots"))


def _identifiers(names: list[str]) -> list[str]:
    return [name[:-5] for name in names if name.endswith(".json") and _is_identifier(name[:-5])]


def load_snapshot(folder: str, snapshot_id: str = "latest") -> Snapshot:
    """Return a session's snapshot; `latest` is the newest.

    Raises SnapshotError when there is none of that id, when it cannot be read, when it is torn, or
    when a newer version of this package wrote it.
    """
    if snapshot_id == "latest":
        snapshot_id = (list_snapshots(folder) or [""])[-1]
    data, path = None, f"{folder}/snapshots/{snapshot_id}.json"
    if _is_identifier(snapshot_id):
        try:
            data = read_if_there(path, _LIMIT_BYTES)
        except OSError as error:
            why = reason_of(error)
            raise SnapshotError(f"snapshot {snapshot_id} cannot be read: {why}") from None
    if data is None:
        raise SnapshotError(f"no snapshot {snapshot_id or 'yet'} in {folder}")
    own = own_part(data, path)
    if own is None:
        raise SnapshotError(
            f"snapshot {snapshot_id} cannot be read: it is torn, of an earlier version, or somebody"
            " else's: this user's key did not sign it"
        )
    return _load(snapshot_id, own)


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """A snapshot of a project on disk.

    `modified` is the file's time in nanoseconds, and later than that of the session's earlier ones.
    """

    id: str
    folder: str
    modified: int
    size_bytes: int


def project_snapshots(root: str, problems: list[str] | None = None) -> list[SnapshotFile]:
    """Return the snapshots of all sessions of a project, newest first.

    Those of one session stand in the order of their ids, also where the clock was set back.
    `problems` gets a sentence for each folder that cannot be looked into, so that nobody takes
    what is newest of the rest for the newest.
    """
    sessions = f"{runtime_folder(root)}/sessions"
    found: list[SnapshotFile] = []
    said = problems if problems is not None else []
    for name in names_in(sessions, said):
        found += _snapshot_files(f"{sessions}/{name}", said)
    return sorted(found, key=lambda file: (file.modified, file.id), reverse=True)


def _snapshot_files(folder: str, problems: list[str]) -> Iterator[SnapshotFile]:
    newest = 0
    for identifier in _identifiers(names_in(f"{folder}/snapshots", problems)):
        try:
            status = posix.stat(f"{folder}/snapshots/{identifier}.json")
        except FileNotFoundError:
            continue  # removed since it was listed
        except OSError as error:
            problems.append(f"snapshot {identifier} cannot be looked at: {reason_of(error)}")
            continue
        newest = max(newest + 1, status.st_mtime_ns)
        yield SnapshotFile(identifier, folder, newest, status.st_size)


def open_snapshot(file: SnapshotFile) -> Snapshot:
    """Return a snapshot of a project.

    Raises SnapshotError when it is torn, of a newer version, or somebody else's: another user's
    file, or one that was put into the folder of a session that it is not of.
    """
    snapshot = load_snapshot(file.folder, file.id)
    owner = posix.stat(f"{file.folder}/snapshots/{file.id}.json").st_uid
    if owner != posix.geteuid():
        raise SnapshotError(f"snapshot {file.id} belongs to another user; it was not read")
    if session_name(snapshot.session_id) != file.folder.rpartition("/")[2]:
        raise SnapshotError(
            f"snapshot {file.id} is of session {snapshot.session_id[:60]!r}, but lies in the"
            " folder of another one; it was not used"
        )
    return snapshot


def _load(snapshot_id: str, data: bytes) -> Snapshot:
    try:
        content: Any = json.loads(data)
        version = content["version"]
        if version > SNAPSHOT_VERSION:
            raise NewerVersionError(
                f"snapshot {snapshot_id} has version {version}; update amplihack-compaction"
            )
        known = read_record(Snapshot, {**content, "id": snapshot_id, "state": {}})
        return replace(known, state=state_of(content["state"]))
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        why = f"it lacks what a snapshot has ({error!r})"
        raise SnapshotError(f"snapshot {snapshot_id} cannot be read: {why}") from error


def _is_identifier(text: str) -> bool:
    return 0 < len(text) <= 40 and _ID_CHARACTERS.issuperset(text)


# More than any model's window; of a larger one the newest lines are kept.
_COPY_LIMIT_BYTES = 32 * 1024 * 1024


def copy_window(
    folder: str,
    transcript_path: str,
    window_start: int,
    window_end: int | None,
    keep: int,
    *,
    anew: bool = True,
) -> str:
    """Write the copy of the window between two byte offsets and return its path.

    `window_end` is None for the window that is still open. `keep` is the number of copies that
    stay; 0 writes none and returns nothing. One that is there stays where none is made `anew`.
    """
    path = f"{folder}/windows/{window_start}.jsonl"
    if not anew and is_regular(path):
        return path
    if keep == 0:
        return ""
    replace_with_parts(path, _redacted_lines(transcript_path, window_start, window_end))
    remove_oldest(f"{folder}/windows", ".jsonl", keep, numbered=True)
    return path


def _redacted_lines(transcript_path: str, start: int, end: int | None) -> Iterator[bytes]:
    last = posix.stat(transcript_path).st_size if end is None else end
    first = max(start, last - _COPY_LIMIT_BYTES)
    for offset, line in iterate_lines(transcript_path, first, last, ReadReport()):
        torn_by_the_limit = offset == first and first > start
        if torn_by_the_limit or not line.endswith(b"\n") or is_internal_line(line):
            continue
        yield redact_line(line.decode("utf-8", "replace")).encode()


def kept_state(folder: str) -> SessionState:
    """Return a session's state from its newest snapshot, else from its ledger.

    Raises SnapshotError when there is neither.
    """
    try:
        return load_snapshot(folder).state
    except SnapshotError:
        ledger = load_ledger(folder)
        if ledger is None:
            raise
        return ledger
