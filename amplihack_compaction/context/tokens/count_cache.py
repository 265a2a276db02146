"""Keep token counts on disk for an hour, across processes: one small file per text.

    <folder>/<32 hex digits>   {"version": 1, "count": n, "precision": p, "counted": epoch seconds}
    <folder>/hits, misses      as many bytes as there were hits and misses

The name is the hash of text, model, source and calibration, so no text is stored. A file's
modification time is when it was last used; above 1,000 files the 100 used longest ago go, so that
the folder is not looked through with each count. Files are replaced whole and counters appended
to, so parallel processes need no lock: the worst that they can do to each other is to count a text
twice.
"""

import os
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TypedDict, TypeGuard

from amplihack_compaction.base.files import (
    append_line,
    list_names,
    parse_object,
    read_bytes,
    replace_atomically,
)

CACHE_ENTRIES = 1_000
CACHE_SECONDS = 3_600.0
_ROOM_ENTRIES = 100
"""How many are put in before the folder is looked through again."""
_VERSION = 1
_ENTRY_NAME = re.compile(r"[0-9a-f]{32}")
_OWN_NAME = re.compile(r"[0-9a-f]{32}(?:\..*\.tmp)?")
_ENTRY_LIMIT_BYTES = 1_000
_COUNTERS = ("hits", "misses")
_COUNTER_LIMIT_BYTES = 1 << 40
# How far another machine's or a corrected clock may be ahead.
_CLOCK_SLACK_SECONDS = 60.0
# Beyond these nothing was ever counted: the file is damaged, or somebody else's.
_MOST_TOKENS = 10**12
_LAST_SECOND = 10**12


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
        self._room = 0

    @property
    def folder(self) -> str | None:
        """The folder in use."""
        return str(self._given) if self._given is not None else default_folder()

    def get(self, key: str) -> CachedCount | None:
        """Return what is kept and mark it as used; None when nothing is, or it is too old."""
        folder = self.folder
        if folder is None:
            return None
        path = f"{folder}/{key}"
        kept = _read(path)
        if kept is not None:
            with suppress(OSError):  # another process removed it meanwhile
                os.utime(path)
        return kept

    def note(self, found: bool) -> None:
        """Count one lookup as a hit or a miss."""
        folder = self.folder
        if folder is not None:
            counter = f"{folder}/{'hits' if found else 'misses'}"
            with suppress(OSError):
                append_line(counter, b".", _COUNTER_LIMIT_BYTES)

    def put(self, key: str, kept: CachedCount) -> None:
        """Keep a count; drop what was used longest ago where there are too many."""
        folder = self.folder
        if folder is None:
            return
        entry = (
            f'{{"version": {_VERSION}, "count": {kept.count}, "precision": {kept.precision!r},'
            f' "counted": {kept.counted!r}}}\n'
        )
        try:
            replace_atomically(f"{folder}/{key}", entry.encode())
        except OSError:
            return
        self._room -= 1
        if self._room < 0:
            self._room = _evict(folder)

    def clear(self) -> None:
        """Forget every count, and how many lookups there were."""
        folder = self.folder
        for name in list_names(folder) if folder is not None else []:
            if _OWN_NAME.fullmatch(name) or name in _COUNTERS:
                _remove(f"{folder}/{name}")

    def stats(self) -> CacheStats:
        """Return size, hits and misses; entries that grew too old are dropped first."""
        folder = self.folder
        if folder is None:
            return CacheStats(size=0, hits=0, misses=0)
        entries = [name for name in list_names(folder) if _ENTRY_NAME.fullmatch(name)]
        size = 0
        for name in entries:
            if _read(f"{folder}/{name}") is None:
                _remove(f"{folder}/{name}")
            else:
                size += 1
        hits, misses = (_size(f"{folder}/{name}") for name in _COUNTERS)
        return CacheStats(size=size, hits=hits, misses=misses)


def _read(path: str) -> CachedCount | None:
    data = read_bytes(path, _ENTRY_LIMIT_BYTES)
    entry = (parse_object(data) if data else None) or {}
    if entry.get("version") != _VERSION:
        return None
    count, precision, counted = (entry.get(name) for name in ("count", "precision", "counted"))
    if type(count) is not int or not 0 <= count <= _MOST_TOKENS:
        return None
    if not (_is_number(precision, 1) and _is_number(counted, _LAST_SECOND)):
        return None
    age = time.time() - counted
    if not -_CLOCK_SLACK_SECONDS <= age < CACHE_SECONDS:
        return None
    return CachedCount(count, float(precision), float(counted))


def _is_number(value: object, most: float) -> TypeGuard[float]:
    """Return whether a value is a number up to `most`; a truth value is none."""
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= most


def _evict(folder: str) -> int:
    """Remove what nobody used for an hour, and make room where the limit is passed.

    What was not used for an hour is too old, or was left by a process that died as it wrote.
    Return how many can be put in before this is to be done again.
    """
    entries = []
    oldest = time.time_ns() - CACHE_SECONDS * 1e9
    with suppress(OSError), os.scandir(folder) as found:
        for file in found:
            used = _used(file)
            if _ENTRY_NAME.fullmatch(file.name) and used >= oldest:
                entries.append((used, file.path))
            elif _OWN_NAME.fullmatch(file.name) and used < oldest:
                _remove(file.path)
    room = CACHE_ENTRIES - len(entries)
    if room >= 0:
        return min(room, _ROOM_ENTRIES)
    for _, path in sorted(entries)[: _ROOM_ENTRIES - room]:
        _remove(path)
    return _ROOM_ENTRIES


def _used(file: "os.DirEntry[str]") -> int:
    try:
        return file.stat(follow_symlinks=False).st_mtime_ns
    except OSError:
        return 0


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def _remove(path: str) -> None:
    with suppress(OSError):
        Path(path).unlink()
