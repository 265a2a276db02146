"""Rows on what is stored in the project: rights, size, leftovers, events, snapshots, database."""

import os
import posix
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from urllib.parse import quote

from amplihack_compaction.base.errors import NewerVersionError, SnapshotError, file_in_way
from amplihack_compaction.base.files import is_folder, is_regular
from amplihack_compaction.base.folders import NO_LOCKS, free_bytes, is_left, is_temporary, take
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import STORE_FILE, linked_folder, runtime_folder
from amplihack_compaction.base.signature import key_path
from amplihack_compaction.cli.doctor.rows import Repair, Row, do_each, failed, passed, warned
from amplihack_compaction.injection.snapshot import open_snapshot, project_snapshots
from amplihack_compaction.store.database import VERSION, VERSION_OF_STORE
from amplihack_compaction.store.sqlite import (
    OWNER,
    SCHEMA,
    SET_ASIDE,
    default_place,
    is_own,
    planted_name,
    way_out,
)
from amplihack_compaction.text.words import counted
from amplihack_compaction.validation.before_and_after import leads_outside
from amplihack_compaction.validation.events import FILE_NAME as EVENTS_FILE
from amplihack_compaction.validation.events import CompactionContext, read_events

_OPEN_TO_OTHERS = 0o077
_LARGE_BYTES = 4_000_000_000
_LEAST_FREE_BYTES = 256 * 1024
"""With less, the next compaction may find no room."""
_SNAPSHOTS_READ = 20
_NAMED = 3
_DATABASE_SECONDS = 1.0
_STEPS = 10_000
_NEWER, _FOREIGN = "newer", "foreign"
_UPDATE = "update this package: a newer version of it wrote them"


@dataclass(slots=True)
class _Contents:
    """What a walk over the runtime folder found; no link is followed."""

    size_bytes: int = 0
    files: int = 0
    is_open: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    leftovers: list[str] = field(default_factory=list)


def check_storage(root: str) -> list[Row]:
    """Return the rows on the project's runtime folder."""
    folder = runtime_folder(root)
    link = linked_folder(root)
    if link:
        text = f"{link} is a link: nothing is read or written through it"
        return [failed(text, "put a folder in its place")]
    if blocking := file_in_way(f"{folder}/sessions/"):
        remedy = "move it away: a folder is needed there, which is made anew"
        return [failed(f"{blocking} is no folder: nothing can be stored", remedy)]
    if not is_folder(folder):
        return [_missing(root, folder)]
    contents = _walk(folder)
    return [_folder_row(folder, contents), *_rights(folder, contents),
            *_leftovers(contents), *_events(root), *_snapshots(root),
            *_database(default_place(root)), *_signing(root), *_locks(folder)]  # fmt: skip


def _missing(root: str, folder: str) -> Row:
    above = next(path for path in [Path(folder), *Path(folder).parents] if path.exists())
    if not os.access(above, os.W_OK | os.X_OK):
        text = f"{above} cannot be written in: no session of {root} will be recorded"
        return failed(text, "give yourself the right to write there")
    return passed(f"nothing is stored in {root} yet")


def _walk(folder: str) -> _Contents:
    found = _Contents()
    below = (f"{at}/{name}" for at, *both in os.walk(folder) for name in chain(*both))
    for path in chain([folder], below):
        try:
            status = posix.lstat(path)
        except OSError:
            continue  # gone since it was listed
        if stat.S_ISLNK(status.st_mode):
            continue
        if status.st_uid != posix.geteuid():
            found.foreign.append(path)
        elif status.st_mode & _OPEN_TO_OTHERS or ~status.st_mode & _own_mode(status):
            found.is_open.append(path)
        if stat.S_ISREG(status.st_mode):
            found.files += 1
            found.size_bytes += status.st_size
            if is_temporary(path.rpartition("/")[2]) and is_left(status):
                found.leftovers.append(path)
    return found


def _own_mode(status: os.stat_result) -> int:
    """Return the rights for the owner alone."""
    return 0o700 if stat.S_ISDIR(status.st_mode) else 0o600


def _folder_row(folder: str, contents: _Contents) -> Row:
    files, megabytes = counted(contents.files, "file"), contents.size_bytes / 1e6
    text = f"{folder}: {files}, {megabytes:,.1f} MB"
    if not os.access(folder, os.W_OK | os.X_OK | os.R_OK):
        remedy = "give yourself the right to read and write there"
        return failed(f"{text}; it cannot be written in", remedy)
    free = free_bytes(folder)
    if free is not None and free < _LEAST_FREE_BYTES:
        text = f"{text}; the disk is full: {free / 1024:.0f} KiB are free"
        return failed(text, "make room: hooks that cannot store stay silent")
    if contents.size_bytes > _LARGE_BYTES:
        return warned(text, f"`{own_command()} context prune`")
    return passed(text)


def _rights(folder: str, contents: _Contents) -> Iterator[Row]:
    if contents.foreign:
        text = f"of another user: {_some(contents.foreign, 'file')}"
        yield warned(text, f'take them over: `sudo chown -R "$USER" {folder}`')
    if paths := contents.is_open:
        what = f"given {counted(len(paths), 'file')} rights for you alone"
        repair = Repair(what, lambda: do_each(paths, _close))
        text = f"not for you alone: {_some(paths, 'file')}"
        yield warned(text, "--fix gives them 0600, and folders 0700", repair=repair)


def _close(path: str) -> None:
    """Give a file or folder rights for its owner alone, without following a link."""
    status = posix.lstat(path)
    if stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode):
        posix.chmod(path, _own_mode(status))


def _leftovers(contents: _Contents) -> Iterator[Row]:
    if paths := contents.leftovers:
        what = f"removed {counted(len(paths), 'temporary file')}"
        repair = Repair(what, lambda: do_each(filter(is_regular, paths), posix.unlink))
        text = f"left by hooks that were killed: {_some(paths, 'temporary file')}"
        yield warned(text, "--fix removes them, as the session's end does", repair=repair)


def _events(root: str) -> Iterator[Row]:
    read = read_events(root)
    paths = [event.pre_compaction_transcript_path for event in read.events]
    if refused := [path for path in paths if leads_outside(root, path)]:
        text = f"{EVENTS_FILE} names a transcript outside the project, which is refused"
        yield warned(text, "remove the entry: our hooks write no such path", *refused[:_NAMED])
    if read.problem:
        remedy = "nothing: the next compaction sets it aside and begins a new one"
        yield failed(read.problem, remedy)
    elif read.skipped:
        text = f"{EVENTS_FILE}: {read.skipped} of {read.skipped + len(read.events)} are no events"
        yield warned(text, "look at the file: something else writes to it")
    else:
        text = f"{EVENTS_FILE}: {counted(len(read.events), 'compaction')}"
        known = [CompactionContext(True, timestamp=event.timestamp) for event in read.events]
        if known and (newest := min(known, key=lambda context: context.age_hours)).is_stale:
            ago = counted(round(newest.age_hours), "hour")
            text = f"{text}, the newest {ago} ago: stale"
        yield passed(text)


def _snapshots(root: str) -> Iterator[Row]:
    unusable: dict[str, list[str]] = {}
    unseen: list[str] = []
    files = project_snapshots(root, unseen)
    if unseen:
        yield warned("not all snapshots can be seen", "make it readable", *unseen)
    for file in islice(files, _SNAPSHOTS_READ):
        try:
            open_snapshot(file)
        except (SnapshotError, OSError) as error:
            is_newer = isinstance(error, NewerVersionError)
            remedy = _UPDATE if is_newer else "a fresh start can use the others; delete these"
            path = f"{file.folder}/snapshots/{file.id}.json"
            unusable.setdefault(remedy, []).append(f"{path}: {error}")
    read = min(len(files), _SNAPSHOTS_READ)
    for remedy, found in unusable.items():
        text = f"{counted(len(found), 'snapshot')} cannot be used, of the newest {read}"
        yield warned(text, remedy, *found)
    if not unusable:
        newest = f"; the newest {read} can be read" if read < len(files) else " can be read"
        there = f"{counted(len(files), 'snapshot')}{newest}"
        yield passed(there if files else "no snapshots yet")


def _database(path: str) -> Iterator[Row]:
    """Yield the row on the session store, where there is one; it is only read."""
    if not os.path.lexists(path):
        return
    if not is_regular(path):
        yield failed(f"{path} is no regular file", "remove it")
        return
    found = _ask(path, has_log=is_regular(f"{path}-wal"))
    if found not in ("", "ok", _NEWER, _FOREIGN):
        # A writer may have come in the meantime: then what was read was not one state.
        found = _ask(path, has_log=True)
    name = Path(path).name
    if found == "ok":
        yield passed(f"{name}: healthy, {Path(path).stat().st_size / 1e6:,.1f} MB")
    elif found == _NEWER:
        text = f"{name} was written by a newer version of this package: hooks store nothing in it"
        yield failed(text, _UPDATE)
    elif found == _FOREIGN:
        text = f"{name} was not made with this user's key, {key_path()}"
        yield failed(f"{text}: {way_out(path)}", _keep(path))
    elif not found:
        yield passed(f"{name}: no fault found, but not all of it could be looked at")
    else:
        remedy = f"move {path} away; sessions to come are stored in a new one"
        yield failed(f"{name} is damaged: {found}", remedy)


def _keep(path: str) -> str:
    """Return how a store that is not read serves all the same whose sessions it has."""
    return f"if it is yours, keep it: `{own_command()} recall WORDS --url {path}` searches it"


def _locks(folder: str) -> Iterator[Row]:
    """Yield a row where the drive gives no locks."""
    descriptor = posix.open(folder, posix.O_RDONLY | posix.O_DIRECTORY | posix.O_CLOEXEC)
    try:
        take(descriptor, 0)
    except OSError as error:
        if error.errno in NO_LOCKS:
            text = f"{folder} lies on a drive without locks: of two hooks that run at once one"
            more = " may miss what the other wrote, and the session store is left out"
            yield warned(text + more, "put the project on a local drive")
    finally:
        posix.close(descriptor)


def _signing(root: str) -> Iterator[Row]:
    """Yield rows where state cannot be signed, or a store that was not signed was set aside."""
    above = next(path for path in Path(key_path()).parents if path.exists())
    if not is_regular(key_path()) and not os.access(above, os.W_OK | os.X_OK):
        text = f"{key_path()} cannot be kept: no state is read again, and no session is stored"
        yield failed(text, "make its folder writable")
    taken = f"{runtime_folder(root)}/{STORE_FILE}{SET_ASIDE}"
    if is_regular(taken) and default_place(root) != taken:
        text = f"{taken} is of another key, maybe of another home that has it in use"
        yield warned(f"{text}: it is not used here", _keep(taken))


def _ask(path: str, *, has_log: bool) -> str:
    """Return "ok", a fault, `_NEWER` or `_FOREIGN`; empty when the time was up."""
    try:
        import sqlite3
    except ImportError:  # not every interpreter was built with it
        return ""
    # Without a log beside it, opened as immutable, no file is made beside it either.
    mode = "mode=ro" if has_log else "mode=ro&immutable=1"
    end = time.monotonic() + _DATABASE_SECONDS
    is_late: Callable[[], bool] = lambda: time.monotonic() > end  # noqa: E731
    try:
        with closing(
            sqlite3.connect(f"file:{quote(os.fsencode(path))}?{mode}", uri=True, timeout=0.5)
        ) as open_:
            open_.set_progress_handler(is_late, _STEPS)
            (version,) = open_.execute(VERSION_OF_STORE).fetchone() or (0,)
            if int(version) > VERSION:
                return _NEWER
            if planted := planted_name(open_.execute(SCHEMA).fetchall()):
                return f"it holds {planted}, which is none of the store's"
            if not is_own(open_.execute(OWNER).fetchone()):
                return _FOREIGN
            rows = open_.execute("PRAGMA quick_check(1)").fetchall()
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        return "" if "interrupted" in str(error) or "locked" in str(error) else str(error)
    return str(rows[0][0]) if rows else "no answer"


def _some(paths: list[str], noun: str) -> str:
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    return f"{counted(len(paths), noun)}: {', '.join(paths[:_NAMED])}{more}"
