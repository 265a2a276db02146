"""Reduce words to what they mean for comparison: folded, stemmed, synonyms made one."""

import re
import unicodedata
from functools import lru_cache

from amplihack_compaction.text.meaning.vocabulary import (
    EMPTY_HAN,
    IRREGULAR,
    LIGHT_WORDS,
    STOPWORDS,
    SYNONYM_ROWS,
)
from amplihack_compaction.text.strings import has_cjk

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NUMBER = re.compile(r"\d[\d.,]*")
_NUMBER_WITH_UNIT = re.compile(r"(\d[\d.,]*)([a-z%]{1,8})\Z")
_HIRAGANA = re.compile(r"[\u3040-\u309f]")
_DECIMALS = re.compile(r"\.0+\Z")

_SUFFIXES = (
    "izations", "ization", "isation", "ations", "ation", "ators", "ator", "ments", "ment", "nesses",
    "ness",
    "ably",
    "ible", "able", "ates", "ated", "ating", "ate", "ings", "ing", "ions", "ion", "ers", "als",
    "al", "ly", "ed", "er", "en", "em",
)  # fmt: skip
# Under another ending: `answered` has to become what `answer` does.
_INNER_SUFFIXES = ("er", "en", "em")
_LEAST_HEAD = {"al": 5, "als": 5, "ly": 4, "ness": 5, "nesses": 5}
_VOWELS = frozenset("aeiouyäöüéèáíóúãõ")


def fold(text: str) -> str:
    """Return the text for comparison: width and case folded, quotes made plain."""
    return unicodedata.normalize("NFKC", text).casefold().replace("’", "'")


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """Return the folded word without its common endings; never shorter than three letters."""
    word = IRREGULAR.get(word, word)
    if len(word) < 4 or not word.isalpha():
        return word
    if word.endswith(("ies", "sses", "xes", "ches", "shes")) and len(word) > 4:
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = _without_suffix(_without_suffix(word, _SUFFIXES), _INNER_SUFFIXES)
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "aeiouls":
        word = word[:-1]
    if len(word) > 3 and word[-1] == "e":
        word = word[:-1]
    return word[:-1] + "i" if len(word) > 3 and word[-1] == "y" else word


def _without_suffix(word: str, suffixes: tuple[str, ...]) -> str:
    for suffix in suffixes:
        head = word.removesuffix(suffix)
        is_long = len(head) >= _LEAST_HEAD.get(suffix, 3)
        if head != word and is_long and not _VOWELS.isdisjoint(head):
            return head
    return word


def _synonyms() -> dict[str, str]:
    table: dict[str, str] = {}
    for row in SYNONYM_ROWS:
        words = row.split()
        for word in words:
            table.setdefault(stem(word), stem(words[0]))
    return table


_SYNONYMS = _synonyms()
LIGHT_STEMS = frozenset(map(stem, LIGHT_WORDS))
_LIGHT = frozenset(_SYNONYMS.get(stem(word), stem(word)) for word in LIGHT_WORDS)


@lru_cache(maxsize=65536)
def canonical(word: str) -> str:
    """Return what the folded word counts as: its stem, or its group of synonyms."""
    if word[0].isdigit():
        return number_form(word)
    word = word.removesuffix("'s")
    short = stem(word)
    return _SYNONYMS.get(short, short)


BARE_VERBS = frozenset(map(canonical, ("use", "do", "make", "have", "get", "put")))
"""What sentences say beside their one telling word: `don't use sudo` is `no sudo`."""


def number_form(word: str) -> str:
    """Return a number without separators and unit: `10,000` and `10000ms` are both `10000`."""
    found = _NUMBER_WITH_UNIT.match(word)
    number = found.group(1) if found else word
    if not _NUMBER.fullmatch(number):
        return word
    plain = number.replace(",", "").rstrip(".")
    if plain.count(".") == 1:
        plain = _DECIMALS.sub("", plain)
    if found and found.group(2) == "k" and plain.isdigit():
        plain += "000"
    return plain


def is_light(word: str) -> bool:
    """Return whether a canonical word says little about which item is meant."""
    return word in _LIGHT


def content_words(text: str) -> list[str]:
    """Return the text's canonical words without those that carry no content, in order."""
    return [canonical(word) for word in raw_words(fold(text)) if not is_empty(word)]


def is_empty(word: str) -> bool:
    """Return whether a folded word carries no content; of Japanese, what holds hiragana."""
    return word in STOPWORDS or _HIRAGANA.search(word) is not None


def raw_words(folded: str) -> list[str]:
    """Return the words of folded text; of CJK runs, their characters in pairs."""
    found = _WORD.findall(folded)
    if not has_cjk(folded):
        return found
    words: list[str] = []
    for word in found:
        words.extend(_pairs(word) if has_cjk(word) else (word,))
    return words


_KNOWN_HAN = [w for row in SYNONYM_ROWS for w in row.split() if has_cjk(w) and len(w) > 1]
_HAN_PARTS = re.compile(
    f"({'|'.join(sorted(_KNOWN_HAN, key=len, reverse=True))})"
    f"|{'|'.join(sorted(EMPTY_HAN.split(), key=len, reverse=True))}"
)
"""Splits a run; every other part is a known word, or nothing."""
_CJK_RUN = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
    r"|[^\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)


def _pairs(word: str) -> list[str]:
    """Return a run's pairs of characters; known Chinese words are whole, empty ones part it."""
    parts: list[str] = []
    for run in _CJK_RUN.findall(word):
        if not has_cjk(run):
            parts.append(run)
            continue
        for place, telling in enumerate(_HAN_PARTS.split(run)):
            is_known = place % 2 == 1
            if telling and (is_known or len(telling) == 1):
                parts.append(telling)
            elif telling:
                parts.extend(telling[at : at + 2] for at in range(len(telling) - 1))
    return parts
