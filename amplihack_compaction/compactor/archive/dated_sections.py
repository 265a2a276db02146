"""Split a text into sections with their dates: what its headings say, and what is below them.

A section's date is the newest that its heading holds, else that of the section above it. A block
that begins with a date of its own, an item or a line of a log, is no older than its section.
A heading with a date to come is of no age yet, nor is what stands below it.

Dates are read in the house's nine languages. Only what can be read in one way is one: `03/04/2026`
is none, nor is a day without its year.
"""

import re
import time
from dataclasses import dataclass, field
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import is_marker
from amplihack_compaction.compactor.backups.folder import FileImage
from amplihack_compaction.compactor.wording import month_numbers, words_for
from amplihack_compaction.text.markdown import (
    BULLET,
    CONTENT,
    Block,
    BlockKind,
    read_blocks,
    split_lines,
)

_YEAR = re.compile(r"[0-9]{4}")
_DATED_CHARS = 300
_START_CHARS = 120

_NUMBERS = month_numbers()
_NAME = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
_DATE = re.compile(
    r"(?<![\w.-])(?:"
    r"(?P<y1>[0-9]{4})-(?P<m1>[0-9]{2})-(?P<d1>[0-9]{2})(?![0-9]|-[0-9])"
    r"|(?P<y2>[0-9]{4})/(?P<m2>[0-9]{1,2})/(?P<d2>[0-9]{1,2})(?![\w/])"
    r"|(?P<d3>[0-9]{1,2})\.[ ]?(?P<m3>[0-9]{1,2})\.[ ]?(?P<y3>[0-9]{4})(?![\w.]*[0-9])"
    r"|(?P<d4>[0-9]{1,2})(?:st|nd|rd|th|er|\.|º)?[ /-](?:of |de )?"
    rf"(?P<m4>{_NAME})\.?(?:,? |[/-]| de | do )(?P<y4>[0-9]{{4}})(?![0-9])"
    rf"|(?P<m5>{_NAME})\.? (?P<d5>[0-9]{{1,2}})(?:st|nd|rd|th)?(?: {_CLOCK})?,? "
    r"(?P<y5>[0-9]{4})(?![0-9])"
    r"|(?P<y6>[0-9]{4})[年년] ?(?P<m6>[0-9]{1,2})[月월] ?(?P<d6>[0-9]{1,2})[日일]"
    r")",
    re.IGNORECASE,
)
_FORMS = 6
_WEEKDAY = words_for("weekdays")
_ZONE = r"(?:T|Z|UTC|GMT|CET|CEST|AM|PM|Uhr|h|\[0-9]{4})"
_BEFORE = re.compile(rf"[\W_]*(?:(?:on|le|am|el)\s)?(?:(?:{_WEEKDAY})[\W_]+)?", re.IGNORECASE)
_BULLET = re.compile(rf"[\s>]*{BULLET}\s+(?:\[[^\]\n]?\]\s+)?")
_CLOCKS = re.compile(rf"T?{_CLOCK}(?:[.,][0-9]+)?(?:Z|[+-][0-9]{{2}}:?[0-9]{{2}})?")
_BESIDE = re.compile(rf"\b(?:{_WEEKDAY}|{_ZONE})\b|[\W_]+", re.IGNORECASE)


def dates_in(text: str) -> list[date]:
    """Return the dates of a text's first 300 characters, in order; impossible ones are none."""
    found = (_value(match) for match in _DATE.finditer(text[:_DATED_CHARS]))
    return [each for each in found if each is not None]


def date_at_start(line: str) -> tuple[date | None, str]:
    """Return the date that a line or list item begins with, and what the line says behind it.

    Bullets, boxes, brackets, emphasis and a weekday may stand before it, a time of day behind
    it. Without a date, the line itself comes back.
    """
    head = line[:_START_CHARS]
    if _YEAR.search(head) is None:
        return None, line
    for start in (0, _bullet_end(head)):
        match = _DATE.search(head, start)
        if match is None or _BEFORE.fullmatch(head, start, match.start()) is None:
            continue
        value = _value(match)
        if value is not None:
            rest = line[match.end() :]
            clock = _CLOCKS.match(rest.lstrip())
            return value, rest.lstrip()[clock.end() :] if clock else rest
    return None, line


def is_only_a_date(line: str) -> bool:
    """Return whether a line holds a date and nothing else but a weekday and a time of day.

    A list item does not: it belongs to what is indented below it.
    """
    if len(line) > _START_CHARS or _YEAR.search(line) is None:
        return False
    if dates_in(line[_bullet_end(line) or len(line) :]):
        return False
    match = _DATE.search(line)
    if match is None or _value(match) is None:
        return False
    rest = _CLOCKS.sub(" ", f"{line[: match.start()]} {line[match.end() :]}")
    return not _BESIDE.sub("", rest)


def _bullet_end(head: str) -> int:
    bullet = _BULLET.match(head)
    return bullet.end() if bullet else 0


def _value(match: "re.Match[str]") -> date | None:
    for form in range(1, _FORMS + 1):
        year = match[f"y{form}"]
        if year is not None:
            month = match[f"m{form}"].casefold()
            # A letter may match without being one of the name's own: the dotless i.
            number = int(month) if month.isdecimal() else _NUMBERS.get(month, 0)
            try:
                return date(int(year), number, int(match[f"d{form}"]))
            except ValueError:
                return None
    return None


def last_change(image: FileImage) -> date:
    """Return the local day on which a file was written last; none lies ahead."""
    seconds = image.status.st_mtime_ns / 10**9
    return date.fromtimestamp(min(max(seconds, 0.0), time.time()))


@dataclass(frozen=True, slots=True)
class DatedBlock:
    """A block of a text, its date where it has one, and the text itself.

    `is_to_come` where its date, or that of its heading, lies ahead; then it has no other.
    """

    block: Block
    date: date | None
    is_to_come: bool
    text: str


@dataclass(frozen=True, slots=True)
class DatedSection:
    """A heading and what stands below it, up to the next heading of any level.

    `path` are the titles from the highest down to its own; what stands above the first heading
    has none. The heading, where there is one, is its first block.
    """

    path: tuple[str, ...]
    blocks: list[DatedBlock] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The section's text, to the byte."""
        return "".join(block.text for block in self.blocks)

    @property
    def content(self) -> list[DatedBlock]:
        """The blocks that say something: no headings, blank lines, rulers and markers."""
        return [each for each in self.blocks if each.block.kind in CONTENT]


def split_sections(text: str, today: date, *, rst: bool = False) -> list[DatedSection]:
    """Return a text's sections in order; their texts joined are the text.

    Dates after `today`, impossible ones and those that can be read in two ways are none. `rst`
    reads reStructuredText's headings. Takes time linear in the text.
    """
    lines = split_lines(text)
    blocks = read_blocks(
        lines,
        rst=rst,
        is_marker=is_marker,
        is_title=is_only_a_date,
        begins_entry=lambda line: date_at_start(line)[0] is not None,
    )
    sections: list[DatedSection] = []
    headings: list[tuple[Block, date | None]] = []  # those that the current section stands below
    for block in blocks:
        if block.kind is BlockKind.HEADING:
            while headings and headings[-1][0].level >= block.level:
                headings.pop()
            inherited = headings[-1][1] if headings else None
            headings.append((block, max(dates_in(block.title), default=inherited)))
        if block.kind is BlockKind.HEADING or not sections:
            sections.append(DatedSection(tuple(each.title for each, _ in headings)))
        above = headings[-1][1] if headings else None
        sections[-1].blocks.append(_dated(block, lines, above, today))
    return sections


def newest_date(sections: list[DatedSection]) -> date | None:
    """Return the newest date of what sections hold below their headings; None without any."""
    dates = (each.date for section in sections for each in section.content)
    return max((each for each in dates if each is not None), default=None)


def _dated(block: Block, lines: list[str], above: date | None, today: date) -> DatedBlock:
    text = "".join(lines[block.first : block.end])
    if block.kind not in CONTENT:
        return DatedBlock(block, None, False, text)
    begins = block.kind in (BlockKind.ITEM, BlockKind.TEXT)
    own = date_at_start(lines[block.first])[0] if begins else None
    newest = max((each for each in (own, above) if each is not None), default=None)
    is_to_come = newest is not None and newest > today
    return DatedBlock(block, None if is_to_come else newest, is_to_come, text)
