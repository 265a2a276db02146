"""Keep what a hook had to compile, so that the next one need not."""

import sys
from contextlib import suppress

from amplihack_compaction.disk.leftovers import remove_leftovers
from amplihack_compaction.files import replace_atomically
from amplihack_compaction.patterns.compiled import PROGRAMS


def keep_compiled() -> None:
    """Write the patterns that were compiled anew beside those that are kept, if there are any.

    Where modules are not kept either, or nothing can be written, nothing is.
    """
    if not PROGRAMS.new or sys.dont_write_bytecode:
        return
    data = PROGRAMS.to_be_kept()
    if data:
        with suppress(OSError):
            remove_leftovers(PROGRAMS.path.rpartition("/")[0])
            replace_atomically(PROGRAMS.path, data)
