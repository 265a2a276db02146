"""Search a store: what comes nearest to a query, each hit with where it is and who said it.

A hit shows the sentence of its message that the query is about, with its neighbours.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any

from amplihack_compaction.base.redaction.redact import redact_again
from amplihack_compaction.base.size_limits import STATE_HEAD
from amplihack_compaction.store.database import Database, whole
from amplihack_compaction.store.messages import text_of
from amplihack_compaction.store.query import Query, Term, parse_query
from amplihack_compaction.store.ranking import Where, nearest_messages, telling_terms
from amplihack_compaction.store.sessions import beginning_with
from amplihack_compaction.text.words import harmless
from amplihack_compaction.transcript.session import storable

DEFAULT_LIMIT = 10
MOST_HITS = 200
_COLUMNS = (
    "message.id, session.scope, session.session_id, session.transcript, message.kind,"
    " message.role, message.tool, message.turn, message.said_at, message.uuid, message.place,"
    " message.compactions, message.archived"
)
EXCERPT_CHARS = 320
_LOOKED_AT_CHARS = 64_000
_MARKS = 1000
_ID_CHARS = 8
_SPACE = re.compile(r"\s+")
_SENTENCE = re.compile(r"(?<=[.!?…])\s|(?<=[。！？])|\n")
# What `recall` and `state` print, and no other program.
_PRINTED = re.compile(
    rf"prints what was said around it\)\s*\Z|\ANothing of it was found\.|\A{STATE_HEAD}"
)
_SHOWN_WORD = re.compile(r"\w+")
_STATUSES = frozenset(("pending", "in_progress", "completed"))
_BETWEEN = r"[\W_]{1,3}"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text on one line; `marks` are the `(start, end)` of what was found in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with something before and behind each mark."""
        parts, position = [], 0
        for start, end in self.marks:
            parts += [self.text[position:start], before, self.text[start:end], after]
            position = end
        return "".join(parts) + self.text[position:]


def make_excerpt(body: str, terms: list[Term], size: int = EXCERPT_CHARS) -> Excerpt:
    """Return the sentence in which most of the terms stand, with its neighbours.

    At most `size` characters and a sign at each end where there is more; of a longer sentence the
    part around the terms.
    """
    sentences = (_SPACE.sub(" ", one).strip() for one in _SENTENCE.split(body[:_LOOKED_AT_CHARS]))
    spans, text = [], ""
    for sentence in filter(None, sentences):
        spans.append((len(text), len(text) + len(sentence)))
        text += sentence + " "
    text = harmless(text.rstrip())
    found = _find(text, terms)
    start, end = _shown(spans, _best_start(found, size), size) if spans else (0, 0)
    head, tail = "…" if start else "", "…" if end < len(text) else ""
    shift = len(head) - start
    marks = tuple((a + shift, b + shift) for a, b, _ in found if a >= start and b <= end)
    return Excerpt(head + text[start:end] + tail, marks)


def _shown(spans: list[tuple[int, int]], at: int, size: int) -> tuple[int, int]:
    """Return the bounds of the sentence at a place and of those around it for which is room."""
    first = last = max(0, bisect_left(spans, (at + 1,)) - 1)
    start, end = spans[first]
    if end - start > size:
        # A little before the first word shows what it belongs to.
        start = max(start, min(at - size // 6, end - size))
        return start, min(end, start + size)
    grown = True
    while grown:
        grown = False
        if last + 1 < len(spans) and spans[last + 1][1] - spans[first][0] <= size:
            last, grown = last + 1, True
        if first and spans[last][1] - spans[first - 1][0] <= size:
            first, grown = first - 1, True
    return spans[first][0], spans[last][1]


def _find(text: str, terms: list[Term]) -> list[tuple[int, int, int | None]]:
    """Return `(start, end, number of the term)` of what is found, in the order of the text."""
    words = [(term.run,) if term.run else term.words for term in terms]
    each = (_BETWEEN.join(map(re.escape, some)) for some in words)
    any_of_them = re.compile("|".join(f"({one})" for one in each), re.IGNORECASE)
    matches = islice(any_of_them.finditer(text), _MARKS) if terms else ()
    return [(*match.span(), match.lastindex) for match in matches]


def _best_start(found: list[tuple[int, int, int | None]], size: int) -> int:
    """Return where to begin, so that as many different terms as can be are inside, close together.

    "left pupil = 468" says more than a sentence in which one of them is far from the other.
    """
    starts = [start for start, _, _ in found]
    best, most = 0, (0, 0)
    for place, start in enumerate(starts):
        ends: dict[int | None, int] = {}
        for _, end, number in found[place : bisect_left(starts, start + size)]:
            ends.setdefault(number, end)
        here = (len(ends), start - max(ends.values()))
        if here > most or not most[0]:
            best, most = start, here
    return best


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """Where to look; empty or None looks everywhere.

    `session` is an id or its beginning; `since` and `until` begin as ISO 8601 times do;
    `before_compaction` N leaves what was said before a session's Nth compaction.
    """

    scope: str | None = None
    session: str = ""
    kinds: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    before_compaction: int | None = None


def message_id(session_id: str, number: int) -> str:
    """Return what `store show` knows a message by: `1f2e3d4c.4711`."""
    return f"{session_id[:_ID_CHARS]}.{number}"


@dataclass(frozen=True, slots=True)
class Hit:
    """One message that was found, and where it is; `place` is its line's offset in bytes.

    `id` is what `store show` takes: the session's first characters, and the message's number.
    """

    id: str
    scope: str
    session_id: str
    transcript: str
    kind: str
    role: str
    tool: str
    turn: int
    said_at: str
    uuid: str
    place: int | None
    compactions: int
    archived_by: int | None
    score: float
    excerpt: Excerpt


@dataclass(slots=True)
class Found:
    """The best hits first, and what there is to say about the query or the search.

    `remembered` is what was remembered by hand, and stands in no transcript: a line each.
    """

    hits: list[Hit] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    remembered: list[str] = field(default_factory=list)


def recall(
    database: Database,
    text: str,
    filters: Filters | None = None,
    limit: int = DEFAULT_LIMIT,
    within: str = "",
) -> Found:
    """Return the messages that a query finds, best first; at most `limit`, at most 200.

    `within` is the session that asks: of what comes close, what was compacted away of it is first.
    No query is an error: what it cannot mean is said in the notes. Raises StoreError when the
    store cannot be read.
    """
    query = parse_query(text)
    found = Found(notes=query.notes)
    if not query.wanted:
        return found
    limit = max(1, min(limit, MOST_HITS))
    filters = filters or Filters()
    where, lost = _where(database, filters), None
    if within and within.startswith(filters.session):
        lost = _where(database, replace(filters, session=within))
        lost = replace(lost, sql=f"{lost.sql} AND message.archived > 0")
    scores, notes = nearest_messages(database, query, where, limit, lost)
    found.notes += notes
    found.hits = _hits(database, scores, query, limit)
    return found


def _where(database: Database, filters: Filters) -> Where:
    conditions: list[str] = []
    parameters: dict[str, Any] = {}
    chosen: list[str] = []
    if filters.session:
        chosen.append("session_id LIKE :session ESCAPE '!'")
        parameters["session"] = storable(beginning_with(filters.session))
    if filters.scope:
        chosen.append("scope = :scope")
        parameters["scope"] = storable(filters.scope)
    if chosen:
        sessions = " AND ".join(chosen)
        # Their messages lie between two ids: the index is walked by id, and need not be elsewhere.
        bounds = "coalesce(min(first_message), 0), coalesce(max(last_message), 0)"
        found = database.rows(f"SELECT {bounds} FROM session WHERE {sessions}", parameters)  # noqa: S608
        parameters["first"], parameters["last"] = found[0]
        conditions.append(f"{database.index_id} BETWEEN :first AND :last")
        conditions.append(f"message.session IN (SELECT id FROM session WHERE {sessions})")  # noqa: S608
    if filters.kinds:
        names = [f"kind{place}" for place in range(len(filters.kinds))]
        parameters.update(zip(names, map(storable, filters.kinds), strict=True))
        conditions.append(f"message.kind IN ({', '.join(':' + name for name in names)})")
    if filters.since:
        conditions.append("message.said_at >= :since")
        parameters["since"] = storable(filters.since)
    if filters.until:
        conditions.append("message.said_at < :until")
        # Right behind every time that begins so: a day counts whole.
        parameters["until"] = storable(f"{filters.until}~")
    if filters.before_compaction is not None:
        conditions.append("message.compactions < :before")
        parameters["before"] = filters.before_compaction
    return Where("".join(f" AND {condition}" for condition in conditions), parameters)


def _hits(database: Database, scores: dict[int, float], query: Query, limit: int) -> list[Hit]:
    if not scores:
        return []
    ids = ", ".join(str(int(number)) for number in scores)
    rows = database.rows(
        f"SELECT {_COLUMNS}, content.body FROM {database.texts}"  # noqa: S608 - our own numbers
        f" JOIN session ON session.id = message.session WHERE message.id IN ({ids})"
    )
    rows.sort(key=lambda row: (-scores[whole(row[0])], -whole(row[0])))
    hits: list[Hit] = []
    seen: set[tuple[object, ...]] = set()
    telling = telling_terms(query.wanted)
    for number, *values, kept in rows:
        body = text_of(kept)
        _, session_id, _, kind, _, tool, *_ = values
        if kind == "tool_output" and _PRINTED.search(body):
            continue  # this package was called beside other programs
        if (kind, body) in seen:
            continue  # the same call again, or a copy in a resumed or forked session
        if len(hits) == limit:
            break
        known_by = message_id(str(session_id), whole(number))
        excerpt = make_excerpt(redact_again(body), telling)
        shown = (tool, *(w for w in _SHOWN_WORD.findall(excerpt.text) if w not in _STATUSES))
        if tool and shown in seen:
            continue  # a list of todos again, of which others are done
        seen |= {(kind, body), shown}
        hits.append(Hit(*(known_by, *values, scores[int(number)], excerpt)))
    return hits
