"""Keep what a hook had to compile, so that the next one need not."""

import posix
import sys
from contextlib import suppress

from amplihack_compaction.disk.leftovers import remove_leftovers
from amplihack_compaction.files import replace_atomically
from amplihack_compaction.patterns.compiled import PROGRAMS


def keep_compiled() -> None:
    """Write the patterns that were compiled anew beside those that are kept, if there are any.

    Where modules are not kept either, or nothing can be written, nothing is: to find out what is
    to be kept takes as long as to compile it did.
    """
    folder = PROGRAMS.path.rpartition("/")[0]
    if not PROGRAMS.new or sys.dont_write_bytecode or not posix.access(folder, posix.W_OK):
        return
    data = PROGRAMS.to_be_kept()
    if data:
        with suppress(OSError):
            remove_leftovers(folder)
            replace_atomically(PROGRAMS.path, data)
