"""One firing of PreCompact, told from the next: of hooks that are wired twice, one acts.

Wired in two places (two settings files, or one and the plugin), a hook is run twice by the client,
at the same moment. Nothing in payload or environment names the firing, so it is told by the
transcript's size then: `<session>/firings/<SIZE>` is made by exclusive create. A summary that
failed is asked for again after another round, by which the transcript has grown.
"""

import os
import time
from contextlib import suppress
from pathlib import Path

from amplihack_compaction.files import create_exclusively, list_names

_TOGETHER_SECONDS = 10.0
"""Hooks of one firing start within this, on the slowest machine; a round takes longer, mostly."""


def claim_firing(folder: str, transcript_path: str) -> bool:
    """Return whether this process is the first that the firing started; one of them is.

    Raises OSError when the transcript is not there, or nothing can be written.
    """
    size = str(Path(transcript_path).stat().st_size)
    claims = f"{folder}/firings"
    path = f"{claims}/{size}"
    if not create_exclusively(path, b""):
        if abs(time.time() - Path(path).stat().st_mtime) < _TOGETHER_SECONDS:
            return False
        os.utime(path)
    for name in list_names(claims):
        if name != size and not name.endswith(".tmp"):
            with suppress(OSError):  # removed by another hook, as it should be
                Path(claims, name).unlink()
    return True
