"""What the store asks of a database, whichever it is (light).

SQLite speaks through the interpreter's own driver, which a hook can afford; PostgreSQL through
SQLAlchemy Core. Both take the same SQL with `:name` parameters, so the store is written once.
"""

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database.schema import (
    SET_META,
    VERSION,
    VERSION_OF_STORE,
    statements,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from types import TracebackType
    from typing import Any, Self

    Row = tuple[Any, ...]
    Parameters = Mapping[str, object]


def damage_advice() -> str:
    """Return what is said of a damaged store, and how it comes back."""
    from amplihack_compaction.base.own_commands import own_command

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
        raise StoreError(f"{damage_advice()} (not a number: {str(value)[:40]!r})") from None


class Database:
    """A connection to a store. Every method raises StoreError, and nothing else, when it fails."""

    dialect = ""
    # Not so where it only stands for a store that is not there.
    is_kept = True
    place = ""
    # Behind a SELECT of a session that is about to be written; SQLite locks as a whole.
    for_update = ""

    def rows(self, sql: str, parameters: "Parameters | None" = None) -> "list[Row]":
        """Run one statement and return all rows that it gives."""
        raise NotImplementedError

    def run(self, sql: str, parameters: "Parameters | None" = None) -> int:
        """Run one statement and return how many rows it changed."""
        raise NotImplementedError

    def run_many(self, sql: str, parameters: "Sequence[Parameters]") -> int:
        """Run one statement for each set of parameters; return how many rows were changed."""
        raise NotImplementedError

    def run_alone(self, sql: str) -> None:
        """Run a statement that no transaction may hold, such as VACUUM."""
        raise NotImplementedError

    def prepare_bulk(self) -> None:
        """Make ready for writing very much, with memory for it."""

    def reserve_ids(self, table: str, count: int) -> "Sequence[int]":
        """Return ids that no row of the table has, ascending; only inside a transaction."""
        raise NotImplementedError

    def begin(self) -> None:
        """Begin a transaction that writes."""
        raise NotImplementedError

    def commit(self) -> None:
        """Make what the transaction wrote permanent."""
        raise NotImplementedError

    def rollback(self) -> None:
        """Undo what the transaction wrote."""
        raise NotImplementedError

    def close(self) -> None:
        """Give the connection back."""
        raise NotImplementedError

    def one(self, sql: str, parameters: "Parameters | None" = None) -> "Row | None":
        """Return the first row that a statement gives, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def transaction(self) -> "Transaction":
        """Return what commits at the end of a `with` block, or undoes it on an exception."""
        return Transaction(self)

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Transaction:
    """A transaction as a `with` block; contextlib would cost a hook a third of its time."""

    __slots__ = ("_database",)

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> Database:
        self._database.begin()
        return self._database

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        trace: "TracebackType | None",
    ) -> None:
        if kind is None:
            self._database.commit()
        else:
            self._database.rollback()


def stored_version(database: Database) -> int:
    """Return the version of the schema that is there; 0 for an empty database."""
    row = database.one(VERSION_OF_STORE)
    return whole(row[0]) if row is not None else 0


def check_version(database: Database, version: int) -> None:
    """Raise StoreError for a store that a newer version of this package has written."""
    if version > VERSION:
        raise StoreError(
            f"{database.place} was written by a newer amplihack-compaction (schema {version}, this"
            f" one knows {VERSION}): update the package; nothing was changed"
        )


def migrate(database: Database, version: int) -> None:
    """Bring the schema from `version` to this package's, inside the caller's transaction."""
    for number in range(version + 1, VERSION + 1):
        for statement in statements(database.dialect, number):
            database.run(statement)
    database.run(SET_META, {"name": "schema_version", "value": str(VERSION)})


def in_slices(items: "Sequence[Any]", size: int) -> "Iterable[Sequence[Any]]":
    """Yield the items in pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
