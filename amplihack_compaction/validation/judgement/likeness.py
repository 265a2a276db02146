"""Pair an item's words with a passage's: the same, denied, related, or alike in letters."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from amplihack_compaction.text.words import is_light, related_to
from amplihack_compaction.validation.matching.needle import Needle

RELATED_WORTH = 0.6
"""What a related word is worth where the word itself is worth 1."""
_ALIKE_WORTH = 0.7
_LEAST_ALIKE = 0.5
_LEAST_CHARS = 4
_DENYING = ("un", "non", "in", "dis")


@dataclass(frozen=True, slots=True)
class Likeness:
    """Which words of an item a passage has.

    `worths` holds what finding each word is worth, above 0 to 1; `partners` the passage's word that
    stands for it; `denied` those whose partner says the opposite by its first letters (`untested`).
    `extra` are the passage's words of content that stand for no word of the item.
    """

    worths: dict[str, float]
    partners: dict[str, str]
    denied: frozenset[str]
    extra: tuple[str, ...]


def likeness(needle: Needle, words: frozenset[str]) -> Likeness:
    """Pair the item's words with the passage's canonical words, the surest pairs first."""
    partners = {word: same for word in needle.weights if (same := _same(needle, word, words))}
    worths = dict.fromkeys(partners, 1.0)
    left = words.difference(partners.values())
    denied: set[str] = set()
    for word in needle.weights:
        if word in partners:
            continue
        if other := _denial(word, left):
            denied.add(word)
            worths[word], partners[word] = 1.0, other
        elif found := _stand_in(word, left) or _stand_in(word, words):
            partners[word], worths[word] = found
    known = set(partners.values()).union(*(related_to(word) for word in needle.weights))
    extra = tuple(sorted(word for word in words - known if not is_light(word)))
    return Likeness(worths, partners, frozenset(denied), extra)


def _same(needle: Needle, word: str, words: frozenset[str]) -> str:
    if word in words:
        return word
    return next((other for other in needle.variants.get(word, ()) if other in words), "")


def _denial(word: str, words: Iterable[str]) -> str:
    """Return the word that is another one with `un` or the like before it, or that without."""
    pairs = ((f"{prefix}{word}", word.removeprefix(prefix)) for prefix in _DENYING)
    forms = {form for pair in pairs for form in pair if form != word}
    return min((other for other in words if other in forms), default="")


def _stand_in(word: str, words: Iterable[str]) -> tuple[str, float] | None:
    """Return the word that may stand for a word, and what that is worth."""
    related = related_to(word)
    best = max(words, key=lambda other: (alike(word, other), other), default="")
    share = alike(word, best) if best else 0.0
    if share >= _LEAST_ALIKE:
        return best, max(_ALIKE_WORTH * share, RELATED_WORTH * (best in related))
    known = min((other for other in words if other in related), default="")
    return (known, RELATED_WORTH) if known else None


@lru_cache(maxsize=65536)
def alike(left: str, right: str) -> float:
    """Return the share of letter pairs that two words have in common; 0 for short words.

    This is Dice's coefficient, for words with the same first letter.
    """
    if min(len(left), len(right)) < _LEAST_CHARS or left[0] != right[0]:
        return 0.0
    mine, theirs = _pairs(left), _pairs(right)
    return 2 * (mine & theirs).total() / (mine.total() + theirs.total())


def _pairs(word: str) -> Counter[str]:
    return Counter(word[at : at + 2] for at in range(len(word) - 1))
