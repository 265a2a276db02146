"""Replace files of a folder all together or not at all, with a backup of every one of them.

Everything is prepared in a folder of its own: the old files under a second name, the new
contents, and the entry that describes both. When all of that is on the disk, one rename makes the
backup complete; only then the first file is replaced. A change that is cut off before has
replaced nothing; one that is cut off after is taken back by whoever comes next.
"""

import os
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.timestamps import stamp_of, utc_text
from amplihack_compaction.compactor.backups.change_history import (
    BACKUP_FOLDER,
    PREPARING_FOLDER,
    ChangedFile,
    ChangeStatus,
    CompactionHistoryEntry,
    NewFile,
    OldFile,
    is_entry_id,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import (
    FileImage,
    Folder,
    Stamp,
    backup_errors,
    digest_of,
    locked,
)
from amplihack_compaction.compactor.backups.revert import keep, recover, take_back

# Of an id's last part: five digits are microseconds, three are random.
_ONE_MICROSECOND = 0x1000
_LAST_UNIQUE = "fffff000"


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What becomes of one file: `old` as it was read, None for a new one; `new` None removes."""

    path: str
    old: FileImage | None
    new: bytes | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeDetails:
    """What the history says about a change beside its files.

    `id` is one of `new_change_id`, for a change whose files name it; else it is given one.
    """

    level: str
    id: str = ""
    tokens_before: int = 0
    tokens_after: int = 0
    items: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Applied:
    """A change that was made, and what was found and put right before it."""

    entry: CompactionHistoryEntry
    found: list[str] = field(default_factory=list)


def apply_change(
    folder: Folder, replacements: Sequence[Replacement], details: ChangeDetails
) -> Applied:
    """Make a change and return its entry in the folder's history.

    Raises ChangedError when a file is not as it was read, and BackupError when it cannot be done;
    then every file is as it was.
    """
    if not replacements:
        raise BackupError(f"there is nothing to change in {folder.path}")
    with locked(folder), backup_errors(folder):
        found = recover(folder)
        entry = _describe(folder, replacements, details)
        _prepare(folder, entry, replacements)
        try:
            for file, replacement in zip(entry.files, replacements, strict=True):
                _replace(folder, entry, file, replacement)
            done = entry.with_status(ChangeStatus.DONE)
            write_entry(folder, done)
        except BaseException:  # also the user's Ctrl-C
            take_back(folder, entry, checked=True)
            raise
        return Applied(done, found)


def _describe(
    folder: Folder, replacements: Sequence[Replacement], details: ChangeDetails
) -> CompactionHistoryEntry:
    return CompactionHistoryEntry(
        id=details.id or new_change_id(folder),
        timestamp=utc_text(_now_ns() // 10**9),
        level=details.level,
        tokens_before=details.tokens_before,
        tokens_after=details.tokens_after,
        items_compacted=details.items,
        files=tuple(_file(number, each) for number, each in enumerate(replacements, 1)),
    )


def new_change_id(folder: Folder) -> str:
    """Return an id for a change of a folder now; ids sort as changes came, whatever the clock."""
    seconds, rest_ns = divmod(_now_ns(), 10**9)
    # The microseconds first, then what makes it unique.
    unique = f"{rest_ns // 1000:05x}{os.urandom(2).hex()[:3]}"
    identifier = f"{stamp_of(seconds)}-{unique}"
    with backup_errors(folder):
        newest = max(filter(is_entry_id, folder.names(BACKUP_FOLDER)), default="")
    moment, _, unique = newest.rpartition("-")
    if identifier > newest or unique > _LAST_UNIQUE:
        return identifier
    return f"{moment}-{int(unique, 16) + _ONE_MICROSECOND:08x}"


def _now_ns() -> int:
    return time.time_ns()


def _file(number: int, replacement: Replacement) -> ChangedFile:
    old, new = replacement.old, replacement.new
    return ChangedFile(
        path=replacement.path,
        number=number,
        old=OldFile(
            digest=old.digest,
            size=old.stamp.size,
            mode=old.mode,
            atime_ns=old.atime_ns,
            mtime_ns=old.stamp.mtime_ns,
        )
        if old
        else None,
        new=None if new is None else NewFile(digest=digest_of(new), size=len(new)),
    )


def _prepare(
    folder: Folder, entry: CompactionHistoryEntry, replacements: Sequence[Replacement]
) -> None:
    """Have the whole change on the disk, under the name that makes it count."""
    preparing = f"{PREPARING_FOLDER}/{entry.id}"
    try:
        for file, replacement in zip(entry.files, replacements, strict=True):
            if replacement.new is not None:
                old = replacement.old
                mode, owner = (old.mode, old.owner) if old else (0o644, None)
                folder.write_new(f"{preparing}/{file.number}.new", replacement.new, mode, owner)
            if replacement.old is not None:
                kept = f"{preparing}/{file.number}.old"
                _check_unchanged(folder, replacement)
                keep(folder, file.path, kept)
                folder.flush(kept)  # its writer may have left that to the system
                if folder.read(kept).digest != replacement.old.digest:
                    raise _changed(folder, file.path)
            elif folder.stat(file.path) is not None:
                raise _changed(folder, file.path)
        write_entry(folder, entry, preparing)
        folder.rename(preparing, entry.folder)
    except BaseException:
        folder.remove_folder(preparing)
        raise


def _replace(
    folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile, replacement: Replacement
) -> None:
    new, kept = entry.new_path(file), entry.old_path(file)
    if replacement.old is None:
        if folder.stat(file.path) is not None:
            raise _changed(folder, file.path)
        folder.rename(new, file.path)
        return
    _check_unchanged(folder, replacement)
    if replacement.new is None:
        folder.remove(file.path)
    else:
        folder.rename(new, file.path)
    # Where the backup is the very file, whoever wrote to it at the last moment wrote there.
    found = folder.stat(kept)
    if found is None or (found.st_size, found.st_mtime_ns) != (
        replacement.old.stamp.size,
        replacement.old.stamp.mtime_ns,
    ):
        raise _changed(folder, file.path)


def _check_unchanged(folder: Folder, replacement: Replacement) -> None:
    found = folder.stat(replacement.path)
    same = (
        found is not None
        and replacement.old is not None
        and stat.S_ISREG(found.st_mode)
        and Stamp.of(found) == replacement.old.stamp
    )
    if not same:
        raise _changed(folder, replacement.path)


def _changed(folder: Folder, path: str) -> ChangedError:
    return ChangedError(
        f"{path} in {folder.path} was changed meanwhile; nothing was replaced: try again"
    )
