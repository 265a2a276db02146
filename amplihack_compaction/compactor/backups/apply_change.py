"""Replace files of a folder all together or not at all, with a backup of every one of them.

Everything is prepared in a folder of its own: the old files under a second name, the new
contents, and the entry that describes both. When all of that is on the disk, one rename makes the
backup complete; only then the first file is replaced. A change that is cut off before has
replaced nothing; one that is cut off after is taken back by whoever comes next.
"""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import and_
from typing import Any

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.timestamps import next_stamp, utc_text
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
    backup_errors,
    digest_of,
    locked,
)
from amplihack_compaction.compactor.backups.revert import keep, recover, take_back


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """What becomes of one file: `old` as it was read, None for a new one; `new` None removes."""

    path: str
    old: FileImage | None
    new: bytes | None

    def as_changed(self, number: int) -> ChangedFile:
        """Return it as the history tells of it, as the file of a number."""
        old, new = None, None
        if self.old is not None:
            status = self.old.status
            old = OldFile(
                digest=self.old.digest, size=status.st_size, mode=self.old.mode,
                atime_ns=status.st_atime_ns, mtime_ns=status.st_mtime_ns,
            )  # fmt: skip
        if self.new is not None:
            new = NewFile(digest=digest_of(self.new), size=len(self.new))
        return ChangedFile(path=self.path, number=number, old=old, new=new)


@dataclass(frozen=True, slots=True)
class Applied:
    """A change that was made, and what was found and put right before it."""

    entry: CompactionHistoryEntry
    found: list[str] = field(default_factory=list)


def apply_change(
    folder: Folder,
    replacements: Sequence[Replacement],
    *,
    level: str,
    identifier: str = "",
    tokens: tuple[int, int] = (0, 0),
    items: tuple[dict[str, Any], ...] = (),
) -> Applied:
    """Make a change and return its entry in the folder's history.

    `identifier` is one of `new_change_id`, for a change whose files name it; else it is given one.
    `tokens` are those before and after. The history says all of it, and the `items` that went.
    Raises ChangedError when a file is not as it was read, and BackupError when it cannot be done;
    then every file is as it was.
    """
    if not replacements:
        raise BackupError(f"there is nothing to change in {folder.path}")
    with locked(folder), backup_errors(folder):
        found = recover(folder)
        entry = CompactionHistoryEntry(
            id=identifier or new_change_id(folder),
            timestamp=utc_text(time.time()),
            level=level,
            tokens_before=tokens[0],
            tokens_after=tokens[1],
            items_compacted=items,
            files=tuple(each.as_changed(number) for number, each in enumerate(replacements, 1)),
        )
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


def new_change_id(folder: Folder) -> str:
    """Return an id for a change of a folder now; ids sort as changes came, whatever the clock."""
    with backup_errors(folder):
        known = filter(is_entry_id, folder.names(BACKUP_FOLDER))
        return f"{next_stamp(known)}-{os.urandom(4).hex()}"


def _prepare(
    folder: Folder, entry: CompactionHistoryEntry, replacements: Sequence[Replacement]
) -> None:
    """Have the whole change on the disk, under the name that makes it count."""
    preparing = f"{PREPARING_FOLDER}/{entry.id}"
    try:
        for file, replacement in zip(entry.files, replacements, strict=True):
            old, new = replacement.old, replacement.new
            if new is not None and old is None:
                # What is made of files that not everybody may read, not everybody may.
                modes = [each.old.mode for each in replacements if each.old is not None]
                mode = reduce(and_, modes, 0o644) | 0o600
                folder.write_new(f"{preparing}/{file.number}.new", new, mode)
            elif new is not None and old is not None:
                owner = old.status.st_uid, old.status.st_gid
                folder.write_new(f"{preparing}/{file.number}.new", new, old.mode, owner)
            _check_unchanged(folder, replacement)
            if old is not None:
                kept = f"{preparing}/{file.number}.old"
                keep(folder, file.path, kept)
                folder.flush(kept)  # its writer may have left that to the system
                if folder.read(kept).digest != old.digest:
                    raise _changed(folder, file.path)
        write_entry(folder, entry, preparing)
        folder.rename(preparing, entry.folder)
    except BaseException:
        folder.remove_folder(preparing)
        raise


def _replace(
    folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile, replacement: Replacement
) -> None:
    _check_unchanged(folder, replacement)
    if replacement.new is None:
        folder.remove(file.path)
    else:
        folder.rename(entry.new_path(file), file.path)
    if file.old is not None:
        # Where the backup is the very file, whoever wrote to it at the last moment wrote there.
        kept = folder.stat(entry.old_path(file))
        if kept is None or (kept.st_size, kept.st_mtime_ns) != (file.old.size, file.old.mtime_ns):
            raise _changed(folder, file.path)


def _check_unchanged(folder: Folder, replacement: Replacement) -> None:
    found, old = folder.stat(replacement.path), replacement.old
    if found is not None if old is None else not old.is_still(found):
        raise _changed(folder, replacement.path)


def _changed(folder: Folder, path: str) -> ChangedError:
    return ChangedError(
        f"{path} in {folder.path} was changed meanwhile; nothing was replaced: try again"
    )
