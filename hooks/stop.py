"""Answer the client's Stop hook; see `amplihack_compaction.hook.run`."""

import posix
import sys

EVENT = "Stop"

# Checked before anything of the package is imported: a switched-off hook costs a bare start.
if posix.environ.get(b"AMPLIHACK_COMPACTION_DISABLED", b"0") not in (b"", b"0"):
    posix._exit(0)

# Run with -I -S, nothing else puts the folder that holds the package on the path.
sys.path.insert(0, __file__.rpartition("/")[0].rpartition("/")[0] or ".")

from amplihack_compaction.hook.run import run_hook  # noqa: E402

run_hook(EVENT)
