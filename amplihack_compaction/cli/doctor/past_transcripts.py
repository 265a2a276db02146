"""Choose the transcripts of a project that a checkup looks at."""

import os
from pathlib import Path

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import open_regular
from amplihack_compaction.clients.claude_code.locations import project_transcripts
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies

_TRANSCRIPTS = 20
_SEARCHED_BYTES = 200 * 1024 * 1024


def searched_transcripts(root: str, unread: list[str]) -> list[Path]:
    """Return the newest transcripts of a project, as many as can be searched in a checkup's time.

    `unread` gets a sentence for each that is there and cannot be read.
    """
    newest = project_transcripts(root, unread)[:_TRANSCRIPTS]
    readable = [path for path in newest if _is_readable(path, unread)]
    return _within_budget(without_unused_copies(root, readable))


def _is_readable(path: Path, unread: list[str]) -> bool:
    try:
        os.close(open_regular(str(path)))
    except FileNotFoundError:
        return False  # gone since it was listed
    except OSError as error:
        if error.errno is not None:  # else it is no file at all, and nobody's transcript
            unread.append(f"{path}: {reason_of(error)}")
        return False
    return True


def _within_budget(paths: list[Path]) -> list[Path]:
    """Return the transcripts that can be searched in the time that a checkup may take."""
    chosen: list[Path] = []
    left = _SEARCHED_BYTES
    for path in paths:
        try:
            left -= path.stat().st_size
        except OSError:
            continue
        if left < 0 and chosen:
            break
        chosen.append(path)
    return chosen
