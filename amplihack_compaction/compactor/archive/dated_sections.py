"""Split a text into sections with their dates: what its headings say, and what is below them.

A section's date is the newest that its heading holds, else that of the section above it. A block
that begins with a date of its own, an item or a line of a log, is no older than its section.
A heading with a date to come is of no age yet, nor is what stands below it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import parse_marker
from amplihack_compaction.compactor.archive.dates import date_at_start, dates_in, is_only_a_date
from amplihack_compaction.text.markdown import CONTENT, Block, BlockKind, read_blocks, split_lines


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
    blocks: tuple[DatedBlock, ...]

    @property
    def text(self) -> str:
        """The section's text, to the byte."""
        return "".join(block.text for block in self.blocks)

    @property
    def content(self) -> list[DatedBlock]:
        """The blocks that say something: no headings, blank lines, rulers and markers."""
        return [each for each in self.blocks if each.block.kind in CONTENT]


@dataclass(frozen=True, slots=True)
class _Above:
    """An open section: `is_to_come` where its heading's date lies ahead."""

    level: int
    title: str
    date: date | None
    is_to_come: bool


_NOTHING_ABOVE = _Above(0, "", None, False)


def split_sections(text: str, today: date, *, rst: bool = False) -> list[DatedSection]:
    """Return a text's sections in order; their texts joined are the text.

    Dates after `today`, impossible ones and those that can be read in two ways are none. `rst`
    reads reStructuredText's headings. Takes time linear in the text.
    """
    lines = split_lines(text)
    sections: list[DatedSection] = []
    open_above: list[_Above] = []
    for blocks in _by_heading(_read(lines, rst=rst)):
        heading = blocks[0]
        if heading.kind is BlockKind.HEADING:
            while open_above and open_above[-1].level >= heading.level:
                open_above.pop()
            open_above.append(_opened(heading, open_above[-1:], today))
        sections.append(_section(blocks, lines, open_above, today))
    return sections


def _read(lines: list[str], *, rst: bool) -> list[Block]:
    """Return the blocks; a line that is only a date is a heading, and an archive's line alone."""
    return read_blocks(
        lines,
        rst=rst,
        is_marker=lambda line: parse_marker(line) is not None,
        is_title=is_only_a_date,
        begins_entry=lambda line: date_at_start(line)[0] is not None,
    )


def newest_date(sections: list[DatedSection]) -> date | None:
    """Return the newest date of what sections hold below their headings; None without any."""
    dates = (each.date for section in sections for each in section.content)
    return max((each for each in dates if each is not None), default=None)


def _by_heading(blocks: list[Block]) -> Iterator[list[Block]]:
    run: list[Block] = []
    for block in blocks:
        if block.kind is BlockKind.HEADING and run:
            yield run
            run = []
        run.append(block)
    if run:
        yield run


def _opened(heading: Block, above: list[_Above], today: date) -> _Above:
    written = dates_in(heading.title)
    if written:
        newest = max(written)
        to_come = newest > today
        return _Above(heading.level, heading.title, None if to_come else newest, to_come)
    inherited = above[0] if above else _NOTHING_ABOVE
    return _Above(heading.level, heading.title, inherited.date, inherited.is_to_come)


def _section(
    blocks: list[Block], lines: list[str], open_above: list[_Above], today: date
) -> DatedSection:
    at = open_above[-1] if open_above else _NOTHING_ABOVE
    path = tuple(each.title for each in open_above)
    return DatedSection(path, tuple(_dated(block, lines, at, today) for block in blocks))


def _dated(block: Block, lines: list[str], at: _Above, today: date) -> DatedBlock:
    text = "".join(lines[block.first : block.end])
    if block.kind not in CONTENT or at.is_to_come:
        return DatedBlock(block, None, at.is_to_come, text)
    own = None
    if block.kind in (BlockKind.ITEM, BlockKind.TEXT):
        own, _ = date_at_start(lines[block.first])
    if own is not None and own > today:
        return DatedBlock(block, None, True, text)
    newest = max((each for each in (own, at.date) if each is not None), default=None)
    return DatedBlock(block, newest, False, text)
