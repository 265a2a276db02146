"""Take sessions out of a store for good, and keep it within the bounds that the settings give it.

What is deleted is gone from the messages, the index, the list of words, the freed pages (SQLite
overwrites them, `secure_delete`) and the write-ahead log, which is emptied. Others are kept out by
the database's own locks, which also programs that are not ours wait for.
"""

import posix
import time

from amplihack_compaction.base.settings.settings_files import (
    read_own_file,
    read_project_file,
    read_variable,
)
from amplihack_compaction.store.database import SQLITE, in_slices, whole
from amplihack_compaction.store.messages import unindex_messages

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from amplihack_compaction.store.database import Database

_SLICE = 500
_DAY_SECONDS = 86_400
_TABLES = ("progress", "compaction")
_ALL_TABLES = ("message", "content", "search", "word", "compaction", "session", "progress")
_EMPTIED = (
    "UPDATE session SET transcript = '', message_count = 0, compaction_count = 0, summary = NULL,"
    " last_compacted_at = NULL, first_message = NULL, last_message = NULL, first_said = '',"
    " last_said = '' WHERE id = :s"
)
_SIZE = {
    SQLITE: (
        "SELECT (page_count - freelist_count) * page_size"
        " FROM pragma_page_count(), pragma_freelist_count(), pragma_page_size()"
    ),
    "": (
        "SELECT sum(pg_total_relation_size(CAST(name AS regclass))) FROM (VALUES ('message'),"
        " ('content'), ('search'), ('word'), ('compaction'), ('session')) AS tables (name)"
    ),
}
_STALE_WORDS = {
    SQLITE: "SELECT term FROM search_word",
    "": "SELECT word FROM ts_stat('SELECT document FROM search')",
}


def delete_session(database: "Database", session: int) -> int:
    """Take a session out, with all that it ever had; return how many messages went.

    `purge` takes away the traces.
    """
    gone = empty_session(database, session)
    forget_session(database, session)
    return gone


def empty_session(database: "Database", session: int) -> int:
    """Take all out that a session has, but its name; return how many messages went.

    In transactions of their own, so that others can write in between; one that is ended early
    goes on where it was.
    """
    gone = 0
    while True:
        with database.transaction():
            rows = database.rows(
                "SELECT message.id, body FROM message JOIN content ON message.id = content.message"
                " WHERE session = :session LIMIT :most",
                {"session": session, "most": _SLICE},
            )
            if not rows:
                for table in _TABLES:
                    database.run(f"DELETE FROM {table} WHERE session = :s", {"s": session})  # noqa: S608
                database.run(_EMPTIED, {"s": session})
                return gone
            unindex_messages(database, [(whole(row[0]), str(row[1])) for row in rows])
            ids = [{"id": whole(row[0])} for row in rows]
            for some in in_slices(ids, _SLICE):
                database.run_many("DELETE FROM content WHERE message = :id", some)
                database.run_many("DELETE FROM message WHERE id = :id", some)
            gone += len(rows)


def forget_session(database: "Database", session: int) -> None:
    """Take an emptied session's name out too, unless a hook has stored more of it meanwhile."""
    with database.transaction():
        database.run(
            "DELETE FROM session WHERE id = :s"
            " AND NOT EXISTS (SELECT 1 FROM message WHERE message.session = :s)",
            {"s": session},
        )


def purge(database: "Database") -> None:
    """Take away what deletions left in the index, the list of words, the file and its log."""
    embedded = database.dialect == SQLITE
    kind = SQLITE if embedded else ""
    with database.transaction():
        stale = f"word NOT IN ({_STALE_WORDS[kind]})"
        if embedded:
            database.run("INSERT INTO search (search) VALUES ('optimize')")
            leaving = f"SELECT 'delete', id, word FROM word WHERE {stale}"  # noqa: S608 - our own
            database.run("INSERT INTO word_part (word_part, rowid, word) " + leaving)
        database.run(f"DELETE FROM word WHERE {stale}")  # noqa: S608 - names of our own
        if embedded:
            database.run("INSERT INTO word_part (word_part) VALUES ('optimize')")
    if embedded:
        database.run_alone("VACUUM")
        database.rows("PRAGMA wal_checkpoint (TRUNCATE)")
    else:
        for table in _ALL_TABLES:  # its plain VACUUM leaves the bytes where they were
            database.run_alone(f"VACUUM FULL {table}")


def used_bytes(database: "Database") -> int:
    """Return how much of the disk a store's data takes, pages that are free again left out."""
    row = database.one(_SIZE[SQLITE if database.dialect == SQLITE else ""])
    return whole(row[0] or 0) if row is not None else 0


def surplus_sessions(database: "Database", most_bytes: int, most_days: int) -> "list[int]":
    """Return the sessions that are beyond a store's bounds, the oldest first.

    The one that was gone on with last always stays. `most_days` 0 sets no bound.
    """
    rows = database.rows(
        "SELECT session.id, updated_at, coalesce(sum(tokens), 0) FROM session"
        " LEFT JOIN message ON message.session = session.id GROUP BY session.id, updated_at"
        " ORDER BY updated_at, session.id"
    )
    cutoff = _days_ago(most_days) if most_days else ""
    used, total = used_bytes(database), sum(whole(row[2]) for row in rows)
    # Tokens share out the size: what a message takes beside its text is about the same for all.
    per_token = used / total if total else 0.0
    found = []
    for number, updated, tokens in rows[:-1]:
        if used <= most_bytes and updated >= cutoff:
            continue
        found.append(int(number))
        used -= int(whole(tokens) * per_token)
    return found


def delete_sessions(database: "Database", sessions: "Iterable[int]", until: float) -> int:
    """Delete sessions one after the other until a time of `time.monotonic`; return how many."""
    count = 0
    for session in sessions:
        if time.monotonic() >= until:
            break
        delete_session(database, session)
        count += 1
    return count


def is_above(path: str, most_bytes: int) -> bool:
    """Return whether a store's file is larger than its bound; cheaper than asking the store."""
    try:
        return posix.stat(path).st_size > most_bytes
    except OSError:
        return False


def _days_ago(days: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time.time() - days * _DAY_SECONDS))


MOST_MEGABYTES = 2048
"""What a store may take by default; as in `settings`."""
_RANGES = {"store_megabytes": (1, 10_000_000), "store_days": (0, 100_000)}


def read_bounds(root: str) -> "tuple[bool, int, int]":
    """Return whether the store is on, and the megabytes and days that it is kept within."""
    values: dict[str, Any] = {"store": "on", "store_megabytes": MOST_MEGABYTES, "store_days": 0}
    values.update(_usable(read_project_file(root)))
    values.update(_usable(read_own_file()))
    values.update(_usable(_variables()))
    return values["store"] == "on", values["store_megabytes"], values["store_days"]


def _usable(values: "dict[str, Any]") -> "dict[str, Any]":
    usable = {"store": values["store"]} if values.get("store") in ("on", "off") else {}
    for name, (low, high) in _RANGES.items():
        value = values.get(name)
        if type(value) is int and low <= value <= high:
            usable[name] = value
    return usable


def _variables() -> "dict[str, Any]":
    """Return the bounds that the environment sets; a variable for `store` names its database."""
    found = {}
    for name in _RANGES:
        try:
            found[name] = int(read_variable(name))
        except ValueError:
            continue
    return found
