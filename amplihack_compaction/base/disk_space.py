"""How much room a folder's disk has left (light)."""

import posix

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
