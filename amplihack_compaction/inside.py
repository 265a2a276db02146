"""Open what lies in a folder and nowhere else, whatever links lead out of it, and whenever.

A path in somebody else's project, or one that a file names, is not to be trusted: what was checked
has to be what is opened. So a path is walked from the folder's own descriptor, and a link on the
way, also one that was put there since, ends the walk.
"""

import errno
import os

from amplihack_compaction.files import read_range

_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_OPEN_FILE = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
_REGULAR, _LINK, _TYPE_MASK = 0o100000, 0o120000, 0o170000


def open_inside(root: str, inside: str) -> int:
    """Open a regular file by its path below a folder and return its descriptor.

    The folder itself may be a link. Raises OSError: ELOOP or ENOTDIR where a link is on the way,
    EINVAL where the path is no plain one or leads to anything else than a file; ValueError when it
    cannot be a file's name.
    """
    *folders, name = inside.split("/")
    here = _open_folder(root, folders)
    try:
        if name in ("", ".", ".."):
            raise OSError(errno.EINVAL, "no plain path below the folder")
        _check(os.stat(name, dir_fd=here, follow_symlinks=False))
        # Checked before opening too, for to open a FIFO or a device has effects of its own.
        descriptor = os.open(name, _OPEN_FILE, dir_fd=here)
    finally:
        os.close(here)
    try:
        _check(os.fstat(descriptor))
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def read_inside(root: str, inside: str, limit_bytes: int) -> bytes | None:
    """Return a file's content; None when it cannot be opened so, or is above the limit."""
    try:
        descriptor = open_inside(root, inside)
    except (OSError, ValueError):
        return None
    try:
        if os.fstat(descriptor).st_size > limit_bytes:
            return None
        return read_range(descriptor, 0, limit_bytes)
    except OSError:
        return None
    finally:
        os.close(descriptor)


def list_inside(root: str, inside: str) -> list[str]:
    """Return the names in a folder by its path below another one, sorted; none behind a link.

    An empty path stands for the folder itself.
    """
    try:
        here = _open_folder(root, inside.split("/") if inside else [])
    except (OSError, ValueError):
        return []
    try:
        return sorted(os.listdir(here))  # noqa: PTH208 - a descriptor
    finally:
        os.close(here)


def _open_folder(root: str, parts: list[str]) -> int:
    here = os.open(root, _OPEN_FOLDER & ~os.O_NOFOLLOW)
    try:
        for part in parts:
            if part in ("", ".", ".."):
                raise OSError(errno.EINVAL, "no plain path below the folder")
            below = os.open(part, _OPEN_FOLDER, dir_fd=here)
            os.close(here)
            here = below
    except BaseException:
        os.close(here)
        raise
    return here


def _check(found: os.stat_result) -> None:
    kind = found.st_mode & _TYPE_MASK
    if kind != _REGULAR:
        raise OSError(errno.ELOOP if kind == _LINK else errno.EINVAL, "no regular file")
