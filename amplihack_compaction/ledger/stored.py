"""Keep a session's ledger on disk as JSON, and fold its transcript's newer windows into it.

`<session>/ledger.json` holds the state of all *finished* windows, with the byte offset and the
uuid of the boundary up to which they are merged. It is a cache: where it is missing, torn, of
another transcript, of an unknown version or made by other code, all windows are folded again from
the transcript, which is append-only. That is what fork, resume, an installation in mid-session and
an upgrade come down to.

A transcript that was deleted, and begun anew by the client, has nothing of what the ledger was made
from: what the ledger says counts as said before it.

`<session>/continues.json` holds the state of an earlier session that this one was told to go on
from (a fresh start); the fold then begins with it.

A fork made after a compaction is a transcript of its own that starts with that compaction's
boundary: what was said before it is not copied. The boundary keeps its uuid, and the summary behind
it names the transcript that it was made from, which the client keeps in the same folder.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from itertools import islice
from typing import Any, TypeVar
from zlib import crc32

from amplihack_compaction.base.errors import (
    NewerVersionError,
    SnapshotError,
    TranscriptError,
    reason_of,
)
from amplihack_compaction.base.files import (
    is_regular,
    list_names,
    parse_object,
    read_bytes,
    read_if_there,
    read_kept,
    read_range,
    replace_atomically,
)
from amplihack_compaction.base.folders import opened
from amplihack_compaction.base.paths import session_name
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.redaction.redact import has_user_patterns
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.clients.reading import iterate_entries, read_task_files, read_windows
from amplihack_compaction.clients.session_lines import make_node
from amplihack_compaction.extract.statements import (
    STATE_VERSION,
    SessionState,
    WindowState,
    field_values,
)
from amplihack_compaction.extract.window import extract_window, redacted
from amplihack_compaction.ledger.edits import Edit, apply_edits, session_edits, with_remembered
from amplihack_compaction.ledger.merge import DEFAULT_LIMIT, merge_window
from amplihack_compaction.transcript.session import (
    Entry,
    JsonObject,
    Kind,
    ReadReport,
    Window,
    as_object,
)


def dump_state(value: object) -> bytes:
    """Return a state, or what holds one, as JSON.

    A lone surrogate, which JSON cannot carry faithfully, becomes a question mark.
    """
    text = json.dumps(value, default=field_values, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def load_state(data: bytes) -> SessionState:
    """Return the state that JSON holds, as `state_of` does."""
    return state_of(parse_object(data))


def state_of(content: object) -> SessionState:
    """Return the state that parsed JSON holds, without what the user has called a secret since.

    Unknown keys are ignored, missing ones have their default. Raises SnapshotError when it is torn,
    or of a version that this package does not know.
    """
    version = version_of(content)
    if version > STATE_VERSION:
        raise NewerVersionError(f"the state has version {version}; update amplihack-compaction")
    try:
        state = read_record(SessionState, content)
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"the state cannot be read: {error}") from error
    return redacted(state) if has_user_patterns() else state


def version_of(content: object) -> int:
    """Return the version of a stored state; 0 where none can be told."""
    version = as_object(content).get("version")
    return version if isinstance(version, int) else 0


T = TypeVar("T")

_NAMED = re.compile(r"read the full transcript at: (/[^\n]{1,4000}\.jsonl)")
# The client writes a boundary's summary and attachments right behind it.
_HEAD_ENTRIES = 60


def _find_origin(transcript_path: str) -> tuple[str, str] | None:
    """Return the transcript that one goes on from, and the uuid of the boundary where it left it.

    None when it begins at its own beginning. Only a transcript beside this one is taken: the name
    stands in a text that anybody may have written.
    """
    boundary_uuid = ""
    for entry in islice(iterate_entries(transcript_path), _HEAD_ENTRIES):
        node = make_node(entry)
        if node is None:
            continue
        if node.kind is Kind.BOUNDARY:
            boundary_uuid = node.uuid
        elif node.kind is Kind.SUMMARY and boundary_uuid:
            path = _named_in(node.text, transcript_path)
            return (path, boundary_uuid) if path else None
        elif node.kind in (Kind.PROMPT, Kind.ASSISTANT):
            return None
    return None


def _named_in(summary: str, transcript_path: str) -> str:
    """Return the other transcript in the same folder that a summary names; empty for none."""
    named = _NAMED.search(summary)
    if named is None:
        return ""
    folder, slash, _ = transcript_path.rpartition("/")
    path = f"{folder}{slash}{named.group(1).rpartition('/')[2]}"
    return path if path != transcript_path and is_regular(path) else ""


def moved_before(value: T, boundary_offset: int) -> T:
    """Return the value with its offsets counted back from a boundary, so that all are negative.

    Offsets order what was said. What a fork's origin said came before everything in the fork,
    whose own offsets begin at 0.
    """
    result: Any = value
    if isinstance(value, tuple):
        result = tuple(moved_before(item, boundary_offset) for item in value)
    elif is_dataclass(value):
        changes: dict[str, Any] = {}
        for field in fields(value):
            old = getattr(value, field.name)
            is_place = field.name in ("offset", "changed_offset", "committed_offset")
            if is_place or (field.name == "retired_offset" and old >= 0):
                changes[field.name] = old - boundary_offset - 1
            elif isinstance(old, tuple) or is_dataclass(old):
                changes[field.name] = moved_before(old, boundary_offset)
        result = replace(result, **changes)
    return result  # type: ignore[no-any-return]


_LEDGER_LIMIT_BYTES = 64 * 1024 * 1024
_BOUNDARY_LINE_BYTES = 256 * 1024
_AS_IT_WAS = "the ledger stays as it was, and is folded again by the next hook"


def known_state(folder: str, session_id: str, transcript_path: str) -> SessionState | None:
    """Return what a fold of the session can begin with: its ledger, or what it goes on from.

    A ledger fits where its boundary lies where it says, and this code made it: other code may have
    seen no rule where there is one. Of one whose boundary is nowhere in it the transcript was begun
    anew: then it is all there is, as long as the session lasts.
    """
    data = _own_data(f"{folder}/ledger.json")
    stored = _state_in(data)
    if data is None or stored is None or stored.session_id != session_id or not stored.covered_uuid:
        return continued_state(folder, session_id)
    uuid = stored.covered_uuid.encode()
    try:
        with opened(transcript_path) as descriptor, open(descriptor, "rb", closefd=False) as lines:
            head = read_range(descriptor, stored.covered_bytes, _BOUNDARY_LINE_BYTES)
            if uuid in head.partition(b"\n")[0]:
                return stored if _may_go_on(data) else continued_state(folder, session_id)
            if not any(uuid in line for line in lines):
                return _said_before(stored, session_id)
    except (OSError, ValueError, OverflowError):  # the offset of a damaged ledger can be any number
        pass
    return continued_state(folder, session_id)


def _may_go_on(ledger: bytes) -> bool:
    """Return whether this code made a ledger, or it has what was said before its transcript began.

    What that was made from may be gone by now, as the transcript of a fork's origin.
    """
    return _made_by() in ledger or b'"offset":-' in ledger


_CODE = (
    "base/redaction", "clients", "clients/claude_code", "extract", "ledger", "text", "text/data",
    "transcript",
)  # fmt: skip
_CODE_LIMIT_BYTES = 8 * 1024 * 1024


@cache
def _made_by() -> bytes:
    """Return the member of a ledger's JSON that tells which code made it, by what its files hold.

    The version does not: between two of them what is seen in a transcript changes, too.
    """
    package, mark = __file__.rpartition("/ledger/")[0], 0
    for folder in _CODE:
        for name in list_names(f"{package}/{folder}"):
            if name[0] != "." and "." in name:
                content = read_bytes(f"{package}/{folder}/{name}", _CODE_LIMIT_BYTES, follow=True)
                mark = crc32(content or b"", mark)
    return b'"made_by":"%08x"' % mark


def continue_from(folder: str, session_id: str, state: SessionState) -> None:
    """Make a session, which has not compacted yet, go on from the state of an earlier one.

    What was said there counts as said before everything in this session, as with a fork. Raises
    OSError when it cannot be written.
    """
    path = f"{folder}/continues.json"
    replace_atomically(path, signed(dump_state(_said_before(state, session_id)), path))


def _said_before(state: SessionState, session_id: str) -> SessionState:
    return replace(
        moved_before(state, state.covered_bytes), session_id=session_id, skipped=0,
        turns=0, messages=0, tool_uses=0, covered_bytes=0, covered_uuid="",
    )  # fmt: skip


def continued_state(folder: str, session_id: str) -> SessionState | None:
    """Return the state of the session that this one goes on from; None without one."""
    state = _state_in(_own_data(f"{folder}/continues.json"))
    return state if state is not None and state.session_id == session_id else None


def unreadable_origin(folder: str) -> str:
    """Return why what a session goes on from cannot be read; empty where it can be or is not."""
    path = f"{folder}/continues.json"
    try:
        data = read_if_there(path, _LEDGER_LIMIT_BYTES)
    except OSError as error:
        return f"{_AS_IT_WAS}: {path} cannot be read: {reason_of(error)}"
    own = own_part(data, path)
    if own is not None and version_of(parse_object(own)) > STATE_VERSION:
        return f"{_AS_IT_WAS}: {path} is of a newer version; update amplihack-compaction"
    return ""


def load_ledger(folder: str) -> SessionState | None:
    """Return the stored ledger, or None when there is none that can be used."""
    return _state_in(_own_data(f"{folder}/ledger.json"))


def _own_data(path: str) -> bytes | None:
    return own_part(read_bytes(path, _LEDGER_LIMIT_BYTES), path)


def _state_in(data: bytes | None) -> SessionState | None:
    try:
        return load_state(data) if data is not None else None
    except SnapshotError:
        return None


def unsigned_state(folder: str) -> str:
    """Return which states of a session's are not read, for this user's key did not sign them."""
    stored = [f"{folder}/{name}.json" for name in ("ledger", "continues")]
    contents = ((path, read_bytes(path, _LEDGER_LIMIT_BYTES)) for path in stored)
    found = [path for path, data in contents if data and own_part(data, path) is None]
    return f"{' and '.join(found)} of an earlier version, or somebody else's" if found else ""


def save_ledger(folder: str, state: SessionState) -> str:
    """Store the ledger; return why it could not be. It is a cache: nothing is lost with it.

    One that a newer version of this package wrote stays.
    """
    path = f"{folder}/ledger.json"
    try:
        data = read_kept(path, _LEDGER_LIMIT_BYTES)
        if data is None or version_of(parse_object(data)) <= STATE_VERSION:
            made = b"{%b,%b" % (_made_by(), dump_state(state)[1:])
            replace_atomically(path, signed(made, path))
    except OSError as error:
        return f"{_AS_IT_WAS}: {folder}: {reason_of(error)}"
    return ""


_ORIGINS = 8
_SAVE_STEP_BYTES = 4 * 1024 * 1024


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
    folder: str = "",
) -> Folded:
    """Return the state of a transcript, beginning where `base` ends.

    Without a base it begins with what the session's origin said: see `find_origin`. `folder` is
    the session's, with what was changed by hand.
    `on_window` is called with the state of the finished windows whenever one ends. Raises
    TranscriptError when the transcript cannot be read, or when it is not empty and nothing in
    it is understood.
    """
    if base is None:
        base = state_of_origin(transcript_path, session_id, limit, folder=folder)
    edits = session_edits(folder, transcript_path)
    report = ReadReport()
    state, window, found = base, None, WindowState()
    merged = _merged(transcript_path, base, edits, limit, task_files=task_files, report=report)
    for window, found, state in merged:  # noqa: B007
        if window.ended is not None:
            end = window.ended
            base = replace(state, covered_bytes=end.offset, covered_uuid=end.uuid)
            if on_window is not None:
                on_window(base)
    if window is None or (report.lines and report.lines == report.skipped):
        raise TranscriptError(f"nothing in {transcript_path} could be understood")
    skipped = base.skipped + report.skipped
    state = replace(state, covered_bytes=window.end, covered_uuid="", skipped=skipped)
    state = apply_edits(state, edits)
    return Folded(base, state, window, report.end, found.cut)


def _merged(
    transcript_path: str,
    state: SessionState,
    edits: Sequence[Edit],
    limit: int,
    *,
    task_files: Sequence[JsonObject] = (),
    report: ReadReport | None = None,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[tuple[Window, WindowState, SessionState]]:
    """Yield each window that a state lacks with what was found in it, and the state at its end."""
    start, number = state.covered_bytes, state.windows
    for window in read_windows(transcript_path, start, number, report, on_entry=on_entry):
        is_open = window.ended is None
        found = extract_window(window, task_files if is_open else ())
        found = with_remembered(found, edits, window.start, None if is_open else window.end)
        state = merge_window(state, found, limit)
        yield window, found, state


def state_of_origin(
    transcript_path: str,
    session_id: str,
    limit: int = DEFAULT_LIMIT,
    depth: int = _ORIGINS,
    folder: str = "",
) -> SessionState:
    """Return what was said in the session that this one was forked from; empty without one.

    A fork of a fork is followed through `depth` origins.
    """
    nothing = SessionState(session_id=session_id)
    origin = _find_origin(transcript_path) if depth else None
    if origin is None:
        return nothing
    path, boundary_uuid = origin
    own = session_name(path.rpartition("/")[2].removesuffix(".jsonl"))
    folder = f"{folder.rpartition('/')[0]}/{own}" if folder else ""
    before = state_of_origin(path, session_id, limit, depth - 1, folder)
    for window, state in states_at_boundaries(path, session_id, limit, before, folder=folder):
        if window.ended is not None and window.ended.uuid == boundary_uuid:
            return replace(moved_before(state, window.end), session_id=session_id)
    return nothing


def states_at_boundaries(
    transcript_path: str,
    session_id: str,
    limit: int = DEFAULT_LIMIT,
    base: SessionState | None = None,
    on_entry: Callable[[Entry], None] | None = None,
    folder: str = "",
) -> Iterator[tuple[Window, SessionState]]:
    """Yield each window of a transcript with the state at its end, the open one last.

    `base` is the state of an earlier session that this one goes on from. `on_entry` is called
    with every entry of the transcript, before its window is yielded. `folder` is the session's.
    """
    if base is None:
        base = state_of_origin(transcript_path, session_id, limit, folder=folder)
    edits = session_edits(folder, transcript_path)
    for window, _, state in _merged(transcript_path, base, edits, limit, on_entry=on_entry):
        end = window.end if window.ended is not None else None
        yield window, apply_edits(state, [e for e in edits if end is None or e.offset <= end])


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
            save_ledger(folder, done)  # if it cannot be, the end says so

    folded = fold_transcript(
        transcript_path, session_id, base, tasks, limit, save_now_and_then, folder
    )
    if folded.base.windows and folded.base != base:
        return replace(folded, unsaved=unsaved or save_ledger(folder, folded.base))
    return folded
