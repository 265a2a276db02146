"""The store's tables, as numbered migrations for SQLite and PostgreSQL alike (light).

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

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

SQLITE: "Final" = "sqlite"
POSTGRESQL: "Final" = "postgresql"
BOTH: "Final" = ""

# Each number's statements are never changed once released: a change is the next number.
MIGRATIONS: "tuple[tuple[tuple[str, str], ...], ...]" = (
    (
        (BOTH, "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL)"),
        (
            BOTH,
            """CREATE TABLE session (
                id {integer} PRIMARY KEY, scope TEXT NOT NULL, session_id TEXT NOT NULL,
                transcript TEXT NOT NULL DEFAULT '', created_at TEXT NOT NULL,
                updated_at TEXT NOT NULL, message_count {integer} NOT NULL DEFAULT 0,
                compaction_count {integer} NOT NULL DEFAULT 0, last_compacted_at TEXT,
                summary TEXT, first_message {integer}, last_message {integer},
                first_said TEXT NOT NULL DEFAULT '', last_said TEXT NOT NULL DEFAULT '',
                UNIQUE (scope, session_id))""",
        ),
        (BOTH, "CREATE INDEX session_by_id ON session (session_id)"),
        (
            BOTH,
            """CREATE TABLE progress (
                session {integer} PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
                position {integer} NOT NULL, mark TEXT NOT NULL, state TEXT NOT NULL)""",
        ),
        (
            BOTH,
            """CREATE TABLE message (
                id {integer} PRIMARY KEY,
                session {integer} NOT NULL REFERENCES session (id) ON DELETE CASCADE,
                archived {integer}, compactions {integer} NOT NULL, kind TEXT NOT NULL,
                role TEXT NOT NULL, tool TEXT NOT NULL, tokens {integer} NOT NULL,
                turn {integer} NOT NULL, said_at TEXT NOT NULL, uuid TEXT NOT NULL,
                part {integer} NOT NULL, place {integer}, UNIQUE (session, uuid, part))""",
        ),
        (
            BOTH,
            """CREATE TABLE content (
                message {integer} PRIMARY KEY REFERENCES message (id) ON DELETE CASCADE,
                body TEXT NOT NULL)""",
        ),
        (
            BOTH,
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
VERSION: "Final" = len(MIGRATIONS)
_NAMES = {SQLITE: {"integer": "INTEGER"}, POSTGRESQL: {"integer": "BIGINT"}}
VERSION_OF_STORE = "SELECT value FROM meta WHERE name = 'schema_version'"
SET_META = (
    "INSERT INTO meta (name, value) VALUES (:name, :value)"
    " ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)


def statements(dialect: str, number: int) -> "list[str]":
    """Return the statements that bring a store of a dialect from version `number - 1` to it."""
    return [
        text.format(**_NAMES[dialect])
        for where, text in MIGRATIONS[number - 1]
        if where in (BOTH, dialect)
    ]
