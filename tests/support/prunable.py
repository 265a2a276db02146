"""Features with old and new content, and the days that make them so."""

import os
from datetime import date, datetime, timedelta
from pathlib import Path

TODAY = date.today()
OLD = TODAY - timedelta(days=60)
OLDER = TODAY - timedelta(days=90)
NEW = TODAY - timedelta(days=3)
FILLER = "It took a while until all of it worked as it was meant to, and then it did.\n"


def put(folder: Path, name: str, content: str | bytes, day: date | None = None) -> Path:
    """Write a file, its folders included, that was changed on a day."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    if day is not None:
        noon = datetime(day.year, day.month, day.day, 12).timestamp()
        os.utime(path, (noon, noon))
    return path


def diary(*days: date) -> str:
    """Return a text with a heading for each day and what was done on it."""
    return "# Progress\n\n" + "".join(
        f"## {day} Work\n\nBuilt part {number} of the form.\n{FILLER * 5}\n"
        for number, day in enumerate(days)
    )
