"""Take a query apart: words that must be there, phrases in quotes, and -words that must not.

    compaction "exact words" src/store.py -test

Nothing that a user types is an error: what cannot be meant is explained in the query's notes, and
the rest is looked for. A path or an identifier is a row of words that stand side by side.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from amplihack_compaction.store.index_text import plain, wide_runs
from amplihack_compaction.transcript.content import storable

QUERY_LIMIT_CHARS = 1000
_TERMS = 20
_WORD_CHARS = 100
_WORD = re.compile(r"[^\W_]+")
_OPERATORS = frozenset({"AND", "OR", "NOT", "NEAR"})


@dataclass(frozen=True, slots=True)
class Term:
    """Words that stand side by side; `starts` when the last one may be the beginning of one.

    `typed` is what the words were taken from; `run` the wide characters that pairs were made of.
    """

    words: tuple[str, ...]
    excluded: bool = False
    quoted: bool = False
    starts: bool = False
    typed: str = ""
    run: str = ""


@dataclass(slots=True)
class Query:
    """What is looked for, and what was not understood, one sentence each."""

    terms: list[Term] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def wanted(self) -> list[Term]:
        """The terms that must be there."""
        return [term for term in self.terms if not term.excluded]


def parse_query(text: str) -> Query:
    """Return what a text asks for; its notes say what in it cannot be looked for."""
    query = Query()
    if len(text) > QUERY_LIMIT_CHARS:
        query.notes.append(f"only the first {QUERY_LIMIT_CHARS} characters were looked for")
        text = text[:QUERY_LIMIT_CHARS]
    for typed, excluded, quoted in _pieces(text, query):
        if not quoted and typed in _OPERATORS:
            query.notes.append(
                f'{typed} is no operator here: all words must be there, -word must not, "in'
                ' quotes" side by side'
            )
            continue
        query.terms += _terms_of(typed, excluded=excluded, quoted=quoted)
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


def _pieces(text: str, query: Query) -> Iterator[tuple[str, bool, bool]]:
    """Yield `(text, is excluded, is quoted)` of each piece between spaces or quotes."""
    position = 0
    while position < len(text):
        if text[position].isspace():
            position += 1
            continue
        excluded = text[position] == "-" and position + 1 < len(text)
        start = position + excluded
        if text[start] == '"':
            end = text.find('"', start + 1)
            if end < 0:
                query.notes.append("a quote is not closed: the rest was taken for one phrase")
                end = len(text)
            yield text[start + 1 : end], excluded, True
            position = end + 1
            continue
        end = start
        while end < len(text) and not text[end].isspace() and text[end] != '"':
            end += 1
        yield text[start:end], excluded, False
        position = max(end, start + 1)


def _terms_of(typed: str, *, excluded: bool, quoted: bool) -> Iterator[Term]:
    """Yield the terms of one piece: runs of wide characters and of other words, in their order."""
    rest = 0
    folded = storable(plain(typed))
    for run in wide_runs().finditer(folded):
        yield from _latin(folded[rest : run.start()], excluded=excluded, quoted=quoted)
        yield _wide(run.group(), excluded=excluded)
        rest = run.end()
    yield from _latin(folded[rest:], excluded=excluded, quoted=quoted)


def _latin(text: str, *, excluded: bool, quoted: bool) -> Iterator[Term]:
    words = tuple(word[:_WORD_CHARS] for word in _WORD.findall(text))
    if words:
        yield Term(words, excluded, quoted, typed=text.strip())


def _wide(run: str, *, excluded: bool) -> Term:
    """Return the pairs of a run as the index has them; a lone character begins its pairs."""
    if len(run) == 1:
        return Term((run,), excluded, starts=True)
    pairs = tuple(run[place : place + 2] for place in range(len(run) - 1))
    return Term(pairs, excluded, quoted=True, run=run)
