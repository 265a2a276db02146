"""Take a text apart into blocks that are never cut: a list item, a fence, a table, a paragraph.

Understands Markdown, the headings and tables of reStructuredText, and logs. The blocks' lines
joined are the text.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from amplihack_compaction.compactor.archives.dates import date_at_start
from amplihack_compaction.compactor.archives.headings import (
    HeadingReader,
    atx_heading,
    date_heading,
)
from amplihack_compaction.compactor.archives.marker import parse_marker

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ITEM = re.compile(r"([ \t]*)(?:[-*+•‣▪–]|[0-9]{1,9}[.)])(?:[ \t]+(?=\S)|[ \t]*\Z)")
_FENCE = re.compile(r"[ \t>]{0,40}(`{3,}|~{3,})(.*)")
_FRONT_KEY = re.compile(r"[\w\"'.-]{1,80}\s{0,8}[:=]")
_FRONT_LINES = 200
_RULERS = frozenset("-*_")
_RULER_SIGNS = 3
_TAB_COLUMNS = 4


class Kind(Enum):
    """What a block is; of an open fence it cannot be told what it holds."""

    FRONT = auto()
    HEADING = auto()
    BLANK = auto()
    RULER = auto()
    MARKER = auto()
    FENCE = auto()
    OPEN_FENCE = auto()
    TABLE = auto()
    ITEM = auto()
    TEXT = auto()


CONTENT = frozenset({Kind.FENCE, Kind.OPEN_FENCE, Kind.TABLE, Kind.ITEM, Kind.TEXT})
"""The kinds that say something themselves."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from `first` up to, not including, `end`; only a heading has a level and a title."""

    kind: Kind
    first: int
    end: int
    level: int = 0
    title: str = ""


def split_lines(text: str) -> list[str]:
    """Return the lines with their ends: CR, LF or CR LF."""
    return _LINE.findall(text)


def read_blocks(lines: list[str], *, rst: bool = False) -> list[Block]:
    """Return the blocks of a text's lines, in order and without gaps, in linear time.

    `rst` also takes underlines other than Markdown's for those of headings.
    """
    return list(_BlockReader([line.rstrip("\r\n") for line in lines], rst=rst).blocks())


class _BlockReader:
    """Reads the blocks of one text; each method is given the line to begin at."""

    def __init__(self, lines: list[str], *, rst: bool) -> None:
        self._lines = lines
        if lines:
            lines[0] = lines[0].removeprefix("\ufeff")
        self._headings = HeadingReader(lines, rst)
        self._above = Kind.BLANK
        ends = (number for number, line in enumerate(lines) if "-->" in line)
        self._last_comment_end = max(ends, default=-1)

    def blocks(self) -> Iterator[Block]:
        number = self._front_matter()
        if number:
            yield Block(Kind.FRONT, 0, number)
        while number < len(self._lines):
            block = self._block(number)
            yield block
            number, self._above = block.end, block.kind

    def _block(self, number: int) -> Block:
        readers: tuple[Callable[[int], Block | None], ...] = (
            self._blank, self._marker, self._fence, self._comment, self._heading, self._ruler,
            self._table, self._item,
        )  # fmt: skip
        found = (read(number) for read in readers)
        return next((block for block in found if block), None) or self._text(number)

    def _front_matter(self) -> int:
        mark = self._lines[0].rstrip() if self._lines else ""
        if mark not in ("---", "+++") or not _FRONT_KEY.match("".join(self._lines[1:2])):
            return 0
        for number in range(1, min(len(self._lines), _FRONT_LINES)):
            if self._lines[number].rstrip() in (mark, "..."):
                return number + 1
        return 0

    def _blank(self, number: int) -> Block | None:
        end = self._behind_blanks(number)
        return Block(Kind.BLANK, number, end) if end > number else None

    def _behind_blanks(self, number: int) -> int:
        while number < len(self._lines) and not self._lines[number].strip():
            number += 1
        return number

    def _marker(self, number: int) -> Block | None:
        found = parse_marker(self._lines[number])
        return Block(Kind.MARKER, number, number + 1) if found else None

    def _fence(self, number: int) -> Block | None:
        end = self._fence_end(number, self._lines[number])
        if end is None:
            return None
        kind = Kind.FENCE if end <= len(self._lines) else Kind.OPEN_FENCE
        return Block(kind, number, min(end, len(self._lines)))

    def _fence_end(self, number: int, line: str) -> int | None:
        """Return the line behind a fence; one behind the text's last where nothing closes it."""
        opened = _FENCE.match(line)
        if opened is None or (opened[1][0] == "`" and "`" in opened[2]):
            return None
        for place in range(number + 1, len(self._lines)):
            closing = _FENCE.match(self._lines[place])
            if closing and closing[1].startswith(opened[1]) and not closing[2].strip():
                return place + 1
        return len(self._lines) + 1

    def _comment(self, number: int) -> Block | None:
        if not self._begins_comment(number):
            return None
        end = number
        while "-->" not in self._lines[end]:
            end += 1
        return Block(Kind.TEXT, number, end + 1)

    def _begins_comment(self, number: int) -> bool:
        begins = self._lines[number].lstrip().startswith("<!--")
        return begins and number <= self._last_comment_end

    def _heading(self, number: int) -> Block | None:
        plain = self._above is not Kind.TEXT and not _ITEM.match(self._lines[number])
        found = self._headings.read(number, plain=plain)
        if found is None:
            return None
        return Block(Kind.HEADING, number, number + found.lines, found.level, found.title)

    def _ruler(self, number: int) -> Block | None:
        line = self._lines[number]
        signs = line.replace(" ", "").replace("\t", "")
        if len(signs) < _RULER_SIGNS or signs[0] not in _RULERS or signs.strip(signs[0]):
            return None
        return Block(Kind.RULER, number, number + 1)

    def _table(self, number: int) -> Block | None:
        if not self._begins_table(number):
            return None
        end = number + 1
        while end < len(self._lines) and ("|" in self._lines[end] or self._is_border(end)):
            end += 1
        return Block(Kind.TABLE, number, end)

    def _begins_table(self, number: int) -> bool:
        line = self._lines[number]
        if line.lstrip()[:1] == "|" or self._is_border(number):
            return True
        below = self._lines[number + 1].strip() if number + 1 < len(self._lines) else ""
        return "|" in line and "|" in below and "-" in below and not set(below) - set("|:- \t")

    def _is_border(self, number: int) -> bool:
        line = self._lines[number].strip()
        return line[:1] == "+" and len(line) > 1 and not set(line) - set("+-=")

    def _item(self, number: int) -> Block | None:
        item = _ITEM.match(self._lines[number])
        if item is None:
            return None
        indent, last = _columns(item[1]), len(self._lines)
        end = self._fence_end(number, self._lines[number][item.end() :]) or number + 1
        while end < last:
            following = self._behind_blanks(end)
            if following == last or not self._carries_on(following, indent, end):
                break
            end = self._fence_end(following, self._lines[following]) or following + 1
        return Block(Kind.ITEM if end <= last else Kind.OPEN_FENCE, number, min(end, last))

    def _carries_on(self, number: int, indent: int, end: int) -> bool:
        """Return whether a line belongs to the item that has come to `end`."""
        if _columns(self._lines[number]) > indent:
            return True
        # Text that follows without a gap carries the item on, as it does a paragraph.
        return number == end and not self._begins_another(number)

    def _begins_another(self, number: int) -> bool:
        """Return whether a line ends the paragraph above it."""
        line = self._lines[number]
        return (
            not line.strip()
            or _ITEM.match(line) is not None
            or _FENCE.match(line) is not None
            or atx_heading(line) is not None
            or date_heading(line) is not None
            or parse_marker(line) is not None
            or self._begins_comment(number)
            or self._begins_table(number)
            or self._ruler(number) is not None
        )

    def _text(self, number: int) -> Block:
        """Return a paragraph; where it begins with a date, each line that does begins another."""
        is_log = date_at_start(self._lines[number])[0] is not None
        end = number + 1
        while end < len(self._lines) and not self._begins_another(end):
            if is_log and date_at_start(self._lines[end])[0] is not None:
                break
            end += 1
        return Block(Kind.TEXT, number, end)


def _columns(line: str) -> int:
    """Return how many columns of white space a line begins with."""
    white = line[: len(line) - len(line.lstrip(" \t"))]
    return len(white.expandtabs(_TAB_COLUMNS))
