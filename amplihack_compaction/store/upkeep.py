"""Take sessions out of a store for good, and keep it within the bounds that the settings give it.

What is deleted is gone from the messages, the index, the list of words, the freed pages (SQLite
overwrites them, `secure_delete`) and the write-ahead log, which is emptied. The messages go first;
what they leave in the index and in the file goes in steps that hold the lock for a moment each, so
that sessions go on meanwhile. `meta` says that it is due until it is done, and which sessions go.

A server's large tables are in parts by session, see `schema/postgresql.sql`. Where all sessions
of a part are to go, their names go, and `_drop_partitions` then drops the part: no row is touched,
no index is cleaned, and nobody is locked out for longer than that takes.
"""

import posix
import time
from collections.abc import Sequence

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.store.database import PARTITION_IDS, SET_META, SQLITE, Database, whole
from amplihack_compaction.store.messages import text_of, unindex_messages

_SLICE = 500
_DAY_SECONDS = 86_400
_GOING = "delete "
"""What stands in `meta` before the number of a session that is being deleted."""
_IS_DUE = "SELECT value FROM meta WHERE name = 'purge'"
_STALE_WORDS = "SELECT word FROM word WHERE word NOT IN (SELECT term FROM search_word)"
_GONE_WORD = "word = :word AND NOT EXISTS (SELECT 1 FROM search_word WHERE term = :word)"
# Pages of the index that are merged, and pages that are given back, at once.
_MERGED_PAGES, _FREED_PAGES = 500, 2000
_LEAST_CHANGES = 2
_SERVER_TABLES = ("message", "content", "search", "word", "compaction", "session", "progress")

# Measured on real transcripts: what a token of a text takes there with all that belongs to it.
_SERVER_BYTES_PER_TOKEN = 10


def delete_session(database: Database, session: int) -> int:
    """Delete a session with all that it ever had; return how many messages go.

    On a server they are gone then. From a file `purge` takes them out, whoever calls it: the
    process that asked may end first.
    """
    if database.dialect != SQLITE:
        return _delete_on_server(database, session)
    with database.transaction():
        held = database.number("SELECT count(*) FROM message WHERE session = :s", {"s": session})
        database.run(SET_META, {"name": f"{_GOING}{session}", "value": ""})
        database.run(SET_META, {"name": "purge", "value": posix.urandom(8).hex()})
    return held


def delete_sessions(database: Database, sessions: Sequence[int]) -> None:
    """Delete sessions; of a server whole parts of the tables where that can be."""
    if database.dialect != SQLITE:
        sessions = _forget_partitions(database, sessions)
    for session in sessions:
        delete_session(database, session)


def is_purge_due(database: Database) -> bool:
    """Return whether a deletion is not at its end."""
    return database.one(_IS_DUE) is not None


def purge(database: Database, until: float = float("inf")) -> bool:
    """Take away what deletions left in the tables, the index, the words, the file and its log.

    In steps, until a time of `time.monotonic`; returns whether all is done: not while another
    process reads the file as it was. On a server the freed room serves what is stored next.
    """
    if database.dialect != SQLITE:
        _drop_partitions(database)
        for table in _SERVER_TABLES:
            database.run_alone(f"VACUUM {table}")
        return True
    due = database.one(_IS_DUE)
    if not (
        _take_out(database, until)
        and _merge(database, "search", until)
        and _drop_stale(database, until)
        and _give_back(database, until)
        and _emptied_log(database)
    ):
        return False
    if due is not None:
        database.run("DELETE FROM meta WHERE name = 'purge' AND value = :v", {"v": due[0]})
        _emptied_log(database)
    return True


def _emptied_log(database: Database) -> bool:
    """Empty the write-ahead log; False while another process reads what it has."""
    return not database.number("PRAGMA wal_checkpoint (TRUNCATE)")


def _take_out(database: Database, until: float) -> bool:
    """Take out the sessions that are to go, in steps, so that others can write in between."""
    named = database.rows("SELECT name FROM meta WHERE name LIKE :going", {"going": f"{_GOING}%"})
    for (name,) in named:
        session, some = {"s": int(str(name).removeprefix(_GOING)), "most": _SLICE}, _SLICE
        while some:
            if time.monotonic() >= until:
                return False
            with database.transaction():
                rows = database.rows(
                    f"SELECT message.id, body FROM {database.texts}"  # noqa: S608 - our own words
                    " WHERE message.session = :s LIMIT :most",
                    session,
                )
                unindex_messages(database, [(whole(n), text_of(body)) for n, body in rows])
                gone = [{"id": number} for number, _ in rows]
                database.run_many("DELETE FROM message WHERE id = :id", gone)
                some = len(rows)
                if not some:
                    database.run("DELETE FROM session WHERE id = :s", session)
                    database.run("DELETE FROM meta WHERE name = :name", {"name": name})
    return True


def _merge(database: Database, table: str, until: float) -> bool:
    """Merge an index into one piece, which leaves out what was deleted of it."""
    pages = -_MERGED_PAGES
    while time.monotonic() < until:
        before = database.number("SELECT total_changes()")
        with database.transaction():
            merge = f"INSERT INTO {table} ({table}, rank) VALUES ('merge', :pages)"  # noqa: S608 - our names
            database.run(merge, {"pages": pages})
        changes = database.number("SELECT total_changes()") - before
        if changes < _LEAST_CHANGES and pages > 0:
            return True
        pages = _MERGED_PAGES
    return False


def _drop_stale(database: Database, until: float) -> bool:
    """Take words out of the list that no message has any more."""
    named = [{"word": str(word)} for (word,) in database.rows(_STALE_WORDS)]
    with database.transaction():
        database.run_many(
            "INSERT INTO word_part (word_part, rowid, word)"  # noqa: S608 - names of our own
            f" SELECT 'delete', id, word FROM word WHERE {_GONE_WORD}",
            named,
        )
        database.run_many(f"DELETE FROM word WHERE {_GONE_WORD}", named)  # noqa: S608
    return _merge(database, "word_part", until)


def _give_back(database: Database, until: float) -> bool:
    """Give free pages back to the disk."""
    while time.monotonic() < until:
        if not database.number("PRAGMA freelist_count"):
            return True
        database.rows(f"PRAGMA incremental_vacuum ({_FREED_PAGES})")
    return False


def surplus_sessions(database: Database, most_bytes: int, most_days: int) -> list[int]:
    """Return the sessions that are beyond a store's bounds, the oldest first.

    The one that was gone on with last always stays. `most_days` 0 sets no bound.
    """
    rows = database.rows(
        "SELECT session.id, updated_at, coalesce(sum(tokens), 0) FROM session"
        " LEFT JOIN message ON message.session = session.id GROUP BY session.id, updated_at"
        " ORDER BY updated_at, session.id"
    )
    cutoff = utc_text(time.time() - most_days * _DAY_SECONDS) if most_days else ""
    used, total = database.number(database.used), sum(whole(row[2]) for row in rows)
    if database.dialect != SQLITE:  # its tables stay as large as they were
        used = min(used, total * _SERVER_BYTES_PER_TOKEN)
    # Tokens share out the size: what a message takes beside its text is about the same for all.
    per_token = used / total if total else 0.0
    found = []
    for number, updated, tokens in rows[:-1]:
        if used <= most_bytes and updated >= cutoff:
            continue
        found.append(int(number))
        used -= int(whole(tokens) * per_token)
    return found


_PARTED = ("search", "content", "message")
# A running transaction may still store sessions under the ids before the newest ones.
_NEWEST_PARTS = 2
_DROP_WAIT = "2s"  # others queue up behind it
# The words that stand in these sessions alone. Most stand in what was stored last as well, and
# need not be looked up.
_DROP_WORDS = (
    "DELETE FROM word WHERE word IN (SELECT unnest(tsvector_to_array(document)) FROM search"
    " WHERE session BETWEEN {first} AND {last} EXCEPT SELECT unnest(tsvector_to_array(document))"
    " FROM (SELECT document FROM search WHERE NOT session BETWEEN {first} AND {last}"
    " ORDER BY message DESC LIMIT 5000) AS others)"
    " AND NOT EXISTS (SELECT FROM search WHERE document @@ quote_literal(word) :: tsquery"
    " AND NOT session BETWEEN {first} AND {last})"
)
_RANGES = (
    f"SELECT id / {PARTITION_IDS} AS number, count(*), max(updated_at) FROM session"  # noqa: S608
    " GROUP BY number ORDER BY number"
)
_PARTS = (
    "SELECT CAST(substr(tablename, 8) AS BIGINT) FROM pg_tables"
    " WHERE tablename LIKE 'search!_%' ESCAPE '!' AND schemaname = current_schema"
)


def _delete_on_server(database: Database, session: int) -> int:
    """Delete a session with the words that no other has; return how many messages went."""
    with database.transaction():
        # Waits for who stores in it just now; what he stored is seen by the next statement.
        database.rows("SELECT id FROM session WHERE id = :s FOR UPDATE", {"s": session})
        database.run(_DROP_WORDS.format(first=session, last=session))
        for table in _PARTED:
            gone = database.run(f"DELETE FROM {table} WHERE session = :s", {"s": session})  # noqa: S608
        database.run("DELETE FROM session WHERE id = :s", {"s": session})
    return gone


def _forget_partitions(database: Database, sessions: Sequence[int]) -> list[int]:
    """Take out the names of sessions that are all that a part has; return the others.

    What is in such a part is found by nobody from then on. A part that has been gone on with since
    `sessions` were chosen is left to whoever goes on session by session.
    """
    gone: set[int] = set()
    for number, count, newest in database.rows(_RANGES)[:-_NEWEST_PARTS]:
        some = [session for session in sessions if session // PARTITION_IDS == number]
        if len(some) < count:
            continue
        bounds = {"first": number * PARTITION_IDS, "last": (number + 1) * PARTITION_IDS - 1}
        with database.transaction():
            those = "FROM session WHERE id BETWEEN :first AND :last"
            rows = database.rows(f"SELECT updated_at {those} FOR UPDATE", bounds)
            if len(rows) == count and all(str(row[0]) <= newest for row in rows):
                database.run(f"DELETE {those}", bounds)
                gone.update(some)
    return [session for session in sessions if session not in gone]


def _drop_partitions(database: Database) -> None:
    """Drop the parts in which no session is any more, with the words that are in no other.

    One that others are reading or writing in all the time is left for the next time.
    """
    used = [whole(row[0]) for row in database.rows(_RANGES)]
    newest = used[-1] if used else 0
    for (number,) in database.rows(_PARTS):
        if number in used or number > newest - _NEWEST_PARTS:
            continue
        first, last = number * PARTITION_IDS, (number + 1) * PARTITION_IDS - 1
        database.run_alone(_DROP_WORDS.format(first=first, last=last))
        try:
            with database.transaction():
                database.run(f"SET LOCAL lock_timeout = '{_DROP_WAIT}'")
                database.run(f"DROP TABLE {', '.join(f'{table}_{number}' for table in _PARTED)}")
        except StoreError:
            continue
