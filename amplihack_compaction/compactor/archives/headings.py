"""Recognise headings: Markdown's, reStructuredText's, and lines that are nothing but a date."""

import re
from dataclasses import dataclass, field

from amplihack_compaction.compactor.archives.dates import is_only_a_date

DATE_LEVEL = 7
"""The level of a line that is only a date: below every other heading."""

_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINES = frozenset("=-~^\"'*+#<>:.`_")
_MARKDOWN_LEVELS = {"=": 1, "-": 2}
_UNDERLINE_CHARS = 3
_TITLE_CHARS = 300
# Code, quotations and tables.
_NO_TITLES = ("    ", "\t", ">", "|")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of so many lines; level 1 is the highest."""

    lines: int
    level: int
    title: str


@dataclass(slots=True)
class HeadingReader:
    """Reads the headings of one text, given as lines without their ends.

    `rst` also takes underlines other than Markdown's; their levels are in order of appearance.
    """

    lines: list[str]
    rst: bool = False
    _styles: list[str] = field(default_factory=list)

    def read(self, number: int, *, plain: bool) -> Heading | None:
        """Return the heading that begins at a line; None when none does.

        `plain` says that the line could be a paragraph's first, which alone an underline makes
        a heading.
        """
        return (
            atx_heading(self.lines[number])
            or self._overlined(number)
            or (self._underlined(number) if plain else None)
            or date_heading(self.lines[number])
        )

    def _overlined(self, number: int) -> Heading | None:
        sign = self._line_sign(number)
        if not sign or self._line_sign(number + 2) != sign or not (sign == "=" or self.rst):
            return None
        title = self.lines[number + 1].strip()
        if not title or self._line_sign(number + 1):
            return None
        return Heading(3, self._level(sign, over=True), title[:_TITLE_CHARS])

    def _underlined(self, number: int) -> Heading | None:
        sign, title = self._line_sign(number + 1), self.lines[number].rstrip()
        if not sign or self._line_sign(number) or title.startswith(_NO_TITLES):
            return None
        short = len(self.lines[number + 1].rstrip()) < len(title)
        if short and sign not in _MARKDOWN_LEVELS:
            return None
        return Heading(2, self._level(sign, over=False), title.strip()[:_TITLE_CHARS])

    def _line_sign(self, number: int) -> str:
        """Return the sign that a line consists of, if a heading can be underlined so."""
        line = self.lines[number].rstrip() if number < len(self.lines) else ""
        sign = line[:1]
        if len(line) < _UNDERLINE_CHARS or sign not in _UNDERLINES or line.strip(sign):
            return ""
        return sign if self.rst or sign in _MARKDOWN_LEVELS else ""

    def _level(self, sign: str, *, over: bool) -> int:
        if not self.rst:
            return _MARKDOWN_LEVELS[sign]
        style = sign * (2 if over else 1)
        if style not in self._styles:
            self._styles.append(style)
        return min(self._styles.index(style) + 1, DATE_LEVEL - 1)


def atx_heading(line: str) -> Heading | None:
    """Return the heading that a line with number signs is."""
    match = _ATX.match(line)
    if match is None:
        return None
    title = line[match.end() :].strip()
    return Heading(1, len(match[1]), title.rstrip("#").rstrip()[:_TITLE_CHARS])


def date_heading(line: str) -> Heading | None:
    """Return the heading that a line is which holds nothing but a date."""
    if line.startswith(_NO_TITLES) or not is_only_a_date(line):
        return None
    return Heading(1, DATE_LEVEL, line.strip())
