"""The embedded store: SQLite in WAL mode, `<runtime>/store.db`, 0600.

A new store is made whole beside its place and then linked into it, so that of many processes
that come first at once none ever meets half a schema, or a file that others can read.
"""

import _sqlite3
import posix
import time
from collections.abc import Sequence
from contextlib import suppress

from amplihack_compaction.base.errors import StoreError, place_and_reason, reason_of
from amplihack_compaction.base.files import is_link, is_regular, read_if_there
from amplihack_compaction.base.folders import lock_file
from amplihack_compaction.base.paths import STORE_FILE, prepare_runtime, runtime_folder
from amplihack_compaction.base.signature import is_marked, key_path, mark_of
from amplihack_compaction.store.database import (
    SET_META,
    SQLITE,
    Database,
    Parameters,
    Row,
    check_version,
    damage_advice,
    make_tables,
    statements,
)

# A writer holds the lock for milliseconds; a hook that waits longer leaves it to the next one.
HOOK_WAIT_SECONDS = 5.0
COMMAND_WAIT_SECONDS = 30.0
_CACHE_KIBIBYTES = 16 * 1024
_CREATE = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
# What SQLite has beside a database, and this itself.
_OWN_FILES = ("", "-journal", "-wal", "-shm")
_DAMAGED = ("malformed", "not a database", "corrupt", "no such table")
SET_ASIDE = ".set-aside"
"""What ends the name of a store that this user's process did not make."""
OWNER = "SELECT value FROM meta WHERE name = 'owner'"
SCHEMA = "SELECT type, name, sql FROM sqlite_master LIMIT 200"
# The tables that FTS5 has below its own.
_SHADOWS = ("search_", "word_part_", "sqlite_")
# No statement takes a hook longer; what a file makes of one is not to hold it up.
_HOOK_SECONDS = 25.0
# What a store grows by in one hook, of 4 KiB each, and SQLite's memory in one.
_HOOK_PAGES = 256 * 1024
_HOOK_BYTES = 1024 * 1024 * 1024
_LOOK_STEPS = 1_000_000
# By what SQLite's own words hold.
_ADVICE = (
    (("full",), "the disk is full; nothing that was stored is lost. Make room, then run it again"),
    (
        ("readonly", "read-only", "unable to open"),
        "it cannot be written: make the folder writable, or name another with --url",
    ),
    (
        # It says no more where the piece of the index that its processes share has no room.
        ("locking protocol", "disk i/o error"),
        "the drive is full, or fails, or does not give SQLite the locks it needs: make room, or"
        " name a store on a local drive with --url",
    ),
    (("locked", "busy"), "another process has been writing for long; run it again in a moment"),
    (
        ("no such module: fts5", "no such tokenizer", "syntax error"),
        "this Python's SQLite is too old or lacks full-text search (3.35 with FTS5)",
    ),
)


def default_place(root: str) -> str:
    """Return the file of a project's own store.

    Where another key's store has its place, as a container's that works in the same folder, it
    goes on under the name that it was set aside by: no process need wait for another's renaming.
    """
    place = f"{runtime_folder(root)}/{STORE_FILE}"
    taken = f"{place}{SET_ASIDE}"
    if is_regular(taken):
        with suppress(StoreError), open_sqlite(taken, HOOK_WAIT_SECONDS) as database:
            if is_own(database.one(OWNER)):
                return taken
    return place


def open_project_store(
    root: str, wait_seconds: float = COMMAND_WAIT_SECONDS, *, only_read: bool = False
) -> "SqliteDatabase":
    """Open a project's own store, made when it is missing.

    One that this user's process did not make is set aside; whoever will `only_read` is told so.
    Raises StoreError when it cannot be used, or when a link leads out of the project.
    """
    try:
        prepare_runtime(root)
    except OSError as error:
        raise StoreError(f"the store of {root} cannot be made: {place_and_reason(error)}") from None
    place = default_place(root)
    for _ in range(2):
        database = open_sqlite(place, wait_seconds)
        if is_own(database.one(OWNER)):
            return database
        database.close()
        if only_read:
            raise _not_own(place)
        _set_aside(root, place, wait_seconds)
    raise StoreError(f"{place} is not this user's: no mark of his key can be kept in it")


def is_own(owner: Row | None) -> bool:
    """Return whether this user's process made the store of an owner: it came with no repository."""
    number, _, mark = str(owner[0] if owner is not None else "").partition(" ")
    return is_marked(number.encode(), STORE_FILE, mark)


def _not_own(place: str) -> StoreError:
    return StoreError(f"{place} was not made with this user's key, {key_path()}: {way_out(place)}")


def way_out(place: str) -> str:
    """Return what becomes of a store of another key, or what to do where it stays in the way."""
    taken = f"{place}{SET_ASIDE}"
    if is_regular(taken) or is_link(taken):
        return (
            f"nor was {taken}, which was set aside before. Nothing is stored until you move both"
            " away; keep what is yours"
        )
    return (
        f"it is not read. The next hook sets it aside as {taken}, and `store sync` reads the"
        " transcripts that are there into a new one"
    )


def _set_aside(root: str, place: str, wait_seconds: float) -> None:
    """Rename a store that this user's process did not make, with the files beside it."""
    from amplihack_compaction.base.hook_log import log_line

    try:
        with lock_file(f"{place}.lock", wait_seconds):
            with open_sqlite(place, wait_seconds) as again:
                if is_own(again.one(OWNER)):
                    return  # another process was faster
            taken = f"{place}{SET_ASIDE}"
            if is_regular(taken) or is_link(taken):
                raise _not_own(place)
            for ending in _OWN_FILES:
                with suppress(FileNotFoundError):
                    posix.rename(place + ending, taken + ending)
    except OSError as error:  # TimeoutError is one
        raise StoreError(f"{place} is not this user's: {reason_of(error)}") from None
    log_line(
        root,
        "Store",
        f"{place} was of an earlier version, or somebody else's: it was set aside as {taken};"
        " `store sync` reads the transcripts that are there into a new one",
    )


def no_store_yet(place: str) -> "SqliteDatabase":
    """Return an empty store that stands, for whoever only reads, for one that is not there."""
    database = SqliteDatabase(":memory:", 0)
    database.place, database.is_kept = place, False
    with database.transaction():
        make_tables(database)
    return database


# UnicodeError: a damaged file's text that is named in an error, or half a character to store.
# OverflowError: behind a damaged file's highest number.
_FAULTS = (_sqlite3.Error, UnicodeError, OverflowError)


def open_sqlite(path: str, wait_seconds: float = COMMAND_WAIT_SECONDS) -> "SqliteDatabase":
    """Open the store in a file, made when it is missing."""
    if is_link(path):
        raise StoreError(f"{path} is a link; the store is not opened through it")
    if not is_regular(path):
        _make(path, wait_seconds)
    database = SqliteDatabase(path, wait_seconds)
    try:
        _check_schema(database)
        check_version(database)
    except BaseException:
        database.close()
        raise
    return database


def _check_schema(database: "SqliteDatabase") -> None:
    """Raise StoreError where a file holds more than this package puts into a store."""
    if planted := planted_name(database.rows(SCHEMA)):
        raise StoreError(
            f"{database.place} holds {planted}, which is none of the store's: it was not used."
            " Move it away"
        )


def planted_name(schema: list[Row]) -> str:
    """Return what the rows of `SCHEMA` name that is none of a store's; empty for nothing.

    A trigger or a view runs with whoever writes or reads. What lies in such a file is read as data
    before anything of it is used.
    """
    made = statements(SQLITE)
    expected = {"".join(text[text.find("CREATE") :].split()) for text in made}
    for kind, name, text in schema:
        known = text is None or "".join(str(text).split()) in expected
        shadow = kind == "table" and str(name).startswith(_SHADOWS)
        if kind in ("trigger", "view") or not (shadow or known):
            return repr(str(name)[:40])
    return ""


def _make(path: str, wait_seconds: float) -> None:
    temporary = f"{path}.{posix.getpid()}.{posix.urandom(4).hex()}.tmp"
    try:
        posix.close(posix.open(temporary, _CREATE, 0o600))
        try:
            with SqliteDatabase(temporary, wait_seconds) as database:
                database.run("PRAGMA auto_vacuum = INCREMENTAL")
                with database.transaction():
                    make_tables(database)
                    number = posix.urandom(16).hex()
                    owner = f"{number} {mark_of(number.encode(), STORE_FILE)}"
                    database.run(SET_META, {"name": "owner", "value": owner})
                # Only now: what a log holds stays behind where the disk refuses to take it over
                # at the end, and nobody hears of that.
                database.make_shared()
            posix.link(temporary, path)
        except FileExistsError:
            return  # another process was first; its store is as whole as this one
        finally:
            for ending in _OWN_FILES:
                with suppress(FileNotFoundError):
                    posix.unlink(temporary + ending)
    except OSError as error:
        # The name of what it is made under is ours alone.
        is_ours = error.filename == temporary
        why = reason_of(error) if is_ours else place_and_reason(error)
        raise StoreError(f"the store {path} cannot be made: {why}") from None


def _cannot_change(path: str) -> bool:
    """Return whether a whole store lies where nothing can be written: it is read all the same.

    What a log beside it holds could not be read there.
    """
    if posix.access(path.rpartition("/")[0] or ".", posix.W_OK):
        return False
    return is_regular(path) and not read_if_there(f"{path}-wal", 1)


class SqliteDatabase(Database):
    """A connection to an SQLite store."""

    dialect = SQLITE
    begin = "BEGIN IMMEDIATE"  # which waits for another writer

    def __init__(self, path: str, wait_seconds: float) -> None:
        self.place = path
        try:
            is_fixed = _cannot_change(path)
            if is_fixed:
                from urllib.parse import quote  # more than the rest of a hook's modules

                path = f"file:{quote(path)}?immutable=1"
            self._connection = _sqlite3.connect(
                path,
                uri=is_fixed,
                timeout=wait_seconds,
                isolation_level=None,
                check_same_thread=False,
            )
            if wait_seconds <= HOOK_WAIT_SECONDS:
                end = time.monotonic() + _HOOK_SECONDS
                self._connection.set_progress_handler(lambda: time.monotonic() > end, _LOOK_STEPS)
                (pages,) = self._connection.execute("PRAGMA page_count").fetchone()
                self._connection.execute(f"PRAGMA max_page_count = {pages + _HOOK_PAGES}")
                self._connection.execute(f"PRAGMA hard_heap_limit = {_HOOK_BYTES}")
            self._connection.execute("PRAGMA trusted_schema = OFF")
            self._connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
            # WAL loses no consistency without a flush per commit, and the cursor of what was
            # read is lost together with what was written from it.
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            self._connection.execute("PRAGMA secure_delete = ON")
        except _FAULTS as error:
            raise explained(error, self.place) from None

    def make_shared(self) -> None:
        """Switch to WAL, in which readers and a writer do not wait for each other."""
        row = self.one("PRAGMA journal_mode = WAL")
        if row is None or row[0] != "wal":
            raise StoreError(
                f"{self.place} lies on a drive without shared locks (a network drive, often):"
                " name a store elsewhere with --url, or switch the store off"
            )

    def _execute(
        self, sql: str, parameters: Parameters | list[Parameters] | None
    ) -> tuple[list[Row], int]:
        connection = self._connection
        run = connection.executemany if isinstance(parameters, list) else connection.execute
        try:
            cursor = run(sql, parameters or {})
            return cursor.fetchall(), cursor.rowcount
        except _FAULTS as error:
            raise explained(error, self.place) from None

    def reserve_ids(self, table: str, count: int) -> Sequence[int]:
        """Return ids above all that the table ever had, which nobody else takes meanwhile."""
        name = f"newest {table}"
        given = self.number("SELECT value FROM meta WHERE name = :name", {"name": name})
        first = max(given, self.number(f"SELECT max(id) FROM {table}")) + 1  # noqa: S608
        self.run(SET_META, {"name": name, "value": str(first + count - 1)})
        return range(first, first + count)

    def close(self) -> None:
        """Close the connection; the last one of a store empties its write-ahead log."""
        self._connection.close()


def explained(error: "_sqlite3.Error | UnicodeError | OverflowError", place: str) -> StoreError:
    """Return an error that says what to do about one of SQLite's."""
    said = str(error)
    if isinstance(error, UnicodeDecodeError):
        said = error.object.decode("utf-8", "replace")
    folded = said.lower()
    if any(mark in folded for mark in _DAMAGED):
        return StoreError(f"{place}: {damage_advice()} ({said})")
    for marks, advice in _ADVICE:
        if any(mark in folded for mark in marks):
            return StoreError(f"{place}: {advice} ({said})")
    return StoreError(f"{place}: {said}")
