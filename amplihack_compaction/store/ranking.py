"""The messages that come nearest to a question: rare words first, then all that speaks for each.

Of a question's words those that ask and those that fill lead nowhere. The rarest ones, and those
that stand together in few messages, say which messages are looked at, as many as can be ranked in a
moment. Each is then read, and weighed twice: by BM25 of all words, and by what BM25 does not see: a
name as a whole, words with other endings, how close together they stand and in which order, and
what was said around. Both count the same.
"""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import combinations, islice, takewhile
from math import ceil, log, prod
from typing import Any

from amplihack_compaction.store.database import SQLITE, Database, whole
from amplihack_compaction.store.messages import WIDE, as_indexed, text_of, tokens_by_bytes
from amplihack_compaction.store.query import (
    Query,
    Term,
    match_for,
    misspelt,
    newest_message,
    update_words,
    widened,
)
from amplihack_compaction.text.word_lists import word_lists
from amplihack_compaction.text.words import STOPWORDS, meant_by, stem

CANDIDATES = 5_000
"""How many messages rare words, or words that stand together, may lead to."""
RANKED = 40_000
"""Of how many messages that have the rarest words the index finds the best; SQLite's the newest."""
READ = 100
"""How many messages are read to be ranked."""
_READ_CHARS = 16_000
_MOST_FORMS = 12
_MOST_PLACES = 20
_MOST_NAMED = 3
# So much of a word, and so many letters, begin another one that is of the same family.
_SHARED_BEGINNING, _LEAST_BEGINNING = 0.55, 5
_FEW_TERMS = 3
_MOST_RARE, _MOST_GROUPS = 12, 15
# Beyond that a server is asked for no more than an estimate.
_COUNTED = 1_000
# So many of the newest messages tell how long one is.
_SAMPLED = 2_000
_SHORTEST_STEM = 3
_BY_FORM = 0.5
# The words that ask are rare among calls and outputs, and tell no more for that.
_BY_FILLING = 0.5
_K1, _B = 1.0, 0.95
# What is said in a talk is read with the question before it, and a little with what comes after.
_TALK = frozenset({"prompt", "answer", "decision"})
_BEFORE, _AFTER = 0.5, 0.2
_AROUND = 40
_CLOSE_CHARS, _NEAR_CHARS = 40, 120
_BY_CLOSE, _BY_NEAR = 0.3, 0.15
# Inside a session, what a compaction took from it is what is asked for.
_BY_LOST = 1.25
_BY_KIND = {"decision": 1.1, "prompt": 1.08, "summary": 1.04, "answer": 1.02}
# What was decided, people said; a log has its words as well.
_BY_PROGRAMS = {"tool_call": 0.5, "tool_output": 0.5}
# A reply comes right before what it replies to, and is within so many messages of it.
_BY_REPLY, _REPLY_WITHIN = 1.01, 12
_LEAST_SHARE = 0.1
# As in BM25, a word that half of all messages have says next to nothing.
_LEAST_RARITY = 0.15
_MOST_OF = 0.5
# Where no message is about most of a question, and some of it occurs nowhere, so many are shown,
# and none that has little of it.
_FEW_HITS, _LITTLE_OF = 5, 0.3
_BETWEEN = r"[\W_]+"
# What belongs to the word beside it; Chinese stands by itself.
_LETTER = re.compile(rf"[^\W_{WIDE}]")
_OPTION = re.compile(r"\s*(?:[-*•]|\w{1,2}[.):])\s")
_QUESTION = re.compile(r"[?？](?:\s|\Z)")
_LISTS = word_lists("words")
_ASKING = frozenset(map(as_indexed, (STOPWORDS - _LISTS["searched"]) | _LISTS["asking"]))
_DECIDING = frozenset(map(as_indexed, _LISTS["deciding"]))
_PRESENT = frozenset(map(as_indexed, _LISTS["present"]))
# Of what is found for a question of now the newest counts so much more than the oldest.
_BY_NEWEST = 0.5
_COUNT = "SELECT coalesce(sum(doc), 0) FROM search_word WHERE term BETWEEN :word AND :end"
_MATCHING = "SELECT count(*) FROM (SELECT 1 FROM search WHERE {} LIMIT :most) AS counted"
# Reading the whole list of a word that fills would take longer than all else.
_FREQUENT = "SELECT count(*) FROM search WHERE search MATCH :match AND rowid > :after"
_ESTIMATE = "EXPLAIN (FORMAT JSON) SELECT FROM search WHERE {}"
_MEAN_SIZE = (
    "SELECT avg(tokens) FROM (SELECT tokens FROM message ORDER BY id DESC LIMIT :most) AS newest"
)
_BEST = (
    "SELECT id, count(*) OVER () FROM (SELECT {id} AS id, bm25(search) AS rank FROM {indexed}"
    " WHERE {matches}{where} ORDER BY {id} DESC LIMIT :most) AS newest"
    " ORDER BY rank, id DESC LIMIT :read"
)
# All that match are in the inner query: for the newest ones alone a server reads backwards every
# message there is, where it takes a word for more frequent than it is.
_SERVER_BEST = (
    "SELECT id, 0 FROM (SELECT {id} AS id, {weight} AS weight, length(document) AS size"
    " FROM {indexed} WHERE {matches}{where} OFFSET 0) AS found"
    " ORDER BY weight / (:fixed + :by_size * size / avg(size) OVER ()) DESC, id DESC LIMIT :read"
)
_NEWEST = "SELECT {id} FROM {indexed} WHERE {matches}{where} ORDER BY {id} DESC LIMIT :read"


@dataclass(frozen=True, slots=True)
class Where:
    """Conditions behind a match, and their parameters."""

    sql: str
    parameters: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Weighed:
    """All words that may stand for a term, in how many messages it is, and what that weighs."""

    ways: tuple[tuple[Term, float], ...]
    count: int
    weight: float


@dataclass(frozen=True, slots=True)
class _Text:
    """A message as it is weighed; `size` is in tokens.

    `places` is where each term stands in it, and how well met; `often` how often it has each word.
    """

    session: int
    kind: str
    size: int
    places: list[list[tuple[int, float]]]
    often: list[int]
    asks: bool


def telling_terms(terms: list[Term]) -> list[Term]:
    """Return the terms that say what is looked for; all of them where none does."""
    telling = [
        term
        for term in terms
        if term.quoted or term.run or len(term.words) > 1 or term.words[0] not in _ASKING
    ]
    return telling or terms


def nearest_messages(
    database: Database, query: Query, where: Where, limit: int, lost: Where | None = None
) -> tuple[dict[int, float], list[str]]:
    """Return the messages that come nearest and their scores, and what there is to say of it.

    `lost` are the conditions of what comes first of what is about as near.
    """
    update_words(database)
    ranking = _Ranking(database, query)
    if not ranking.total:
        return {}, [f"the store has no message yet: {database.place}"]
    ranking.weigh_all(limit)
    if not ranking.weighed:
        return {}, ranking.notes
    ids = ranking.looked_at(where)
    first = ranking.candidates(lost, [[one] for one in ranking.weighed]) if lost else set()
    found = ranking.scored(ids | first, where)
    for number in first & found.keys():
        score, part = found[number]
        found[number] = (_BY_LOST * score, part)
    if query.asks and any(not _PRESENT.isdisjoint(term.words) for term in query.wanted):
        for place, number in enumerate(sorted(found)):
            score, part = found[number]
            found[number] = (score * (1 + _BY_NEWEST * place / max(len(found) - 1, 1)), part)
    best = max((score for score, _ in found.values()), default=0.0)
    share = max((part for _, part in found.values()), default=1.0)
    notes = ranking.notes
    if share < _MOST_OF:
        notes.insert(0, "no message is about most of this: these come nearest")
        if ranking.left_out:
            near = ((n, one) for n, one in found.items() if one[1] >= _LITTLE_OF * share)
            found = dict(sorted(near, key=lambda one: one[1], reverse=True)[:_FEW_HITS])
    elif share < 1 and not ranking.is_spoken and not notes:
        notes.append("no message has all of these words: these have some")
    return {n: score for n, (score, _) in found.items() if score > _LEAST_SHARE * best}, notes


class _Ranking:
    """A query to a store: its weighed terms and words, and what there is to say of it.

    Of a question's terms those are left out that are nowhere; `left_out` is what they weigh.
    """

    def __init__(self, database: Database, query: Query) -> None:
        self.database, self.query = database, query
        self.is_embedded = database.dialect == SQLITE
        self.total = newest_message(database)
        self.count = cache(partial(_count, database))
        self.telling = telling_terms(query.wanted)
        telling, wanted = len(self.telling), query.wanted
        # A question or a sentence, no row of keywords.
        self.is_spoken = telling < len(wanted) or telling > _FEW_TERMS
        self.decides = query.asks and any(not _DECIDING.isdisjoint(term.words) for term in wanted)
        self.weighed: list[_Weighed] = []
        self.words: list[_Weighed] = []
        self.left_out = 0.0
        self.notes: list[str] = []

    def weigh_all(self, most_hits: int) -> None:
        """Weigh the terms that are there or stood in for, and all words of the query."""
        for term in self.telling:
            one = self._weigh(term, 1 if self.is_spoken else most_hits)
            if not one.count:
                one = self._weigh_stand_ins(term)
                what = [way.words[0] for way, _ in one.ways]
                if what and all(word in _ASKING for word in what):
                    continue  # "teh", "whcih"
                named = ", ".join(what[:_MOST_NAMED])
                done = f"looked for instead: {named}" if named else "it was left out"
                self.notes.append(f"{term.shown!r} occurs nowhere in the store: {done}")
            if one.count:
                self.weighed.append(one)
            else:
                self.left_out += one.weight
        known = [way for one in self.weighed for way, share in one.ways if share == 1]
        self._weigh_words(known + [term for term in self.query.wanted if term not in self.telling])

    def _weigh_words(self, terms: list[Term]) -> None:
        """Weigh all words of some terms that are there, the rarest first."""
        words: dict[Term, None] = {}
        for term in terms:
            parts = [term] if term.quoted or term.starts else [Term((one,)) for one in term.words]
            words |= dict.fromkeys(parts)
        for one in sorted(filter(self.count, words), key=self.count):
            share = _BY_FILLING if one.words[0] in _ASKING else 1.0
            weight = share * self._rarity(self.count(one))
            self.words.append(_Weighed(((one, 1.0),), self.count(one), weight))

    def _rarity(self, count: int) -> float:
        """Return what BM25 gives for a word that so many messages have."""
        count = min(count, self.total)
        return max(log((self.total - count + 0.5) / (count + 0.5)), _LEAST_RARITY)

    def looked_at(self, where: Where) -> set[int]:
        """Return the messages to read: by the rarest words, and by terms that are together.

        Where a server would have to rank too many that have the words, the newest are taken.
        """
        single: list[list[_Weighed]] = []
        many = 0
        for one in self.words:
            many += one.count
            if many > RANKED and (single or not self.is_embedded):
                break
            single.append([one])
        ids: set[int] = self.candidates(where, single) if single else set()
        rare = sorted(self.weighed, key=lambda one: one.count)[:_MOST_RARE]
        for size in range(1, len(rare) + 1):
            groups = self._together(rare, size)
            ids |= self.candidates(where, groups) if groups else set()
            if len(groups) == len(list(combinations(rare, size))) or (groups and size > 1):
                break
        if not single:
            ids |= self.candidates(where, [[one] for one in self.weighed], are_many=True)
        return ids

    def _together(self, weighed: list[_Weighed], size: int) -> list[list[_Weighed]]:
        """Return so many terms each as stand together in few messages, as far as can be guessed."""

        def guess(group: tuple[_Weighed, ...]) -> float:
            return self.total * prod(min(1.0, one.count / self.total) for one in group)

        chosen: list[list[_Weighed]] = []
        many = 0.0
        for group in sorted(combinations(weighed, size), key=guess)[:_MOST_GROUPS]:
            many += guess(group)
            if many > CANDIDATES:
                break
            chosen.append(list(group))
        return chosen

    def _weigh(self, term: Term, few: int) -> _Weighed:
        """Look up the words that may stand for a term, and how rare they are together.

        Those that hold it are among them where it is itself in less than a `few` messages. What is
        never itself there counts less: a part or another form is seldom what was meant.
        """
        ways = [(term, 1.0)]
        if not term.quoted and not term.run and len(term.words) == 1:
            (word,) = term.words
            ways += [(Term((form,)), _BY_FORM) for form in _forms_of(self.database, word)]
        count = sum(self.count(way) for way, _ in ways)
        if count < few and not term.quoted:
            longer = widened(self.database, term, found=count > 0)
            ways += [(way, _BY_FORM) for way in longer if all(way != known for known, _ in ways)]
            count = sum(self.count(way) for way, _ in ways)
        share = 1.0 if self.count(term) else _BY_FORM
        return _Weighed(tuple(ways), count, share * self._rarity(count))

    def _weigh_stand_ins(self, term: Term) -> _Weighed:
        """Look up what may be meant by a word that no message has.

        In a question, words that are related to it; else, the one that it may be a misspelling of,
        of equals that which most messages have; else, in a question, what begins alike: in many
        languages a word changes more than its last letters: `construcción`, `construye`.
        """
        word, left_out = term.words[0], self.is_spoken * self._rarity(0)
        if term.quoted or term.run or len(term.words) > 1 or not word.isalpha():
            return _Weighed((), 0, left_out)
        others = meant_by(word) if self.is_spoken else ()
        forms = (form for other in others for form in _forms_of(self.database, other, itself=True))
        shares = related = dict.fromkeys(forms, _BY_FORM)
        beginning = word[: ceil(_SHARED_BEGINNING * len(word))]
        if near := [] if related else misspelt(self.database, word):
            counts = {one: self.count(Term((one,))) for one in near}
            shares = {max(counts, key=lambda one: counts[one]): 1.0}
        elif self.is_spoken and len(beginning) >= _LEAST_BEGINNING:
            rows = self.database.rows(self.database.words_from, {"stem": beginning})
            shares = related | dict.fromkeys(sorted((str(row[0]) for row in rows), key=len), 1.0)
        ways = tuple((Term((form,)), share) for form, share in shares.items())[:_MOST_FORMS]
        count = sum(self.count(way) for way, _ in ways)
        if not count:
            return _Weighed((), 0, left_out)
        return _Weighed(ways, count, (_BY_FORM if related else 1.0) * self._rarity(count))

    def candidates(
        self, where: Where, groups: list[list[_Weighed]], *, are_many: bool = False
    ) -> set[int]:
        """Return the best messages with all terms of one of the groups; of many, the newest."""
        database = self.database
        ways_of = {one: [way for way, _ in one.ways] for group in groups for one in group}
        excluded = [term for term in self.query.terms if term.excluded]
        wanted = [[ways_of[one] for one in group] for group in groups]
        match = match_for(database, wanted, excluded)
        parameters = {**where.parameters, "read": READ, "most": RANKED, "match": match}
        parameters |= {"fixed": 1 + _K1 * (1 - _B), "by_size": _K1 * _B}
        weights = []
        for place, (one, ways) in enumerate(ways_of.items()):
            parameters[f"term{place}"] = match_for(database, [[ways]])
            weights.append(
                f"CASE WHEN document @@ to_tsquery('simple', :term{place})"
                f" THEN {one.weight:.3f} ELSE 0 END"
            )
        rows = database.rows(
            (_NEWEST if are_many else _BEST if self.is_embedded else _SERVER_BEST).format(
                id=database.index_id,
                indexed=database.indexed if where.sql else "search",
                matches=database.matches,
                where=where.sql,
                weight=" + ".join(weights),
            ),
            parameters,
        )
        ranked = READ if are_many else RANKED
        note = f"many messages match: the newest {ranked} were ranked"
        if rows and ranked == (len(rows) if are_many else rows[0][1]) and note not in self.notes:
            self.notes.append(note)
        return {whole(row[0]) for row in rows}

    def scored(self, ids: set[int], where: Where) -> dict[int, tuple[float, float]]:
        """Return by message its score, and how much of the question it is about.

        BM25 and what it does not see count together, each as a share of the best. What answers one
        that asks is among them, where the conditions allow: an answer has seldom the words of its
        question.
        """
        texts = self._texts(ids)
        if not texts:
            return {}
        mean = float((self.database.one(_MEAN_SIZE, {"most": _SAMPLED}) or (0,))[0] or 1)
        alone = {number: self._score(text, [], mean) for number, text in texts.items()}
        best = sorted(alone, key=lambda number: -alone[number])[:_AROUND]
        spoken = [number for number in best if texts[number].kind in _TALK]
        asking = {number: texts[number] for number in sorted(spoken) if texts[number].asks}
        replies = self._replies(asking)
        beside = {number + step for number in spoken for step in (-1, 1)} | replies.keys()
        beside -= texts.keys()
        around = {**texts, **self._texts(beside)}
        asked = sum(one.weight for one in self.weighed) + self.left_out
        own, by_words, about = {}, {}, {}
        for number in {**texts, **dict.fromkeys(self._allowed(replies.keys() - texts, where))}:
            text = around.get(number)
            if text is None:
                continue
            met = zip(self.weighed, text.places, strict=True)
            about[number] = sum(one.weight for one, some in met if some) / asked
            if not (about[number] or number in replies):
                continue  # it has no more of the question than "which" and "does"
            near = _near(around, number, replies.get(number, number - 1))
            own[number] = self._score(text, near, mean)
            by_words[number] = sum(
                one.weight * _saturated(often, text.size / mean)
                for one, often in zip(self.words, text.often, strict=True)
            )
        most = max(own.values(), default=0) or 1.0
        most_by_words = max(by_words.values(), default=0) or 1.0
        by_kind = _BY_KIND | _BY_PROGRAMS if self.decides else _BY_KIND
        found = {}
        for number, score in own.items():
            score = score / most + by_words[number] / most_by_words
            found[number] = (score * by_kind.get(around[number].kind, 1.0), about[number])
        return self._lifted(found, replies, around) if self.query.asks else found

    def _lifted(
        self,
        found: dict[int, tuple[float, float]],
        replies: dict[int, int],
        texts: dict[int, _Text],
    ) -> dict[int, tuple[float, float]]:
        """Return the scores, with replies right before what they reply to, whatever their words.

        The user's question is no answer, the model's to it is. What was decided is what one replied
        to the other.
        """
        for number, asker in sorted(replies.items()):
            is_answer = (texts[asker].kind, texts[number].kind) == ("prompt", "answer")
            if number in found and asker in found and (is_answer or self.decides):
                score, about = found[asker]
                found[number] = (
                    max(found[number][0], _BY_REPLY * score),
                    max(found[number][1], about),
                )
        return found

    def _replies(self, asking: dict[int, _Text]) -> dict[int, int]:
        """Return the messages that reply to those that ask, each with the one that it replies to.

        To the user, what the model said at most length until he spoke again; else, what was said
        next. A decision is also what the model said to that.
        """
        if not asking:
            return {}
        ids = {number + step for number in asking for step in range(1, _REPLY_WITHIN + 1)}
        rows = self.database.rows(
            "SELECT id, session, kind, tokens FROM message"  # noqa: S608 - our own numbers
            f" WHERE id IN ({', '.join(map(str, sorted(ids)))}) ORDER BY id"
        )
        found: dict[int, int] = {}
        for number, text in asking.items():
            after = [
                (whole(one), kind, whole(tokens))
                for one, session, kind, tokens in rows
                if 0 < whole(one) - number <= _REPLY_WITHIN and session == text.session
                if kind in _TALK
            ]
            turn = [*takewhile(lambda row: row[1] == "answer", after)]
            if text.kind == "prompt" and turn:
                after = [max(turn, key=lambda row: row[2])]
            found |= {row[0]: number for row in after[: 1 + self.decides]}
        return found

    def _allowed(self, ids: Collection[int], where: Where) -> Collection[int]:
        """Return which of the messages the conditions of the search let through."""
        if not (ids and where.sql):
            return ids
        listed = ", ".join(map(str, ids))
        rows = self.database.rows(
            f"SELECT message.id FROM {self.database.indexed}"  # noqa: S608
            f" WHERE {self.database.index_id} IN ({listed}){where.sql}",
            where.parameters,
        )
        return [whole(row[0]) for row in rows]

    def _texts(self, ids: set[int]) -> dict[int, _Text]:
        if not ids:
            return {}
        rows = self.database.rows(
            f"SELECT message.id, message.session, kind, body FROM {self.database.texts}"  # noqa: S608
            f" WHERE message.id IN ({', '.join(map(str, sorted(ids)))})"
        )
        found = {}
        for number, session, kind, body in rows:
            text = as_indexed(text_of(body)[:_READ_CHARS])
            places = [_places(one.ways, text) for one in self.weighed]
            often = [len(_places(one.ways, text)) for one in self.words]
            asks = _ends_with_question(text)
            size = tokens_by_bytes(text)
            found[whole(number)] = _Text(whole(session), str(kind), size, places, often, asks)
        return found

    def _score(self, text: _Text, near: list[tuple[_Text, float]], mean: float) -> float:
        """Return BM25 with what stands around, and what it adds that terms stand together."""
        score = 0.0
        for at, one in enumerate(self.weighed):
            often = sum(share for _, share in text.places[at])
            for other, share in near:
                often += share * min(1.0, sum(each for _, each in other.places[at]))
            score += one.weight * _saturated(often, text.size / mean)
        return score + self._by_closeness(text.places)

    def _by_closeness(self, places: list[list[tuple[int, float]]]) -> float:
        """Return what it adds that terms of the question stand together, most in their order."""
        score = 0.0
        for at in range(len(self.weighed) - 1):
            here, there = places[at], places[at + 1]
            if not here or not there:
                continue
            weight = min(self.weighed[at].weight, self.weighed[at + 1].weight)
            gaps = [second - first for first, _ in here for second, _ in there]
            if any(0 < gap <= _CLOSE_CHARS for gap in gaps):
                score += _BY_CLOSE * weight
            elif any(abs(gap) <= _NEAR_CHARS for gap in gaps):
                score += _BY_NEAR * weight
        return score


def _count(database: Database, way: Term) -> int:
    """Return in how many messages a term is, at most: of several words, where the rarest one is."""
    is_embedded = database.dialect == SQLITE
    match = match_for(database, [[[way]]])
    if is_embedded:
        if way.words[0] in _ASKING and len(way.words) == 1:
            total = newest_message(database)
            seen = min(total, _SAMPLED)
            found = database.number(_FREQUENT, {"match": match, "after": total - seen})
            return found * total // max(seen, 1)
        ends = [*way.words[:-1], way.words[-1] + "\U0010ffff" * way.starts]
        words = [{"word": word, "end": end} for word, end in zip(way.words, ends, strict=True)]
        rarest = min(database.number(_COUNT, each) for each in words)
        if rarest or "".join(way.words).isascii():
            return rarest
    # Of a few letters, as "µ", SQLite's index has others than Python: it is asked itself.
    most = CANDIDATES if is_embedded else _COUNTED
    given = {"match": match, "most": most}
    found = database.number(_MATCHING.format(database.matches), given)
    if found < most or is_embedded:
        return found
    ((plan,),) = database.rows(_ESTIMATE.format(database.matches), {"match": match})
    return max(found, whole(plan[0]["Plan"]["Plan Rows"]))


def _forms_of(database: Database, word: str, *, itself: bool = False) -> Iterable[str]:
    """Return the words of the store that differ from a word by their endings; also `itself`."""
    short = stem(word)
    if len(short) < _SHORTEST_STEM or not word.isalpha():
        return []
    beginning = short[:-1] if short.endswith("i") and len(short) > _SHORTEST_STEM else short
    rows = database.rows(database.words_from, {"stem": beginning})
    forms = (str(row[0]) for row in rows if itself or row[0] != word)
    return sorted((form for form in forms if stem(form) == short), key=len)[:_MOST_FORMS]


def _saturated(often: float, share_of_mean: float) -> float:
    """Return what BM25 gives for a word that stands so often in a text of such a size."""
    return often * (_K1 + 1) / (often + _K1 * (1 - _B + _B * share_of_mean))


def _ends_with_question(text: str) -> bool:
    """Return whether the last line of a text asks, below which options may be listed."""
    lines = filter(str.strip, reversed(text.splitlines()))
    above = next((line for line in lines if not _OPTION.match(line)), "")
    return text.rstrip().endswith("?") or _QUESTION.search(above) is not None


def _near(around: dict[int, _Text], number: int, asker: int) -> list[tuple[_Text, float]]:
    """Return what was said before and after a message of a talk, and what it counts."""
    text = around[number]
    before, after = around.get(asker), around.get(number + 1)
    if before is not None and not before.asks:
        before = None
    return [
        (other, share)
        for other, share in ((before, _BEFORE), (after, _AFTER))
        if other and {text.kind, other.kind} <= _TALK and other.session == text.session
    ]


def _places(ways: tuple[tuple[Term, float], ...], text: str) -> list[tuple[int, float]]:
    """Return where a term stands in a text, and how well it is met there."""
    found = ((start, share) for way, share in ways for start in _starts(way, text))
    return list(islice(found, _MOST_PLACES))


def _starts(way: Term, text: str) -> Iterator[int]:
    """Yield where words stand side by side, and not within others."""
    words = (as_indexed(way.run),) if way.run else way.words
    for match in re.finditer(_BETWEEN.join(map(re.escape, words)), text):
        start, end = match.span()
        is_begun = start > 0 and _LETTER.match(text, start - 1)
        goes_on = not way.starts and _LETTER.match(text, end)
        if way.run or not (is_begun or goes_on):
            yield start
