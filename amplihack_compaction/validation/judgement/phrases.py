"""Name what a passage says around the words that it shares with an item: `X may be X`, `no X`.

What stands between the words of a matter says what is made of it, and says it alike of any matter.
So the words in common are struck out, and what is left is named word by word and in pairs; of which
names tell something was learnt.
"""

import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import pairwise

from amplihack_compaction.text.words import canonical, is_empty
from amplihack_compaction.validation.judgement.likeness import Likeness
from amplihack_compaction.validation.judgement.signs import mode_of, signs_of
from amplihack_compaction.validation.matching.needle import Needle

PHRASE_WORTH = 0.3
"""Beside other features' 1: phrases are learnt the more cautiously, for those of one author are not
those of another."""
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[,;:.!?()/-]")
_SHARED = "X"
_NUMBER = "9"
_BEGIN, _END = "^", "$"
_TOKENS_LIMIT = 100


def phrase_features(needle: Needle, kind: str, passage: str, like: Likeness) -> dict[str, float]:
    """Return by name what a passage, folded and made plain, says beside what it shares.

    `like` pairs the item's words with the passage's. The names are those of words and of pairs of
    words, alone and for what the item mainly does.
    """
    said = _around(passage, frozenset(like.partners.values()))
    mode = f"{mode_of(signs_of(needle.text))} {kind}"
    names: list[str] = []
    for phrase in {*said, *map(" ".join, pairwise((_BEGIN, *said, _END)))}:
        names += (f"there: {phrase}", f"{mode}: {phrase}")
    return dict.fromkeys(names, PHRASE_WORTH)


def _around(text: str, shared: Collection[str]) -> list[str]:
    """Return the words and marks of a text, with one sign for each run of shared words."""
    said: list[str] = []
    for token, meaning in _tokens(text):
        word = _SHARED if meaning in shared else token
        if word != _SHARED or said[-1:] != [_SHARED]:
            said.append(word)
    return said


@lru_cache(maxsize=4_000)
def _tokens(text: str) -> tuple[tuple[str, str], ...]:
    """Return a folded text's words and marks, each with its meaning, which may be none."""
    return tuple(_meant(text))


def _meant(text: str) -> Iterator[tuple[str, str]]:
    for found in _TOKEN.findall(text)[:_TOKENS_LIMIT]:
        is_word = found[0].isalnum()
        meaning = canonical(found) if is_word and not is_empty(found) else ""
        yield _NUMBER if found[0].isdigit() else found, meaning
