"""What was done to a feature: list it, take it back, and drop backups that are too old."""

from amplihack_compaction.base.errors import BackupError
from amplihack_compaction.base.settings.settings import Settings, load_settings
from amplihack_compaction.compactor.backups.entry import CompactionHistoryEntry, list_entries
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.backups.history import OnChanged, remove_expired, revert_change
from amplihack_compaction.compactor.backups.lock import explained
from amplihack_compaction.compactor.features.feature import open_feature_folder

_HOURS_A_DAY = 24
_MEGABYTE = 1024 * 1024


def revert_feature(
    root: str,
    name: str,
    history_id: str = "",
    *,
    on_changed: OnChanged = "refuse",
    force: bool = False,
) -> CompactionHistoryEntry:
    """Take a change of a feature back, without an id the newest one in force or cut off.

    Raises FeatureError without such a feature, ChangedError when files were changed since, and
    BackupError when it cannot be taken back; then every file is as it was.
    """
    settings, _ = load_settings(root)
    with open_feature_folder(root, name, settings) as folder:
        if not history_id:
            with explained(folder):
                entries, problems = list_entries(folder)
            able = [entry for entry in entries if entry.can_revert or entry.is_unfinished]
            if not able:
                raise BackupError(
                    "; ".join(
                        [
                            f"nothing of {name} can be reverted; `history` says what was done",
                            *problems,
                        ]
                    )
                )
            history_id = able[-1].id
        return revert_change(
            folder,
            history_id,
            on_changed=on_changed,
            within_hours=settings.revert_hours,
            force=force,
        )


def feature_history(root: str, name: str) -> tuple[list[CompactionHistoryEntry], list[str]]:
    """Return what was done to a feature, oldest first, and what cannot be read of it.

    Raises FeatureError without such a feature, BackupError when there is no looking into it.
    """
    with open_feature_folder(root, name, load_settings(root)[0]) as folder, explained(folder):
        return list_entries(folder)


def remove_old_backups(folder: Folder, settings: Settings, *, dry_run: bool = False) -> list[str]:
    """Remove a folder's backups beyond what the settings allow; return their ids.

    What can still be reverted without force stays, however large. Raises BackupError when the
    folder cannot be changed.
    """
    hours = settings.revert_hours
    return remove_expired(
        folder,
        max(settings.backup_days, hours / _HOURS_A_DAY),
        settings.backup_megabytes * _MEGABYTE,
        safe_hours=hours,
        dry_run=dry_run,
    )
