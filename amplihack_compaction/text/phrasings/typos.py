"""Know mistyped words: slips of the keyboard, `dont` for `don't`, words without their accents."""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
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
# What many leave out who type in a hurry, or on a keyboard without these letters.
_PLAIN_LETTERS = {
    **dict.fromkeys("áàâã", "a"), **dict.fromkeys("éèêë", "e"), **dict.fromkeys("íîï", "i"),
    **dict.fromkeys("óôõ", "o"), **dict.fromkeys("úùû", "u"), "ç": "c", "ñ": "n",
    "ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss",
}  # fmt: skip
# Without its accents each of these is another word, or so short that it is part of others.
_OTHER_WORDS = frozenset(
    "cómo cuándo dónde quién quiénes cuál está été là où más qué tâche".split()
)
_FEWEST_LETTERS = 4
_SHORT_WORDS = frozenset(("não", "für"))
_IN_PATTERN = re.compile(r"\[\^?\]?[^\]]*\]|\(\?<[=!][^()|]*\)|\(\?P<\w+>|\\.|[^\W\d_]+")
_BARE_NOT = re.compile(r"\b(do|does|did|is|are|must|should)nt\b", re.IGNORECASE)


def correct_typos(text: str) -> str:
    """Return the text with mistyped English words of taking back, turning and deciding right."""
    if not text.isascii():
        return text
    return _BARE_NOT.sub(r"\1n't", replace_typos(text, _typos()))


def without_accents(source: str) -> str:
    """Return a pattern that also matches its words without accents: "não", "nao"; "für", "fuer"."""
    return source if source.isascii() else _IN_PATTERN.sub(_either_way, source)


def accents_left_out(word: str) -> str:
    """Return a word as it is typed without accents; as it is where that is another word."""
    return "".join(_PLAIN_LETTERS.get(sign, sign) for sign in word) if _is_known(word) else word


def _either_way(found: re.Match[str]) -> str:
    part = found.group()
    return "".join(map(_letter_either_way, part)) if _is_known(part) else part


def _is_known(word: str) -> bool:
    """Return whether a word is as well known without its accents."""
    if not word.isalpha() or word.isascii() or word in _OTHER_WORDS:
        return False
    return len(word) >= _FEWEST_LETTERS or word in _SHORT_WORDS


def _letter_either_way(sign: str) -> str:
    plain = _PLAIN_LETTERS.get(sign, "")
    if len(plain) > 1:
        return f"(?:{sign}|{plain})"
    return f"[{sign}{plain}]" if plain else sign


def replace_typos(text: str, slips: Mapping[str, str]) -> str:
    """Return the text with mistyped keywords put right."""
    if slips.keys().isdisjoint(map(str.casefold, WORD.findall(text))):
        return text
    return WORD.sub(lambda found: slips.get(found.group().casefold(), found.group()), text)


def typos_of(keywords: Iterable[str]) -> dict[str, str]:
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
def _typos() -> dict[str, str]:
    return typos_of(_KEYWORDS.split())
