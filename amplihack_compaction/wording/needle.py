"""Prepare an item to be looked for: its words, its anchors, its stance, what limits it."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from amplihack_compaction.language.text import anchors_of
from amplihack_compaction.meaning.stance import Stance, read_stance
from amplihack_compaction.meaning.words import (
    canonical,
    content_words,
    fold,
    is_light,
    raw_words,
)

SHORT_WORDS = 3
"""Below this many words none can weigh more than another: all must be there."""
_LIGHT_WEIGHT = 0.5
_ANCHOR_WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Needle:
    """An item, prepared: its words with weights, its anchors, its stance and its scope.

    `barred` are the words of what it rules out, beside which it asks for something else.
    """

    text: str
    weights: dict[str, float]
    anchors: frozenset[str]
    stance: Stance
    scopes: tuple[frozenset[str], ...]
    variants: dict[str, tuple[str, ...]]
    barred: frozenset[str] = frozenset()

    def has(self, word: str, words: frozenset[str]) -> bool:
        """Tell whether one of the item's words, or one like it, is among `words`."""
        return word in words or any(variant in words for variant in self.variants.get(word, ()))


def prepare(text: str, variants_of: Callable[[str], tuple[str, ...]]) -> Needle:
    """Return the item prepared; `variants_of` gives the searched text's words like a word."""
    weights: dict[str, float] = {}
    for word in content_words(text):
        weights[word] = _LIGHT_WEIGHT if is_light(word) else 1.0
    anchors = frozenset(_strong_anchors(text) | _spelt_numbers(text))
    for anchor in anchors:
        parts = [word for word in map(canonical, raw_words(anchor)) if word in weights]
        for word in parts:
            weights[word] = _ANCHOR_WEIGHT / len(parts)
    if len(weights) < SHORT_WORDS:
        weights = dict.fromkeys(weights, 1.0)
    scopes = _scopes(text)
    variants = {word: variants_of(word) for word in {*weights, *(w for s in scopes for w in s)}}
    stance = read_stance(text)
    barred = frozenset(word for word in weights if stance.signs.get(word, 0) < 0)
    mixed = any(sign > 0 for sign in stance.signs.values())
    return Needle(
        text, weights, anchors, stance, scopes, variants, barred if mixed else frozenset()
    )


_EMPHASIS = frozenset("must never always not only all no don't do and or the use todo ok".split())


def _strong_anchors(text: str) -> set[str]:
    shouted = sum(char.isupper() for char in text) * 2 > sum(char.isalpha() for char in text)
    return {
        anchor
        for anchor in anchors_of(text)
        if anchor not in _EMPHASIS
        and anchor not in ("e.g", "i.e", "etc")
        and not (shouted and anchor.isalpha())
    }


def _spelt_numbers(text: str) -> set[str]:
    """Return the numbers written as words; `one` is left out, for it is mostly a pronoun."""
    numbers = {canonical(word) for word in raw_words(fold(text)) if word.isalpha()}
    return {number for number in numbers if number.isdigit() and number != "1"}


_SCOPE = re.compile(
    r"(?<!\w)(?:unless|except|without|until|only|when|while|if|before|after|outside|within|inside"
    r"|other than|apart from|under|in|on|for|ohne|außer|wenn|sans|sauf|sin|salvo|sem|exceto"
    r"|без|кроме)(?!\w)"
)


def _scopes(text: str) -> tuple[frozenset[str], ...]:
    """Return the content words of each clause that limits the item, from its end backwards."""
    folded = fold(text)
    starts = [found.start() for found in _SCOPE.finditer(folded)]
    scopes: list[frozenset[str]] = []
    for place, start in enumerate(starts):
        end = starts[place + 1] if place + 1 < len(starts) else len(folded)
        words = frozenset(content_words(folded[start:end]))
        if words and content_words(folded[:start]):
            scopes.append(words)
    return tuple(scopes)
