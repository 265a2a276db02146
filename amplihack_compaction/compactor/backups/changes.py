"""Replace files of a folder all together or not at all, and go back byte for byte.

Everything is prepared in a folder of its own: the old files under a second name, the new
contents, and the entry that describes both. When all of that is on the disk, one rename makes the
backup complete; only then the first file is replaced. A change that is cut off before has
replaced nothing; one that is cut off after is taken back by whoever comes next.

Putting files back can be begun again wherever it was cut off. Nothing is destroyed on the way: what
stands in a file's place is kept beside its backup first, but for what the change itself had put
there.
"""

import errno
import math
import os
import stat
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from operator import and_
from typing import Any, Literal

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.base.timestamps import next_stamp, utc_text
from amplihack_compaction.compactor.backups.change_history import (
    BACKUP_FOLDER,
    PREPARING_FOLDER,
    ChangedFile,
    ChangeStatus,
    CompactionHistoryEntry,
    NewFile,
    OldFile,
    hours_since,
    is_entry_id,
    list_entries,
    read_entry,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import (
    BLOCKED,
    FileImage,
    Folder,
    backup_errors,
    beyond_limits,
    digest_of,
    locked,
)

_OTHER = "other"  # no digest: something that is no regular file, or cannot be read


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


def apply_change(
    folder: Folder,
    replacements: Sequence[Replacement],
    *,
    identifier: str,
    level: str,
    tokens: tuple[int, int] = (0, 0),
    items: tuple[dict[str, Any], ...] = (),
) -> list[str]:
    """Make a change and return what was found and put right before it, one sentence each.

    `identifier` is one of `new_change_id`. `tokens` are those before and after. The history says
    all of it, and the `items` that went. Raises ChangedError when a file is not as it was read, and
    BackupError when it cannot be done; then every file is as it was.
    """
    with locked(folder):
        found = _recover(folder)
        entry = CompactionHistoryEntry(
            id=identifier,
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
            write_entry(folder, entry.with_status(ChangeStatus.DONE))
        except BaseException:  # also the user's Ctrl-C
            _put_back(folder, entry, ChangeStatus.TAKEN_BACK, checked=True)
            raise
        return found


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
    # What is made of files that not everybody may read, not everybody may.
    modes = [each.old.mode for each in replacements if each.old is not None]
    mode = reduce(and_, modes, 0o644) | 0o600
    try:
        for number, replacement in enumerate(replacements, 1):
            old, new = replacement.old, replacement.new
            as_old = (old.mode, old.owner) if old is not None else (mode,)
            if new is not None:
                folder.write_new(f"{preparing}/{number}.new", new, *as_old)
            _check_unchanged(folder, replacement)
            if old is not None:
                kept = f"{preparing}/{number}.old"
                _keep(folder, replacement.path, kept)
                folder.flush(kept)  # its writer may have left that to the system
                if folder.read(kept).digest != old.digest:
                    raise _changed(folder, replacement.path)
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


def _digest_at(folder: Folder, path: str) -> str | None:
    """Return the SHA-256 of what stands at a path; None when nothing does."""
    try:
        return folder.read(path).digest
    except FileNotFoundError:
        return None
    except (BackupError, OSError):
        return _OTHER


def _keep(folder: Folder, path: str, kept: str) -> None:
    """Keep a file under a second name: the very file where links are known, else a copy.

    The file itself also catches what a program that has it open writes later.
    """
    try:
        folder.link(path, kept)
    except OSError:
        image = folder.read(path)
        folder.write_new(kept, image.content, image.mode, image.owner)
        folder.set_attributes(kept, image.mode, image.status.st_atime_ns, image.status.st_mtime_ns)


def _put_back(
    folder: Folder, entry: CompactionHistoryEntry, end: ChangeStatus, *, checked: bool = False
) -> CompactionHistoryEntry:
    """Give back what a change took, and write down that it was reverted or taken back.

    What has no whole backup any more, or something in its way, stays as it is now. So does what
    others changed since, but for what a revert was to overwrite, and what was archived of a file
    that stays. With `checked` the backup was verified a moment ago: what is in it since is the
    user's.
    """
    taken_back = end is ChangeStatus.TAKEN_BACK
    restored, kept = list(entry.restored), list(entry.kept)
    archived_of = entry.archived_of
    for file in sorted(entry.files, key=lambda each: each.path in archived_of):
        if file.path in kept or file.path in entry.restored:
            continue
        if archived_of.get(file.path) in kept:
            kept.append(file.path)
            continue
        now, backup = _digest_at(folder, file.path), folder.stat(entry.old_path(file))
        if now == file.old_digest and (taken_back or backup is None):
            if file.old is not None and not taken_back:
                with suppress(OSError):
                    _set_attributes(folder, file.path, file.old)
        elif (
            (_is_others(file, now) and file.path not in entry.overwritten)
            or _is_blocked(folder, file)
            or not ((checked and backup) or _has_backup(folder, entry, file))
        ):
            kept.append(file.path)
            continue
        else:
            _restore(folder, entry, file)
        restored.append(file.path)
    done = entry.with_status(end, restored=tuple(restored), kept=tuple(kept))
    write_entry(folder, done)
    _throw_away(folder, done)
    return done


def _is_others(file: ChangedFile, digest: str | None) -> bool:
    """Return whether what stands in a file's place is neither what it had nor what was made."""
    return digest not in (file.new_digest, file.old_digest)


def _throw_away(folder: Folder, entry: CompactionHistoryEntry) -> None:
    """Remove what nobody needs any more of a change that has come to its end."""
    needed = {entry.old_path(file) for file in entry.files if file.path in entry.kept}
    for path in _unneeded(folder, entry):
        if path.endswith((".old", ".new", ".tmp")) and path not in needed:
            folder.remove(path)


def _is_blocked(folder: Folder, file: ChangedFile) -> bool:
    """Return whether no file can be put there: for a folder of its name, or a link on the way."""
    try:
        found = folder.stat(file.path)
    except OSError as error:
        if error.errno in BLOCKED:
            return True
        raise
    return file.old is not None and found is not None and stat.S_ISDIR(found.st_mode)


def _has_backup(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> bool:
    """Return whether what a file had is there to be put back, as it was kept.

    A program that has the file open may have written on behind that. Raises OSError where it may be
    there and cannot be read now: the change then stays as it is, to be ended later.
    """
    if file.old is None:
        return True
    try:
        content = folder.read(entry.old_path(file)).content
    except BackupError:
        return False
    except OSError as error:
        if error.errno in (errno.ENOENT, *BLOCKED):
            return False
        raise
    return digest_of(content[: file.old.size]) == file.old.digest


def _restore(folder: Folder, entry: CompactionHistoryEntry, file: ChangedFile) -> None:
    """Give one file what it had before the change; what else stands in its place is kept aside."""
    is_own = _digest_at(folder, file.path) in (None, file.new_digest)
    number = 1
    while folder.stat(aside := f"{entry.folder}/{file.number}.left{number}") is not None:
        number += 1
    if file.old is None and is_own:
        folder.remove(file.path)
    elif file.old is None:
        folder.rename(file.path, aside)
    else:
        if folder.stat(entry.old_path(file)) is not None:
            if not is_own:
                _keep(folder, file.path, aside)
            folder.rename(entry.old_path(file), file.path)
        found = folder.stat(file.path)
        if found is not None and found.st_size == file.old.size:
            _set_attributes(folder, file.path, file.old)


def _set_attributes(folder: Folder, path: str, old: OldFile) -> None:
    folder.set_attributes(path, old.mode, old.atime_ns, old.mtime_ns)


def _recover(folder: Folder) -> list[str]:
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
            what, did, end = "change", "taken back", ChangeStatus.TAKEN_BACK
        elif entry.status is ChangeStatus.REVERTING:
            what, did, end = "the revert of", "finished", ChangeStatus.REVERTED
        else:
            continue
        left = [path for path in _put_back(folder, entry, end).kept if path not in entry.kept]
        why = ", but for what was changed since, or has no whole backup, and stays as it is: "
        but = why + ", ".join(left) if left else ""
        said.append(f"{what} {entry.id} was cut off; it was {did}{but}")
    return said + problems


def recover_folder(folder: Folder, *, dry_run: bool = False) -> list[str]:
    """Take the lock and end what is unfinished; a dry run says that there is something.

    Raises BackupError when it cannot be ended.
    """
    with backup_errors(folder):
        unfinished = (entry.is_unfinished for entry in list_entries(folder)[0])
        if not folder.names(PREPARING_FOLDER) and not any(unfinished):
            return []
    if dry_run:  # also while another process is at work
        return [
            "a change was cut off here; it is put right first, and then there may be more to do"
        ]
    with locked(folder):
        return _recover(folder)


OnChanged = Literal["refuse", "keep", "overwrite"]
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
    within_hours: float = math.inf,
) -> CompactionHistoryEntry:
    """Give every file of a change its bytes, mode and times back; return its entry.

    A file that somebody changed since stops it ("refuse"), stays as it is ("keep"), or is
    replaced ("overwrite": its present content is kept beside the entry). What stayed can be
    reverted later. What was cut off is ended first, and if that is the change itself, that is all.
    Raises ChangedError for the first, and BackupError when it is too old, reverted
    already, or a backup is not what was kept, but with "keep". Then nothing was changed.
    """
    with locked(folder):
        before = read_entry(folder, identifier)
        _recover(folder)
        entry = read_entry(folder, identifier)
        if before.is_unfinished:  # just now it was taken back
            return entry
        _check_revertible(entry, within_hours)
        files = entry.to_revert
        changed = [f.path for f in files if _is_others(f, _digest_at(folder, f.path))]
        gone = [f for f in files if f.path not in changed and not _has_backup(folder, entry, f)]
        _refuse_changed(entry, changed, gone, on_changed)
        blocked = [file.path for file in files if _is_blocked(folder, file)]
        if blocked and on_changed == "overwrite":
            raise ChangedError(
                f"a folder or a link stands in the way of {', '.join(blocked)}:"
                " move it away, or leave it with --keep; nothing was changed"
            )
        if gone and on_changed != "keep":
            raise BackupError(
                f"the backup of {gone[0].path} ({folder.path}/{entry.old_path(gone[0])})"
                " is missing or is not what was kept; nothing was changed."
                " The other files come back with --keep"
            )
        kept = (*changed, *(file.path for file in gone)) if on_changed == "keep" else ()
        reverting = entry.with_status(
            ChangeStatus.REVERTING,
            kept=kept,
            overwritten=tuple(changed) if on_changed == "overwrite" else (),
            reverted_at=utc_text(),
        )
        write_entry(folder, reverting)
        return _put_back(folder, reverting, ChangeStatus.REVERTED)


def _refuse_changed(
    entry: CompactionHistoryEntry,
    changed: Sequence[str],
    gone: Sequence[ChangedFile],
    on_changed: OnChanged,
) -> None:
    """Raise ChangedError where files were changed since and that is not allowed for."""
    if not changed or on_changed == "overwrite":
        return
    staying = {*changed, *(file.path for file in gone)}
    if staying >= {file.path for file in entry.to_revert} - entry.archived_of.keys():
        raise ChangedError(
            f"every file was changed since {entry.timestamp}: {', '.join(changed)}."
            " Replace what is there now with --overwrite"
        )
    if on_changed == "refuse":
        raise ChangedError(
            f"changed since {entry.timestamp}: {', '.join(changed)}."
            " Keep what is there now with --keep, or replace it with --overwrite"
        )


def _check_revertible(entry: CompactionHistoryEntry, within_hours: float) -> None:
    if not entry.to_revert:
        raise BackupError(f"change {entry.id} {_NOT_REVERTIBLE[entry.status]}")
    if entry.backup_removed:
        raise BackupError(f"the backup of change {entry.id} was removed: it had become too old")
    hours = hours_since(entry.time)
    if hours > within_hours:
        raise BackupError(
            f"change {entry.id} is {hours:.0f} h old, and can be reverted within"
            f" {within_hours:g} h; --force reverts it nevertheless"
        )


def remove_expired(folder: Folder, settings: Settings, *, dry_run: bool = False) -> list[str]:
    """Remove backups that are too old, then the oldest until the rest fits; return their ids.

    What is unfinished stays, what can be reverted without force, however large, and a backup that a
    program wrote on in. The history keeps what it says about the newest changes. Raises BackupError
    when the folder cannot be changed.
    """
    if dry_run or not folder.names(BACKUP_FOLDER):  # nothing there is nothing to lock for
        return [entry.id for entry in _expired(folder, settings)]
    with locked(folder):
        _recover(folder)
        expired = _expired(folder, settings)
        for entry in expired:
            write_entry(folder, replace(entry, backup_removed=True))
            for path in _unneeded(folder, entry):
                folder.remove(path)
        entries = [entry for entry in list_entries(folder)[0] if not _kept_files(folder, entry)]
        for entry in entries[: max(0, len(entries) - _ENTRIES_KEPT)]:
            folder.remove_folder(entry.folder)
    return [entry.id for entry in expired]


def _expired(folder: Folder, settings: Settings) -> list[CompactionHistoryEntry]:
    kept = []
    for entry in list_entries(folder)[0]:
        found = [folder.stat(path) for path in _unneeded(folder, entry)]
        if found:
            is_safe = entry.is_unfinished or hours_since(entry.time) < settings.revert_hours
            size = sum(each.st_size for each in found if each)
            kept.append((entry, entry.time.timestamp(), size, is_safe))
    return beyond_limits(kept, settings.backup_days, settings.backup_megabytes)


def _kept_files(folder: Folder, entry: CompactionHistoryEntry) -> list[str]:
    names = folder.names(entry.folder)
    return [f"{entry.folder}/{name}" for name in names if name != "entry.json"]


def _unneeded(folder: Folder, entry: CompactionHistoryEntry) -> list[str]:
    """Return the kept files but for those in which somebody wrote since: nobody else has that."""
    written = set()
    for file in entry.files:
        found = folder.stat(entry.old_path(file)) if file.old is not None else None
        if found is not None and file.old is not None and found.st_size > file.old.size:
            written.add(entry.old_path(file))
    return [path for path in _kept_files(folder, entry) if path not in written]
