"""Keep token counts on disk for an hour, for all processes: `counts.db`, an SQLite file.

A count is kept under the hash of text, model, source and calibration, so that no text is stored.
Above 1,000 counts the one used longest ago goes. A file that cannot be used says nothing: a count
that is not found is made again.
"""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict, TypeVar

from amplihack_compaction.base.files import make_folder

CACHE_ENTRIES = 1_000
CACHE_SECONDS = 3_600.0
_FILE = "counts.db"
_CREATE = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
# How far another machine's or a corrected clock may be ahead.
_CLOCK_SLACK_SECONDS = 60.0
_SCHEMA = (
    "PRAGMA synchronous = OFF",  # it is a cache
    "CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, count INTEGER NOT NULL,"
    " precision REAL NOT NULL, counted REAL NOT NULL, used REAL NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS lookups (found INTEGER PRIMARY KEY, times INTEGER NOT NULL)",
)
_IN_TIME = "counted > :now - :seconds AND counted <= :now + :slack"
T = TypeVar("T")


class CacheStats(TypedDict):
    """Entries that still count, and lookups that found one or none, of all processes."""

    size: int
    hits: int
    misses: int


@dataclass(frozen=True, slots=True)
class CachedCount:
    """A count as it was kept, with its precision and the time of counting (epoch seconds)."""

    count: int
    precision: float
    counted: float


def cache_key(text: str, model: str, source: str, calibration: str) -> str:
    """Return the name under which a count is kept; any strings may be given."""
    digest = blake2b(digest_size=16)
    for part in (text, model, source, calibration):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


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


class TokenCache:
    """The counts in one folder; a folder that cannot be used holds nothing and says nothing."""

    def __init__(self, folder: str | Path | None = None) -> None:
        """Keep counts in `folder`; None is the user's cache folder, as it is at each call."""
        self._given = folder

    @property
    def folder(self) -> str | None:
        """The folder in use."""
        return str(self._given) if self._given is not None else default_folder()

    def get(self, key: str) -> CachedCount | None:
        """Return what is kept and mark it as used; None when nothing is, or it is too old."""

        def look(database: sqlite3.Connection) -> CachedCount | None:
            sql = f"UPDATE kept SET used = :now WHERE key = :key AND {_IN_TIME} RETURNING *"  # noqa: S608
            row = database.execute(sql, {**_times(), "key": key}).fetchone()
            return CachedCount(int(row[1]), float(row[2]), float(row[3])) if row else None

        return self._with_file(look, None)

    def note(self, found: bool) -> None:
        """Count one lookup as a hit or a miss."""
        sql = (
            "INSERT INTO lookups VALUES (?, 1) ON CONFLICT (found) DO UPDATE SET times = times + 1"
        )
        self._with_file(lambda database: database.execute(sql, (found,)), None)

    def put(self, key: str, kept: CachedCount) -> None:
        """Keep a count; drop those too old, and what was used longest ago of too many."""

        def store(database: sqlite3.Connection) -> None:
            row = (key, kept.count, kept.precision, kept.counted, time.time())
            database.execute("INSERT OR REPLACE INTO kept VALUES (?, ?, ?, ?, ?)", row)
            database.execute(f"DELETE FROM kept WHERE NOT ({_IN_TIME})", _times())  # noqa: S608
            database.execute(
                "DELETE FROM kept WHERE key IN"
                " (SELECT key FROM kept ORDER BY used DESC LIMIT -1 OFFSET ?)",
                (CACHE_ENTRIES,),
            )

        self._with_file(store, None)

    def clear(self) -> None:
        """Forget every count, and how many lookups there were."""
        self._with_file(lambda database: database.executescript(
            "DELETE FROM kept; DELETE FROM lookups; VACUUM"
        ), None)  # fmt: skip

    def stats(self) -> CacheStats:
        """Return how many counts still are of use, and how many lookups found one or none."""

        def read(database: sqlite3.Connection) -> CacheStats:
            sql = f"SELECT count(*) FROM kept WHERE {_IN_TIME}"  # noqa: S608
            (size,) = database.execute(sql, _times()).fetchone()
            times = dict(database.execute("SELECT found, times FROM lookups"))
            return CacheStats(size=size, hits=times.get(1, 0), misses=times.get(0, 0))

        return self._with_file(read, CacheStats(size=0, hits=0, misses=0))

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


def _times() -> dict[str, float]:
    return {"now": time.time(), "seconds": CACHE_SECONDS, "slack": _CLOCK_SLACK_SECONDS}
