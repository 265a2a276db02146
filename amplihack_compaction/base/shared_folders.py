"""Folders that several processes write in: locks, what crashed ones left, the room there (light).

The locks are `flock`s that the system lets go when their holder dies, as filelock's are on Unix:
who takes one with that library and who takes it here wait for each other. To import it takes a
tenth of a PreCompact, and it cannot lock a folder, or a file below a descriptor.
"""

import fcntl
import posix
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from stat import S_ISREG

from amplihack_compaction.base.files import is_still, list_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result

_OPEN = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
_OPEN_FOLDER = posix.O_RDONLY | posix.O_DIRECTORY | posix.O_NOFOLLOW | posix.O_CLOEXEC
_LOOK_SECONDS = 0.05


@contextmanager
def lock_file(path: str, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of that file, which is made if it is missing, and stays.

    Raises TimeoutError when somebody else holds it all the time, and OSError when it cannot be
    made.
    """
    until = time.monotonic() + wait_seconds
    while True:
        descriptor = posix.open(path, _OPEN, 0o600)
        try:
            if not take(descriptor, until - time.monotonic()):
                raise TimeoutError(f"{path} stayed locked")
            if is_still(path, descriptor):  # some holders remove it in the end
                yield
                return
        finally:
            posix.close(descriptor)


@contextmanager
def lock_folder(path: str, wait_seconds: float) -> Iterator[None]:
    """Hold the lock of a folder itself, so that nothing has to be made in it.

    Raises TimeoutError when somebody else holds it all the time, and OSError where it cannot be
    opened or is a link, or its drive has no locks.
    """
    descriptor = posix.open(path, _OPEN_FOLDER)
    try:
        if not take(descriptor, wait_seconds):
            raise TimeoutError(f"{path} stayed locked")
        yield
    finally:
        posix.close(descriptor)


def take(descriptor: int, wait_seconds: float) -> bool:
    """Take the lock of an open file; tell whether that was possible within the time."""
    until = time.monotonic() + wait_seconds
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                return False
            time.sleep(_LOOK_SECONDS)
        else:
            return True


_LEFTOVER_SECONDS = 60


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of a folder that nobody can be writing any more."""
    for name in list_names(folder):
        path = f"{folder}/{name}"
        with suppress(OSError):
            if is_temporary(name) and is_left(posix.lstat(path)):
                posix.unlink(path)


def is_temporary(name: str) -> bool:
    """Tell by its name whether a file is one that is renamed when it is whole."""
    return ".tmp" in name  # SQLite has files of its own beside the one that it makes


def is_left(status: "stat_result") -> bool:
    """Return whether nobody can be writing a temporary file any more, also by a clock set back."""
    return S_ISREG(status.st_mode) and abs(time.time() - status.st_mtime) > _LEFTOVER_SECONDS


_READ_ONLY = posix.ST_RDONLY


def free_bytes(folder: str) -> int | None:
    """Return the bytes that may still be written; None where the disk does not tell.

    Some file systems of the network and of user space tell no size at all, and one that is mounted
    read-only often says that nothing is free. Raises OSError when it cannot be asked.
    """
    disk = posix.statvfs(folder)
    if not disk.f_blocks or disk.f_flag & _READ_ONLY:
        return None
    return disk.f_bavail * disk.f_frsize
