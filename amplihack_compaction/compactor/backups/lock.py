"""One change of a folder at a time: a lock that the system lets go when its holder dies."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from amplihack_compaction.base.errors import BackupError, reason_of
from amplihack_compaction.base.shared_folders import take
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER, Folder

_LOCK_FILE = f"{KEPT_FOLDER}/lock"
_WAIT_SECONDS = 5.0
_REASONS = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "it may not be written to",
    errno.EPERM: "it may not be written to",
    errno.ELOOP: "a link stands in the way",
    errno.ENOTDIR: "a link or a file stands in the way of a folder",
}


@contextmanager
def locked(folder: Folder, wait_seconds: float = _WAIT_SECONDS) -> Iterator[None]:
    """Hold a folder's lock.

    Raises BackupError when somebody else holds it all the time, or when it cannot be made.
    """
    with explained(folder):
        _ignore_by_git(folder)
        with folder.parent(_LOCK_FILE, make=True) as (parent, name):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(name, flags, 0o600, dir_fd=parent)
    try:
        if not take(descriptor, wait_seconds):
            raise BackupError(
                f"another process is changing {folder.path}; try again when it is done"
            )
        yield
    finally:
        os.close(descriptor)


@contextmanager
def explained(folder: Folder) -> Iterator[None]:
    """Turn what the file system refuses into a BackupError that says why."""
    try:
        yield
    except OSError as error:
        reason = _REASONS.get(error.errno or 0, reason_of(error))
        raise BackupError(f"{folder.path} cannot be changed: {reason}") from error


def _ignore_by_git(folder: Folder) -> None:
    """Keep what is kept here out of every commit."""
    path = f"{KEPT_FOLDER}/.gitignore"
    if folder.stat(path) is None:
        folder.write(path, b"*\n")  # half of it would ignore nothing, and stay
