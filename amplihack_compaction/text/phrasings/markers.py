"""How each language states rules, and what only looks like one, and guess a sentence's language.

A language's phrasing is read from its data file and compiled once, on first use.
"""

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from amplihack_compaction.text.words import (
    WORD,
    PatternList,
    accents_left_out,
    compile_all,
    typos_of,
    without_accents,
)

_FOLDER = Path(__file__).with_name("languages")
_FRAGMENT = re.compile(r"<<(\w+)>>")


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrasing:
    """One language's ways to state a rule, as regular expressions over folded text.

    `opening` is tried where a clause starts, `whole` where the sentence starts, `anywhere` in
    all of it; each maps a kind of rule to its patterns. The others say what speaks against a
    rule, and which question or momentary wish is one all the same (`polite`, `standing`).
    """

    language: str
    opening: Mapping[str, tuple[str, ...]]
    anywhere: Mapping[str, tuple[str, ...]]
    whole: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    openers: str
    report: str
    condition: str
    question: str
    polite: str
    tag: str
    once: str
    narrative: str
    standing: str
    keywords: str = ""
    words: str = ""


@lru_cache
def read_phrasing(language: str) -> Phrasing:
    """Return how one of `LANGUAGES` states rules, its fragments put in their places."""
    data = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
    fragments: dict[str, str] = {}

    def whole(told: Any) -> Any:
        if isinstance(told, str):
            return _FRAGMENT.sub(lambda found: fragments[found[1]], told)
        if isinstance(told, list):
            return tuple([whole(pattern) for pattern in told])
        return {kind: whole(patterns) for kind, patterns in told.items()}

    for name, fragment in data.pop("fragments", {}).items():
        fragments[name] = whole(fragment)
    return Phrasing(language=language, **whole(data))


KINDS = ("correction", "prohibition", "preference", "obligation")
LANGUAGES = ("en", "de", "fr", "es", "pt", "ru", "zh", "ja", "ko")

# Several extractors ask for the language of the same sentences.
_CACHED_SENTENCES = 2048

# A text's script shows in its beginning.
_SCRIPT_CHARS = 1_000
# So many English words in another language's sentence say nothing.
_STRAY_WORDS = 2
_LATIN = ("en", "de", "fr", "es", "pt")
# A sentence of names and one verb may have none of the everyday words.
_LETTERS = {
    **dict.fromkeys("ãõ", ("pt",)), **dict.fromkeys("ñ¿¡", ("es",)),
    **dict.fromkeys("ßäöü", ("de",)), **dict.fromkeys("èêùœî", ("fr",)), "ç": ("pt", "fr"),
}  # fmt: skip


Patterns = tuple[tuple[str, PatternList], ...]


@dataclass(frozen=True, slots=True)
class Markers:
    """A language's phrasing, compiled."""

    language: str
    opening: Patterns
    whole: Patterns
    anywhere: Patterns
    openers: re.Pattern[str]
    report: re.Pattern[str]
    condition: re.Pattern[str]
    question: re.Pattern[str]
    polite: re.Pattern[str]
    tag: re.Pattern[str]
    once: re.Pattern[str]
    narrative: re.Pattern[str]
    standing: re.Pattern[str]
    typos: Mapping[str, str]


@lru_cache(maxsize=len(LANGUAGES))
def markers_for(language: str) -> Markers:
    """Return the compiled markers of one of `LANGUAGES`; compiling takes some milliseconds."""
    phrasing = phrasing_of(language)
    gap = "" if language in ("zh", "ja", "ko") else "$"
    return Markers(
        language=language,
        opening=_by_kind(phrasing.opening),
        whole=_by_kind(phrasing.whole),
        anywhere=_by_kind(phrasing.anywhere),
        openers=re.compile(rf"(?:{phrasing.openers})(?:[\s,，、:：;!！.。…–-]+|{gap})"),
        report=re.compile(phrasing.report),
        condition=re.compile(phrasing.condition),
        question=re.compile(phrasing.question),
        polite=re.compile(phrasing.polite),
        tag=re.compile(phrasing.tag),
        once=re.compile(phrasing.once),
        narrative=re.compile(phrasing.narrative),
        standing=re.compile(phrasing.standing),
        typos=typos_of(phrasing.keywords.split()),
    )


@lru_cache(maxsize=_CACHED_SENTENCES)
def languages_of(text: str, fallback: str = "en") -> tuple[str, ...]:
    """Return the likely languages of a sentence, the likeliest first, all of `LANGUAGES`."""
    if not text.isascii() and (written := _by_script(text[:_SCRIPT_CHARS])):
        return (written,)
    votes = _votes(text.replace("’", "'").casefold())
    most = max(votes.values())
    if not most:
        return (fallback,)
    likely = [language for language in _LATIN if votes[language] == most]
    likely.sort(key=lambda language: (language != fallback, language == "en"))
    if likely[0] != "en" and "en" not in likely and votes["en"] > _STRAY_WORDS:
        likely.append("en")
    return tuple(likely)


def _by_script(text: str) -> str:
    """Return the language whose script a text has; nothing for Latin script.

    Compared sign by sign: patterns with these ranges take milliseconds to compile.
    """
    if any("\u3040" <= sign <= "\u30ff" for sign in text):
        return "ja"
    if sum("\uac00" <= sign <= "\ud7af" for sign in text) > 1:
        return "ko"
    if sum("\u3400" <= sign <= "\u4dbf" or "\u4e00" <= sign <= "\u9fff" for sign in text) > 1:
        return "zh"
    return "ru" if sum("\u0400" <= sign <= "\u04ff" for sign in text) > 2 else ""


def _votes(text: str) -> dict[str, int]:
    """Count each language's everyday words and its letters in a folded text in Latin script."""
    votes = dict.fromkeys(_LATIN, 0)
    everyday = _everyday()
    speakers = [everyday.get(word, ()) for word in WORD.findall(text)]
    letters = () if text.isascii() else (_LETTERS.get(sign, ()) for sign in text)
    for language in chain(*speakers, *letters):
        votes[language] += 1
    return votes


def language_of(text: str, fallback: str = "en") -> str:
    """Return the likeliest language of a text as one of `LANGUAGES`."""
    return languages_of(text, fallback)[0]


@lru_cache(maxsize=1)
def _everyday() -> dict[str, tuple[str, ...]]:
    """Map everyday words to the languages in Latin script that have them."""
    found: dict[str, tuple[str, ...]] = {}
    for language in _LATIN:
        words = read_phrasing(language).words.split()
        for word in {*words, *map(accents_left_out, words)}:
            found[word] = (*found.get(word, ()), language)
    return found


@lru_cache(maxsize=len(LANGUAGES))
def phrasing_of(language: str) -> Phrasing:
    """Return how one of `LANGUAGES` states rules, also typed without accents."""
    phrasing = read_phrasing(language)
    return _typed_in_a_hurry(phrasing) if language in _LATIN else phrasing


def _typed_in_a_hurry(phrasing: Phrasing) -> Phrasing:
    """Return a phrasing that is known without accents too, but for its questions.

    Most words that ask are others without them: "qué", "que".
    """
    opening, whole, anywhere = (
        {kind: tuple(map(without_accents, patterns)) for kind, patterns in table.items()}
        for table in (phrasing.opening, phrasing.whole, phrasing.anywhere)
    )
    return replace(
        phrasing,
        opening=opening,
        whole=whole,
        anywhere=anywhere,
        openers=without_accents(phrasing.openers),
        report=without_accents(phrasing.report),
        once=without_accents(phrasing.once),
        narrative=without_accents(phrasing.narrative),
    )


def _by_kind(patterns: Mapping[str, tuple[str, ...]]) -> Patterns:
    return tuple((kind, compile_all(patterns[kind])) for kind in KINDS if patterns.get(kind))
