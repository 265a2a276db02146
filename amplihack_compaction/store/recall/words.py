"""The index's distinct words, by whose trigrams a part of an identifier finds the whole.

Indexing the trigrams of every text would cost ten times the index itself. A language has few
words, though, and a code base few identifiers: their list is a hundredth of the text. It is
brought up to date here, by whoever searches, and not by the hooks.
"""

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database.connection import Database, in_slices, whole
from amplihack_compaction.store.database.schema import SET_META, SQLITE
from amplihack_compaction.store.index_text import plain

if TYPE_CHECKING:
    from amplihack_compaction.store.database.connection import Row

EXPANSIONS = 48
"""How many words a part of one may stand for; the shortest come first."""

SHORTEST_PART = 3
_LONGEST_WORD = 64
_LISTED = "words_listed_to"
# From here on reading the index's own list of words is quicker than the texts.
_MANY_MESSAGES = 5_000
_SLICE = 500
_WORD = re.compile(r"[^\W_]+")
_ADD = {
    SQLITE: "INSERT OR IGNORE INTO word (word) VALUES (:word)",
    "": "INSERT INTO word (word) VALUES (:word) ON CONFLICT (word) DO NOTHING",
}
_ADD_ALL = (
    "INSERT OR IGNORE INTO word (word) SELECT term FROM search_word"  # noqa: S608
    f" WHERE length(term) BETWEEN {SHORTEST_PART} AND {_LONGEST_WORD}"
    " AND term NOT GLOB '[0-9]*' AND term NOT IN (SELECT word FROM word)"
)
_ADD_PARTS = "INSERT INTO word_part (rowid, word) SELECT id, word FROM word WHERE id > :last"


def update_words(database: Database) -> None:
    """List the words of messages that came since the last time.

    Without a word to say when the store cannot be written now: what is listed serves.
    """
    try:
        if _is_behind(database):
            with database.transaction():
                _list_new(database)
    except StoreError:
        return


def words_with(database: Database, part: str) -> list[str]:
    """Return words that hold a part of at least three characters, the shortest first."""
    if len(part) < SHORTEST_PART:
        return []
    if database.dialect != SQLITE:
        found = database.rows(
            "SELECT word FROM word WHERE word LIKE :pattern"
            " ORDER BY length(word), word LIMIT :most",
            {"pattern": f"%{part}%", "most": EXPANSIONS},
        )
        return [str(row[0]) for row in found]
    parts = {part[at : at + 3] for at in range(len(part) - 2)}
    found = database.rows(
        "SELECT word FROM word WHERE id IN (SELECT rowid FROM word_part WHERE word_part MATCH :m)"
        " AND instr(word, :part) > 0 ORDER BY length(word), word LIMIT :most",
        {"m": " AND ".join(f'"{one}"' for one in sorted(parts)), "part": part, "most": EXPANSIONS},
    )
    return [str(row[0]) for row in found]


def _is_behind(database: Database) -> bool:
    return _newest(database) > _listed_to(database)


def _newest(database: Database) -> int:
    row = database.one("SELECT max(id) FROM message")
    return whole(row[0] or 0) if row is not None else 0


def _listed_to(database: Database) -> int:
    row = database.one("SELECT value FROM meta WHERE name = :name", {"name": _LISTED})
    return whole(row[0]) if row is not None else 0


def _list_new(database: Database) -> None:
    newest, done = _newest(database), _listed_to(database)
    embedded = database.dialect == SQLITE
    row = database.one("SELECT max(id) FROM word") if embedded else None
    last = whole(row[0] or 0) if row is not None else 0
    if embedded and newest - done > _MANY_MESSAGES:
        database.run(_ADD_ALL)
    else:
        while rows := _bodies(database, done):
            done = whole(rows[-1][0])
            _add(database, {word for _, body in rows for word in _words_of(str(body))})
    if embedded:
        database.run(_ADD_PARTS, {"last": last})
    database.run(SET_META, {"name": _LISTED, "value": str(newest)})


def _bodies(database: Database, after: int) -> "list[Row]":
    return database.rows(
        "SELECT message, body FROM content WHERE message > :after ORDER BY message LIMIT :most",
        {"after": after, "most": _SLICE},
    )


def _words_of(body: str) -> Iterable[str]:
    for word in _WORD.findall(plain(body)):
        if SHORTEST_PART <= len(word) <= _LONGEST_WORD and not word[0].isdigit():
            yield word


def _add(database: Database, words: Iterable[str]) -> None:
    statement = _ADD[SQLITE if database.dialect == SQLITE else ""]
    for some in in_slices(sorted(words), 10 * _SLICE):
        database.run_many(statement, [{"word": word} for word in some])
