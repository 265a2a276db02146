"""Prepare an item to be looked for, and look at the places of a text that may speak of it.

Prepared are its words, its anchors, its polarity, what limits it. Of a text first the units are
chosen that are worth a closer look, then it is looked how much is there, and how it is meant.
"""

import re
from dataclasses import dataclass, replace
from heapq import nsmallest
from itertools import chain

from amplihack_compaction.text.polarity import (
    Polarity,
    disagreement,
    plain_words,
    read_polarity,
    taken_back,
)
from amplihack_compaction.text.words import (
    BARE_VERBS,
    LIGHT_STEMS,
    STOPWORDS,
    anchors_of,
    canonical,
    content_words,
    fold_case,
    is_empty,
    is_light,
    one_line,
    raw_words,
    related_to,
    stem,
)
from amplihack_compaction.validation.matching.exact_parts import has_exact
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit

SHORT_WORDS = 3
"""Below this many words none can weigh more than another: all must be there."""
# What is said of anything tells less of which item is meant.
_LIGHT_WEIGHT = 0.5
_ANCHOR_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class SoughtItem:
    """An item, prepared: its words with weights, its anchors, its polarity and its scope.

    `barred` are the words of what it rules out, beside which it asks for something else, `light`
    those that say little, `parts` what it lists or what hangs on a preposition.
    """

    text: str
    weights: dict[str, float]
    anchors: frozenset[str]
    polarity: Polarity
    scopes: tuple[frozenset[str], ...]
    variants: dict[str, tuple[str, ...]]
    barred: frozenset[str] = frozenset()
    light: frozenset[str] = frozenset()
    parts: tuple[frozenset[str], ...] = ()

    def is_light(self, word: str) -> bool:
        """Say whether a word of the item, or of a text, says little about which item is meant."""
        return word in self.light or (word not in self.weights and is_light(word))

    def found(self, word: str, words: frozenset[str]) -> str:
        """Return one of the item's words, or one like it, that is among `words`; or nothing."""
        forms = (word, *self.variants.get(word, ()))
        return next((form for form in forms if form in words), "")


def prepare_item(text: str, text_index: TextIndex) -> SoughtItem:
    """Return the item prepared, with the words like its own of the text that is searched."""
    said = plain_words(fold_case(text))
    weights: dict[str, float] = {}
    for word in raw_words(said):
        if not is_empty(word):
            weights[canonical(word)] = _LIGHT_WEIGHT if stem(word) in LIGHT_STEMS else 1.0
    light = frozenset(word for word, weight in weights.items() if weight == _LIGHT_WEIGHT)
    anchors = frozenset(_strong_anchors(text) | _spelt_numbers(text))
    for anchor in sorted(anchors):  # two may share a word
        own = [word for word in map(canonical, raw_words(anchor)) if word in weights]
        for word in own:
            weights[word] = _ANCHOR_WEIGHT / len(own)
    # Of so few words none may be light: there would be nothing to find.
    if len(weights) < SHORT_WORDS:
        telling = [word for word in weights if word not in BARE_VERBS]
        weights = dict.fromkeys(telling or weights, 1.0)
    polarity = read_polarity(text)
    barred = frozenset(w for w in weights if polarity.signs.get(w, 0) < 0 and w not in light)
    if not any(sign > 0 for sign in polarity.signs.values()):
        barred = frozenset()
    scopes, parts = _clauses(said), _parts(said)
    variants = _variants({*weights, *chain(*scopes)}, polarity, text_index)
    return SoughtItem(text, weights, anchors, polarity, scopes, variants, barred, light, parts)


def _variants(
    words: set[str], polarity: Polarity, text_index: TextIndex
) -> dict[str, tuple[str, ...]]:
    variants = {word: text_index.variants(word) for word in words}
    if polarity.negative and _CHANGE in variants:
        variants[_CHANGE] += tuple(w for way in _WAYS_OF_CHANGE for w in text_index.variants(way))
    return variants


# Written in capitals for their weight, not as names.
_EMPHASIS = frozenset("must never always not only all no don't do and or the use todo ok".split())


_FLAG = re.compile(r"(?<![\w-])--[a-zA-Z][\w-]+")


def _strong_anchors(text: str) -> set[str]:
    shouted = sum(char.isupper() for char in text) * 2 > sum(char.isalpha() for char in text)
    flags = {flag.casefold() for flag in _FLAG.findall(text)}
    return flags | {
        anchor
        for anchor in anchors_of(text)
        if anchor not in _EMPHASIS | STOPWORDS
        and anchor not in ("e.g", "i.e", "etc")
        # In a text all in capitals they name nothing.
        and not (shouted and anchor.isalpha())
    }


def _spelt_numbers(text: str) -> set[str]:
    """Return the numbers written as words; `one` is left out, for it is mostly a pronoun."""
    numbers = {canonical(word) for word in raw_words(fold_case(text)) if word.isalpha()}
    return {number for number in numbers if number.isdigit() and number != "1"}


_CHANGE = canonical("change")
_WAYS_OF_CHANGE = tuple(map(canonical, ("remove", "rename", "move")))
"""What must not be changed must not be removed either."""
_SCOPE = re.compile(
    r"(?<!\w)(?:unless|except|without|until|only|when|while|if|before|after|outside|within|inside"
    r"|other than|apart from|under|in|on|for|ohne|außer|wenn|sans|sauf|sin|salvo|sem|exceto"
    r"|без|кроме)(?!\w)"
)


_BEGIN_OF_PART = re.compile(
    r"(?<!\w)(?:and|or|nor|plus|with|via|using|through|between|of|to|from|into|at|by|about|per|in|on"
    r"|for|inside|after|before|when|if|und|oder|mit|et|ou|avec|y|con|e|com)(?!\w)"
)


_END_OF_PART = re.compile(
    r"(?<!\w)(?:must|shall|should|may|can|cannot|will|has|have|had|is|are|was|were|needs?"
    r"|requires?|do|does|don't|never|always|not)(?!\w)|[,;:(]"
)


def _parts(folded: str) -> tuple[frozenset[str], ...]:
    """Return the words of what the item lists, names as a means or speaks of, each part's own."""
    parts: list[frozenset[str]] = []
    said: set[str] = set()
    place = 0
    for found in _BEGIN_OF_PART.finditer(folded):
        said.update(content_words(folded[place : found.start()]))
        place = found.end()
        marks = (mark.search(folded, place) for mark in (_BEGIN_OF_PART, _SCOPE, _END_OF_PART))
        end = min((mark.start() for mark in marks if mark is not None), default=len(folded))
        words = content_words(folded[place:end])
        # Where the item begins with a phrase, no word may tell where that ends.
        own = frozenset(words if said else words[:1]).difference(said)
        if own:
            parts.append(own)
    return tuple(parts)


def _clauses(folded: str) -> tuple[frozenset[str], ...]:
    """Return the content words from each word that opens a scope on, up to the next one."""
    pieces = re.split(rf"(?={_SCOPE.pattern})", folded)
    return tuple(
        frozenset(words)
        for place, piece in enumerate(pieces)
        if (words := content_words(piece)) and content_words("".join(pieces[:place]))
    )


RELATED_WORTH = 0.6
"""What a related word is worth where the word itself is worth 1."""
EVIDENCE_CHARS = 160
JUDGED_UNITS_LIMIT = 10
_LEAST_SHARE = 0.2
"""The share of the item's weight below which a unit does not speak of it."""
_SHARE_OF_BEST = 0.5


def candidates(sought: SoughtItem, text_index: TextIndex) -> list[Unit]:
    """Return the ten most promising units, the best first."""
    scores: dict[int, float] = {}
    for word, weight in sought.weights.items():
        for number, worth in _units_speaking_of(word, text_index).items():
            scores[number] = scores.get(number, 0.0) + weight * worth
    floor = max(
        _LEAST_SHARE * sum(sought.weights.values()),
        _SHARE_OF_BEST * max(scores.values(), default=0.0),
    )
    promising = ((-score, number) for number, score in scores.items() if score >= floor)
    return [text_index.units[number] for _, number in nsmallest(JUDGED_UNITS_LIMIT, promising)]


def _units_speaking_of(word: str, text_index: TextIndex) -> dict[int, float]:
    """Return the numbers of the units with a word or a related one, and what that is worth."""
    worths = dict.fromkeys(text_index.units_with(word), 1.0)
    for other in related_to(word):
        for number in text_index.units_having(other):
            worths.setdefault(number, RELATED_WORTH)
    return worths


# The share was chosen on the rows to develop on (`tests/bench/losses`).
PART_COVERAGE = 0.45
_LEAST_SHARED = 2


@dataclass(frozen=True, slots=True)
class Finding:
    """How a unit of the text answers to an item; `contradiction` is above 0 where it differs.

    `missing_scope` holds the words of clauses that limit the item, or are a part of it, and are not
    there. `exclusive_lost` says that `only` is gone, and nothing set aside. `left_out` are words of
    the item that a unit lacks which says nothing but the item.
    """

    unit: Unit
    coverage: float
    contradiction: float = 0.0
    missing_anchors: frozenset[str] = frozenset()
    missing_scope: frozenset[str] = frozenset()
    exclusive_lost: bool = False
    left_out: frozenset[str] = frozenset()

    @property
    def taken_back(self) -> int:
        """How surely the unit says that the user has changed their mind (0 to 2)."""
        return taken_back(self.unit.folded)

    @property
    def text(self) -> str:
        """The unit, on one line."""
        return one_line(self.unit.text, EVIDENCE_CHARS)


def examine(sought: SoughtItem, unit: Unit) -> Finding:
    """Look at one unit of the text."""
    words = unit.words
    shared = {w: weight for w, weight in sought.weights.items() if sought.found(w, words)}
    coverage = sum(shared.values()) / sum(sought.weights.values())
    missing = frozenset(a for a in sought.anchors if not has_exact(a, unit.folded, words))
    left_out = _left_out(sought, words, shared)
    if coverage < PART_COVERAGE and not left_out:
        return Finding(unit, coverage, missing_anchors=missing)
    gone = [scope for scope in sought.scopes if not any(sought.found(w, words) for w in scope)]
    telling = (part - sought.light for part in sought.parts)
    gone += [part for part in telling if part and part <= left_out]
    return Finding(
        unit,
        coverage,
        _contradiction(sought, unit, shared),
        missing,
        frozenset().union(*gone),
        sought.polarity.exclusive and not (unit.polarity.exclusive or unit.polarity.negative),
        left_out,
    )


def _left_out(
    sought: SoughtItem, words: frozenset[str], shared: dict[str, float]
) -> frozenset[str]:
    """Return the item's words that a place lacks, provided that it says nothing but the item."""
    if len(shared) < min(_LEAST_SHARED, len(sought.weights) - 1) or not shared:
        return frozenset()
    known = set(shared).union(*(sought.variants[word] for word in shared))
    if any(word not in known and not sought.is_light(word) for word in words):
        return frozenset()
    return frozenset(w for w in sought.weights if w not in shared and not sought.is_light(w))


def _contradiction(sought: SoughtItem, unit: Unit, shared: dict[str, float]) -> float:
    """Return how far a unit contradicts the item, by the words that it shares with it."""
    # A word may stand there in another form, and that form has the sign.
    signs = dict(unit.polarity.signs)
    for word in shared:
        if word not in signs:
            signs[word] = next((signs[v] for v in sought.variants[word] if v in signs), 0)
    return disagreement(sought.polarity, replace(unit.polarity, signs=signs), shared)
