"""Put mistyped keywords right: slips of the keyboard, and `dont` for `don't`."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from amplihack_compaction.patterns.patterns import lazily

WORD = lazily(r"[^\W\d_]+(?:'[^\W\d_]+)*")
# Words that a slip of the pen in a keyword would turn into, but that are words themselves.
_REAL_WORDS = frozenset(
    "ever very void refer mut lever fever eve kee sick tick lave lease pleas nuca mus ist eep kep"
    " immer nier nie beore onl oly leav leve least most mist ust insead son't ont mer kine keine"
    " eine stat vita prefer prefers instead sempr hand noting froze alter late gain crap forge"
    " settle choose bout abut agree hose gong decide care sine says stay limit apples mine fee"
    " sad wart hat fiend goat coal".split()
)
# Words by which rules are lifted, work is turned to and choices are made.
_KEYWORDS = (
    "forget ignore scrap drop stop leave instead change changed switch task objective later"
    " different something longer anymore again after need have allowed lifted required needed"
    " decided decision settled agreed opted picked choose with chose going because"
    " since lets rule about fine necessary said what mind feel free dont applies move moving"
    " focus gears"
    " priority goal switch that this limits option allowed"
)
_BARE_NOT = lazily(r"\b(do|does|did|is|are|must|should)nt\b", re.IGNORECASE)


def put_right(text: str) -> str:
    """Return the text with mistyped English words of taking back, turning and deciding right."""
    if not text.isascii():
        return text
    return _BARE_NOT.sub(r"\1n't", correct_slips(text, _slips()))


def correct_slips(text: str, slips: Mapping[str, str]) -> str:
    """Return the text with mistyped keywords put right."""
    if slips.keys().isdisjoint(map(str.casefold, WORD.findall(text))):
        return text
    return WORD.sub(lambda found: slips.get(found.group().casefold(), found.group()), text)


def slips_of(keywords: Iterable[str]) -> dict[str, str]:
    """Return the likely mistypings of the keywords: a letter left out, doubled or swapped."""
    slips: dict[str, str] = {}
    for word in keywords:
        for place in range(len(word)):
            left, right = word[:place], word[place:]
            variants = [left + right[1:], left + right[0] + right]
            if len(right) > 1:
                variants.append(left + right[1] + right[0] + right[2:])
            for variant in variants:
                if len(variant) > 3:
                    slips.setdefault(variant, word)
    for word in (*keywords, *_REAL_WORDS):
        slips.pop(word, None)
    return slips


@lru_cache(maxsize=1)
def _slips() -> dict[str, str]:
    return slips_of(_KEYWORDS.split())
