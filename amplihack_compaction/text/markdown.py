"""Read notes as people write them: the headings, fences, lists and tables of Markdown.

Headings and tables of reStructuredText and logs are understood too. `read_blocks` takes a whole
text apart into blocks that are never cut, whose lines joined are the text; the other functions tell
of single lines. What is read here are files. Prompts and answers are read elsewhere, where
more is taken for a list item, since people type what no renderer will see.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

BULLET = r"(?:[-*+•‣▪–]|[0-9]{1,9}[.)、])"
"""The pattern of what a list item begins with."""

DATE_LEVEL = 7
"""The level of a line that a caller takes for a heading: below every other."""

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_ITEM = re.compile(rf"([ \t]*){BULLET}(?:[ \t]+(?=\S)|[ \t]*\Z)")
_BOX = re.compile(r"\[(.)\](?:\s+|\Z)")
_FENCE = re.compile(r"([ \t>]{0,40})(`{3,}|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\Z)")
_UNDERLINES = frozenset("=-~^\"'*+#<>:.`_")
_MARKDOWN_LEVELS = {"=": 1, "-": 2}
_UNDERLINE_CHARS = 3
_TITLE_CHARS = 300
# Code, quotations and tables.
_NO_TITLES = ("    ", "\t", ">", "|")
_FRONT_KEY = re.compile(r"[\w\"'.-]{1,80}\s{0,8}[:=]")
# What goes on for longer is no front matter, but text below a ruler.
_FRONT_LINES = 200
_RULERS = frozenset("-*_")
_RULER_SIGNS = 3
_TAB_COLUMNS = 4


class BlockKind(Enum):
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


CONTENT = frozenset(
    {BlockKind.FENCE, BlockKind.OPEN_FENCE, BlockKind.TABLE, BlockKind.ITEM, BlockKind.TEXT}
)
"""The kinds that say something themselves."""


@dataclass(frozen=True, slots=True)
class Block:
    """Lines from `first` up to, not including, `end`; only a heading has a level and a title."""

    kind: BlockKind
    first: int
    end: int
    level: int = 0
    title: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of so many lines; level 1 is the highest."""

    lines: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Fence:
    """The line that opens fenced text; `info` names its language, where it does."""

    indent: str
    mark: str
    info: str


@dataclass(frozen=True, slots=True)
class ListItem:
    """A list item's first line: what it says, and the sign in its box, empty without one."""

    text: str
    box: str = ""


def _never(_line: str) -> bool:
    return False


def split_lines(text: str) -> list[str]:
    """Return the lines with their ends: CR, LF or CR LF."""
    return _LINE.findall(text)


def read_blocks(
    lines: list[str],
    *,
    rst: bool = False,
    is_marker: Callable[[str], bool] = _never,
    is_title: Callable[[str], bool] = _never,
    begins_entry: Callable[[str], bool] = _never,
) -> list[Block]:
    """Return the blocks of a text's lines, in order and without gaps, in linear time.

    `rst` also takes underlines other than Markdown's for those of headings. A caller may know
    lines that stand alone (`is_marker`), lines that are headings of their own (`is_title`), and
    those that begin another entry of a log, where its first line is one (`begins_entry`).
    """
    bare = [line.rstrip("\r\n") for line in lines]
    bare[:1] = [line.removeprefix("\ufeff") for line in bare[:1]]
    headings = HeadingReader(bare, rst, is_title)
    return list(_BlockReader(bare, headings, is_marker, begins_entry).blocks())


def list_item(line: str) -> ListItem | None:
    """Return the list item that a line begins; None when it begins none."""
    item = _ITEM.match(line)
    if item is None:
        return None
    box = _BOX.match(line, item.end())
    return ListItem(line[box.end() :], box[1]) if box else ListItem(line[item.end() :])


def atx_heading(line: str) -> Heading | None:
    """Return the heading that a line with number signs is."""
    match = _ATX.match(line)
    if match is None:
        return None
    title = line[match.end() :].strip()
    return Heading(1, len(match[1]), title.rstrip("#").rstrip()[:_TITLE_CHARS])


def fence_at(line: str) -> Fence | None:
    """Return the fence that a line opens; None when it opens none."""
    opened = _FENCE.match(line)
    if opened is None or (opened[2][0] == "`" and "`" in opened[3]):
        return None
    return Fence(*opened.groups())


def fence_end(lines: list[str], number: int, fence: Fence) -> int:
    """Return the line behind a fence; one behind the text's last where nothing closes it."""
    for place in range(number + 1, len(lines)):
        closing = _FENCE.match(lines[place])
        if closing and closing[2].startswith(fence.mark) and not closing[3].strip():
            return place + 1
    return len(lines) + 1


def front_matter_end(lines: list[str]) -> int:
    """Return the line behind YAML or TOML front matter; 0 when there is none."""
    mark = lines[0].lstrip("\ufeff").rstrip() if lines else ""
    if mark not in ("---", "+++") or not _FRONT_KEY.match("".join(lines[1:2])):
        return 0
    for number in range(1, min(len(lines), _FRONT_LINES)):
        if lines[number].rstrip() in (mark, "..."):
            return number + 1
    return 0


@dataclass(slots=True)
class HeadingReader:
    """Reads the headings of one text, given as lines without their ends.

    `rst` also takes underlines other than Markdown's; their levels are in order of appearance.
    """

    lines: list[str]
    rst: bool = False
    is_title: Callable[[str], bool] = _never
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
            or self.titled(self.lines[number])
        )

    def titled(self, line: str) -> Heading | None:
        """Return the heading that the caller takes a line for."""
        if line.startswith(_NO_TITLES) or not self.is_title(line):
            return None
        return Heading(1, DATE_LEVEL, line.strip())

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
        if not sign or not title or self._line_sign(number) or title.startswith(_NO_TITLES):
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


@dataclass(slots=True)
class _BlockReader:
    """Reads the blocks of one text; each method is given the line to begin at."""

    _lines: list[str]
    _headings: HeadingReader
    _is_marker: Callable[[str], bool]
    _begins_entry: Callable[[str], bool]
    _above: BlockKind = BlockKind.BLANK
    _last_comment_end: int = -1

    def blocks(self) -> Iterator[Block]:
        """Yield the blocks."""
        ends = (number for number, line in enumerate(self._lines) if "-->" in line)
        self._last_comment_end = max(ends, default=-1)
        number = front_matter_end(self._lines)
        if number:
            yield Block(BlockKind.FRONT, 0, number)
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

    def _blank(self, number: int) -> Block | None:
        end = self._behind_blanks(number)
        return Block(BlockKind.BLANK, number, end) if end > number else None

    def _behind_blanks(self, number: int) -> int:
        while number < len(self._lines) and not self._lines[number].strip():
            number += 1
        return number

    def _marker(self, number: int) -> Block | None:
        found = self._is_marker(self._lines[number])
        return Block(BlockKind.MARKER, number, number + 1) if found else None

    def _fence(self, number: int) -> Block | None:
        end = self._fence_end(number, self._lines[number])
        if end is None:
            return None
        kind = BlockKind.FENCE if end <= len(self._lines) else BlockKind.OPEN_FENCE
        return Block(kind, number, min(end, len(self._lines)))

    def _fence_end(self, number: int, line: str) -> int | None:
        """Return the line behind the fence that a line, or a list item on it, opens."""
        fence = fence_at(line)
        return fence_end(self._lines, number, fence) if fence else None

    def _comment(self, number: int) -> Block | None:
        if not self._begins_comment(number):
            return None
        end = number
        while "-->" not in self._lines[end]:
            end += 1
        return Block(BlockKind.TEXT, number, end + 1)

    def _begins_comment(self, number: int) -> bool:
        begins = self._lines[number].lstrip().startswith("<!--")
        return begins and number <= self._last_comment_end

    def _heading(self, number: int) -> Block | None:
        plain = self._above is not BlockKind.TEXT and not _ITEM.match(self._lines[number])
        found = self._headings.read(number, plain=plain)
        if found is None:
            return None
        return Block(BlockKind.HEADING, number, number + found.lines, found.level, found.title)

    def _ruler(self, number: int) -> Block | None:
        line = self._lines[number]
        signs = line.replace(" ", "").replace("\t", "")
        if len(signs) < _RULER_SIGNS or signs[0] not in _RULERS or signs.strip(signs[0]):
            return None
        return Block(BlockKind.RULER, number, number + 1)

    def _table(self, number: int) -> Block | None:
        if not self._begins_table(number):
            return None
        end = number + 1
        while end < len(self._lines) and ("|" in self._lines[end] or self._is_border(end)):
            end += 1
        return Block(BlockKind.TABLE, number, end)

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
        return Block(
            BlockKind.ITEM if end <= last else BlockKind.OPEN_FENCE, number, min(end, last)
        )

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
            or self._headings.titled(line) is not None
            or self._is_marker(line)
            or self._begins_comment(number)
            or self._begins_table(number)
            or self._ruler(number) is not None
        )

    def _text(self, number: int) -> Block:
        """Return a paragraph; where its line begins an entry, each that does begins another."""
        is_log = self._begins_entry(self._lines[number])
        end = number + 1
        while end < len(self._lines) and not self._begins_another(end):
            if is_log and self._begins_entry(self._lines[end]):
                break
            end += 1
        return Block(BlockKind.TEXT, number, end)


def _columns(line: str) -> int:
    """Return how many columns of white space a line begins with."""
    white = line[: len(line) - len(line.lstrip(" \t"))]
    return len(white.expandtabs(_TAB_COLUMNS))
