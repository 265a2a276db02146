"""The store on PostgreSQL, through SQLAlchemy Core (extra `postgres`)."""

import logging
import os
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import (
    PARTITION_IDS,
    POSTGRESQL,
    Database,
    Row,
    check_version,
    make_tables,
)

if TYPE_CHECKING:
    import sqlalchemy

# Any number that only this package takes: two processes that come first must not both make tables.
_MAKING_LOCK = 0x616D706C
CONNECT_SECONDS = 10
"""How long a server has to answer; one that accepts and then says nothing would be waited for."""
READ_SECONDS, WRITE_SECONDS = 30, 300
"""How long a statement may take, of whoever only reads and of others."""
LOCK_SECONDS = 30
# After this the server should have ended the statement itself; it may not be there any more.
_GRACE_SECONDS = 5
_IDLE_SECONDS = 600
# With the server's own, made for disks that turn, it reads every document rather than the index,
# for some dozen rare words: it takes them for frequent.
_PAGE_COST = 1.1
_IS_PART = "SELECT FROM pg_tables WHERE tablename = :name AND schemaname = current_schema"
_TRIGRAMS = "CREATE INDEX IF NOT EXISTS word_part ON word USING gin (word gin_trgm_ops)"


def open_server(url: str, *, only_read: bool = False) -> "ServerDatabase":
    """Open the store at a `postgresql://` URL, its tables made when they are missing.

    Its time-outs are those above, where the URL's `options` and `connect_timeout` name no others.
    Raises StoreError without the extra, without the server, and for a newer store.
    """
    try:
        import psycopg  # without the driver SQLAlchemy's own message says less
        import sqlalchemy
    except ImportError:
        from amplihack_compaction.base.installation import extra_command

        raise StoreError(
            f"PostgreSQL needs the extra `postgres`: {extra_command('postgres')}"
        ) from None
    # What it warns of where a server goes away is said by the error that follows.
    logging.getLogger(psycopg.__name__).addHandler(logging.NullHandler())
    try:
        address = sqlalchemy.make_url(url).set(drivername="postgresql+psycopg")
        seconds = READ_SECONDS if only_read else WRITE_SECONDS
        limits = (
            ("statement_timeout", seconds),
            ("lock_timeout", LOCK_SECONDS),
            ("idle_in_transaction_session_timeout", _IDLE_SECONDS),
        )
        ours = f"-c random_page_cost={_PAGE_COST} "
        ours += " ".join(f"-c {name}={limit}s" for name, limit in limits)
        asked = {"connect_timeout": str(CONNECT_SECONDS), **address.query}
        asked["options"] = f"{ours} {asked.get('options', '')}".strip()
        # Given apart: what is in the URL itself comes last, and would take the place of ours.
        bare = address.difference_update_query(["options", "connect_timeout"])
        asked_of_it = {name: asked[name] for name in ("options", "connect_timeout")}
        # Else the texts of a database without an encoding come as bytes.
        engine = sqlalchemy.create_engine(
            bare, connect_args={"client_encoding": "UTF8", **asked_of_it}
        )
    except (sqlalchemy.exc.ArgumentError, ValueError):
        raise StoreError(
            f"{_without_password(url)} is no URL of a database: it looks like"
            " postgresql://USER@HOST/DATABASE"
        ) from None
    place = address.set(drivername="postgresql").render_as_string(hide_password=True)
    database = ServerDatabase(engine, place, seconds)
    try:
        _prepare(database)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: "ServerDatabase") -> None:
    if not _has_tables(database):  # without the lock: who only reads waits for nobody
        with database.transaction():
            database.rows("SELECT pg_advisory_xact_lock(:lock)", {"lock": _MAKING_LOCK})
            is_first = not _has_tables(database)
            if is_first:
                _check_encoding(database)
                make_tables(database)
        if is_first:
            _add_trigrams(database)
    check_version(database)


def _check_encoding(database: "ServerDatabase") -> None:
    """Raise StoreError for a database that cannot keep every text."""
    (encoding,) = database.one("SHOW server_encoding") or ("",)
    if encoding != "UTF8":
        raise StoreError(
            f"{database.place}: its encoding is {encoding}, which cannot keep every text: make it"
            " with encoding 'UTF8' (CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0)"
        )


def _has_tables(database: "ServerDatabase") -> bool:
    # Not to_regclass: a connection may remember that there was no such table.
    known = database.one(
        "SELECT EXISTS (SELECT 1 FROM pg_catalog.pg_tables WHERE tablename = 'meta'"
        " AND schemaname = ANY (current_schemas(false)))"
    )
    return known is not None and bool(known[0])


def _add_trigrams(database: "ServerDatabase") -> None:
    """Index the words' trigrams where this role may; a plain scan of the words serves else."""
    try:
        with database.transaction():
            database.run("CREATE EXTENSION IF NOT EXISTS pg_trgm")
            database.run(_TRIGRAMS)
    except StoreError:
        return


class ServerDatabase(Database):
    """A connection to a PostgreSQL store; outside a transaction every statement is its own."""

    dialect = POSTGRESQL
    for_update = " FOR UPDATE"
    texts = (
        "message JOIN content ON content.session = message.session AND content.message = message.id"
    )
    indexed = (
        "search JOIN message ON message.session = search.session AND message.id = search.message"
    )
    index_id = "search.message"
    matches = "document @@ to_tsquery('simple', :match)"
    joints = (" | ", " & ", " & !")
    words_from = "SELECT word FROM word WHERE word LIKE :stem || '%' LIMIT 200"
    used = (
        "SELECT sum(pg_total_relation_size(pg_class.oid)) FROM pg_class JOIN pg_namespace"
        " ON pg_namespace.oid = relnamespace WHERE nspname = current_schema AND relkind = 'r'"
    )
    insert_text = "INSERT INTO content VALUES (:session, :id, :body)"
    insert_words = "INSERT INTO search VALUES (:session, :id, to_tsvector('simple', :words))"

    def __init__(self, engine: "sqlalchemy.Engine", place: str, seconds: float) -> None:
        """Use an engine, whose statements may take so long; it connects with the first one."""
        self.place = place
        self._seconds = seconds
        self._engine = engine
        self._local = threading.local()
        self._partitions: set[int] = set()

    def _execute(self, sql: str, parameters: Any) -> tuple[list[Row], int]:
        import sqlalchemy

        statement = sqlalchemy.text(sql)
        connection = getattr(self._local, "connection", None)
        if connection is not None:
            with self._explaining(connection):
                return _outcome(connection.execute(statement, parameters or {}))
        with self._explaining(), self._engine.begin() as own, self._explaining(own):
            return _outcome(own.execute(statement, parameters or {}))

    def run_alone(self, sql: str) -> None:
        """Run a statement that no transaction may hold, such as VACUUM, however long it takes."""
        import sqlalchemy

        with self._explaining(), self._engine.connect() as connection:
            alone = connection.execution_options(isolation_level="AUTOCOMMIT")
            alone.execute(sqlalchemy.text("SET statement_timeout = 0"))
            alone.execute(sqlalchemy.text(sql))
            alone.execute(sqlalchemy.text("RESET statement_timeout"))

    def reserve_ids(self, table: str, count: int) -> Sequence[int]:
        """Return ids that no other writer gets either, ascending; of sessions, with their parts."""
        found = self.rows("SELECT nextval('ids') FROM generate_series(1, :count)", {"count": count})
        ids = sorted(int(row[0]) for row in found)
        if table == "session":
            for number in {one // PARTITION_IDS for one in ids} - self._partitions:
                if not self.rows(_IS_PART, {"name": f"search_{number}"}):
                    # By itself, so that no other writer waits until this one is done.
                    self.run_alone(f"SELECT add_partition({number})")
                self._partitions.add(number)
        return ids

    @contextmanager
    def transaction(self) -> "Iterator[ServerDatabase]":
        """Commit what a `with` block has written at its end, or undo it on an exception."""
        with self._explaining(), self._engine.begin() as connection:
            self._local.connection = connection
            try:
                yield self
            finally:
                self._local.connection = None

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    @contextmanager
    def _explaining(self, connection: "sqlalchemy.Connection | None" = None) -> Iterator[None]:
        """Say in words what fails; a connection on which nothing comes any more is ended."""
        import psycopg
        from sqlalchemy.exc import SQLAlchemyError

        ended = threading.Event()
        driver: Any = connection.connection.driver_connection if connection is not None else None

        def end() -> None:
            ended.set()
            with suppress(OSError), socket.socket(fileno=os.dup(driver.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(self._seconds + _GRACE_SECONDS, end)
        timer.daemon = True
        if driver is not None:
            timer.start()
        try:
            yield
        except (SQLAlchemyError, psycopg.Error, UnicodeError) as error:
            why = (
                f"it has not answered for {self._seconds:.0f} s" if ended.is_set() else _why(error)
            )
            raise StoreError(f"{self.place}: {why}") from None
        finally:
            timer.cancel()


def _why(error: Exception) -> str:
    """Return what a server refused and what can be done about it, or what lies on the way to it.

    What a server says of a statement may quote what it was given.
    """
    cause = getattr(error, "orig", None) or error
    state = getattr(cause, "sqlstate", None)
    if state is None:
        return " ".join(str(cause).split())
    told = next((words for begins, words in _REASONS if state.startswith(begins)), "")
    return told or f"the server refused it ({type(cause).__name__} {state})"


# By what the server's code begins with.
_REASONS = (
    ("57014", "it took longer than a statement may; ask for less, or name a longer"
     " statement_timeout in the URL's `options`"),
    ("55P03", "another process holds what this one waits for; run it again in a moment"),
    ("40", "another process was in the way; run it again"),
    ("42501", "this role may not do that; what each role needs is in docs/store.md"),
    ("25006", "this server takes no changes, being a copy or set so; name the first one"),
    ("53100", "the server's disk is full; make room, then run it again"),
    ("53", "the server has no connection or no memory left; run it again in a moment"),
    ("57P", "the server was stopped or is starting; run it again in a moment"),
    ("42P01", "a table of the store is missing: is it a store, and the search_path right?"),
    ("22", "there is a text or a number in it that the server cannot keep"),
)  # fmt: skip


def _outcome(result: "sqlalchemy.CursorResult[Any]") -> tuple[list[Row], int]:
    rows = [tuple(row) for row in result] if result.returns_rows else []
    return rows, result.rowcount


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"…@{tail}" if at and head else url
