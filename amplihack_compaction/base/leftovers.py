"""Files that a process left behind which died before it could rename them."""

import posix
import time
from contextlib import suppress
from stat import S_ISREG

from amplihack_compaction.base.files import list_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import stat_result

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
