"""Take a query apart, and say what it asks for in the words of each database's full-text search.

    compaction "exact words" src/store.py -test

Words must be there, phrases in quotes side by side, and -words must not. Nothing that a user types
is an error: what cannot be meant is explained in the query's notes, and the rest is looked for. A
path or an identifier is a row of words that stand side by side.

By the list of the index's distinct words a part of an identifier finds the whole: SQLite has its
trigrams indexed, a server looks through it. Indexing the trigrams of every text would cost ten
times the index itself; a language has few words, though, and a code base few identifiers: their
list is a hundredth of the text. It is brought up to date here, by whoever searches, and not by the
hooks.

Words are not stemmed and none is left out, as `text` would do it: what is searched are names, paths
and exact errors, and the index of each database must find what it was given.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import SET_META, SQLITE, Database, whole
from amplihack_compaction.store.messages import WIDE, WORD, as_indexed, text_of
from amplihack_compaction.text.words import asks, opens_question
from amplihack_compaction.transcript.session import storable

QUERY_LIMIT_CHARS = 1000
_TERMS = 20
_WORD_CHARS = 100
_WIDE_PARTS = re.compile(f"([{WIDE}]+)")
_OWNER = re.compile(r"(?<=\w)['’]s(?!\w)")
# `-k` and `--json` are options of a command, and exclude nothing.
_PIECE = re.compile(r'(-(?!-|[A-Za-z0-9]?(?:\s|$)))?(?:"([^"]*)("?)|([^\s"]+))')
_EDGES = " \t\n,.;:!?¿¡()…"
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side; `starts` when the last one may be the beginning of one.

    `typed` is what the words were taken from: SQLite takes it apart as it did the messages. `run`
    are the wide characters that pairs were made of, `shown` is how the user wrote them.
    """

    words: tuple[str, ...]
    excluded: bool = False
    quoted: bool = False
    starts: bool = False
    typed: str = ""
    run: str = ""
    shown: str = field(default="", compare=False)


@dataclass(slots=True)
class Query:
    """What is looked for, what was not understood, one sentence each, and whether it is asked."""

    terms: list[Term] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    asks: bool = False

    @property
    def wanted(self) -> list[Term]:
        """The terms that must be there."""
        return [term for term in self.terms if not term.excluded]


def parse_query(text: str) -> Query:
    """Return what a text asks for; its notes say what in it cannot be looked for."""
    query = Query(asks=asks(text) or opens_question(text))
    if len(text) > QUERY_LIMIT_CHARS:
        query.notes.append(f"only the first {QUERY_LIMIT_CHARS} characters were looked for")
        text = text[:QUERY_LIMIT_CHARS]
    for piece in _PIECE.finditer(text):
        minus, phrase, closing, bare = piece.groups()
        if closing == "":
            query.notes.append("a quote is not closed: the rest was taken for one phrase")
        if bare in _OPERATORS:
            query.notes.append(
                f'{bare} is no operator here: all words must be there, -word must not, "in'
                ' quotes" side by side'
            )
            continue
        typed = bare or phrase or ""
        terms = [*_terms_of(typed, excluded=minus is not None, quoted=bare is None)]
        shown = typed.strip(_EDGES) if len(terms) == 1 else ""
        query.terms += [replace(term, shown=shown or term.typed or term.run) for term in terms]
    if len(query.terms) > _TERMS:
        query.notes.append(f"only the first {_TERMS} words were looked for")
        query.terms = query.terms[:_TERMS]
    if not query.wanted:
        query.notes.append(
            "only words that must not be there: name one that must"
            if query.terms
            else "there is no word in it to look for"
        )
    return query


def _terms_of(typed: str, *, excluded: bool, quoted: bool) -> Iterator[Term]:
    """Yield the terms of one piece: runs of wide characters and of other words, in their order."""
    for number, part in enumerate(_WIDE_PARTS.split(storable(as_indexed(typed)))):
        if number % 2:
            yield _wide(part, excluded=excluded)
            continue
        text = part if quoted else _OWNER.sub("", part)
        words = tuple(word[:_WORD_CHARS] for word in WORD.findall(text))
        if words:
            yield Term(words, excluded, quoted, typed=text.strip(_EDGES))


def _wide(run: str, *, excluded: bool) -> Term:
    """Return the pairs of a run as the index has them; a lone character begins its pairs."""
    if len(run) == 1:
        return Term((run,), excluded, starts=True, run=run)
    pairs = tuple(run[place : place + 2] for place in range(len(run) - 1))
    return Term(pairs, excluded, quoted=True, run=run)


def widened(database: Database, term: Term, *, found: bool) -> list[Term]:
    """Return all ways to satisfy a term: also longer words that hold it.

    Where nothing was `found`, the last part of a path or a name may be a beginning; but a short
    one would have half of the index read.
    """
    starts = term.starts
    if not (term.quoted or found) and len(term.words) > 1:
        starts = len(term.words[-1]) >= SHORTEST_PART
    ways = [replace(term, starts=starts)]
    if not term.quoted and not term.starts and len(term.words) == 1:
        (word,) = term.words
        ways += [Term((one,)) for one in words_with(database, word) if one != word]
    return ways


def match_for(
    database: Database, groups: Iterable[Iterable[Iterable[Term]]], excluded: Iterable[Term] = ()
) -> str:
    """Return the query for what has all terms of one of the groups, each in one of its ways.

    Every word is quoted, so that none can be an operator.
    """
    either, both, without = database.joints
    phrase = _phrase if database.dialect == SQLITE else _row

    def any_of(terms: Iterable[Term]) -> str:
        return f"({either.join(map(phrase, terms))})"

    wanted = either.join(f"({both.join(map(any_of, group))})" for group in groups)
    barred = [*excluded]
    return f"({wanted}){without}{any_of(barred)}" if barred else wanted


def _phrase(way: Term) -> str:
    text = (way.typed or " ".join(way.words)).replace('"', '""')
    return f'"{text}"' + "*" * way.starts


def _row(way: Term) -> str:
    return "(" + " <-> ".join(f"'{word}'" for word in way.words) + ":*" * way.starts + ")"


EXPANSIONS = 48
"""How many words a part of one may stand for; the shortest come first."""

SHORTEST_PART = 3
_LONGEST_WORD = 64
_LONG_WORD = 8
_LISTED = "words_listed_to"
# From here on reading the index's own list of words is quicker than the texts.
_MANY_MESSAGES = 5_000
_SLICE = 500
_SERVER_SLICE = 20_000
_ADD = "INSERT OR IGNORE INTO word (word) VALUES (:word)"
_ADD_OF_SERVER = (
    "INSERT INTO word (word) SELECT DISTINCT lexeme FROM search CROSS JOIN LATERAL unnest(document)"  # noqa: S608
    " WHERE message > :after AND message <= :last"
    f" AND length(lexeme) BETWEEN {SHORTEST_PART} AND {_LONGEST_WORD} AND lexeme !~ '^[0-9]'"
    " ON CONFLICT (word) DO NOTHING"
)
_ADD_ALL = (
    "INSERT OR IGNORE INTO word (word) SELECT term FROM search_word"  # noqa: S608
    f" WHERE length(term) BETWEEN {SHORTEST_PART} AND {_LONGEST_WORD}"
    " AND term NOT GLOB '[0-9]*' AND term NOT IN (SELECT word FROM word)"
)
_TEXTS = "SELECT message, body FROM content WHERE message > :after ORDER BY message LIMIT :most"
_ADD_PARTS = "INSERT INTO word_part (rowid, word) SELECT id, word FROM word WHERE id > :last"


def update_words(database: Database) -> None:
    """List the words of messages that came since the last time.

    Without a word to say when the store cannot be written now: what is listed serves.
    """
    try:
        behind = newest_message(database) - _listed_to(database)
        if behind > 0:
            with database.transaction():
                _list_new(database)
        if behind > _MANY_MESSAGES and database.dialect != SQLITE:
            # A server takes every word for rare until it counts them, a minute after an import.
            database.run("ANALYZE search")
    except StoreError:
        return


def words_with(database: Database, part: str) -> list[str]:
    """Return words that hold a part, the shortest first; none for one of less than 3 characters."""
    if len(part) < SHORTEST_PART:
        return []
    given = {"pattern": f"%{part}%", "most": EXPANSIONS}
    threes = ""
    if database.dialect == SQLITE:
        threes = " AND id IN (SELECT rowid FROM word_part WHERE word_part MATCH :threes)"
        each = {part[at : at + SHORTEST_PART] for at in range(len(part) - SHORTEST_PART + 1)}
        given["threes"] = " AND ".join(f'"{three}"' for three in sorted(each))
    found = database.rows(
        f"SELECT word FROM word WHERE word LIKE :pattern{threes}"  # noqa: S608 - our own words
        " ORDER BY length(word), word LIMIT :most",
        given,
    )
    return [str(row[0]) for row in found]


def misspelt(database: Database, word: str) -> list[str]:
    """Return the words that a word is most likely a misspelling of, none where all are too far.

    One letter too many, too few, another one, or two that changed places; of a long word, two such.
    """
    allowed = 2 if len(word) >= _LONG_WORD else 1
    part = len(word) // 3
    if not word.isalpha() or not part:
        return []
    rows = database.rows(
        "SELECT word FROM word WHERE length(word) BETWEEN :least AND :most"
        " AND (word LIKE :head OR word LIKE :tail)",
        {
            "least": len(word) - allowed,
            "most": len(word) + allowed,
            "head": f"{word[:part]}%",
            "tail": f"%{word[-part:]}",
        },
    )
    slips = {str(row[0]): _slips(word, str(row[0])) for row in rows}
    if len(word) <= SHORTEST_PART:  # of so few letters another one makes another word
        slips = {one: slip for one, slip in slips.items() if sorted(one) == sorted(word)}
    nearest = min(slips.values(), default=0)
    return [one for one, slip in slips.items() if slip == nearest <= allowed]


def _slips(one: str, other: str) -> int:
    """Return how many letters are wrong, missing, too many or in each other's place."""
    above: list[int] = []
    row = list(range(len(other) + 1))
    for at, sign in enumerate(one, 1):
        before, above, row = above, row, [at]
        for place, there in enumerate(other, 1):
            row.append(min(above[place] + 1, row[-1] + 1, above[place - 1] + (sign != there)))
            if at > 1 and place > 1 and (one[at - 2], sign) == (there, other[place - 2]):
                row[-1] = min(row[-1], before[place - 2] + 1)
    return row[-1]


def newest_message(database: Database) -> int:
    """Return the number of the message that was stored last."""
    return database.number("SELECT max(id) FROM message")


def _listed_to(database: Database) -> int:
    return database.number("SELECT value FROM meta WHERE name = :name", {"name": _LISTED})


def _list_new(database: Database) -> None:
    newest, done = newest_message(database), _listed_to(database)
    embedded = database.dialect == SQLITE
    last = database.number("SELECT max(id) FROM word") if embedded else 0
    if not embedded:
        for first in range(done, newest, _SERVER_SLICE):
            database.run(_ADD_OF_SERVER, {"after": first, "last": first + _SERVER_SLICE})
    elif newest - done > _MANY_MESSAGES:
        database.run(_ADD_ALL)
    else:
        while rows := database.rows(_TEXTS, {"after": done, "most": _SLICE}):
            done = whole(rows[-1][0])
            words = {word for _, body in rows for word in _listed_words(text_of(body))}
            database.run_many(_ADD, [{"word": word} for word in sorted(words)])
    if embedded:
        database.run(_ADD_PARTS, {"last": last})
    database.run(SET_META, {"name": _LISTED, "value": str(newest)})


def _listed_words(body: str) -> Iterable[str]:
    for word in WORD.findall(as_indexed(body)):
        if SHORTEST_PART <= len(word) <= _LONGEST_WORD and not word[0].isdigit():
            yield word
