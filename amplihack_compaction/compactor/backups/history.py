"""Go back to an earlier state of a folder, and keep its history within bounds."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Literal

from amplihack_compaction.base.errors import BackupError, ChangedError
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.compactor.backups.entry import (
    ChangeStatus,
    CompactionHistoryEntry,
    list_entries,
    read_entry,
    write_entry,
)
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.backups.lock import explained, locked
from amplihack_compaction.compactor.backups.recovery import recover
from amplihack_compaction.compactor.backups.restore import (
    check_backup,
    finish_revert,
    is_blocked,
    is_changed,
)

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
    with locked(folder), explained(folder):
        before = read_entry(folder, identifier)
        recover(folder)
        entry = read_entry(folder, identifier)
        if before.is_unfinished:  # just now it was taken back
            return entry
        _check_revertible(entry, within_hours, force=force)
        changed = [file.path for file in entry.files if is_changed(folder, file)]
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
        reverting = entry.with_status(
            ChangeStatus.REVERTING,
            kept=kept,
            reverted_at=utc_text(),
        )
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
    with locked(folder), explained(folder):
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
    now = datetime.now(UTC)
    oldest, safe = now - timedelta(days=keep_days), now - timedelta(hours=safe_hours)
    expired, total = [], 0
    for entry in reversed(list_entries(folder)[0]):
        size = _kept_bytes(folder, entry)
        if size is None or entry.is_unfinished:
            continue
        too_large = total + size > limit_bytes and entry.time < safe
        if entry.time < oldest or too_large:
            expired.append(entry)
        else:
            total += size
    return expired[::-1]


def _kept_names(folder: Folder, entry: CompactionHistoryEntry) -> list[str]:
    return [name for name in folder.names(entry.folder) if name != "entry.json"]


def _kept_bytes(folder: Folder, entry: CompactionHistoryEntry) -> int | None:
    """Return what a change's backup takes on the disk; None where nothing is kept."""
    found = [folder.stat(f"{entry.folder}/{name}") for name in _kept_names(folder, entry)]
    return sum(each.st_size for each in found if each) if found else None


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
