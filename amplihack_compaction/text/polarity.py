"""How a sentence stands to its words: for them, against them or under a condition.

Each content word gets a sign: +1 where the sentence asks for or states it, -1 where it rules it
out, 0 where that hangs on a condition. `never push` and `pushing is forbidden` agree; `push` and
`do not push` do not. English in full; of the other languages, their negations. Two sentences
disagree as far as the signs of the words do that they share.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from amplihack_compaction.text import polarity_wordings as wordings
from amplihack_compaction.text.word_lists import word_lists
from amplihack_compaction.text.words import (
    BARE_VERBS,
    canonical,
    fold_case,
    has_cjk,
    is_empty,
    is_light,
    raw_words,
)

TEXT_LIMIT_CHARS = 2_000
_ASIDE_WORDS = 2
_SHORT_SEGMENT_WORDS = 3


@dataclass(frozen=True, slots=True)
class Polarity:
    """How a text stands to its words.

    `signs` maps canonical content words to +1, -1 or 0. `bound` is +1 for an upper limit on a
    number, -1 for a lower one. `order` maps a word to whether something comes before (+1) or
    after (-1) it. `guarded` holds the words that are ruled out unless a condition is met,
    `aside` those that are set aside in favour of others, `predicate` what is ruled out first.
    `required` are the words of what has to come first or along, and `waives` says that it need
    not. A `wish` is less than what is merely `weak`.
    """

    signs: dict[str, int] = field(default_factory=dict)
    lifted: bool = False
    permitted: bool = False
    weak: bool = False
    wish: bool = False
    strong: bool = False
    exclusive: bool = False
    negative: bool = False
    bound: int = 0
    order: dict[str, int] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    aside: set[str] = field(default_factory=set)
    predicate: str = ""
    inclusive: bool = False
    required: frozenset[str] = frozenset()
    waives: bool = False


@dataclass(slots=True)
class _Reading:
    """What the segments say, gathered."""

    signs: dict[str, int] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    aside: set[str] = field(default_factory=set)
    negative: bool = False
    required: set[str] = field(default_factory=set)
    waives: bool = False
    is_before: bool = False
    """Whether the next segment says what comes before what this one names."""


def read_polarity(text: str) -> Polarity:
    """Return how the text stands to its words."""
    folded = wordings.plain_words(fold_case(text[:TEXT_LIMIT_CHARS]))
    reading = _Reading()
    for segment in _segments(folded):
        _read_segment(segment, reading)
    negative = reading.negative
    found = wordings.NEGATION.search(folded) or wordings.LEADING_NO.search(folded)
    narrowed = wordings.ONLY_IF.sub(" ", folded)
    exclusive = wordings.EXCLUSIVE.search(narrowed) is not None
    lifted = wordings.LIFT.search(folded) is not None
    may = wordings.PERMISSION.search(folded) is not None
    bound = _bound(folded)
    if not negative and wordings.NEEDS.search(folded):
        reading.required.update(reading.signs)
    return Polarity(
        reading.signs,
        guarded=reading.guarded,
        aside=reading.aside,
        predicate=next(iter(_words(folded[found.end() :])), "") if found is not None else "",
        inclusive=wordings.INCLUSIVE.search(folded) is not None,
        lifted=lifted,
        permitted=may and not (negative or exclusive or reading.required or bound),
        weak=wordings.WEAK.search(narrowed) is not None,
        wish=wordings.WISH.search(narrowed) is not None,
        strong=wordings.STRONG.search(folded) is not None or negative,
        exclusive=exclusive,
        negative=negative,
        bound=bound,
        order=_order(folded),
        required=frozenset(reading.required),
        waives=lifted or reading.waives,
    )


def sets_polarity(text: str) -> bool:
    """Return whether a heading says how the lines below it are meant."""
    folded = wordings.plain_words(fold_case(text))
    signs = (
        wordings.NEGATION,
        wordings.LIFT,
        wordings.ASIDE,
        wordings.PERMISSION,
        wordings.WEAK,
        wordings.EXCLUSIVE,
    )
    return any(sign.search(folded) for sign in signs)


def _sentences(folded: str) -> Iterator[str]:
    """Yield the parts between marks; a colon parts too, unless what is before it turns the rest."""
    for sentence in wordings.BREAK.split(folded):
        head, colon, rest = sentence.partition(": ")
        turns_rest = wordings.LIFT.search(head) is not None or not _words(head)
        if colon and not turns_rest:
            yield from (head, rest)
        else:
            yield sentence


def _segments(folded: str) -> Iterator[str]:
    """Yield the parts of a sentence over which one negation reaches.

    A comma ends such a part unless it stands in a list (`a, b or c`).
    """
    for sentence in _sentences(folded):
        open_part = ""
        for part in sentence.split(","):
            listed = wordings.LISTING.search(part) is not None or len(part.split()) < 2
            if not open_part or (listed and not has_cjk(part)):
                open_part = f"{open_part},{part}" if open_part else part
            elif all(is_empty(word) for word in raw_words(open_part)):
                open_part = f"{open_part} {part}"
            else:
                yield open_part
                open_part = part
        yield open_part


def _read_segment(segment: str, into: _Reading) -> None:
    """Add the segment's words with their signs, and whether it rules something out."""
    negation = (wordings.NEGATION_CJK if has_cjk(segment) else wordings.NEGATION).search(segment)
    leading = wordings.LEADING_NO.match(segment)
    aside = (wordings.ASIDE.search(segment) or _prefer_over(segment)) if leading is None else None
    flips = len(wordings.FLIP.findall(segment))
    negative = negation is not None and not _is_constituent(segment, negation)
    negative = negative or leading is not None
    sign = -1 if (negative + flips) % 2 else 1
    before = wordings.BEFORE.search(segment)
    condition = wordings.ONLY_IF.search(segment) or (
        wordings.CONDITION.search(segment) if negative else None
    )
    if into.is_before:
        into.required.update(_put(into.signs, segment, sign) if sign > 0 else ())
        into.is_before = False
    elif before is not None and not segment[: before.start()].strip():
        into.required.update(_put(into.signs, segment, sign) if sign > 0 else ())
        into.is_before = True
    elif condition is not None:
        into.guarded.update(_put(into.signs, segment[: condition.end()], 0))
        into.required.update(_put(into.signs, segment[condition.end() :], 1))
    elif before is not None and aside is None:
        first = _put(into.signs, segment[: before.start()], sign)
        _put(into.signs, segment[before.start() :], 0)
        into.required.update(first if sign > 0 else ())
    elif aside is not None and not negative:
        _put(into.signs, segment[: aside.start()], sign)
        _put(into.signs, segment[aside.end() :], -sign)
        named = wordings.PREPOSITION.split(segment[aside.end() :], maxsplit=1)[0]
        into.aside.update(_words(named)[:_ASIDE_WORDS])
    else:
        _put(into.signs, segment, sign)
    if negative and sign < 0 and wordings.PRONOUN.search(segment):
        into.signs.update((word, 0) for word, known in into.signs.items() if known > 0)
    into.negative = into.negative or negative or aside is not None or flips % 2 == 1
    if (
        aside is not None
        and condition is None
        and not negative
        and wordings.WITHOUT.search(segment)
    ):
        into.waives = True


def _prefer_over(segment: str) -> re.Match[str] | None:
    found = wordings.PREFER.search(segment)
    if found is None and len(segment.split()) > _SHORT_SEGMENT_WORDS:
        return None
    return wordings.OVER.search(segment, found.end() if found else 0)


def _is_constituent(segment: str, negation: re.Match[str]) -> bool:
    """Return whether a bare `not` rules out only what follows it: `use pnpm not npm`."""
    if negation.group() != "not":
        return False
    before = segment[: negation.start()].strip()
    if not before:
        return len(segment.split()) <= _SHORT_SEGMENT_WORDS
    return wordings.AUXILIARY.search(before + " ") is None


def _put(signs: dict[str, int], part: str, sign: int) -> list[str]:
    """Give the part's content words a sign where they have none yet; return these words."""
    words = _words(part)
    for word in words:
        signs[word] = signs.get(word) or sign
    return words


def _words(part: str) -> list[str]:
    return [canonical(word) for word in raw_words(part) if not is_empty(word)]


def _bound(folded: str) -> int:
    up, down = wordings.BOUND_UP.search(folded), wordings.BOUND_DOWN.search(folded)
    if (up is None) == (down is None):
        return 0
    found = up or down
    if found is None:
        return 0
    before = folded[max(0, found.start() - 40) : found.start()]
    turned = (
        wordings.NEGATION.search(before) is not None or wordings.ASIDE.search(before) is not None
    )
    return (1 if up is not None else -1) * (-1 if turned else 1)


def _order(folded: str) -> dict[str, int]:
    order: dict[str, int] = {}
    for found in wordings.ORDER.finditer(folded):
        following = raw_words(folded[found.end() : found.end() + 60])
        target = next((word for word in following if not is_empty(word)), "")
        if target:
            order[canonical(target)] = -1 if found.group(1) in wordings.AFTER else 1
    return order


_PLAIN_VERBS = BARE_VERBS.union(map(canonical, ("run", "write", "add", "go", "take", "give")))
_REMOVE = canonical("remove")
_TURNING = frozenset(map(canonical, ("disable", "exclude", "omit", "skip")))
"""Words that turn the sign of what they govern, and so their own."""
OPPOSITES: defaultdict[str, set[str]] = defaultdict(set)
"""By canonical word those that mean its opposite."""
for _pair in word_lists("en")["opposites"]:
    _left, _right = map(canonical, _pair.split())
    OPPOSITES[_left].add(_right)
    OPPOSITES[_right].add(_left)
_PREDICATE_WEIGHT = 2.5
_SAME_PREDICATE_WEIGHT = 4.0
"""What is ruled out in both texts tells more than the words around it."""


def disagreement(item: Polarity, other: Polarity, shared: dict[str, float]) -> float:
    """Return how far two stances contradict each other, in [-1, 1]; above 0 they do.

    `shared` holds the words that both texts have, and their weights.
    """
    if item == other:
        return -1.0
    against = agreeing = 0.0
    turn = -1 if _removes(other, item) or _removes(item, other) else 1
    for word, weight in shared.items():
        mine, half = _sign(item, other, word)
        theirs, other_half = _sign(other, item, word)
        theirs *= turn
        weight *= 0.5 if half or other_half else 1.0
        is_barred = word == other.predicate and mine > 0 > theirs and not other.guarded
        if (word == item.predicate or is_barred) and word not in BARE_VERBS:
            weight = max(weight, 1.0) * _predicate_weight(word, mine, theirs)
        if mine * theirs < 0:
            against += weight
        elif mine and theirs:
            agreeing += weight
    heavy = 2 * max(against + agreeing, 1.0)
    turned = [
        item.bound * other.bound < 0,
        any(item.order[w] * other.order.get(w, 0) < 0 for w in item.order if w in shared),
        _is_swapped(item, other, 1),
        other.lifted and not item.lifted,
        _is_weakened(item, other),
        _is_traded(item, other, shared),
        item.exclusive and other.inclusive,
        item.required and other.waives and not item.waives,
    ]
    if any(turned):
        against += heavy * sum(map(bool, turned))
    else:
        agreeing += heavy * bool(item.required & other.required)
        agreeing += heavy * (item.bound * other.bound > 0)
        agreeing += heavy * _is_swapped(item, other, -1)
    total = against + agreeing
    return (against - agreeing) / total if total else 0.0


def is_limited_otherwise(item: Polarity, other: Polarity) -> bool:
    """Return whether a bound on a number became its opposite, or `only` its exception."""
    widened = item.exclusive and other.inclusive and not other.exclusive
    narrowed = item.inclusive and other.exclusive and not (item.exclusive or other.inclusive)
    return item.bound * other.bound < 0 or widened or narrowed


def _predicate_weight(word: str, mine: int, theirs: int) -> float:
    """Return how much more a word tells that is the first to be ruled out in one of the texts."""
    if mine < 0 and theirs < 0:
        return _SAME_PREDICATE_WEIGHT
    return 1.0 if word in _PLAIN_VERBS else _PREDICATE_WEIGHT


def _sign(one: Polarity, other: Polarity, word: str) -> tuple[int, bool]:
    """Return a word's sign, and whether it is ruled out under a condition in this text only."""
    if word in one.guarded and word not in other.guarded:
        return -1, True
    return one.signs.get(word, 0), False


def _is_traded(item: Polarity, other: Polarity, shared: dict[str, float]) -> bool:
    """Return whether one text sets aside what the other asks for."""
    return any(
        (word in other.aside and item.signs.get(word, 0) > 0)
        or (word in item.aside and other.signs.get(word, 0) > 0 and word not in other.guarded)
        for word in shared
        if not is_light(word)
    )


def _is_swapped(item: Polarity, other: Polarity, sense: int) -> bool:
    """Return whether a word's opposite has taken its place, in the same sense (1) or not (-1)."""
    return any(
        sense * (-1 if _TURNING & {word, opposite} else 1) * sign * other.signs[opposite] > 0
        for word, sign in item.signs.items()
        for opposite in OPPOSITES.get(word, ())
        if opposite in other.signs.keys() - item.signs.keys() and word not in other.signs
    )


def _removes(one: Polarity, other: Polarity) -> bool:
    """Return whether one text takes away what it names, and the other does not speak of that."""
    return one.signs.get(_REMOVE, 0) > 0 and not one.required and _REMOVE not in other.signs


def _is_weakened(item: Polarity, other: Polarity) -> bool:
    """Return whether what the item demands is merely allowed or suggested."""
    if item.weak or item.permitted or other.exclusive:
        return False
    if not item.strong:
        return other.wish and not item.wish
    return other.permitted or (other.weak and (item.negative or not other.negative))
