"""The store on PostgreSQL, through SQLAlchemy Core (extra `postgres`)."""

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import (
    POSTGRESQL,
    VERSION,
    Database,
    check_version,
    migrate,
    stored_version,
)

if TYPE_CHECKING:
    import sqlalchemy

    from amplihack_compaction.store.database import Parameters, Row

# Any number that only this package takes: two processes that come first must not both migrate.
_MIGRATION_LOCK = 0x616D706C
_TRIGRAMS = "CREATE INDEX IF NOT EXISTS word_part ON word USING gin (word gin_trgm_ops)"


def open_server(url: str) -> "ServerDatabase":
    """Open the store at a `postgresql://` URL, brought up to this version's schema.

    Raises StoreError without the extra, without the server, and for a newer store.
    """
    try:
        import psycopg  # noqa: F401 - without the driver SQLAlchemy's own message says less
        import sqlalchemy
    except ImportError:
        from amplihack_compaction.base.installation import extra_command

        raise StoreError(
            f"PostgreSQL needs the extra `postgres`: {extra_command('postgres')}"
        ) from None
    try:
        address = sqlalchemy.make_url(url).set(drivername="postgresql+psycopg")
        engine = sqlalchemy.create_engine(address)
    except (sqlalchemy.exc.ArgumentError, ValueError) as error:
        raise StoreError(f"{_without_password(url)} is no URL of a database: {error}") from None
    database = ServerDatabase(engine, address.render_as_string(hide_password=True))
    try:
        _prepare(database)
    except BaseException:
        database.close()
        raise
    return database


def _prepare(database: "ServerDatabase") -> None:
    with database.transaction():
        database.rows("SELECT pg_advisory_xact_lock(:lock)", {"lock": _MIGRATION_LOCK})
        known = database.one("SELECT to_regclass('meta') IS NOT NULL")
        version = stored_version(database) if known and known[0] else 0
        check_version(database, version)
        if version < VERSION:
            migrate(database, version)
    if version == 0:
        _add_trigrams(database)


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

    def __init__(self, engine: "sqlalchemy.Engine", place: str) -> None:
        """Use an engine; the connection is made with the first statement."""
        self.place = place
        self._engine = engine
        self._local = threading.local()

    def rows(self, sql: str, parameters: "Parameters | None" = None) -> "list[Row]":
        """Run one statement and return all rows that it gives."""
        return self._execute(sql, parameters)[0]

    def run(self, sql: str, parameters: "Parameters | None" = None) -> int:
        """Run one statement and return how many rows it changed."""
        return self._execute(sql, parameters)[1]

    def run_many(self, sql: str, parameters: "Sequence[Parameters]") -> int:
        """Run one statement for each set of parameters; return how many rows were changed."""
        return self._execute(sql, [dict(one) for one in parameters])[1] if parameters else 0

    def run_alone(self, sql: str) -> None:
        """Run a statement that no transaction may hold, such as VACUUM."""
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self._engine.connect() as connection:
                alone = connection.execution_options(isolation_level="AUTOCOMMIT")
                alone.execute(text(sql))
        except SQLAlchemyError as error:
            raise self._explained(error) from None

    def reserve_ids(self, table: str, count: int) -> "Sequence[int]":  # noqa: ARG002 - one source
        """Return ids that no other writer gets either, ascending."""
        found = self.rows("SELECT nextval('ids') FROM generate_series(1, :count)", {"count": count})
        return sorted(int(row[0]) for row in found)

    def begin(self) -> None:
        """Begin a transaction that writes."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            self._local.connection = self._engine.connect()
        except SQLAlchemyError as error:
            raise self._explained(error) from None

    def commit(self) -> None:
        """Make what the transaction wrote permanent."""
        self._end("commit")

    def rollback(self) -> None:
        """Undo what the transaction wrote."""
        self._end("rollback")

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()

    def _end(self, how: str) -> None:
        from sqlalchemy.exc import SQLAlchemyError

        connection, self._local.connection = self._local.connection, None
        try:
            getattr(connection, how)()
        except SQLAlchemyError as error:
            raise self._explained(error) from None
        finally:
            connection.close()

    def _execute(self, sql: str, parameters: Any) -> "tuple[list[Row], int]":
        from sqlalchemy import text
        from sqlalchemy.exc import SQLAlchemyError

        statement = text(sql)
        open_connection = getattr(self._local, "connection", None)
        try:
            if open_connection is not None:
                return _outcome(open_connection.execute(statement, parameters or {}))
            with self._engine.begin() as connection:
                return _outcome(connection.execute(statement, parameters or {}))
        except SQLAlchemyError as error:
            raise self._explained(error) from None

    def _explained(self, error: Exception) -> StoreError:
        said = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
        return StoreError(
            f"{self.place}: {said}. Nothing that was stored is lost; is the server there, and may"
            " this role write?"
        )


def _outcome(result: "sqlalchemy.CursorResult[Any]") -> "tuple[list[Row], int]":
    rows = [tuple(row) for row in result] if result.returns_rows else []
    return rows, result.rowcount


def _without_password(url: str) -> str:
    head, at, tail = url.rpartition("@")
    return f"…@{tail}" if at and head else url
