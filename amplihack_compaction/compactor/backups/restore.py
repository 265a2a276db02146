"""Put the files of a change back, so that it can be begun again wherever it was cut off.

Nothing is destroyed on the way: what stands in a file's place is kept beside its backup first,
and thrown away in the end only if it is what the change itself had put there.
"""

import errno
import stat
from collections.abc import Iterable
from contextlib import suppress

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.compactor.backups.entry import (
    ChangedFile,
    ChangeStatus,
    CompactionHistoryEntry,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import Folder, digest_of

_OTHER = "other"  # no digest: something that is no regular file, or cannot be read


def content_digest(folder: Folder, path: str) -> str | None:
    """Return the SHA-256 of what stands at a path; None when nothing does."""
    try:
        return folder.read(path).digest
    except FileNotFoundError:
        return None
    except (BackupError, OSError):
        return _OTHER


def old_digest(file: ChangedFile) -> str | None:
    """Return the digest a file had before its change; None where it did not exist."""
    return file.old.digest if file.old else None


def new_digest(file: ChangedFile) -> str | None:
    """Return the digest a file had after its change; None where it was removed."""
    return file.new.digest if file.new else None


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
        folder.write_new(kept, image.content, image.mode, image.owner)
        folder.set_attributes(kept, image.mode, image.atime_ns, image.stamp.mtime_ns)


def is_changed(folder: Folder, file: ChangedFile) -> bool:
    """Return whether a file is neither as the change left it nor as it was before."""
    return content_digest(folder, file.path) not in (new_digest(file), old_digest(file))


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
        if now == old_digest(file):
            continue
        has_backup = _has_backup(folder, entry, file, grown=True) or (
            checked and folder.stat(entry.old_path(file)) is not None
        )
        if now == new_digest(file) and has_backup:
            restore_file(folder, entry, file)
        else:
            kept.append(file.path)
    return finish(folder, entry.with_status(ChangeStatus.TAKEN_BACK, kept=tuple(kept)))


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
    return finish(folder, done)


def finish(folder: Folder, entry: CompactionHistoryEntry) -> CompactionHistoryEntry:
    """Store how a change ended, and throw away what nobody needs any more."""
    write_entry(folder, entry)
    known = {digest for file in entry.files for digest in (old_digest(file), new_digest(file))}
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

    With `grown`, a program that has the file open may have written on behind that.
    """
    if file.old is None:
        return True
    try:
        content = folder.read(entry.old_path(file)).content
    except (BackupError, OSError):
        return False
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
        if content_digest(folder, file.path) != new_digest(file):
            raise


def _free_name(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> str:
    """Return a name beside the backup under which nothing is kept yet."""
    number = 1
    while folder.stat(f"{entry.folder}/{file.number}.left{number}") is not None:
        number += 1
    return f"{entry.folder}/{file.number}.left{number}"
