"""OpenCode's sessions: read from its database, and written as files of session lines.

    ~/.local/share/opencode/opencode.db                              the client's, only ever read
    ~/.local/share/amplihack-compaction/opencode/<session>.jsonl     what it holds, as session lines
    ~/.local/share/amplihack-compaction/opencode/<session>.state     what the model is told

A file only grows, by the messages that are finished, without secrets; who asks for sessions has
them brought up to date. It lies outside of the project, as every transcript does: what comes with
a repository is nobody's session. A message that was taken back in the client is no more in its
database; then the file is written anew.
"""

import json
import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import (
    make_folder,
    parse_object,
    read_bytes,
    replace_atomically,
)
from amplihack_compaction.base.folders import lock_file
from amplihack_compaction.base.paths import session_name
from amplihack_compaction.base.signature import key_path
from amplihack_compaction.clients.opencode.transcripts import (
    RecordedMessage,
    injected_line,
    session_lines,
)
from amplihack_compaction.transcript.session import text_in

if TYPE_CHECKING:
    import sqlite3

_WAIT_SECONDS = 5.0
_LATEST_MS = 10**13
_LAST_BYTES = 4 * 1024 * 1024
_STATE_BYTES = 256 * 1024


def database_file() -> Path:
    """Return the client's database: `$OPENCODE_DB`, else below its folder of data."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")  # noqa: PTH111
    return Path(data, "opencode", os.environ.get("OPENCODE_DB") or "opencode.db")


def sessions_folder() -> Path:
    """Return the folder of the files that are written of sessions."""
    return Path(key_path()).parent / "opencode"


def state_file(session_id: str) -> Path:
    """Return the file with what the model is told after a session's newest compaction."""
    return sessions_folder() / f"{session_id}.state"


def project_transcripts(root: str, problems: list[str]) -> list[Path]:
    """Return the files of the sessions that were begun in a project, newest first, as of now.

    `problems` gets a sentence for what cannot be read.
    """
    if not database_file().is_file():
        return []
    import sqlite3  # where no client of that name is, its library is not loaded

    found = []
    try:
        with closing(_opened()) as database:
            for session_id, at in database.execute(
                "SELECT id, time_updated FROM session WHERE directory IN (?, ?)"
                " AND parent_id IS NULL ORDER BY time_updated DESC",
                (root, os.path.realpath(root)),
            ):
                path = sessions_folder() / f"{session_id}.jsonl"
                if session_name(session_id) != session_id:
                    continue
                if not path.is_file() or path.stat().st_mtime_ns != _nanoseconds(at):
                    _bring_up(database, path)
                if path.is_file():
                    found.append(path)
    except (sqlite3.Error, OSError, ValueError) as error:
        told = reason_of(error) if isinstance(error, OSError) else str(error)
        problems.append(f"{database_file()} cannot be read: {told}")
    return found


def session_transcript(root: str, session_id: str) -> Path | None:
    """Return the file of a project's session, as of now; None without one."""
    path = sessions_folder() / f"{session_id}.jsonl"
    return path if path in project_transcripts(root, []) else None


def bring_up_to_date(session_id: str, *, hold: bool = False) -> RecordedMessage | None:
    """Write what is new of a session into its file; return what asked for a compaction that waits.

    That is one whose summary is not finished, and with `hold` the newest one: what is known of the
    session then is what was known before it. Raises LookupError for none of the user's sessions,
    sqlite3.Error and OSError.
    """
    with closing(_opened()) as database:
        known = "SELECT 1 FROM session WHERE id = ? AND parent_id IS NULL"
        is_plain = session_name(session_id) == session_id
        if not (is_plain and database.execute(known, (session_id,)).fetchone()):
            raise LookupError(session_id)
        return _bring_up(database, sessions_folder() / f"{session_id}.jsonl", hold=hold)


def keep_state(session_id: str, compaction_id: str, text: str) -> None:
    """Keep what the model is told from a compaction on, below its id. Raises OSError."""
    data = f"{compaction_id}\n{text}".encode("utf-8", "replace")
    replace_atomically(str(state_file(session_id)), data)


def _opened() -> "sqlite3.Connection":
    import sqlite3

    database = sqlite3.connect(f"{database_file().as_uri()}?mode=ro", uri=True, timeout=1.0)
    database.execute("BEGIN")  # one moment for all that is read
    return database


def _bring_up(
    database: "sqlite3.Connection", path: Path, *, hold: bool = False
) -> RecordedMessage | None:
    session_id = path.stem
    make_folder(str(path.parent))
    directory, at = database.execute(
        "SELECT directory, time_updated FROM session WHERE id = ?", (session_id,)
    ).fetchone()
    common = {"sessionId": session_id, "cwd": directory}
    with lock_file(f"{path}.lock", _WAIT_SECONDS), open(path, "r+b", opener=_create) as stream:
        last = _last_message(stream)
        place = database.execute(
            "SELECT time_created, id FROM message WHERE id = ? AND session_id = ?",
            (last, session_id),
        ).fetchone()
        if place is None:
            stream.seek(0)
            stream.truncate()
        messages = list(_messages(database, session_id, place or (-1, "")))
        waiting, ready = _ready(messages, hold)
        state = read_bytes(str(state_file(session_id)), _STATE_BYTES) or b""
        told, _, text = state.decode("utf-8", "replace").partition("\n")
        before = 0
        for message in ready:
            try:
                lines = session_lines(message, common, before)
            except RecursionError:  # what nests so deep is read nowhere
                continue
            before = (message.tokens or before) if message.summary is None else 0
            if message.summary is not None and told == message.id:
                lines.append(injected_line(message.summary.id, text, common))
            for line in lines:
                stream.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        stream.flush()
        if waiting is None and not (messages and messages[-1].is_open):
            os.utime(stream.fileno(), ns=(_nanoseconds(at), _nanoseconds(at)))
    return waiting


def _nanoseconds(milliseconds: object) -> int:
    """Return a time of the database's; 0 for what is none, so that it is looked at each time."""
    if isinstance(milliseconds, int) and 0 <= milliseconds < _LATEST_MS:
        return milliseconds * 1_000_000
    return 0


def _create(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CREAT | os.O_NOFOLLOW, 0o600)  # so that it is no link


def _last_message(stream: Any) -> str:
    """Return the id of the message that a file ends with; what was torn behind it is cut off."""
    size = stream.seek(0, os.SEEK_END)
    start = max(0, size - _LAST_BYTES)
    stream.seek(start)
    tail = stream.read()
    whole = tail.rfind(b"\n") + 1
    stream.seek(start + whole)
    stream.truncate()
    line = tail[tail.rfind(b"\n", 0, max(0, whole - 1)) + 1 : whole]
    return text_in(parse_object(line) or {}, "uuid").partition(".")[0]


def _messages(
    database: "sqlite3.Connection", session_id: str, place: tuple[int, str]
) -> Iterator[RecordedMessage]:
    rows = database.execute(
        "SELECT id, data FROM message WHERE session_id = ? AND (time_created, id) > (?, ?)"
        " ORDER BY time_created, id",
        (session_id, *place),
    ).fetchall()
    for message_id, data in rows:
        parts = database.execute(
            "SELECT data FROM part WHERE message_id = ? ORDER BY id", (message_id,)
        )
        found = [parse_object(str(part).encode()) or {} for (part,) in parts]
        yield RecordedMessage(message_id, parse_object(str(data).encode()) or {}, found)


def _ready(
    messages: list[RecordedMessage], hold: bool
) -> tuple[RecordedMessage | None, list[RecordedMessage]]:
    """Return the compaction that waits, and what can be written; compactions with their summaries.

    An open message ends it, unless one has come after it: then the client was ended over it.
    """
    summaries = {text_in(m.info, "parentID"): m for m in messages if m.info.get("summary") is True}
    ready: list[RecordedMessage] = []
    newest: int | None = None
    for number, message in enumerate(messages):
        is_last = number >= len(messages) - 2
        if message.compaction is not None:
            summary = summaries.get(message.id)
            if summary is None or summary.is_open:
                if is_last:
                    return message, ready
            elif not summary.info.get("error"):
                newest = len(ready)
                ready.append(replace(message, summary=summary))
        elif message.info.get("summary") is True:
            continue  # written with its boundary
        elif message.is_open and is_last:
            break
        else:
            ready.append(message)
    if hold and newest is not None:
        return ready[newest], ready[:newest]
    return None, ready
