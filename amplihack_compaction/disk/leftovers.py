"""Files that a process left behind which died before it could rename them."""

import posix
import time
from contextlib import suppress

from amplihack_compaction.files import is_regular, list_names

_LEFTOVER_SECONDS = 60


def remove_leftovers(folder: str) -> None:
    """Remove the temporary files of a folder that nobody can be writing any more."""
    now = time.time()
    for name in list_names(folder):
        if ".tmp" in name:  # SQLite has files of its own beside the one that it makes
            with suppress(OSError):
                path = f"{folder}/{name}"
                if is_regular(path) and abs(now - posix.lstat(path).st_mtime) > _LEFTOVER_SECONDS:
                    posix.unlink(path)
