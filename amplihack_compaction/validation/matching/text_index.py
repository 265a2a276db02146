"""Index a text once, so that many items can be looked for in it.

It is cut into units: lines, or the sentences of long ones, each read only when asked. A unit that
stands under a short heading ending in a colon, or a Markdown heading, keeps that heading: `Never:`
above a list turns every line of it around.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil

from amplihack_compaction.text.polarity import (
    Polarity,
    only_reports,
    plain_words,
    read_polarity,
    sets_polarity,
)
from amplihack_compaction.text.words import (
    STOPWORDS,
    canonical,
    certain_language,
    content_words,
    fold_case,
    has_cjk,
    normal_form,
    raw_words,
)

UNIT_CHARS = 400
_LONG_LINE_CHARS = 160
_HEADING_CHARS = 80
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_BULLET = re.compile(r"\A\s*([-*+•]|\d{1,3}[.)]|\[[ xX]\])\s")
_ENUMERATOR = re.compile(r"\A\s*\d{1,3}[.)]\s")


@dataclass
class Unit:
    """One line or sentence; `heading` is what stands over it."""

    text: str
    heading: str = ""

    @cached_property
    def polarity(self) -> Polarity:
        """How the unit, under its heading, stands to its words."""
        text = _BULLET.sub("", self.text, count=1)
        return read_polarity(f"{self._turning_heading}{text}")

    @property
    def _turning_heading(self) -> str:
        """The heading where it turns what stands below it round: `Never:`."""
        return f"{self.heading} " if self.heading and sets_polarity(self.heading) else ""

    @cached_property
    def folded(self) -> str:
        """The unit's text, folded."""
        return fold_case(self.text)

    @cached_property
    def reports(self) -> bool:
        """Whether the unit, under its heading, only tells what was or is."""
        return only_reports(plain_words(fold_case(self._turning_heading) + self.folded))

    @property
    def plain(self) -> str:
        """The unit's text, folded, without its number in a list, its turns of phrase made plain."""
        return plain_words(_ENUMERATOR.sub("", self.folded))

    @cached_property
    def normal(self) -> str:
        """The unit's normal form, without its number in a list."""
        return unnumbered_form(self.text)

    @cached_property
    def words(self) -> frozenset[str]:
        """The unit's canonical content words."""
        return frozenset(content_words(self.plain))


def unnumbered_form(line: str) -> str:
    """Return a line's normal form, without its number in a list; empty where it has no word."""
    return normal_form(_ENUMERATOR.sub("", line))


def cut(text: str) -> Iterator[tuple[str, str]]:
    """Yield the text's lines, long ones in sentences, each with the heading over it."""
    heading = ""
    for line in text.splitlines():
        if not line.strip():
            continue
        if _is_heading(line):
            heading = line.strip()
            yield line, ""
            continue
        if heading and not _BULLET.match(line) and not heading.startswith("#"):
            heading = ""
        for piece in _pieces(line):
            yield piece, heading


def _is_heading(line: str) -> bool:
    stripped = line.strip()
    is_marked = stripped.startswith("#") or stripped.rstrip("*_ ").endswith((":", "："))
    return is_marked and len(stripped) <= _HEADING_CHARS


def _pieces(line: str) -> list[str]:
    if len(line) <= _LONG_LINE_CHARS:
        return [line]
    return [
        piece
        for sentence in _SENTENCE_END.split(line)
        for start in range(0, len(sentence), UNIT_CHARS)
        if (piece := sentence[start : start + UNIT_CHARS]).strip()
    ]


_PREFIX_CHARS = 5
_PREFIX_RATIO = 0.7


class TextIndex:
    """A text to look for items in."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.units = [Unit(piece, heading) for piece, heading in cut(text)]
        self._postings: dict[str, list[int]] = {}
        self._by_meaning: dict[str, list[str]] = {}
        for number, unit in enumerate(self.units):
            # In order, so that all runs are alike.
            for word in dict.fromkeys(raw_words(fold_case(unit.text))):
                self._postings.setdefault(word, []).append(number)
        for word in self._postings:
            if word not in STOPWORDS:
                self._by_meaning.setdefault(canonical(word), []).append(word)

    @cached_property
    def folded(self) -> str:
        """The whole text, folded, for literal look-ups."""
        return fold_case(self._text)

    @cached_property
    def normal(self) -> str:
        """The whole text without case, markup and line breaks."""
        return normal_form(self._text)

    @cached_property
    def language(self) -> str:
        """The language that most of the text is in; empty when it cannot be told."""
        return certain_language(self._text)

    @cached_property
    def has_cjk(self) -> bool:
        """Whether the text has Chinese, Japanese or Korean characters."""
        return has_cjk(self.folded)

    def units_with(self, meaning: str) -> list[int]:
        """Return the numbers of the units that have a canonical word, or one much like it."""
        return self._units_of(word for v in self.variants(meaning) for word in self._by_meaning[v])

    def units_having(self, meaning: str) -> list[int]:
        """Return the numbers of the units that have just this canonical word."""
        return self._units_of(self._by_meaning.get(meaning, ()))

    def _units_of(self, words: Iterable[str]) -> list[int]:
        return sorted({number for word in words for number in self._postings[word]})

    def variants(self, meaning: str) -> tuple[str, ...]:
        """Return the text's canonical words that are this one or share most of its letters."""
        same = (meaning,) if meaning in self._by_meaning else ()
        if len(meaning) < _PREFIX_CHARS or not meaning.isalpha():
            return same

        def is_like(other: str) -> bool:
            shared = ceil(_PREFIX_RATIO * max(len(meaning), len(other)))
            return other != meaning and other[:shared] == meaning[:shared]

        return (*same, *filter(is_like, self._by_prefix.get(meaning[:_PREFIX_CHARS], ())))

    @cached_property
    def _by_prefix(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for meaning in self._by_meaning:
            if len(meaning) >= _PREFIX_CHARS:
                table.setdefault(meaning[:_PREFIX_CHARS], []).append(meaning)
        return table
