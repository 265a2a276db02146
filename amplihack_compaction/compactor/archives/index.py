"""The log of a folder's archive: one line for each document that came, and for each that went.

<folder>/.compaction/archived/index.jsonl, only ever appended to:

    {"version": 1, "at": ISO time, "event": "archived", "document": path, "history": id,
     "source", "heading", "date", "until", "dated_by", "lines", "tokens", "sha256"}
    {"version": 1, "at": ISO time, "event": "reverted" | "expired" | "gone", "document": path}

The documents are what counts. A line that is missing, because a process was killed, the log was
deleted or a change reverted, is written by the next `update_index`.
"""

import json
import os
import stat
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.files import write_all
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.archives.documents import (
    ARCHIVE_FOLDER,
    document_change,
    list_documents,
    read_archived,
)
from amplihack_compaction.compactor.backups.entry import ChangeStatus, list_entries, time_of_id
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.backups.lock import explained, locked

INDEX_VERSION = 1
INDEX_FILE = f"{ARCHIVE_FOLDER}/index.jsonl"
_ARCHIVED = "archived"
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def read_index(folder: Folder) -> dict[str, str]:
    """Return what the log says of each document last: an event by path.

    Lines that cannot be understood are skipped. Raises BackupError when the log cannot be read.
    """
    try:
        content = folder.read(INDEX_FILE).content
    except FileNotFoundError:
        return {}
    events = {}
    for line in content.splitlines():
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue  # torn, or a stranger's
        if isinstance(said, dict) and said.get("version") == INDEX_VERSION:
            document, event = said.get("document"), said.get("event")
            if isinstance(document, str) and isinstance(event, str):
                events[document] = event
    return events


def update_index(folder: Folder) -> None:
    """Write the lines that are missing. Raises BackupError when that is not possible."""
    # One that is written to just now is looked at again when it is ours.
    with explained(folder), suppress(BackupError):
        if not any(_missing(folder)):
            return
    with locked(folder), explained(folder):
        try:
            came, went = _missing(folder)
        except BackupError:
            # Too large by now, or no file: it begins anew, with what is there.
            folder.rename(INDEX_FILE, f"{INDEX_FILE}.1")
            came, went = list_documents(folder), []
        lines = [line for path in came if (line := _archived_line(folder, path))]
        ends = _reverted_changes(folder) if went else frozenset()
        lines += [
            _line("reverted" if document_change(path) in ends else "gone", path) for path in went
        ]
        _append(folder, lines)


def remove_expired_documents(
    folder: Folder,
    keep_days: float,
    limit_bytes: int,
    *,
    safe_hours: float = 0.0,
    dry_run: bool = False,
) -> list[str]:
    """Remove documents archived too long ago, then the oldest until the rest fits.

    Those archived within `safe_hours` stay however large. Returns the paths of those that went.
    Raises BackupError when the folder cannot be changed.
    """
    with explained(folder):
        expired = _expired(folder, keep_days, limit_bytes, safe_hours)
    if dry_run or not expired:
        return expired
    with locked(folder), explained(folder):
        # Said first: one that is removed without a word would count as lost.
        _append(folder, [_line("expired", path) for path in expired])
        for path in expired:
            folder.remove(path)
    return expired


def _missing(folder: Folder) -> tuple[list[str], list[str]]:
    """Return the documents that came and those that went without a line."""
    there, known = list_documents(folder), read_index(folder)
    came = [path for path in there if path not in known]
    gone = known.keys() - set(there)
    return came, sorted(path for path in gone if known[path] == _ARCHIVED)


def _expired(folder: Folder, keep_days: float, limit_bytes: int, safe_hours: float) -> list[str]:
    now = datetime.now(UTC)
    oldest, safe = now - timedelta(days=keep_days), now - timedelta(hours=safe_hours)
    expired, total = [], 0
    newest_first = sorted(list_documents(folder), key=_when, reverse=True)
    for path in newest_first:
        found = folder.stat(path)
        size = found.st_size if found else 0
        made = time_of_id(document_change(path))
        if made < oldest or (total + size > limit_bytes and made < safe):
            expired.append(path)
            limit_bytes = total  # whatever is older goes as well
        else:
            total += size
    return expired[::-1]


def _when(path: str) -> tuple[str, str]:
    """Order by when it was archived; of one change, by its content's date."""
    return document_change(path), path


def _archived_line(folder: Folder, path: str) -> dict[str, Any] | None:
    try:
        part, _ = read_archived(folder, path)
    except (BackupError, OSError):
        return None  # edited or damaged: it is still there to be read by the user
    return {
        **_line(_ARCHIVED, path),
        "history": document_change(path),
        "source": part.source,
        "heading": list(part.heading),
        "date": str(part.first),
        "until": str(part.last),
        "dated_by": part.dated_by,
        "lines": part.lines,
        "tokens": part.tokens,
        "sha256": part.digest,
    }


def _line(event: str, path: str) -> dict[str, Any]:
    now = utc_text()
    return {"version": INDEX_VERSION, "at": now, "event": event, "document": path}


def _reverted_changes(folder: Folder) -> frozenset[str]:
    # A revert that was cut off is always brought to its end.
    reverted = (ChangeStatus.REVERTING, ChangeStatus.REVERTED, ChangeStatus.TAKEN_BACK)
    return frozenset(each.id for each in list_entries(folder)[0] if each.status in reverted)


def _append(folder: Folder, lines: Iterable[dict[str, Any]]) -> None:
    data = "".join(f"{json.dumps(line)}\n" for line in lines).encode("ascii")
    if not data:
        return
    with folder.parent(INDEX_FILE, make=True) as (parent, name):
        descriptor = os.open(name, _APPEND, 0o600, dir_fd=parent)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise BackupError(f"{folder.path}/{INDEX_FILE} is no regular file")
        torn = found.st_size and os.pread(descriptor, 1, found.st_size - 1) != b"\n"
        write_all(descriptor, b"\n" + data if torn else data)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
