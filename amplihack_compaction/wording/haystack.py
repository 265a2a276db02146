"""Index a text once, so that many items can be looked for in it.

The text is cut into units (lines, long ones into sentences). A unit that stands under a short
heading ending in a colon, or a markdown heading, keeps that heading: `Never:` above a list turns
every line of it around.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from heapq import nsmallest

from amplihack_compaction.language.text import has_cjk, normal_form
from amplihack_compaction.meaning.idioms import plain
from amplihack_compaction.meaning.languages import language_of
from amplihack_compaction.meaning.stance import Stance, read_stance, reports, turns
from amplihack_compaction.meaning.vocabulary import STOPWORDS
from amplihack_compaction.meaning.words import (
    canonical,
    content_words,
    fold,
    raw_words,
    stem,
)
from amplihack_compaction.wording.needle import Needle

UNIT_CHARS = 400
CANDIDATES = 12
JOINED_CANDIDATES = 3
SIFTED_UNITS = 40
POSTINGS_LIMIT = 2_000
"""How many places of an item's words are looked at before its commoner words are left out."""
_HOPELESS_COVERAGE = 0.3
_LONG_LINE_CHARS = 160
_HEADING_CHARS = 80
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_BULLET = re.compile(r"\A\s*([-*+•]|\d{1,3}[.)]|\[[ xX]\])\s")
_ENUMERATOR = re.compile(r"\A\s*\d{1,3}[.)]\s")
_PREFIX_CHARS = 5
_PREFIX_RATIO = 0.7


@dataclass(slots=True)
class Unit:
    """One line or sentence; `heading` is what stands over it."""

    text: str
    heading: str = ""
    _stance: Stance | None = None
    _words: frozenset[str] | None = None
    _folded: str | None = None
    _reports: bool | None = None

    @property
    def stance(self) -> Stance:
        """How the unit, under its heading, stands to its words."""
        if self._stance is None:
            text = _BULLET.sub("", self.text, count=1)
            is_turned = self.heading and turns(self.heading)
            self._stance = read_stance(f"{self.heading} {text}" if is_turned else text)
        return self._stance

    def continues(self, before: "Unit") -> bool:
        """Tell whether the unit may go on with what the one before it says."""
        own, above = _BULLET.match(self.text), _BULLET.match(before.text)
        if own is None:
            return not self.text.lstrip().startswith("#")
        return above is not None and own.start(1) > above.start(1)

    @property
    def folded(self) -> str:
        """The unit's text, folded."""
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    @property
    def reports(self) -> bool:
        """Whether the unit, under its heading, only tells what was or is."""
        if self._reports is None:
            turned = f"{self.heading} " if self.heading and turns(self.heading) else ""
            self._reports = reports(plain(fold(turned) + self.folded))
        return self._reports

    @property
    def words(self) -> frozenset[str]:
        """The unit's canonical content words."""
        if self._words is None:
            self._words = frozenset(content_words(plain(_ENUMERATOR.sub("", self.folded))))
        return self._words


class Haystack:
    """A text to look for items in."""

    def __init__(self, text: str | Iterable[str]) -> None:
        parts = [text] if isinstance(text, str) else list(text)
        self.units: list[Unit] = []
        self._postings: dict[str, list[int]] = {}
        self._pieces = parts
        self._slips: dict[str, dict[frozenset[str], list[str]]] = {}
        self._variants: dict[str, tuple[str, ...]] = {}
        for part in parts:
            self._add(part)
        self._by_meaning = self._group()

    def _add(self, text: str) -> None:
        heading = ""
        for line in text.splitlines():
            if not line.strip():
                continue
            if _is_heading(line):
                heading = line.strip()
                self._add_unit(line, "")
                continue
            if heading and not _BULLET.match(line) and not heading.startswith("#"):
                heading = ""
            for piece in _pieces(line):
                self._add_unit(piece, heading)

    def _add_unit(self, text: str, heading: str) -> None:
        number = len(self.units)
        self.units.append(Unit(text, heading))
        postings = self._postings
        for word in set(raw_words(fold(text))):
            postings.setdefault(word, []).append(number)

    def _group(self) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for word in self._postings:
            if word not in STOPWORDS:
                groups.setdefault(canonical(word), []).append(word)
        return groups

    @cached_property
    def folded(self) -> str:
        """The whole text, folded, for literal look-ups."""
        return fold("\n".join(self._pieces))

    @cached_property
    def normal(self) -> str:
        """The whole text without case, markup and line breaks."""
        return normal_form(" ".join(self._pieces))

    @cached_property
    def language(self) -> str:
        """The language that most of the text is in; empty when it cannot be told."""
        return language_of("\n".join(self._pieces))

    @cached_property
    def has_cjk(self) -> bool:
        """Whether the text has Chinese, Japanese or Korean characters."""
        return has_cjk(self.folded)

    def units_with(self, meaning: str) -> list[int]:
        """Return the numbers of the units that have a canonical word, or one much like it."""
        words = [word for other in self.variants(meaning) for word in self._by_meaning[other]]
        if len(words) == 1:
            return self._postings[words[0]]
        return sorted({number for word in words for number in self._postings[word]})

    def variants(self, meaning: str) -> tuple[str, ...]:
        """Return the text's canonical words that are this one or share most of its letters."""
        known = self._variants.get(meaning)
        if known is None:
            same = (meaning,) if meaning in self._by_meaning else ()
            known = same + self._similar(meaning)
            known = self._variants[meaning] = known or self._misspelt(meaning)
        return known

    def _similar(self, meaning: str) -> tuple[str, ...]:
        if len(meaning) < _PREFIX_CHARS or not meaning.isalpha():
            return ()
        return tuple(
            other
            for other in self._by_prefix.get(meaning[:_PREFIX_CHARS], ())
            if other != meaning
            and _shared_prefix(meaning, other) >= _PREFIX_RATIO * max(len(meaning), len(other))
        )

    def _misspelt(self, meaning: str) -> tuple[str, ...]:
        """Return the words that one of two may be a slip for: `chnage`, `allways`."""
        if len(meaning) < _PREFIX_CHARS or not meaning.isalpha() or has_cjk(meaning):
            return ()
        known = self._slips.get(meaning[0])
        if known is None:
            known = self._slips[meaning[0]] = self._by_letters(meaning[0])
        return tuple(
            canonical(word)
            for word in known.get(frozenset(meaning), ())
            if abs(len(stem(word)) - len(meaning)) <= 1 and canonical(word) in self._by_meaning
        )

    def _by_letters(self, first: str) -> dict[frozenset[str], list[str]]:
        """Group the words with a first letter by all their letters, whatever their order."""
        table: dict[frozenset[str], list[str]] = {}
        for word in self._by_first.get(first, ()):
            table.setdefault(frozenset(stem(word)), []).append(word)
        return table

    @cached_property
    def _by_first(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for word in self._postings:
            if len(word) >= _PREFIX_CHARS:
                table.setdefault(word[0], []).append(word)
        return table

    @cached_property
    def _by_prefix(self) -> dict[str, list[str]]:
        table: dict[str, list[str]] = {}
        for meaning in self._by_meaning:
            if len(meaning) >= _PREFIX_CHARS:
                table.setdefault(meaning[:_PREFIX_CHARS], []).append(meaning)
        return table


def _is_heading(line: str) -> bool:
    stripped = line.strip()
    if stripped.startswith("#"):
        return len(stripped) <= _HEADING_CHARS
    bare = stripped.rstrip("*_ ")
    return len(stripped) <= _HEADING_CHARS and bare.endswith((":", "："))


def _pieces(line: str) -> list[str]:
    if len(line) <= _LONG_LINE_CHARS:
        return [line]
    pieces: list[str] = []
    for sentence in _SENTENCE_END.split(line):
        pieces += [
            sentence[start : start + UNIT_CHARS] for start in range(0, len(sentence), UNIT_CHARS)
        ]
    return [piece for piece in pieces if piece.strip()]


def _shared_prefix(left: str, right: str) -> int:
    length = 0
    for a, b in zip(left, right, strict=False):
        if a != b:
            break
        length += 1
    return length


def places_for(needle: Needle, haystack: Haystack) -> Iterator[tuple[Unit, ...]]:
    """Yield the most promising places: units, alone and with their neighbours."""
    units = haystack.units
    scores, is_complete = _scores(needle, haystack)
    scored = ((-score, number) for number, score in scores.items())
    if is_complete:
        ranked = nsmallest(CANDIDATES, scored)
    else:
        promising = nsmallest(SIFTED_UNITS, scored)
        ranked = sorted((-_share_of(needle, units[number]), number) for _, number in promising)
    floor = _HOPELESS_COVERAGE * sum(needle.weights.values())
    for score, number in ranked[:CANDIDATES]:
        if -score >= floor:
            yield (units[number],)
    for _, number in ranked[:JOINED_CANDIDATES]:
        if len(around := _around(units, number)) > 1:
            yield around


def _around(units: list[Unit], number: int) -> tuple[Unit, ...]:
    """Return a unit with its neighbours, where one sentence may run over them.

    The points of a list are sentences of their own, but for those that stand below another.
    """
    start = number - 1 if number and units[number].continues(units[number - 1]) else number
    is_followed = number + 1 < len(units) and units[number + 1].continues(units[number])
    return tuple(units[start : number + 1 + is_followed])


def _scores(needle: Needle, haystack: Haystack) -> tuple[dict[int, float], bool]:
    """Weigh units by the item's words, the rarest first, and tell whether all were counted.

    Common words are left out where they would cost more than they tell.
    """
    postings = sorted(
        ((haystack.units_with(word), weight) for word, weight in needle.weights.items()),
        key=lambda pair: len(pair[0]),
    )
    scores: dict[int, float] = {}
    read = 0
    for numbers, weight in postings:
        read += len(numbers)
        if scores and read > POSTINGS_LIMIT:
            return scores, False
        for number in numbers:
            scores[number] = scores.get(number, 0.0) + weight
    return scores, True


def _share_of(needle: Needle, unit: Unit) -> float:
    return sum(weight for word, weight in needle.weights.items() if needle.has(word, unit.words))
