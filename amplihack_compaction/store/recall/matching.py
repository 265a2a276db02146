"""Say what a query asks for in the words of each database's full-text search."""

from dataclasses import dataclass

from amplihack_compaction.store.database.connection import Database
from amplihack_compaction.store.recall.query import Query, Term
from amplihack_compaction.store.recall.words import SHORTEST_PART, words_with


@dataclass(frozen=True, slots=True)
class Way:
    """Words side by side that satisfy a term; with `starts` the last one may only begin so.

    `typed` is the text that they were taken from: SQLite takes it apart as it did the messages.
    """

    words: tuple[str, ...]
    starts: bool = False
    typed: str = ""


def plain_way(term: Term) -> Way:
    """Return the way to satisfy a term just as it was typed."""
    return Way(term.words, term.starts, term.typed)


def widened(database: Database, term: Term, *, found: bool) -> list[Way]:
    """Return all ways to satisfy a term: also longer words that hold it.

    Where nothing was `found`, the last part of a path or a name may be a beginning; but a short
    one would have half of the index read.
    """
    starts = term.starts
    if not (term.quoted or found) and len(term.words) > 1:
        starts = len(term.words[-1]) >= SHORTEST_PART
    ways = [Way(term.words, starts, term.typed)]
    if not term.quoted and not term.starts and len(term.words) == 1:
        (word,) = term.words
        ways += [Way((one,)) for one in words_with(database, word) if one != word]
    return ways


def fts5_match(query: Query, ways: list[list[Way]], *, all_words: bool) -> str:
    """Return the query for FTS5: every word is quoted, so none can be an operator."""
    wanted = [f"({' OR '.join(map(_phrase, some))})" for some in ways]
    text = (" AND " if all_words else " OR ").join(wanted)
    excluded = [_phrase(plain_way(term)) for term in query.terms if term.excluded]
    return f"({text}) NOT ({' OR '.join(excluded)})" if excluded else text


def _phrase(way: Way) -> str:
    text = (way.typed or " ".join(way.words)).replace('"', '""')
    return f'"{text}"' + "*" * way.starts


def tsquery_match(query: Query, ways: list[list[Way]], *, all_words: bool) -> str:
    """Return the query for PostgreSQL; words hold letters and digits only, in quotes."""
    wanted = [f"({' | '.join(map(_row, some))})" for some in ways]
    text = (" & " if all_words else " | ").join(wanted)
    excluded = [f"!{_row(Way(term.words))}" for term in query.terms if term.excluded]
    return " & ".join([f"({text})", *excluded])


def _row(way: Way) -> str:
    return "(" + " <-> ".join(f"'{word}'" for word in way.words) + ":*" * way.starts + ")"
