"""What the store asks of a database, whichever it is, and the schema that it gives it.

SQLite speaks through the interpreter's own driver, which a hook can afford; PostgreSQL through
psycopg. Both take the same SQL with `:name` parameters, so the store is written once.

The schema is the statements in `schema/tables.sql`, and those that only one database knows, in
`schema/DIALECT.sql`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Self

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.base.files import read_bytes

Row = tuple[Any, ...]
Parameters = Mapping[str, object]

SQLITE = "sqlite"
POSTGRESQL = "postgresql"
VERSION = 2
PARTITION_IDS = 1_000_000
"""How many ids the sessions of a part of a server's large tables have; as in the schema."""
_SCHEMA_FOLDER = f"{__file__.rpartition('/')[0]}/schema"
_SCHEMA_LIMIT_BYTES = 64 * 1024
# How a database says what `schema/tables.sql` leaves open.
_SAID_AS = {
    SQLITE: {
        "integer": "INTEGER",
        "key": "INTEGER PRIMARY KEY",
        "of_session": " REFERENCES session (id) ON DELETE CASCADE",
        "in_parts": "",
    },
    POSTGRESQL: {
        "integer": "BIGINT",
        "key": "BIGINT NOT NULL",
        "of_session": "",
        "in_parts": " PARTITION BY RANGE (session)",
    },
}
VERSION_OF_STORE = "SELECT value FROM meta WHERE name = 'schema_version'"
SET_META = (
    "INSERT INTO meta (name, value) VALUES (:name, :value)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


def damage_advice() -> str:
    """Return what is said of a damaged store, and how it comes back."""
    from amplihack_compaction.base.installation import own_command

    return (
        f"the store is damaged and was left as it is. Move it away, then `{own_command()} store"
        " sync` makes it anew from the transcripts that are there"
    )


def whole(value: object) -> int:
    """Return a whole number of the store's; StoreError where something else stands in its place.

    SQLite takes any value in any column, and a damaged file has them.
    """
    try:
        return int(value)  # type: ignore[call-overload,no-any-return]
    except (ValueError, TypeError, OverflowError):
        raise damaged(f"not a number: {str(value)[:40]!r}") from None


def damaged(why: str) -> StoreError:
    """Return the error of a store that holds what none has written."""
    return StoreError(f"{damage_advice()} ({why})")


class Database:
    """A connection to a store. Every method raises StoreError, and nothing else, when it fails."""

    dialect = ""
    # Not so where it only stands for a store that is not there.
    is_kept = True
    place = ""
    begin = "BEGIN"
    # Behind a SELECT of a session that is about to be written; SQLite locks as a whole.
    for_update = ""
    # Messages with their texts, the index with its messages, and the index's own number of one.
    texts = "message JOIN content ON content.message = message.id"
    indexed = "search JOIN message ON message.id = search.rowid"
    index_id = "search.rowid"
    matches = "search MATCH :match"
    # How a full-text search joins what may be, what must be and what must not.
    joints = (" OR ", " AND ", " NOT ")
    words_from = "SELECT word FROM word WHERE word GLOB :stem || '*' LIMIT 200"
    # The bytes of a store's data; pages that are free again are left out.
    used = (
        "SELECT (page_count - freelist_count) * page_size"
        " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
    )
    insert_text = "INSERT INTO content (message, body) VALUES (:id, :body)"
    insert_words = "INSERT INTO search (rowid, body) VALUES (:id, :words)"

    def _execute(
        self, sql: str, parameters: Parameters | list[Parameters] | None
    ) -> tuple[list[Row], int]:
        """Run a statement and return all rows that it gives, and how many it changed.

        For each set of parameters, where they are several; then it gives none.
        """
        raise NotImplementedError

    def run_many(self, sql: str, parameters: Iterable[Parameters]) -> int:
        """Run one statement for each set of parameters; return how many rows were changed."""
        several = [*parameters]
        return self._execute(sql, several)[1] if several else 0

    def run_alone(self, sql: str) -> None:
        """Run a statement that no transaction may hold, such as VACUUM, however long it takes."""
        self.run(sql)

    def reserve_ids(self, table: str, count: int) -> Sequence[int]:
        """Return ids that no row of the table has or had, ascending; only inside a transaction."""
        raise NotImplementedError

    @contextmanager
    def transaction(self) -> Iterator[Self]:
        """Commit what a `with` block has written at its end, or undo it on an exception."""
        self.run(self.begin)
        try:
            yield self
            self.run("COMMIT")
        except BaseException:
            with suppress(StoreError):  # where the connection is lost, it is undone already
                self.run("ROLLBACK")
            raise

    def close(self) -> None:
        """Give the connection back."""
        raise NotImplementedError

    def rows(self, sql: str, parameters: Parameters | None = None) -> list[Row]:
        """Run one statement and return all rows that it gives."""
        return self._execute(sql, parameters)[0]

    def run(self, sql: str, parameters: Parameters | None = None) -> int:
        """Run one statement and return how many rows it changed."""
        return self._execute(sql, parameters)[1]

    def one(self, sql: str, parameters: Parameters | None = None) -> Row | None:
        """Return the first row that a statement gives, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def number(self, sql: str, parameters: Parameters | None = None) -> int:
        """Return the whole number that a statement gives; 0 where it gives none."""
        row = self.one(sql, parameters)
        return whole(row[0] or 0) if row else 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_version(database: Database) -> None:
    """Raise StoreError for a store that a newer version of this package has written."""
    version = database.number(VERSION_OF_STORE)
    if version > VERSION:
        raise StoreError(
            f"{database.place} was written by a newer amplihack-compaction (schema {version}, this"
            f" one knows {VERSION}): update the package; nothing was changed"
        )


def make_tables(database: Database) -> None:
    """Give an empty database the schema, inside the caller's transaction."""
    for statement in statements(database.dialect):
        database.run(statement)
    database.run(SET_META, {"name": "schema_version", "value": str(VERSION)})


def statements(dialect: str) -> list[str]:
    """Return the statements that make a store of a dialect."""
    found = []
    for name in ("tables", dialect):
        sql = (read_bytes(f"{_SCHEMA_FOLDER}/{name}.sql", _SCHEMA_LIMIT_BYTES) or b"").decode()
        found += (sql.format(**_SAID_AS[dialect]) + "\n").split(";\n\n")[:-1]
    return found
