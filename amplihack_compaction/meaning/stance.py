"""Read how a sentence stands to what it speaks of: for it, against it, or under a condition.

Each content word gets a sign: +1 where the sentence asks for or states it, -1 where it rules it
out, 0 where that hangs on a condition. `never push` and `pushing is forbidden` agree; `push` and
`do not push` do not. English in full; of the other languages, their negations.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from amplihack_compaction.language.text import has_cjk
from amplihack_compaction.meaning.markers import (
    AFTER,
    ASIDE,
    AUXILIARY,
    BEFORE,
    BOUND_DOWN,
    BOUND_UP,
    BREAK,
    CONDITION,
    EXCLUSIVE,
    FLIP,
    IDIOMS,
    INCLUSIVE,
    LIFT,
    LISTING,
    NEGATION,
    NEGATION_CJK,
    ONLY_IF,
    OPPOSITES,
    ORDER,
    OVER,
    PERMISSION,
    PREFER,
    PREPOSITION,
    STRONG,
    WEAK,
)
from amplihack_compaction.meaning.words import (
    canonical,
    fold,
    is_empty,
    is_light,
    raw_words,
)

TEXT_LIMIT_CHARS = 2_000
_PREDICATE_WEIGHT = 2.5
_ASIDE_WORDS = 2
_SHORT_SEGMENT_WORDS = 3


@dataclass(frozen=True, slots=True)
class Stance:
    """How a text stands to its words.

    `signs` maps canonical content words to +1, -1 or 0. `bound` is +1 for an upper limit on a
    number, -1 for a lower one. `order` maps a word to whether something comes before (+1) or
    after (-1) it. `guarded` holds the words that are ruled out unless a condition is met,
    `aside` those that are set aside in favour of others, `predicate` what is ruled out first.
    """

    signs: dict[str, int] = field(default_factory=dict)
    lifted: bool = False
    permitted: bool = False
    weak: bool = False
    strong: bool = False
    exclusive: bool = False
    negative: bool = False
    bound: int = 0
    order: dict[str, int] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)
    aside: set[str] = field(default_factory=set)
    predicate: str = ""
    inclusive: bool = False


def read_stance(text: str) -> Stance:
    """Return how the text stands to its words."""
    folded = fold(text[:TEXT_LIMIT_CHARS])
    for idiom, plain in IDIOMS:
        folded = idiom.sub(plain, folded)
    reading = Stance()
    negative = False
    for segment in _segments(folded):
        negative = _read_segment(segment, reading) or negative
    found = NEGATION.search(folded)
    exclusive = EXCLUSIVE.search(folded) is not None
    may = PERMISSION.search(folded) is not None
    return Stance(
        reading.signs,
        guarded=reading.guarded,
        aside=reading.aside,
        predicate=next(iter(_words(folded[found.end() :])), "") if found is not None else "",
        inclusive=INCLUSIVE.search(folded) is not None,
        lifted=LIFT.search(folded) is not None,
        permitted=may and not negative and not exclusive,
        weak=WEAK.search(folded) is not None,
        strong=STRONG.search(folded) is not None or negative,
        exclusive=exclusive,
        negative=negative,
        bound=_bound(folded),
        order=_order(folded),
    )


def _segments(folded: str) -> Iterator[str]:
    """Yield the parts of a sentence over which one negation reaches.

    A comma ends such a part unless it stands in a list (`a, b or c`).
    """
    for sentence in BREAK.split(folded):
        open_part = ""
        for part in sentence.split(","):
            listed = LISTING.search(part) is not None or len(part.split()) < 2
            if not open_part or (listed and not has_cjk(part)):
                open_part = f"{open_part},{part}" if open_part else part
            elif all(is_empty(word) for word in raw_words(open_part)):
                open_part = f"{open_part} {part}"
            else:
                yield open_part
                open_part = part
        yield open_part


def disagreement(item: Stance, other: Stance, shared: dict[str, float]) -> float:
    """Return how far two stances contradict each other, in [-1, 1]; above 0 they do.

    `shared` holds the words that both texts have, and their weights.
    """
    against = agreeing = 0.0
    for word, weight in shared.items():
        mine, half = _sign(item, other, word)
        theirs, other_half = _sign(other, item, word)
        weight *= (0.5 if half or other_half else 1.0) * (
            _PREDICATE_WEIGHT if word == item.predicate and not is_light(word) else 1.0
        )
        if mine * theirs < 0:
            against += weight
        elif mine and theirs:
            agreeing += weight
    heavy = 2 * max(against + agreeing, 1.0)
    if item.bound * other.bound > 0:
        agreeing += heavy
    turned = [
        item.bound * other.bound < 0,
        any(item.order[w] * other.order.get(w, 0) < 0 for w in item.order if w in shared),
        _swapped(item, other),
        other.lifted and not item.lifted,
        _is_weakened(item, other),
        _is_traded(item, other, shared),
        item.exclusive and other.inclusive,
    ]
    against += heavy * sum(turned)
    total = against + agreeing
    return (against - agreeing) / total if total else 0.0


def _sign(one: Stance, other: Stance, word: str) -> tuple[int, bool]:
    """Return a word's sign, and whether it is ruled out under a condition in this text only."""
    if word in one.guarded and word not in other.guarded:
        return -1, True
    return one.signs.get(word, 0), False


def _is_traded(item: Stance, other: Stance, shared: dict[str, float]) -> bool:
    """Tell whether one text sets aside what the other asks for."""
    return any(
        (word in other.aside and item.signs.get(word, 0) > 0)
        or (word in item.aside and other.signs.get(word, 0) > 0 and word not in other.guarded)
        for word in shared
        if not is_light(word)
    )


def _swapped(item: Stance, other: Stance) -> bool:
    """Tell whether a word of the opposite meaning has taken a word's place."""
    return any(
        word not in other.signs and OPPOSITES.get(word, "") in other.signs
        for word in item.signs
        if OPPOSITES.get(word, "") not in item.signs
    )


def _is_weakened(item: Stance, other: Stance) -> bool:
    """Tell whether what the item demands is merely allowed or suggested."""
    if not item.strong or item.weak or item.permitted or other.exclusive:
        return False
    return other.permitted or (other.weak and (item.negative or not other.negative))


def _read_segment(segment: str, into: Stance) -> bool:
    """Add the segment's words with their signs; return whether it rules something out."""
    negation = (NEGATION_CJK if has_cjk(segment) else NEGATION).search(segment)
    aside = ASIDE.search(segment) or _prefer_over(segment)
    flips = len(FLIP.findall(segment))
    negative = negation is not None and not _is_constituent(segment, negation)
    sign = -1 if (negative + flips) % 2 else 1
    before = BEFORE.search(segment)
    condition = ONLY_IF.search(segment) or (CONDITION.search(segment) if negative else None)
    if before is not None and not segment[: before.start()].strip():
        _put(into.signs, segment, sign)
    elif condition is not None:
        into.guarded.update(_put(into.signs, segment[: condition.start()], 0))
        _put(into.signs, segment[condition.start() :], 1)
    elif before is not None and aside is None:
        _put(into.signs, segment[: before.start()], sign)
        _put(into.signs, segment[before.start() :], 0)
    elif aside is not None and not negative:
        _put(into.signs, segment[: aside.start()], sign)
        _put(into.signs, segment[aside.end() :], -sign)
        named = PREPOSITION.split(segment[aside.end() :], maxsplit=1)[0]
        into.aside.update(_words(named)[:_ASIDE_WORDS])
    else:
        _put(into.signs, segment, sign)
    return negative or aside is not None or flips % 2 == 1


def _prefer_over(segment: str) -> re.Match[str] | None:
    found = PREFER.search(segment)
    return OVER.search(segment, found.end()) if found else None


def _is_constituent(segment: str, negation: re.Match[str]) -> bool:
    """Tell whether a bare `not` rules out only what follows it: `use pnpm not npm`."""
    if negation.group() != "not":
        return False
    before = segment[: negation.start()].strip()
    if not before:
        return len(segment.split()) <= _SHORT_SEGMENT_WORDS
    return AUXILIARY.search(before + " ") is None


def _put(signs: dict[str, int], part: str, sign: int) -> list[str]:
    """Give the part's content words a sign where they have none yet; return these words."""
    words = _words(part)
    for word in words:
        signs[word] = signs.get(word) or sign
    return words


def _words(part: str) -> list[str]:
    return [canonical(word) for word in raw_words(part) if not is_empty(word)]


def _bound(folded: str) -> int:
    up, down = BOUND_UP.search(folded), BOUND_DOWN.search(folded)
    if (up is None) == (down is None):
        return 0
    found = up or down
    if found is None:
        return 0
    before = folded[max(0, found.start() - 40) : found.start()]
    turned = NEGATION.search(before) is not None or ASIDE.search(before) is not None
    return (1 if up is not None else -1) * (-1 if turned else 1)


def _order(folded: str) -> dict[str, int]:
    order: dict[str, int] = {}
    for found in ORDER.finditer(folded):
        following = raw_words(folded[found.end() : found.end() + 60])
        target = next((word for word in following if not is_empty(word)), "")
        if target:
            order[canonical(target)] = -1 if found.group(1) in AFTER else 1
    return order
