"""Split a text into sections with their dates: what its headings say, and what is below them.

A section's date is the newest that its heading holds, else that of the section above it. A block
that begins with a date of its own, an item or a line of a log, is no older than its section.
A heading with a date to come is of no age yet, nor is what stands below it.
"""

from dataclasses import dataclass, field
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import is_marker
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
