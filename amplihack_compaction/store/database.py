"""What the store asks of a database, whichever it is, and the schema that it gives it.

SQLite speaks through the interpreter's own driver, which a hook can afford; PostgreSQL through
SQLAlchemy Core. Both take the same SQL with `:name` parameters, so the store is written once.

    meta        name, value                       `schema_version`; how far the words are listed
    session     a key (scope, session_id), its counters, its newest summary, and between which
                ids and times its messages lie
    progress    how far a session's transcript is read, see `store.sessions`
    message     one text of a session; narrow, since filters walk over many
    content     the message's text, redacted, beside it
    compaction  every compaction, with what there was before and after it
    search      the full-text index: FTS5 without a copy of the text, or a tsvector
    word        the index's distinct words, and `word_part` their trigrams

`message.archived` is NULL in the working history, else the number of the compaction that took
the message out of it (0: it never was in it). `message.compactions` is how many compactions came
before it. Times are ISO 8601 in UTC as text, so that they compare as they sort.

A migration is a list of statements in the common part of both dialects, with `{blob}`-like names
for what differs; a statement under a dialect's name runs on that one only.
"""

from contextlib import contextmanager

from amplihack_compaction.base.errors import StoreError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self

    Row = tuple[Any, ...]
    Parameters = Mapping[str, object]

SQLITE = "sqlite"
POSTGRESQL = "postgresql"
_BOTH = ""

# Each number's statements are never changed once released: a change is the next number.
MIGRATIONS: "tuple[tuple[tuple[str, str], ...], ...]" = (
    (
        (_BOTH, "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)"),
        (
            _BOTH,
            """CREATE TABLE session (
                id {integer} PRIMARY KEY, scope TEXT NOT NULL, session_id TEXT NOT NULL,
                transcript TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL,
                updated_at TEXT NOT NULL, message_count {integer} NOT NULL DEFAULT 0,
                compaction_count {integer} NOT NULL DEFAULT 0, last_compacted_at TEXT,
                summary TEXT, first_message {integer}, last_message {integer},
                first_said TEXT NOT NULL DEFAULT '', last_said TEXT NOT NULL DEFAULT '',
                UNIQUE (scope, session_id))""",
        ),
        (_BOTH, "CREATE INDEX session_by_id ON session (session_id)"),
        (
            _BOTH,
            """CREATE TABLE progress (
                session {integer} PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
                position {integer} NOT NULL, mark TEXT NOT NULL, state TEXT NOT NULL)""",
        ),
        (
            _BOTH,
            """CREATE TABLE message (
                id {integer} PRIMARY KEY,
                session {integer} NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                archived {integer}, compactions {integer} NOT NULL, kind TEXT NOT NULL,
                role TEXT NOT NULL, tool TEXT NOT NULL, tokens {integer} NOT NULL,
                turn {integer} NOT NULL, said_at TEXT NOT NULL, uuid TEXT NOT NULL,
                part {integer} NOT NULL, place {integer}, UNIQUE (session, uuid, part))""",
        ),
        (
            _BOTH,
            """CREATE TABLE content (
                message {integer} PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
                body TEXT NOT NULL)""",
        ),
        (
            _BOTH,
            """CREATE TABLE compaction (
                session {integer} NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                number {integer} NOT NULL, strategy TEXT NOT NULL, cause TEXT NOT NULL,
                compacted_at TEXT NOT NULL, summary TEXT, uuid TEXT, place {integer},
                messages_before {integer} NOT NULL, messages_after {integer} NOT NULL,
                tokens_before {integer} NOT NULL, tokens_after {integer} NOT NULL,
                PRIMARY KEY (session, number))""",
        ),
        (
            SQLITE,
            """CREATE VIRTUAL TABLE search USING fts5 (
                body, content='', tokenize='unicode61 remove_diacritics 2')""",
        ),
        (SQLITE, "CREATE VIRTUAL TABLE search_word USING fts5vocab (search, 'row')"),
        (SQLITE, "CREATE TABLE word (id INTEGER PRIMARY KEY, word TEXT NOT NULL UNIQUE)"),
        (
            SQLITE,
            """CREATE VIRTUAL TABLE word_part USING fts5 (
                word, content='word', content_rowid='id', tokenize='trigram', detail=none)""",
        ),
        (POSTGRESQL, "CREATE SEQUENCE ids"),
        (
            POSTGRESQL,
            """CREATE TABLE search (
                message BIGINT PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
                document TSVECTOR NOT NULL)""",
        ),
        (POSTGRESQL, "CREATE INDEX search_document ON search USING gin (document)"),
        (POSTGRESQL, "CREATE TABLE word (word TEXT PRIMARY KEY)"),
    ),
)
VERSION = len(MIGRATIONS)
_NAMES = {SQLITE: {"integer": "INTEGER"}, POSTGRESQL: {"integer": "BIGINT"}}
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

    @contextmanager
    def transaction(self) -> "Iterator[Self]":
        """Commit what a `with` block has written at its end, or undo it on an exception."""
        self.begin()
        try:
            yield self
        except BaseException:
            self.rollback()
            raise
        self.commit()

    def __enter__(self) -> "Self":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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


def statements(dialect: str, number: int) -> "list[str]":
    """Return the statements that bring a store of a dialect from version `number - 1` to it."""
    return [
        text.format(**_NAMES[dialect])
        for where, text in MIGRATIONS[number - 1]
        if where in (_BOTH, dialect)
    ]


def in_slices(items: "Sequence[Any]", size: int) -> "Iterable[Sequence[Any]]":
    """Yield the items in pieces of at most `size`."""
    for start in range(0, len(items), size):
        yield items[start : start + size]
