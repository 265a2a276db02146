"""Take sessions out of a PostgreSQL store: row by row, or a whole part of its tables at once.

The large tables are in parts by session, see `schema/2.postgresql.sql`. Where all sessions of a
part are to go, their names go, and `drop_partitions` then drops the part: no row is touched, no
index is cleaned, and nobody is locked out for longer than that takes.
"""

from typing import TYPE_CHECKING

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import whole
from amplihack_compaction.store.postgresql import PARTITION_IDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amplihack_compaction.store.database import Database

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


def empty_on_server(database: "Database", session: int) -> int:
    """Take all messages of a session out, with the words that no other has; return how many.

    Inside a transaction.
    """
    database.run(_DROP_WORDS.format(first=session, last=session))
    return [
        database.run(f"DELETE FROM {table} WHERE session = :s", {"s": session})  # noqa: S608
        for table in _PARTED
    ][-1]


def forget_partitions(database: "Database", sessions: "Sequence[int]") -> list[int]:
    """Take out the names of sessions that are all that a part has; return the others.

    What is in such a part is found by nobody from then on. A part that has been gone on with since
    `sessions` were chosen is left to whoever goes on session by session.
    """
    chosen: dict[int, list[int]] = {}
    for session in sessions:
        chosen.setdefault(session // PARTITION_IDS, []).append(session)
    ranges = database.rows(_RANGES)
    gone: set[int] = set()
    for number, count, newest in ranges[:-_NEWEST_PARTS]:
        some = chosen.get(whole(number), [])
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


def drop_partitions(database: "Database") -> None:
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
