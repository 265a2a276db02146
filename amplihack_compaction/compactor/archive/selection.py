"""Choose what of a text goes to the archive: what is old, or what a file has too much of.

Never chosen are headings, front matter, fences that nothing closes, the sections with open work,
those of decisions and rules, and whatever states one.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archive.dated_sections import (
    DatedBlock,
    DatedSection,
    newest_date,
)
from amplihack_compaction.compactor.archive.dates import date_at_start
from amplihack_compaction.compactor.condense.documents import is_code_or_data
from amplihack_compaction.compactor.condense.kept_lines import (
    DECISION_HEADING,
    RULES_HEADING,
    is_decision,
    is_open_item,
    is_undone_list,
    speaks_of_always,
)
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.text.markdown import BlockKind
from amplihack_compaction.text.sentences import is_machine_line, machine_lines, sentences

DOCUMENT_ENDINGS = frozenset({"md", "markdown", "mdown", "mkd", "rst", "txt", "text", "log"})
_LINES_JUDGED = 400
_MACHINE_SHARE = 1 / 3

_TASK_FILE = re.compile(
    r"(?:^|[/_-])(?:tasks?|todos?|checklist|backlog)\.[a-z]{1,8}\Z", re.IGNORECASE
)

_QUOTING = " \t>|"
_LINE_CHARS = 2_000
_PROSE = frozenset({BlockKind.TEXT, BlockKind.ITEM, BlockKind.TABLE})
# The line that tells of the archive, and the blank one beside it.
_MARKER_LINES = 2


def is_document(path: str, text: str) -> bool:
    """Return whether a file is notes rather than code or data, by its name, else by its text."""
    name = path.rpartition("/")[2].casefold()
    stem, _, ending = name.rpartition(".")
    if stem and ending in DOCUMENT_ENDINGS:
        return True
    if is_code_or_data(name) or text.startswith("#!"):
        return False
    lines = [line for line in text.splitlines()[:_LINES_JUDGED] if line.strip()]
    return bool(lines) and sum(machine_lines(lines)) <= len(lines) * _MACHINE_SHARE


def states_decision_or_rule(text: str) -> bool:
    """Return whether a block of prose states a decision, or how things are always to be done."""
    return any(_is_kept_line(line) for line in text.splitlines())


def _is_kept_line(line: str) -> bool:
    _, said = date_at_start(line)
    said = said.lstrip(_QUOTING)[:_LINE_CHARS]
    if not said.strip() or is_machine_line(said):
        return False
    if speaks_of_always(said) or is_decision(said):
        return True
    return any(kind_of_rule(sentence) for sentence in sentences(said))


@dataclass(frozen=True, slots=True)
class Choice:
    """What goes: the first lines of its blocks; `whole` where nothing has to stay."""

    firsts: frozenset[int]
    whole: bool = False


def choose_old(sections: list[DatedSection], source: str, before: date) -> Choice:
    """Choose what has a date before this day; the newest dated content stays whatever its age."""
    newest = newest_date(sections)
    old = (
        block.block.first
        for section in sections
        for block in free_blocks(section, source, before, newest)
    )
    return Choice(frozenset(old))


def free_blocks(
    section: DatedSection, source: str, before: date = date.max, newest: date | None = None
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


def choose_all(sections: list[DatedSection], source: str) -> Choice:
    """Choose all of a text that may go, and the whole of it where nothing has to stay."""
    free = {each.block.first for section in sections for each in free_blocks(section, source)}
    content = {each.block.first for section in sections for each in section.content}
    return Choice(frozenset(free), whole=bool(content) and free == content)


def choose_overflow(sections: list[DatedSection], source: str, lines_over: int) -> Choice:
    """Choose so much that a text has this many lines less, if it has as much that may go.

    Dated content goes first, the oldest before the newer. Then sections without a date: as few
    as possible, and where one is enough the smallest that is. Text before the second heading,
    which says what all of it is about, and the newest dated content go last.
    """
    has_marker = any(
        each.block.kind is BlockKind.MARKER for section in sections for each in section.blocks
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


def _in_order(sections: list[DatedSection], source: str) -> list[list[_Unit]]:
    """Return units that go together, in groups: of a group those go that fit best."""
    newest = newest_date(sections)
    dated: dict[tuple[date, int], _Unit] = {}
    undated: list[_Unit] = []
    opening: _Unit = []
    headings = 0
    for number, section in enumerate(sections):
        headings += section.blocks[0].block.kind is BlockKind.HEADING
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


def _stays_whole(section: DatedSection, source: str) -> bool:
    """Return whether a section holds open work, or stands below decisions or rules.

    In a file of tasks, each list item that is not marked as done is open.
    """
    headings = (DECISION_HEADING, RULES_HEADING)
    if any(each.search(title) for each in headings for title in section.path):
        return True
    is_task_file = _TASK_FILE.search(source) is not None
    return is_open_item(section.text) or (is_task_file and is_undone_list(section.text))


def _stays(block: DatedBlock) -> bool:
    kind = block.block.kind
    return kind is BlockKind.OPEN_FENCE or (kind in _PROSE and states_decision_or_rule(block.text))
