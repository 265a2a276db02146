"""What was written at another time: the dates in names and texts, and the files' own, moved."""

import os
import re
from functools import partial
from pathlib import Path

_YEAR_SECONDS = 365 * 24 * 3600
_DATED = re.compile(rb"20(\d\d)(?=\d{4}-\d{6}-[0-9a-f]{4}|-\d\d-\d\dT\d\d:)")


def shift_dates(folder: Path, years: int) -> None:
    """Move the moments in names, texts and times of all that lies in a folder by some years.

    Days alone, as a user writes them, stay; so does what a database holds.
    """
    shifted = partial(_shifted, years)
    # Reversed, so that what a folder holds comes before the folder's own name.
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_symlink():
            continue
        if path.is_file():
            if ".db" not in path.name:
                path.write_bytes(_DATED.sub(shifted, path.read_bytes()))
            moved = path.stat().st_mtime + years * _YEAR_SECONDS
            os.utime(path, (moved, moved))
        path.rename(path.with_name(_DATED.sub(shifted, path.name.encode()).decode()))


def _shifted(years: int, match: "re.Match[bytes]") -> bytes:
    return b"20%02d" % (int(match[1]) + years)
