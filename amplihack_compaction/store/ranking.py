"""The messages that come nearest to a question: rare words first, then all that speaks for each.

Of a question's words those that ask and those that fill weigh nothing. The rarest ones say which
messages are looked at, as many as can be ranked in a moment; common words only order them. Each is
then read, and weighed by BM25 of all words with their endings and the words of the same meaning
that the package knows, and by how close together they stand, and in which order.
"""

import re
from dataclasses import dataclass, replace
from itertools import combinations
from math import log
from typing import TYPE_CHECKING

from amplihack_compaction.store.database import SQLITE, Database, whole
from amplihack_compaction.store.messages import WIDE_RUN, as_indexed, text_of
from amplihack_compaction.store.query import (
    Query,
    Term,
    fts5_match,
    tsquery_match,
    update_words,
    widened,
)
from amplihack_compaction.text.words import STOPWORDS, kin_of, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

CANDIDATES = 5_000
"""How many messages the rare words may lead to before the common ones are asked no more."""
RANKED = 20_000
"""Of how many messages, the newest, that have the words the best are read."""
READ = 150
"""How many messages are read to be ranked."""
_READ_CHARS = 16_000
_MOST_FORMS = 12
_MOST_PLACES = 20
_FEW_TERMS = 3
_MOST_PAIRS = 15
# A word that many have needs no others to stand for it.
_FEW_MESSAGES = 1_000
_SHORTEST_STEM = 3
_BY_FORM, _BY_KIN = 0.5, 0.2
# Words that only mean the same are looked for where no message is about so much of a question.
_KIN_BELOW = 0.7
_K1, _B = 1.0, 0.75
# What is said in a talk is read with the question before it, and a little with what comes after.
_TALK = frozenset({"prompt", "answer", "decision"})
_BEFORE, _AFTER = 0.5, 0.2
_AROUND = 40
_BY_ASKING = 0.9
# A question of so many terms is ranked by BM25 alone as much as by all else that is known.
TERMS_ALIKE = 8
# Where all else is alike, even "with" and "her" tell which of two is meant.
_FILLER = 0.3
_CLOSE_CHARS, _NEAR_CHARS = 40, 120
_BY_CLOSE, _BY_NEAR = 0.3, 0.15
_BY_KIND = {"decision": 1.1, "prompt": 1.08, "summary": 1.04, "answer": 1.02}
_LEAST_SHARE = 0.25
_MOST_OF = 0.5
_BETWEEN = r"[\W_]+"
# What the ledger's lines have in common says much in a search.
_TELLING = frozenset(
    "user users said says wish wishes strictly forbidden prohibited required mandatory avoid banned"
    " allowed permitted todo todos item items assistant verboten interdit prohibido proibido"
    " запрещено decided decide decision remember forget".split()
)
_ASKING = frozenset(
    as_indexed(word)
    for word in (
        *(STOPWORDS - _TELLING),
        *(
            "many much long often far kind called call name named now whats whos doing happened"
            " happens was wo warum wieso welche welcher welches welchen wann wieviel viele lange"
            " womit"
            " haben hatten quoi où pourquoi quel quelle quels quelles comment combien avons avait"
            " qué dónde cuál cuáles cómo cuánto cuántos quién porqué onde quais quanto quantos"
            " como che cosa dove perché quale quali quanti chi что где почему какой какая какие"
            " сколько кто зачем чем какое"
        ).split(),
    )
)
_COUNT = "SELECT coalesce(sum(doc), 0) FROM search_word WHERE term BETWEEN :word AND :end"
_MATCHES = {
    SQLITE: "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH :word LIMIT :most)",
    "": "SELECT count(*) FROM (SELECT 1 FROM search"
    " WHERE document @@ to_tsquery('simple', :word) LIMIT :most) AS counted",
}
_FORMS = {
    SQLITE: "SELECT word FROM word WHERE word >= :stem AND word < :end LIMIT 200",
    "": "SELECT word FROM word WHERE word LIKE :stem || '%' LIMIT 200",
}
_CANDIDATES = (
    "SELECT id, count(*) OVER (), rank FROM (SELECT message.id AS id, -bm25(search) AS rank"
    " FROM search"
    " JOIN message ON message.id = search.rowid"
    " WHERE search MATCH :match{where} ORDER BY search.rowid DESC LIMIT :most) AS newest"
    " ORDER BY rank DESC, id DESC LIMIT :read"
)
_SERVER_CANDIDATES = (
    "SELECT id, count(*) OVER (), {weight} AS rank FROM (SELECT message.id, search.document"
    " FROM {indexed} WHERE search.document @@ to_tsquery('simple', :match){where}"
    " ORDER BY message.id DESC LIMIT :most) AS newest ORDER BY rank DESC, id DESC LIMIT :read"
)


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A term, all words that may stand for it, in how many messages it is, and what that weighs."""

    term: Term
    ways: tuple[tuple[Term, float], ...]
    count: int
    weight: float

    def alone(self) -> "_Weighed":
        """Return it without the words that only mean the same, if it is there itself."""
        own = tuple((way, share) for way, share in self.ways if share > _BY_KIN)
        return replace(self, ways=own) if own != self.ways else self


def telling_terms(terms: list[Term]) -> list[Term]:
    """Return the terms that say what is looked for; all of them where none does."""
    telling = [
        term
        for term in terms
        if term.quoted or term.run or len(term.words) > 1 or term.words[0] not in _ASKING
    ]
    return telling or terms


def is_spoken(query: Query) -> bool:
    """Return whether a query is a question or a sentence, no row of keywords."""
    telling = telling_terms(query.wanted)
    return len(telling) < len(query.wanted) or len(telling) > _FEW_TERMS


def nearest_messages(
    database: Database, query: Query, where: str, parameters: dict[str, object], limit: int
) -> tuple[dict[int, float], list[str]]:
    """Return the messages that come nearest and their scores, and what there is to say of it."""
    update_words(database)
    total = whole((database.one("SELECT coalesce(max(id), 0) FROM message") or (0,))[0])
    spoken = is_spoken(query)
    telling = telling_terms(query.wanted)
    weighed: list[_Weighed] = []
    notes: list[str] = []
    for term in telling:
        one = _weigh(database, term, total, 1 if spoken else limit)
        if one.count:
            weighed.append(one)
        else:
            notes.append(f"{term.typed or term.run!r} occurs nowhere: it was left out")
    rare = sorted(weighed, key=lambda one: one.count)
    while rare and len(weighed) > 1 and sum(one.count for one in rare) > CANDIDATES:
        rare.pop()
    plainly = [one.alone() for one in weighed]
    searches = [[[one.alone()] for one in rare]]
    if len(rare) < len(weighed):
        searches.append(_pairs(plainly, total))
    single = _single(database, weighed)
    ranks = _candidates(database, query, single, where, parameters, notes) if single else {}
    for groups in filter(None, searches):
        also = _candidates(database, query, groups, where, parameters, notes)
        ranks = dict.fromkeys(also, 0.0) | ranks
    fillers = [_Weighed(term, ((term, 1.0),), 1, _FILLER) for term in query.wanted]
    fillers = [one for one in fillers if one.term not in telling]
    found = _scored(database, plainly + fillers, ranks, where, parameters)
    share = max((part for _, part in found.values()), default=0.0)
    kin = [[one] for one in weighed if one.alone() != one]
    if share < _KIN_BELOW and kin:
        also = _candidates(database, query, kin, where, parameters, notes)
        ranks = dict.fromkeys(also, 0.0) | ranks
        found = _scored(database, weighed + fillers, ranks, where, parameters)
    best = max((score for score, _ in found.values()), default=0.0)
    share = max((part for _, part in found.values()), default=1.0)
    if share < _MOST_OF:
        notes.append("no message is about most of this: these come nearest")
    elif share < 1 and not spoken and not notes:
        notes.append("no message has all of these words: these have some")
    kept = {number: score for number, (score, _) in found.items() if score > _LEAST_SHARE * best}
    order = sorted(kept, key=lambda number: (-kept[number], -number))
    return {number: kept[number] for number in order[: 2 * limit]}, notes


def _single(database: Database, weighed: list[_Weighed]) -> list[list[_Weighed]]:
    """Return the words themselves, by which BM25 ranks: the rarest, down to where many have one."""
    single: list[list[_Weighed]] = []
    weights: dict[Term, float] = {}
    for one in weighed:
        words = [one.term] if one.term.quoted else [Term((word,)) for word in one.term.words]
        weights.update(dict.fromkeys(words, one.weight))
    counts = {term: _count(database, term) for term in weights}
    many = 0
    for term in sorted(filter(counts.get, counts), key=lambda term: counts[term]):
        many += counts[term]
        if many > RANKED and single:
            break
        single.append([_Weighed(term, ((term, 1.0),), counts[term], weights[term])])
    return single


def _weigh(database: Database, term: Term, total: int, few: int) -> _Weighed:
    """Look up the words that may stand for a term, and how rare they are together.

    Those that hold it are among them where it is itself in less than a few messages.
    """
    ways = [(term, 1.0)]
    if not term.quoted and not term.run and len(term.words) == 1:
        (word,) = term.words
        ways += [(Term((form,)), _BY_FORM) for form in _forms_of(database, word)]
    count = sum(_count(database, way) for way, _ in ways)
    if count < few and not term.quoted:
        longer = widened(database, term, found=count > 0)
        ways += [(way, _BY_FORM) for way in longer if all(way != known for known, _ in ways)]
        count = sum(_count(database, way) for way, _ in ways)
    own = count
    if len(term.words) == 1 and count < _FEW_MESSAGES:
        kin = [Term((word,)) for word in sorted(kin_of(term.words[0]))]
        known = [(way, _count(database, way)) for way in kin]
        rare_kin = [(way, found) for way, found in known if 0 < found < _FEW_MESSAGES]
        ways += [(way, _BY_KIN) for way, _ in rare_kin]
        count += sum(found for _, found in rare_kin)
    rare = min(own or count, total)  # others that may stand for it make it no less telling
    return _Weighed(term, tuple(ways), count, log(1 + (total + 0.5) / (rare + 0.5)))


def _forms_of(database: Database, word: str) -> "Iterable[str]":
    """Return the words of the store that differ from a word by their endings."""
    short = stem(word)
    if len(short) < _SHORTEST_STEM or not word.isalpha():
        return []
    beginning = short[:-1] if short.endswith("i") and len(short) > _SHORTEST_STEM else short
    statement = _FORMS.get(database.dialect, _FORMS[""])
    rows = database.rows(statement, {"stem": beginning, "end": beginning + "\U0010ffff"})
    forms = [str(row[0]) for row in rows if row[0] != word and stem(str(row[0])) == short]
    return sorted(forms, key=len)[:_MOST_FORMS]


def _count(database: Database, way: Term) -> int:
    """Return in how many messages a term is, at most: of several words, where the rarest one is."""
    if database.dialect == SQLITE:
        ends = [*way.words[:-1], way.words[-1] + "\U0010ffff" * way.starts]
        words = [{"word": word, "end": end} for word, end in zip(way.words, ends, strict=True)]
        rarest = min(whole((database.one(_COUNT, each) or (0,))[0]) for each in words)
        if rarest or "".join(way.words).isascii():
            return rarest
    # Of a few letters, as "µ", SQLite's index has others than Python: it is asked itself.
    build = fts5_match if database.dialect == SQLITE else tsquery_match
    match = build(Query(), [[way]], all_words=True)
    statement = _MATCHES.get(database.dialect, _MATCHES[""])
    return whole((database.one(statement, {"word": match, "most": CANDIDATES}) or (0,))[0])


def _pairs(weighed: list[_Weighed], total: int) -> list[list[_Weighed]]:
    """Return the pairs of terms that stand together in few messages, as far as can be guessed."""
    pairs = sorted(combinations(weighed, 2), key=lambda pair: pair[0].count * pair[1].count)
    chosen: list[list[_Weighed]] = []
    many = 0.0
    for first, second in pairs[:_MOST_PAIRS]:
        many += first.count * second.count / max(total, 1)
        if chosen and many > CANDIDATES:
            break
        chosen.append([first, second])
    return chosen


def _candidates(
    database: Database,
    query: Query,
    groups: list[list[_Weighed]],
    where: str,
    given: dict[str, object],
    notes: list[str],
) -> dict[int, float]:
    """Return the best messages that have all terms of one of the groups, and the index's ranks."""
    is_embedded = database.dialect == SQLITE
    build, joined = (fts5_match, " OR ") if is_embedded else (tsquery_match, " | ")
    parts = [
        build(query, [[way for way, _ in one.ways] for one in group], all_words=True)
        for group in groups
    ]
    match = joined.join(f"({part})" for part in parts)
    parameters = {**given, "read": READ, "most": RANKED, "match": match}
    if is_embedded:
        sql = _CANDIDATES.format(where=where)
    else:
        weights = []
        for place, one in enumerate({id(one): one for group in groups for one in group}.values()):
            ways = [way for way, _ in one.ways]
            parameters[f"term{place}"] = tsquery_match(Query(), [ways], all_words=True)
            weights.append(
                f"CASE WHEN document @@ to_tsquery('simple', :term{place})"
                f" THEN {one.weight:.3f} ELSE 0 END"
            )
        sql = _SERVER_CANDIDATES.format(
            where=where, weight=" + ".join(weights), indexed=database.indexed
        )
    rows = database.rows(sql, parameters)
    note = f"many messages match: the newest {RANKED} were ranked"
    if rows and rows[0][1] == RANKED and note not in notes:
        notes.append(note)
    return {whole(row[0]): float(row[2]) for row in rows}


@dataclass(frozen=True, slots=True)
class _Text:
    """A message as it is weighed: `places` is where each term stands in it, and how well met."""

    session: int
    kind: str
    size: int
    places: list[list[tuple[int, float]]]
    asks: bool


def _scored(
    database: Database,
    weighed: list[_Weighed],
    ranks: dict[int, float],
    where: str,
    given: dict[str, object],
) -> dict[int, tuple[float, float]]:
    """Return by message its score, and how much of the question it is about.

    What a text says itself and what BM25 ranks it by count together, each as a share of the best.
    What answers one that asks is among them, where the conditions allow: an answer has seldom the
    words of its question.
    """
    texts = _texts(database, weighed, list(ranks))
    if not texts:
        return {}
    mean = sum(text.size for text in texts.values()) / len(texts) or 1.0
    alone = {number: _score(weighed, text, [], mean) for number, text in texts.items()}
    best = sorted(alone, key=lambda number: -alone[number])[:_AROUND]
    spoken = [number for number in best if texts[number].kind in _TALK]
    beside = {number + step for number in spoken for step in (-1, 1)} - texts.keys()
    around = {**texts, **_texts(database, weighed, sorted(beside))}
    answers = [number + 1 for number in spoken if texts[number].asks and number + 1 in beside]
    allowed = _allowed(database, answers, where, given)
    total = sum(one.weight for one in weighed if one.weight != _FILLER) or 1.0
    found = {}
    for number in {**texts, **dict.fromkeys(allowed)}:
        text = around.get(number)
        if text is None:
            continue
        near = _near(around, number)
        score = _score(weighed, text, near, mean) * _BY_KIND.get(text.kind, 1.0)
        met = zip(weighed, text.places, strict=True)
        about = sum(one.weight for one, some in met if some and one.weight != _FILLER)
        found[number] = (score, about / total)
    most = max(score for score, _ in found.values()) or 1.0
    terms = sum(one.weight != _FILLER for one in weighed)
    by_rank = terms / TERMS_ALIKE / (max(ranks.values()) or 1.0)
    return {
        number: (score / most + by_rank * ranks.get(number, 0.0), about)
        for number, (score, about) in found.items()
    }


def _allowed(database: Database, ids: list[int], where: str, given: dict[str, object]) -> list[int]:
    """Return which of the messages the conditions of the search let through."""
    if not (ids and where):
        return ids
    listed = ", ".join(map(str, ids))
    rows = database.rows(
        f"SELECT message.id FROM {database.indexed} WHERE {database.index_id} IN ({listed}){where}",  # noqa: S608
        given,
    )
    return [whole(row[0]) for row in rows]


def _texts(database: Database, weighed: list[_Weighed], ids: list[int]) -> dict[int, _Text]:
    if not ids:
        return {}
    rows = database.rows(
        f"SELECT message.id, message.session, kind, body FROM {database.texts}"  # noqa: S608
        f" WHERE message.id IN ({', '.join(map(str, ids))})"
    )
    found = {}
    for number, session, kind, body in rows:
        text = as_indexed(text_of(body)[:_READ_CHARS])
        places = [_places(one.ways, text) for one in weighed]
        asks = text.rstrip().endswith("?")
        found[whole(number)] = _Text(whole(session), str(kind), len(text), places, asks)
    return found


def _near(around: dict[int, _Text], number: int) -> list[tuple[_Text, float]]:
    """Return what was said right before and after a message of a talk, and what it counts."""
    text = around[number]
    before, after = around.get(number - 1), around.get(number + 1)
    near = []
    if before is not None and before.asks:
        near.append((before, _BEFORE))
    if after is not None:
        near.append((after, _AFTER))
    return [
        (other, share)
        for other, share in near
        if text.kind in _TALK and other.kind in _TALK and other.session == text.session
    ]


def _score(
    weighed: list[_Weighed], text: _Text, near: list[tuple[_Text, float]], mean: float
) -> float:
    """Return BM25 with what stands around, and what it adds that terms stand together."""
    score = 0.0
    for at, one in enumerate(weighed):
        often = sum(share for _, share in text.places[at])
        for other, share in near:
            often += share * min(1.0, sum(each for _, each in other.places[at]))
        score += one.weight * often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * text.size / mean))
    score += _by_closeness(weighed, text.places)
    return score * (_BY_ASKING if text.asks else 1.0)


def _places(ways: tuple[tuple[Term, float], ...], text: str) -> list[tuple[int, float]]:
    """Return where a term stands in a text, and how well it is met there."""
    found: list[tuple[int, float]] = []
    for way, share in ways:
        for start in _starts(way, text):
            found.append((start, share))
            if len(found) >= _MOST_PLACES:
                return found
    return found


def _starts(way: Term, text: str) -> "Iterator[int]":
    """Yield where words stand side by side, and not within others."""
    if way.run or len(way.words) == 1:
        word = as_indexed(way.run) or way.words[0]
        start = text.find(word)
        while start >= 0:
            if way.run or _is_apart(text, start, start + len(word), starts=way.starts):
                yield start
            start = text.find(word, start + len(word))
        return
    for match in re.finditer(_BETWEEN.join(map(re.escape, way.words)), text):
        if _is_apart(text, *match.span(), starts=way.starts):
            yield match.start()


def _is_apart(text: str, start: int, end: int, *, starts: bool) -> bool:
    is_begun = start == 0 or not _goes_on(text[start - 1])
    return is_begun and (starts or end == len(text) or not _goes_on(text[end]))


def _goes_on(sign: str) -> bool:
    """Return whether a sign belongs to the word beside it; Chinese stands by itself."""
    return sign.isalnum() and (sign.isascii() or WIDE_RUN.match(sign) is None)


def _by_closeness(weighed: list[_Weighed], places: list[list[tuple[int, float]]]) -> float:
    """Return what it adds that terms of the question stand together, most in their order."""
    score = 0.0
    for at in range(len(weighed) - 1):
        here, there = places[at], places[at + 1]
        if not here or not there:
            continue
        weight = min(weighed[at].weight, weighed[at + 1].weight)
        gaps = [second - first for first, _ in here for second, _ in there]
        if any(0 < gap <= _CLOSE_CHARS for gap in gaps):
            score += _BY_CLOSE * weight
        elif any(abs(gap) <= _NEAR_CHARS for gap in gaps):
            score += _BY_NEAR * weight
    return score
