"""Go back to an earlier state of a folder, end what was cut off, and keep the history in bounds.

Putting files back can be begun again wherever it was cut off. Nothing is destroyed on the way: what
stands in a file's place is kept beside its backup first, and thrown away in the end only if it is
what the change itself had put there.
"""

import errno
import stat
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal, TypeVar

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.backups.change_history import (
    PREPARING_FOLDER,
    ChangedFile,
    ChangeStatus,
    CompactionHistoryEntry,
    list_entries,
    read_entry,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import Folder, backup_errors, digest_of, locked

T = TypeVar("T")
_OTHER = "other"  # no digest: something that is no regular file, or cannot be read


def content_digest(folder: Folder, path: str) -> str | None:
    """Return the SHA-256 of what stands at a path; None when nothing does."""
    try:
        return folder.read(path).digest
    except FileNotFoundError:
        return None
    except (BackupError, OSError):
        return _OTHER


def keep(folder: Folder, path: str, kept: str) -> None:
    """Keep a file under a second name: the very file where links are known, else a copy.

    The file itself also catches what a program that has it open writes later.
    """
    try:
        folder.link(path, kept)
    except FileExistsError:
        raise
    except OSError:
        image = folder.read(path)
        status = image.status
        folder.write_new(kept, image.content, image.mode, (status.st_uid, status.st_gid))
        folder.set_attributes(kept, image.mode, status.st_atime_ns, status.st_mtime_ns)


def is_blocked(folder: Folder, file: ChangedFile) -> bool:
    """Return whether no file can be put there: for a folder of its name, or a link on the way."""
    try:
        found = folder.stat(file.path)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            return True
        raise
    return file.old is not None and found is not None and stat.S_ISDIR(found.st_mode)


def restore_file(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> None:
    """Give one file what it had before the change."""
    kept = entry.old_path(file)
    if file.old is None:
        if content_digest(folder, file.path) is not None:
            folder.rename(file.path, _free_name(folder, entry, file))
        return
    if folder.stat(kept) is not None:
        _keep_aside(folder, entry, file)
        folder.rename(kept, file.path)
    folder.set_attributes(file.path, file.old.mode, file.old.atime_ns, file.old.mtime_ns)


def take_back(
    folder: Folder, entry: CompactionHistoryEntry, *, checked: bool = False
) -> CompactionHistoryEntry:
    """Undo a change that did not come to its end; what others changed since stays theirs.

    With `checked` the backup was verified a moment ago: what is in it since is the user's.
    """
    kept = []
    for file in entry.files:
        now = content_digest(folder, file.path)
        if now == file.old_digest:
            continue
        has_backup = _has_backup(folder, entry, file, grown=True) or (
            checked and folder.stat(entry.old_path(file)) is not None
        )
        if now == file.new_digest and has_backup:
            restore_file(folder, entry, file)
        else:
            kept.append(file.path)
    return finish_change(folder, entry.with_status(ChangeStatus.TAKEN_BACK, kept=tuple(kept)))


def finish_revert(folder: Folder, entry: CompactionHistoryEntry) -> CompactionHistoryEntry:
    """Put every file back that is not to be kept as it is now.

    What has no whole backup any more, or something in its way, is kept as well.
    """
    restored, kept = [], list(entry.kept)
    for file in entry.files:
        if file.path in entry.kept:
            continue
        if not _is_back(folder, entry, file):
            if is_blocked(folder, file) or not _has_backup(folder, entry, file):
                kept.append(file.path)
                continue
            restore_file(folder, entry, file)
        restored.append(file.path)
    done = entry.with_status(ChangeStatus.REVERTED, restored=tuple(restored), kept=tuple(kept))
    return finish_change(folder, done)


def finish_change(folder: Folder, entry: CompactionHistoryEntry) -> CompactionHistoryEntry:
    """Store how a change ended, and throw away what nobody needs any more."""
    write_entry(folder, entry)
    known = {digest for file in entry.files for digest in (file.old_digest, file.new_digest)}
    needed = {f"{file.number}.old" for file in entry.files if file.path in entry.kept}
    for name in folder.names(entry.folder):
        path = f"{entry.folder}/{name}"
        if name == "entry.json" or name in needed:
            continue
        if name.endswith((".old", ".new", ".tmp")) or content_digest(folder, path) in known:
            folder.remove(path)
    return entry


def check_backup(folder: Folder, entry: CompactionHistoryEntry, skip: Iterable[str] = ()) -> None:
    """Raise BackupError when a kept file is missing or is not what was kept."""
    left_alone = set(skip)
    for file in entry.files:
        if file.old is None or file.path in left_alone:
            continue
        found = content_digest(folder, entry.old_path(file))
        if found != file.old.digest:
            state = "is missing" if found is None else "is not what was kept"
            raise BackupError(
                f"the backup of {file.path} {state} ({folder.path}/{entry.old_path(file)});"
                " nothing was changed"
            )


def _has_backup(
    folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile, *, grown: bool = False
) -> bool:
    """Return whether what a file had is there to be put back, as it was kept.

    With `grown`, a program that has the file open may have written on behind that. Raises OSError
    where it may be there and cannot be read now: the change then stays as it is, to be ended later.
    """
    if file.old is None:
        return True
    try:
        content = folder.read(entry.old_path(file)).content
    except BackupError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ELOOP, errno.ENOTDIR):
            return False
        raise
    return digest_of(content[: file.old.size] if grown else content) == file.old.digest


def _is_back(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> bool:
    """Return whether a revert that was cut off had put the file back already."""
    if file.old is None:
        return content_digest(folder, file.path) is None
    if folder.stat(entry.old_path(file)) is not None:
        return False
    if content_digest(folder, file.path) != file.old.digest:
        return False
    with suppress(OSError):
        folder.set_attributes(file.path, file.old.mode, file.old.atime_ns, file.old.mtime_ns)
    return True


def _keep_aside(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> None:
    """Keep what stands in a file's place, if anything does."""
    if folder.stat(file.path) is None:
        return
    try:
        keep(folder, file.path, _free_name(folder, entry, file))
    except OSError:
        # A full disk without links: what the change itself had put there is no loss.
        if content_digest(folder, file.path) != file.new_digest:
            raise


def _free_name(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> str:
    """Return a name beside the backup under which nothing is kept yet."""
    number = 1
    while folder.stat(f"{entry.folder}/{file.number}.left{number}") is not None:
        number += 1
    return f"{entry.folder}/{file.number}.left{number}"


def recover(folder: Folder) -> list[str]:
    """End what is unfinished in a folder; return what was found, one sentence each.

    The caller holds the folder's lock. Raises OSError for what cannot be ended yet: it is found
    again next time.
    """
    said = []
    for name in folder.names(PREPARING_FOLDER):
        folder.remove_folder(f"{PREPARING_FOLDER}/{name}")
        said.append(f"change {name} was cut off before it replaced anything; it was dropped")
    entries, problems = list_entries(folder)
    for entry in entries:
        if entry.status is ChangeStatus.PREPARED:
            taken = take_back(folder, entry)
            said.append(f"change {entry.id} was cut off; it was taken back{_except(taken.kept)}")
        elif entry.status is ChangeStatus.REVERTING:
            done = finish_revert(folder, entry)
            left = tuple(path for path in done.kept if path not in entry.kept)
            said.append(f"the revert of {entry.id} was cut off; it was finished{_except(left)}")
    return said + problems


def recover_folder(folder: Folder) -> list[str]:
    """Take the lock and end what is unfinished. Raises BackupError when it cannot be ended."""
    with backup_errors(folder):
        if not is_unfinished(folder):
            return []
    with locked(folder), backup_errors(folder):
        return recover(folder)


def is_unfinished(folder: Folder) -> bool:
    """Return whether something was cut off; also true while another process is at work."""
    if folder.names(PREPARING_FOLDER):
        return True
    return any(entry.is_unfinished for entry in list_entries(folder)[0])


def _except(kept: tuple[str, ...]) -> str:
    if not kept:
        return ""
    why = "what was changed since, or has no whole backup, and stays as it is"
    return f", but for {why}: {', '.join(kept)}"


OnChanged = Literal["refuse", "keep", "overwrite"]
REVERT_HOURS = 24.0
_ENTRIES_KEPT = 200
_NOT_REVERTIBLE = {
    ChangeStatus.REVERTED: "was reverted already",
    ChangeStatus.TAKEN_BACK: "was cut off and taken back; there is nothing to revert",
}


def revert_change(
    folder: Folder,
    identifier: str,
    *,
    on_changed: OnChanged = "refuse",
    within_hours: float = REVERT_HOURS,
    force: bool = False,
) -> CompactionHistoryEntry:
    """Give every file of a change its bytes, mode and times back; return its entry.

    A file that somebody changed since stops it ("refuse"), stays as it is ("keep"), or is
    replaced ("overwrite": its present content is kept beside the entry). What was cut off is ended
    first, and if that is the change itself, that is all. Raises ChangedError for
    the first, and BackupError when it is too old (`force` does it nevertheless), reverted
    already, or its backup is not what was kept. Then nothing was changed.
    """
    with locked(folder), backup_errors(folder):
        before = read_entry(folder, identifier)
        recover(folder)
        entry = read_entry(folder, identifier)
        if before.is_unfinished:  # just now it was taken back
            return entry
        _check_revertible(entry, within_hours, force=force)
        changed = [
            file.path
            for file in entry.files
            if content_digest(folder, file.path) not in (file.new_digest, file.old_digest)
        ]
        if changed and on_changed == "refuse":
            raise ChangedError(
                f"changed since {entry.timestamp}: {', '.join(changed)}."
                " Keep what is there now with --keep, or replace it with --overwrite"
            )
        blocked = [file.path for file in entry.files if is_blocked(folder, file)]
        if blocked and on_changed == "overwrite":
            raise ChangedError(
                f"a folder or a link stands in the way of {', '.join(blocked)}:"
                " move it away, or leave it with --keep; nothing was changed"
            )
        kept = tuple(changed) if on_changed == "keep" else ()
        check_backup(folder, entry, kept)
        reverting = entry.with_status(ChangeStatus.REVERTING, kept=kept, reverted_at=utc_text())
        write_entry(folder, reverting)
        return finish_revert(folder, reverting)


def remove_expired(
    folder: Folder,
    keep_days: float,
    limit_bytes: int,
    *,
    safe_hours: float = 0.0,
    dry_run: bool = False,
) -> list[str]:
    """Remove backups that are too old, then the oldest until the rest fits; return their ids.

    Those of the last `safe_hours` stay however large. The history keeps what it says about the
    newest changes. What is unfinished is left alone. Raises BackupError when the folder cannot be
    changed.
    """
    if dry_run:
        return [entry.id for entry in _expired(folder, keep_days, limit_bytes, safe_hours)]
    with locked(folder), backup_errors(folder):
        recover(folder)
        expired = _expired(folder, keep_days, limit_bytes, safe_hours)
        for entry in expired:
            write_entry(folder, replace(entry, backup_removed=True))
            for name in _kept_names(folder, entry):
                folder.remove(f"{entry.folder}/{name}")
        entries = [entry for entry in list_entries(folder)[0] if not _kept_names(folder, entry)]
        for entry in entries[: max(0, len(entries) - _ENTRIES_KEPT)]:
            folder.remove_folder(entry.folder)
    return [entry.id for entry in expired]


def _expired(
    folder: Folder, keep_days: float, limit_bytes: int, safe_hours: float
) -> list[CompactionHistoryEntry]:
    kept = [
        (entry, entry.time, sum(each.st_size for each in sizes if each))
        for entry in list_entries(folder)[0]
        if (sizes := [folder.stat(f"{entry.folder}/{name}") for name in _kept_names(folder, entry)])
    ]
    finished = [each for each in kept if not each[0].is_unfinished]
    return beyond_limits(finished, keep_days, limit_bytes, safe_hours)


def beyond_limits(
    kept: Sequence[tuple[T, datetime, int]], keep_days: float, limit_bytes: int, safe_hours: float
) -> list[T]:
    """Return what is too old, and the oldest of the rest until what stays fits, oldest first.

    `kept` comes oldest first, with times and sizes. Nothing of the last `safe_hours` is too large.
    """
    now = datetime.now(UTC)
    oldest, safe = now - timedelta(days=keep_days), now - timedelta(hours=safe_hours)
    left = sum(size for _, _, size in kept)
    beyond = []
    for each, made, size in kept:
        if made >= oldest and (left <= limit_bytes or made >= safe):
            continue
        beyond.append(each)
        left -= size
    return beyond


def _kept_names(folder: Folder, entry: CompactionHistoryEntry) -> list[str]:
    return [name for name in folder.names(entry.folder) if name != "entry.json"]


def _check_revertible(entry: CompactionHistoryEntry, within_hours: float, *, force: bool) -> None:
    if entry.status in _NOT_REVERTIBLE:
        raise BackupError(f"change {entry.id} {_NOT_REVERTIBLE[entry.status]}")
    if entry.backup_removed:
        raise BackupError(f"the backup of change {entry.id} was removed: it had become too old")
    hours = (datetime.now(UTC) - entry.time).total_seconds() / 3600
    if hours > within_hours and not force:
        raise BackupError(
            f"change {entry.id} is {hours:.0f} h old, and can be reverted within"
            f" {within_hours:g} h; --force reverts it nevertheless"
        )
