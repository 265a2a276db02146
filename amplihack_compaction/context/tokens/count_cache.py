"""Keep the API's token counts on disk for an hour, for all processes: `counts.db`, an SQLite file.

A count is kept under the hash of text and model, so that no text is stored; of more than 1,000 the
oldest goes. A file that cannot be used says nothing: a count that is not found is asked for again.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from hashlib import blake2b
from pathlib import Path
from typing import TypeVar

from amplihack_compaction.base.files import make_folder

CACHE_ENTRIES = 1_000
CACHE_SECONDS = 3_600.0
_FILE = "counts.db"
_CREATE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
# How far another machine's or a corrected clock may be ahead.
_CLOCK_SLACK_SECONDS = 60.0
_SCHEMA = (
    "PRAGMA synchronous = OFF",  # it is a cache
    "CREATE TABLE IF NOT EXISTS answers"
    " (key TEXT PRIMARY KEY, count INTEGER NOT NULL, counted REAL NOT NULL) WITHOUT ROWID",
)
T = TypeVar("T")


def default_folder() -> str | None:
    """Return the user's cache folder for this package, or None where there is no home."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    # The specification has relative paths ignored.
    if not base.startswith("/"):
        try:
            base = str(Path("~").expanduser() / ".cache")
        except RuntimeError:
            return None
    return f"{base}/amplihack-compaction/tokens" if base.startswith("/") else None


class CountCache:
    """The counts in one folder; a folder that cannot be used holds nothing and says nothing."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Keep counts in `folder`; None is the user's cache folder, as it is at each call."""
        self._given = folder

    @property
    def folder(self) -> str | None:
        """The folder in use."""
        return str(self._given) if self._given is not None else default_folder()

    def get(self, text: str, model: str) -> tuple[int, float] | None:
        """Return a text's count and when it was made (epoch seconds); None without a young one."""
        key = _key(text, model)

        def look(database: sqlite3.Connection) -> tuple[int, float] | None:
            sql = "SELECT count, counted FROM answers WHERE key = ?"
            row = database.execute(sql, (key,)).fetchone()
            return (int(row[0]), row[1]) if row and _oldest() < row[1] <= _newest() else None

        return self._with_file(look, None)

    def put(self, text: str, model: str, count: int, counted: float) -> None:
        """Keep a count of this time; drop those too old, and the oldest of too many."""

        def store(database: sqlite3.Connection) -> None:
            row = (_key(text, model), count, counted)
            database.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", row)
            database.execute(
                "DELETE FROM answers WHERE counted <= ? OR counted > ? OR key IN"
                " (SELECT key FROM answers ORDER BY counted DESC LIMIT -1 OFFSET ?)",
                (_oldest(), _newest(), CACHE_ENTRIES),
            )

        self._with_file(store, None)

    def clear(self) -> None:
        """Forget every count."""
        self._with_file(lambda database: database.execute("DELETE FROM answers"), None)

    def size(self) -> int:
        """Return how many counts still are of use."""
        sql = "SELECT count(*) FROM answers WHERE counted > ? AND counted <= ?"
        times = _oldest(), _newest()
        return self._with_file(lambda database: int(database.execute(sql, times).fetchone()[0]), 0)

    def _with_file(self, work: Callable[[sqlite3.Connection], T], default: T) -> T:
        """Return what the work makes of the file; the default where it cannot be used."""
        folder = self.folder
        if folder is None:
            return default
        path = f"{folder}/{_FILE}"
        try:
            make_folder(folder)
            os.close(os.open(path, _CREATE, 0o600))
            with closing(sqlite3.connect(path)) as database, database:
                for statement in _SCHEMA:
                    database.execute(statement)
                return work(database)
        except (OSError, ValueError, TypeError, OverflowError, sqlite3.OperationalError):
            return default  # it is locked, or the disk is full, or no place for a file
        except sqlite3.Error:
            with suppress(OSError):
                os.unlink(path)  # noqa: PTH108 - damaged, or somebody else's; the next one is ours
            return default


def _key(text: str, model: str) -> str:
    parts = (part.encode("utf-8", "surrogatepass") for part in (model, text))
    return blake2b(b"\0".join(parts), digest_size=16).hexdigest()


def _oldest() -> float:
    return time.time() - CACHE_SECONDS


def _newest() -> float:
    return time.time() + _CLOCK_SLACK_SECONDS
