"""Locks between processes that the system lets go when their holder dies (light).

They are `flock`s on a file beside what is locked, as filelock's are on Unix: who takes one with
that library, as older versions of this package do, and who takes it here wait for each other. To
import that library takes a tenth of a PreCompact.
"""

import fcntl
import posix
import time
from collections.abc import Iterator
from contextlib import contextmanager

from amplihack_compaction.base.files import is_still

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
