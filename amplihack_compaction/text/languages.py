"""The language of a text, by its script or its function words."""

import re

from amplihack_compaction.text.word_lists import word_lists
from amplihack_compaction.text.words import fold_case

_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)*")
_WORDS = {
    name: word_lists(name)["stop"] | word_lists(name)["typical"] | word_lists(name)["bare"]
    for name in ("en", "de", "fr", "es", "pt")
}
LATIN = "latin"
"""A language in Latin letters that is not English; which one cannot be told."""
_ACCENT = re.compile(r"[à-öø-ÿ]")
_LEAST_WORDS = 2
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN = re.compile(r"[a-zà-ÿ]")
_SAMPLE_CHARS = 20_000


def certain_language(text: str) -> str:
    """Return the text's language as a code, or an empty string when it cannot be told.

    Scripts decide first; Latin text is told by its function words, or is `latin` where accents
    say no more than that it is not English. Only the first 20,000 characters are looked at.
    """
    sample = fold_case(text[:_SAMPLE_CHARS])
    counts = {
        "ja": len(_KANA.findall(sample)) * 3,
        "ko": len(_HANGUL.findall(sample)) * 3,
        "zh": len(_HAN.findall(sample)) * 2,
        "ru": len(_CYRILLIC.findall(sample)),
    }
    if counts["ja"]:
        counts["ja"] += counts["zh"]
        counts["zh"] = 0
    script, amount = max(counts.items(), key=lambda pair: pair[1])
    if amount and amount * 2 >= len(_LATIN.findall(sample)):
        return script
    votes = _votes(sample)
    (best, most), (_, second) = votes[:2]
    if most > second and (most[0] >= _LEAST_WORDS or best == "en"):
        return best
    is_foreign = _ACCENT.search(sample) is not None or most[0] >= _LEAST_WORDS
    return LATIN if is_foreign and dict(votes)["en"] == (0, 0) else ""


def language_of(text: str, fallback: str = "en") -> str:
    """Return the text's likeliest language as a code, the `fallback` where none is likelier."""
    found = certain_language(text)
    if found not in ("", LATIN):
        return found
    (best, most), (_, second) = _votes(fold_case(text[:_SAMPLE_CHARS]))[:2]
    return best if most > second else fallback


def _votes(folded: str) -> list[tuple[str, tuple[int, int]]]:
    """Return by language how many of its words a text has, and how often; most first."""
    words = _WORD.findall(folded)
    votes = [
        (name, (len(known.intersection(words)), sum(word in known for word in words)))
        for name, known in _WORDS.items()
    ]
    return sorted(votes, key=lambda vote: vote[1], reverse=True)


def differ(left: str, right: str) -> bool:
    """Return whether two texts are in different languages; False where one cannot be told."""
    return are_foreign(certain_language(left), certain_language(right))


def are_foreign(left: str, right: str) -> bool:
    """Return whether two codes are of languages that differ for certain."""
    if LATIN in (left, right):
        other = right if left == LATIN else left
        return other not in ("", LATIN, "de", "fr", "es", "pt")
    return bool(left) and bool(right) and left != right
