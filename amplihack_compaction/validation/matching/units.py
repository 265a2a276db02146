"""Cut a text into units: lines, or the sentences of long ones, and read each only when asked.

A unit that stands under a short heading ending in a colon, or a markdown heading, keeps that
heading: `Never:` above a list turns every line of it around.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from amplihack_compaction.text.polarity import Polarity, read_polarity, turns
from amplihack_compaction.text.polarity_wordings import plain, reports
from amplihack_compaction.text.strings import normal_form
from amplihack_compaction.text.words import content_words, fold

UNIT_CHARS = 400
_LONG_LINE_CHARS = 160
_HEADING_CHARS = 80
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")
_BULLET = re.compile(r"\A\s*([-*+•]|\d{1,3}[.)]|\[[ xX]\])\s")
_ENUMERATOR = re.compile(r"\A\s*\d{1,3}[.)]\s")


@dataclass(slots=True)
class Unit:
    """One line or sentence; `heading` is what stands over it."""

    text: str
    heading: str = ""
    _stance: Polarity | None = None
    _words: frozenset[str] | None = None
    _folded: str | None = None
    _reports: bool | None = None

    @property
    def stance(self) -> Polarity:
        """How the unit, under its heading, stands to its words."""
        if self._stance is None:
            text = _BULLET.sub("", self.text, count=1)
            is_turned = self.heading and turns(self.heading)
            self._stance = read_polarity(f"{self.heading} {text}" if is_turned else text)
        return self._stance

    def continues(self, before: "Unit") -> bool:
        """Return whether the unit may go on with what the one before it says."""
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
    def plain(self) -> str:
        """The unit's text, folded, without its number in a list, its turns of phrase made plain."""
        return plain(_ENUMERATOR.sub("", self.folded))

    @property
    def words(self) -> frozenset[str]:
        """The unit's canonical content words."""
        if self._words is None:
            self._words = frozenset(content_words(self.plain))
        return self._words


def said_in(line: str) -> str:
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
