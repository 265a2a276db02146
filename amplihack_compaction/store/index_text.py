"""What of a text goes into the full-text index, and how it gets out again (light).

Words are runs of letters and digits, so that a path or an identifier is a row of words and a
phrase finds it. Chinese, Japanese and Korean have no spaces: each run of such characters is
indexed as its overlapping pairs and its last character, and a query is cut up the same way.

The index keeps no copy of the text. SQLite needs the very words again to take a text out, so this
cutting is part of the stored format: `INDEX_VERSION` changes with it.
"""

from amplihack_compaction.store.database.schema import SQLITE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from re import Pattern

    from amplihack_compaction.store.database.connection import Database

INDEX_VERSION = 1
_WIDE = (
    "[\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff]+"
)
# One range: several times faster than all of them, on text that has none.
_MAYBE_WIDE = "[\u3005-\U0003ffff]"
_ADD = {
    SQLITE: "INSERT INTO search (rowid, body) VALUES (:id, :words)",
    "": "INSERT INTO search (message, document) VALUES (:id, to_tsvector('simple', :words))",
}
_REMOVE = {
    SQLITE: "INSERT INTO search (search, rowid, body) VALUES ('delete', :id, :words)",
    "": "DELETE FROM search WHERE message = :id AND CAST(:words AS TEXT) IS NOT NULL",
}
_patterns: "dict[str, Pattern[str]]" = {}


def index_messages(database: "Database", texts: "Sequence[tuple[int, str]]") -> None:
    """Make messages findable: `(id, text)` each."""
    _write(database, _ADD, texts)


def unindex_messages(database: "Database", texts: "Sequence[tuple[int, str]]") -> None:
    """Take messages out of the index, given the texts that they were put in with."""
    _write(database, _REMOVE, texts)


def _write(
    database: "Database", statement: "dict[str, str]", texts: "Iterable[tuple[int, str]]"
) -> None:
    embedded = database.dialect == SQLITE
    # PostgreSQL takes paths and addresses for single words; here they are several.
    cut = with_pairs if embedded else words_only
    rows = [{"id": number, "words": cut(text)} for number, text in texts]
    database.run_many(statement[SQLITE if embedded else ""], rows)


def with_pairs(text: str) -> str:
    """Return the text with each run of wide characters as pairs: `abc` as `ab bc c`."""
    if text.isascii() or not _compiled(_MAYBE_WIDE).search(text):
        return text
    return wide_runs().sub(lambda run: f" {pairs_of(run.group())} ", text)


def pairs_of(run: str) -> str:
    """Return a run's overlapping pairs and its last character."""
    return " ".join(run[place : place + 2] for place in range(len(run)))


def words_only(text: str) -> str:
    """Return the words of a text, apart by spaces, without accents."""
    return " ".join(_compiled(r"[^\W_]+").findall(plain(with_pairs(text))))


def plain(text: str) -> str:
    """Return the text in small letters, without the accents that the index leaves out.

    Those are the ones on the letters of the English alphabet; elsewhere a mark makes another
    letter.
    """
    if text.isascii():
        return text.lower()
    from unicodedata import normalize

    apart = _compiled("(?<=[A-Za-z])[\u0300-\u036f]+").sub("", normalize("NFD", text))
    return normalize("NFC", apart).lower()


def wide_runs() -> "Pattern[str]":
    """Return the pattern of runs of wide characters."""
    return _compiled(_WIDE)


def _compiled(pattern: str) -> "Pattern[str]":
    found = _patterns.get(pattern)
    if found is None:
        import re

        found = _patterns[pattern] = re.compile(pattern)
    return found
