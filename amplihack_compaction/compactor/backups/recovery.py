"""Find what a change that was cut off left behind, and end it: taken back, or put back."""

from amplihack_compaction.compactor.backups.entry import (
    PREPARING_FOLDER,
    ChangeStatus,
    list_entries,
)
from amplihack_compaction.compactor.backups.folder import Folder
from amplihack_compaction.compactor.backups.lock import explained, locked
from amplihack_compaction.compactor.backups.restore import finish_revert, take_back


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
    with explained(folder):
        if not is_unfinished(folder):
            return []
    with locked(folder), explained(folder):
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
