"""The store on PostgreSQL, through psycopg (extra `postgres`)."""

import logging
import os
import re
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

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
    import psycopg

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
# No VACUUM takes so long.
_ALONE_SECONDS = 7 * 86_400
# With the server's own, made for disks that turn, it reads every document rather than the index,
# for some dozen rare words: it takes them for frequent.
_PAGE_COST = 1.1
_IS_PART = "SELECT FROM pg_tables WHERE tablename = :name AND schemaname = current_schema"
_DRIVER = re.compile(r"\Apostgres(?:ql)?(?:\+psycopg)?://")
_PASSWORD = re.compile(r"\A([\w+]+://[^:/?@]*:)([^?]*)(?=@)")
# A parameter, and no cast.
_NAMED = re.compile(r"(?<!:):([a-z]\w*)")


def open_server(url: str, *, only_read: bool = False) -> "ServerDatabase":
    """Open the store at a `postgresql://` URL, its tables made when they are missing.

    Its time-outs are those above, where the URL's `options` and `connect_timeout` name no others.
    Raises StoreError without the extra, without the server, and for a newer store.
    """
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict, make_conninfo
    except ImportError:
        from amplihack_compaction.base.installation import extra_command

        raise StoreError(
            f"PostgreSQL needs the extra `postgres`: {extra_command('postgres')}"
        ) from None
    # What it warns of where a server goes away is said by the error that follows.
    logging.getLogger(psycopg.__name__).addHandler(logging.NullHandler())
    url = _DRIVER.sub("postgresql://", url)
    place = _without_passwords(url)
    # What somebody typed as it is, the driver's library wants with %2F for a slash.
    url = _PASSWORD.sub(lambda found: found[1] + quote(found[2], safe="%"), url)
    seconds = READ_SECONDS if only_read else WRITE_SECONDS
    limits = (
        ("statement_timeout", seconds),
        ("lock_timeout", LOCK_SECONDS),
        ("idle_in_transaction_session_timeout", _IDLE_SECONDS),
    )
    ours = " ".join(f"-c {name}={limit}s" for name, limit in limits)
    try:
        asked: dict[str, Any] = {"connect_timeout": CONNECT_SECONDS, **conninfo_to_dict(url)}
        asked["options"] = f"-c random_page_cost={_PAGE_COST} {ours} {asked.get('options', '')}"
        # Else the texts of a database without an encoding come as bytes.
        address = make_conninfo(**{**asked, "client_encoding": "UTF8"})
    except psycopg.ProgrammingError as error:
        why = str(error).replace(url, place).strip()
        raise StoreError(
            f"{place} is no URL of a database, as postgresql://USER@HOST/DATABASE is: {why}"
        ) from None
    database = ServerDatabase(address, place, seconds)
    try:
        _prepare(database)
    except BaseException:
        database.close()
        raise
    return database


def _without_passwords(url: str) -> str:
    url = re.sub(r"(?<=password=)[^&]*", "***", url)
    return re.sub(r"\A([\w+]+://[^:/?@]*:).*(?=@)", r"\1***", url)


def _prepare(database: "ServerDatabase") -> None:
    if not _has_tables(database):  # without the lock: who only reads waits for nobody
        with database.transaction():
            database.rows("SELECT pg_advisory_xact_lock(:lock)", {"lock": _MAKING_LOCK})
            if not _has_tables(database):
                _check_encoding(database)
                make_tables(database)
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
    named = "tablename = 'meta' AND schemaname = ANY (current_schemas(false))"
    return database.number(f"SELECT count(*) FROM pg_catalog.pg_tables WHERE {named}") > 0  # noqa: S608


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

    def __init__(self, address: str, place: str, seconds: float) -> None:
        """Take an address, at which a statement may take so long; the first one connects."""
        self.place = place
        self._address = address
        self._seconds = seconds
        self._connection: psycopg.Connection | None = None

    def _execute(self, sql: str, parameters: Any) -> tuple[list[Row], int]:
        import psycopg

        ended = threading.Event()
        timer = None
        if parameters:
            sql = _NAMED.sub(r"%(\1)s", sql.replace("%", "%%"))
        try:
            if self._connection is None or self._connection.closed:
                self._connection = psycopg.connect(self._address, autocommit=True)
            timer = self._hanging_up(self._connection, ended)
            cursor = self._connection.cursor()
            if isinstance(parameters, list):
                cursor.executemany(sql.encode(), parameters)
            else:
                cursor.execute(sql.encode(), parameters or None)
            return cursor.fetchall() if cursor.description else [], cursor.rowcount
        except (psycopg.Error, UnicodeError) as error:
            late = f"it has not answered for {self._seconds:.0f} s"
            why = late if ended.is_set() else _why(error)
            raise StoreError(f"{self.place}: {why}") from None
        finally:
            if timer is not None:
                timer.cancel()

    def _hanging_up(
        self, connection: "psycopg.Connection", ended: threading.Event
    ) -> threading.Timer:
        """Return the timer that ends a connection on which nothing comes any more."""

        def hang_up() -> None:
            ended.set()
            with suppress(OSError), socket.socket(fileno=os.dup(connection.fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)

        timer = threading.Timer(self._seconds + _GRACE_SECONDS, hang_up)
        timer.daemon = True
        timer.start()
        return timer

    def run_alone(self, sql: str) -> None:
        """Run a statement that no transaction may hold, such as VACUUM, however long it takes."""
        with ServerDatabase(self._address, self.place, _ALONE_SECONDS) as other:
            other.run("SET statement_timeout = 0")
            other.run(sql)

    def reserve_ids(self, table: str, count: int) -> Sequence[int]:
        """Return ids that no other writer gets either, ascending; of sessions, with their parts."""
        found = self.rows("SELECT nextval('ids') FROM generate_series(1, :count)", {"count": count})
        ids = sorted(int(row[0]) for row in found)
        parts = {one // PARTITION_IDS for one in ids} if table == "session" else ()
        for number in parts:
            if not self.rows(_IS_PART, {"name": f"search_{number}"}):
                # By itself, so that no other writer waits until this one is done.
                self.run_alone(f"SELECT add_partition({number})")
        return ids

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()


def _why(error: Exception) -> str:
    """Return what a server refused and what can be done about it, or what lies on the way to it.

    What a server says of a statement may quote what it was given.
    """
    state = getattr(error, "sqlstate", None)
    if state is None:
        return " ".join(str(error).split())
    told = next((words for begins, words in _REASONS if state.startswith(begins)), "")
    return told or f"the server refused it ({type(error).__name__} {state})"


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
