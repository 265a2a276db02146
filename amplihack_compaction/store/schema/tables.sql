-- The tables of every database. {integer} is that database's type for whole numbers of 64 bits,
-- {key} that of an id, and a server's large tables are in parts by session, see postgresql.sql.
-- SQLite keeps a body compressed with zlib, as a BLOB, where that is smaller.

-- schema_version, how far the words are listed, and SQLite's highest ids: none is given twice.
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL);

-- A key (scope, session_id), its counters, its newest summary, and between which ids and times its
-- messages lie. Times are ISO 8601 in UTC as text, so that they compare as they sort.
CREATE TABLE session (
    id {integer} PRIMARY KEY,
    scope TEXT NOT NULL,
    session_id TEXT NOT NULL,
    transcript TEXT NOT NULL DEFAULT '',
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    message_count {integer} NOT NULL DEFAULT 0,
    compaction_count {integer} NOT NULL DEFAULT 0,
    last_compacted_at TEXT,
    summary TEXT,
    first_message {integer},
    last_message {integer},
    first_said TEXT NOT NULL DEFAULT '',
    last_said TEXT NOT NULL DEFAULT '',
    UNIQUE (scope, session_id)
);

CREATE INDEX session_by_id ON session (session_id);

-- How far a session's transcript is read, see store/sessions.py.
CREATE TABLE progress (
    session {integer} PRIMARY KEY REFERENCES session (id) ON DELETE CASCADE,
    position {integer} NOT NULL,
    mark TEXT NOT NULL,
    state TEXT NOT NULL
);

-- One text of a session; narrow, since filters walk over many. archived is NULL in the working
-- history, else the number of the compaction that took the message out of it (0, it never was in
-- it); compactions is how many compactions came before it.
CREATE TABLE message (
    id {key},
    session {integer} NOT NULL{of_session},
    archived {integer},
    compactions {integer} NOT NULL,
    kind TEXT NOT NULL,
    role TEXT NOT NULL,
    tool TEXT NOT NULL,
    tokens {integer} NOT NULL,
    turn {integer} NOT NULL,
    said_at TEXT NOT NULL,
    uuid TEXT NOT NULL,
    part {integer} NOT NULL,
    place {integer},
    UNIQUE (session, uuid, part)
){in_parts};

-- Every compaction, with what there was before and after it.
CREATE TABLE compaction (
    session {integer} NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    number {integer} NOT NULL,
    strategy TEXT NOT NULL,
    cause TEXT NOT NULL,
    compacted_at TEXT NOT NULL,
    summary TEXT,
    uuid TEXT,
    place {integer},
    messages_before {integer} NOT NULL,
    messages_after {integer} NOT NULL,
    tokens_before {integer} NOT NULL,
    tokens_after {integer} NOT NULL,
    PRIMARY KEY (session, number)
);
