"""Choose what of a text goes to the archive: what is old, or what a file has too much of.

Never chosen are headings, front matter, fences that nothing closes, the sections with open work,
those of decisions and rules, and whatever states one.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archives.blocks import Kind
from amplihack_compaction.compactor.archives.protection import (
    is_kept_heading,
    keeps_its_section,
    states_decision_or_rule,
)
from amplihack_compaction.compactor.pruning.sections import DatedBlock, Section, newest_date

_PROSE = frozenset({Kind.TEXT, Kind.ITEM, Kind.TABLE})
# The line that tells of the archive, and the blank one beside it.
_MARKER_LINES = 2


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes: the first lines of its blocks; `whole` where nothing has to stay."""

    firsts: frozenset[int]
    whole: bool = False


def choose_old(sections: list[Section], source: str, before: date) -> Choice:
    """Choose what has a date before this day; the newest dated content stays whatever its age."""
    newest = newest_date(sections)
    old = (
        block.block.first
        for section in sections
        for block in free_blocks(section, source, before, newest)
    )
    return Choice(frozenset(old))


def free_blocks(
    section: Section, source: str, before: date = date.max, newest: date | None = None
) -> Iterator[DatedBlock]:
    """Yield a section's blocks of before a day that may go; without a day all that may."""
    aged = [
        each
        for each in section.content
        if not each.is_to_come
        and (before == date.max or (each.date is not None and newest != each.date < before))
    ]
    if aged and not _stays_whole(section, source):
        yield from (each for each in aged if not _stays(each))


def choose_all(sections: list[Section], source: str) -> Choice:
    """Choose all of a text that may go, and the whole of it where nothing has to stay."""
    free = {each.block.first for section in sections for each in free_blocks(section, source)}
    content = {each.block.first for section in sections for each in section.content}
    return Choice(frozenset(free), whole=bool(content) and free == content)


def choose_overflow(sections: list[Section], source: str, lines_over: int) -> Choice:
    """Choose so much that a text has this many lines less, if it has as much that may go.

    Dated content goes first, the oldest before the newer. Then sections without a date: as few
    as possible, and where one is enough the smallest that is. Text before the second heading,
    which says what all of it is about, and the newest dated content go last.
    """
    has_marker = any(
        each.block.kind is Kind.MARKER for section in sections for each in section.blocks
    )
    need = lines_over if has_marker else lines_over + _MARKER_LINES
    chosen: set[int] = set()
    for group in _in_order(sections, source):
        for blocks in _fewest(group, need) if len(group) > 1 else group:
            if need <= 0:
                return Choice(frozenset(chosen))
            chosen.update(each.block.first for each in blocks)
            need -= _size(blocks)
    return Choice(frozenset(chosen))


_Unit = list[DatedBlock]


def _in_order(sections: list[Section], source: str) -> list[list[_Unit]]:
    """Return units that go together, in groups: of a group those go that fit best."""
    newest = newest_date(sections)
    dated: dict[tuple[date, int], _Unit] = {}
    undated: list[_Unit] = []
    opening: _Unit = []
    headings = 0
    for number, section in enumerate(sections):
        headings += section.blocks[0].block.kind is Kind.HEADING
        free = list(free_blocks(section, source))
        for each in free:
            if each.date is not None:
                dated.setdefault((each.date, number), []).append(each)
        rest = [each for each in free if each.date is None]
        if headings <= 1:
            opening += rest
        elif rest:
            undated.append(rest)
    by_age = [[dated[key]] for key in sorted(dated) if key[0] != newest]
    last = [[unit] for (day, _), unit in dated.items() if day == newest]
    return [*by_age, undated, [opening], *last]


def _fewest(units: list[_Unit], need: int) -> Iterator[_Unit]:
    """Yield as few units as give so many lines, and at the end the smallest that suffices."""
    # Of two as large, the later one goes: what comes first in a text is what matters most.
    rest = sorted(units, key=lambda unit: (_size(unit), -unit[0].block.first))
    while rest and need > 0:
        wanted = min(need, _size(rest[-1]))
        unit = rest.pop(bisect_left(rest, wanted, key=_size))
        need -= _size(unit)
        yield unit


def _size(unit: _Unit) -> int:
    return sum(each.block.end - each.block.first for each in unit)


def _stays_whole(section: Section, source: str) -> bool:
    return any(map(is_kept_heading, section.path)) or keeps_its_section(section.text, source)


def _stays(block: DatedBlock) -> bool:
    kind = block.block.kind
    return kind is Kind.OPEN_FENCE or (kind in _PROSE and states_decision_or_rule(block.text))
