"""Folders that are not ours alone: locks, leftovers, room there, and what lies in one (light).

The locks are `flock`s that the system lets go when their holder dies, as filelock's are on Unix:
who takes one with that library and who takes it here wait for each other. To import it takes a
tenth of a PreCompact, and it cannot lock a folder, or a file below a descriptor.

A path in somebody else's project, or one that a file names, is not to be trusted: what was checked
has to be what is opened. So a path is walked from the folder's own descriptor, and a link on the
way, also one that was put there since, ends the walk. Where links are allowed, what they lead to is
found out first, and walked to in the same way if it lies in the folder.
"""

import errno
import fcntl
import os
import posix
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from stat import S_ISLNK, S_ISREG

from amplihack_compaction.base.files import (
    is_still,
    link_on_way,
    list_names,
    open_regular,
    read_range,
    read_whole,
)

_OPEN = posix.O_RDWR | posix.O_CREAT | posix.O_NOFOLLOW | posix.O_NONBLOCK | posix.O_CLOEXEC
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_ROOT = _OPEN_FOLDER & ~os.O_NOFOLLOW
_LOOK_SECONDS = 0.05
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL)
"""How a drive without locks refuses one, as some of a network do; `doctor` tells of it."""


@contextmanager
def lock_file(path: str, wait_seconds: float, flags: int = _OPEN) -> Iterator[None]:
    """Hold the lock of that file, which is made if it is missing, and stays.

    Raises TimeoutError when somebody else holds it all the time, and OSError when it cannot be
    made or opened, or is a link.
    """
    until = time.monotonic() + wait_seconds
    while True:
        descriptor = posix.open(path, flags, 0o600)
        try:
            try:
                is_taken = take(descriptor, until - time.monotonic())
            except OSError as error:
                # What is written below it is put in its place whole: of two writers one may miss
                # what the other wrote, but without locks nothing would be kept at all.
                if error.errno not in NO_LOCKS:
                    raise
                is_taken = True
            if not is_taken:
                raise TimeoutError(f"{path} stayed locked")
            if is_still(path, descriptor):  # some holders remove it in the end
                yield
                return
        finally:
            posix.close(descriptor)


lock_folder = partial(lock_file, flags=_OPEN_FOLDER)
"""Holds the lock of a folder itself in the same way, so that nothing has to be made in it."""


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


@contextmanager
def opened(path: str) -> Iterator[int]:
    """Open a regular file for reading, as `open_regular` does; yield its descriptor."""
    descriptor = open_regular(path)
    try:
        yield descriptor
    finally:
        posix.close(descriptor)


def read_end(path: str, length_bytes: int) -> bytes:
    """Return the last bytes of a regular file. Raises OSError and ValueError as `open_regular`."""
    with opened(path) as descriptor:
        size = posix.fstat(descriptor).st_size
        return read_range(descriptor, max(0, size - length_bytes), length_bytes)


def remove_oldest(folder: str, ending: str, keep: int, *, numbered: bool = False) -> list[str]:
    """Remove a folder's files of this ending but for the last `keep`; return their names.

    With `numbered` of those only whose names are numbers, by these.
    """
    names = [name.removesuffix(ending) for name in list_names(folder) if name.endswith(ending)]
    if numbered:
        names = sorted((name for name in names if name.isdecimal()), key=int)
    old = names[: max(0, len(names) - keep)]
    for name in old:
        with suppress(OSError):  # another hook of the session may have removed it by now
            posix.unlink(f"{folder}/{name}{ending}")
    return old


_LEFTOVER_SECONDS = 60


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of a folder that nobody can be writing any more."""
    for name in list_names(folder) if not link_on_way(f"{folder}/") else ():
        path = f"{folder}/{name}"
        with suppress(OSError):
            if is_temporary(name) and is_left(posix.lstat(path)):
                posix.unlink(path)


def is_temporary(name: str) -> bool:
    """Return whether a file has the name of one that is renamed when it is whole."""
    return ".tmp" in name  # SQLite has files of its own beside the one that it makes


def is_left(status: os.stat_result) -> bool:
    """Return whether nobody can be writing a temporary file any more, also by a clock set back."""
    return S_ISREG(status.st_mode) and abs(time.time() - status.st_mtime) > _LEFTOVER_SECONDS


def free_bytes(folder: str) -> int | None:
    """Return the bytes that may still be written; None where the disk does not tell.

    Some file systems of the network and of user space tell no size at all, and one that is mounted
    read-only often says that nothing is free. Raises OSError when it cannot be asked.
    """
    disk = posix.statvfs(folder)
    if not disk.f_blocks or disk.f_flag & posix.ST_RDONLY:
        return None
    return disk.f_bavail * disk.f_frsize


_OPEN_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY


def open_inside(root: str, inside: str, *, linked: bool = False) -> int:
    """Open a regular file by its path below a folder and return its descriptor.

    The folder itself may be a link. With `linked` links on the way are followed that stay below
    the folder. Raises OSError: ELOOP or ENOTDIR where any other link is on the way, EINVAL where
    the path is no plain one or leads to anything else than a file; ValueError when it cannot be a
    file's name.
    """
    *folders, name = _plain(inside)
    if linked:
        root = os.path.realpath(root)
        target = os.path.realpath(f"{root}/{inside}")
        if not target.startswith(f"{root}/"):
            raise OSError(errno.ELOOP, "a link leads out of the folder")
        # What a link is turned to from here on is a link on the way.
        *folders, name = target.removeprefix(f"{root}/").split("/")
    with descend(os.open(root, _OPEN_ROOT), folders) as folder:
        # Checked before opening too, for to open a FIFO or a device has effects of its own.
        _check(os.stat(name, dir_fd=folder, follow_symlinks=False))
        descriptor = os.open(name, _OPEN_FILE, dir_fd=folder)
    try:
        _check(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_inside(root: str, inside: str, limit_bytes: int, *, linked: bool = False) -> bytes | None:
    """Return a file's content; None when it cannot be opened so, or is above the limit."""
    try:
        return read_whole(open_inside(root, inside, linked=linked), limit_bytes)
    except (OSError, ValueError):
        return None


def list_inside(root: str, inside: str) -> list[str]:
    """Return the names in a folder by its path below another one, sorted; none behind a link.

    An empty path stands for the folder itself.
    """
    try:
        with descend(os.open(root, _OPEN_ROOT), _plain(inside) if inside else []) as folder:
            return sorted(os.listdir(folder))  # noqa: PTH208 - a descriptor
    except (OSError, ValueError):
        return []


@contextmanager
def descend(descriptor: int, parts: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """Walk from an open folder, which is closed then, to one below it; yield its descriptor.

    With `make`, missing folders are made with mode 0700. Raises OSError when a part is missing or a
    link.
    """
    try:
        for part in parts:
            if make:
                with suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=descriptor)
                    os.fsync(descriptor)
            below = os.open(part, _OPEN_FOLDER, dir_fd=descriptor)
            os.close(descriptor)
            descriptor = below
        yield descriptor
    finally:
        os.close(descriptor)


def _plain(inside: str) -> list[str]:
    parts = inside.split("/")
    if not {"", ".", ".."}.isdisjoint(parts):
        raise OSError(errno.EINVAL, "no plain path below the folder")
    return parts


def _check(found: os.stat_result) -> None:
    if not S_ISREG(found.st_mode):
        raise OSError(errno.ELOOP if S_ISLNK(found.st_mode) else errno.EINVAL, "no regular file")
