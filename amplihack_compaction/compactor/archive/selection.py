"""Choose what of a text goes to the archive, and cut it out, with one line in its place.

That is what is old, or what a file has too much of.

Never chosen are headings, front matter, fences that nothing closes, the sections with open work,
those of decisions and rules, and whatever states one. A choice is the first lines of its blocks.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import (
    ArchivedPart,
    DatedBy,
    marker_of,
)
from amplihack_compaction.compactor.archive.dated_sections import (
    DatedBlock,
    DatedSection,
    date_at_start,
    newest_date,
)
from amplihack_compaction.compactor.backups.folder import digest_of
from amplihack_compaction.compactor.condense.documents import is_code_or_data
from amplihack_compaction.compactor.condense.kept_lines import (
    DECISION_HEADING,
    RULES_HEADING,
    is_decision,
    is_open_item,
    is_undone_list,
    speaks_of_always,
)
from amplihack_compaction.context.tokens.estimate import estimate_part
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.text.markdown import BlockKind, split_lines
from amplihack_compaction.text.sentences import is_machine_line, machine_lines, sentences

_NOTE_ENDINGS = frozenset({"md", "markdown", "mdown", "mkd", "rst", "txt", "text", "log"})
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

Unit = list[DatedBlock]
"""Blocks that go together."""


def is_document(path: str, text: str) -> bool:
    """Return whether a file is notes rather than code or data, by its name, else by its text."""
    name = path.rpartition("/")[2].casefold()
    stem, _, ending = name.rpartition(".")
    if stem and ending in _NOTE_ENDINGS:
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


def choose_old(sections: list[DatedSection], source: str, before: date) -> set[int]:
    """Choose what has a date before this day; the newest dated content stays whatever its age."""
    newest = newest_date(sections)
    chosen: set[int] = set()
    for section in sections:
        old = [each for each in section.content if each.date and newest != each.date < before]
        chosen.update(each.block.first for each in free_blocks(section, source, old))
    return chosen


def choose_all(sections: list[DatedSection], source: str) -> set[int]:
    """Choose all of a text that may go."""
    return {
        each.block.first
        for section in sections
        for each in free_blocks(section, source, section.content)
    }


def free_blocks(section: DatedSection, source: str, blocks: Unit) -> Unit:
    """Return those of a section's blocks that may go."""
    if not blocks or _stays_whole(section, source):
        return []
    return [each for each in blocks if not each.is_to_come and not _stays(each)]


def choose_overflow(sections: list[DatedSection], source: str, lines_over: int) -> set[int]:
    """Choose so much that a text has this many lines less, if it has as much that may go.

    Dated content goes first, the oldest before the newer. Then sections without a date: as few
    as possible, and where one is enough the smallest that is. Text before the second heading,
    which says what all of it is about, and the newest dated content go last.
    """
    kinds = {each.block.kind for section in sections for each in section.blocks}
    need = lines_over if BlockKind.MARKER in kinds else lines_over + _MARKER_LINES
    chosen: set[int] = set()
    for group in _in_order(sections, source):
        for unit in _fewest(group, need):
            chosen.update(each.block.first for each in unit)
            need -= _size(unit)
    return chosen


def _in_order(sections: list[DatedSection], source: str) -> list[list[Unit]]:
    """Return units in groups: of a group those go that fit best."""
    newest = newest_date(sections)
    dated: dict[tuple[date, int], Unit] = {}
    undated: list[Unit] = []
    opening: Unit = []
    headings = 0
    for number, section in enumerate(sections):
        headings += section.blocks[0].block.kind is BlockKind.HEADING
        rest = []
        for each in free_blocks(section, source, section.content):
            if each.date is not None:
                dated.setdefault((each.date, number), []).append(each)
            else:
                rest.append(each)
        if headings <= 1:
            opening += rest
        elif rest:
            undated.append(rest)
    by_age = [[dated[key]] for key in sorted(dated) if key[0] != newest]
    last = [[unit] for (day, _), unit in dated.items() if day == newest]
    return [*by_age, undated, [opening], *last]


def _fewest(units: list[Unit], need: int) -> Iterator[Unit]:
    """Yield as few units as give so many lines, and at the end the smallest that suffices."""
    # Of two as large, the later one goes: what comes first in a text is what matters most.
    rest = sorted(filter(None, units), key=lambda unit: (_size(unit), -unit[0].block.first))
    while rest and need > 0:
        wanted = min(need, _size(rest[-1]))
        unit = rest.pop(bisect_left(rest, wanted, key=_size))
        need -= _size(unit)
        yield unit


def _size(unit: Unit) -> int:
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


_PASSED_OVER = frozenset({BlockKind.BLANK, BlockKind.RULER})


@dataclass(frozen=True, slots=True)
class Cut:
    """Parts with their contents, and the text without them; None where the file is to go."""

    parts: list[tuple[ArchivedPart, str]]
    text: str | None


@dataclass(slots=True)
class _Run:
    """Neighbouring blocks of one section that go together, from `first` up to `end` of all."""

    heading: tuple[str, ...]
    first: int
    end: int
    dates: list[date]


def cut_whole(source: str, text: str, changed: date) -> Cut:
    """Return the cut that takes a whole file away."""
    return Cut([(_part(source, _Run((), 0, 0, []), changed, text, 0, whole=True), text)], None)


def cut_blocks(
    source: str, sections: list[DatedSection], chosen: Collection[int], changed: date
) -> Cut:
    """Cut the blocks that begin at these lines out of a text.

    What has no date of its own gets that of the file's last change. The line that tells of it
    stands where the oldest part stood, or is the one that is there already.
    """
    blocks = [each for section in sections for each in section.blocks]
    kinds = [each.block.kind for each in blocks]
    pieces = [each.text for each in blocks]
    runs = _runs(sections, chosen)
    if not runs:
        return Cut([], "".join(pieces))
    has_marker = BlockKind.MARKER in kinds
    oldest = min(runs, key=lambda run: (min(run.dates, default=changed), run.first))
    parts: list[tuple[ArchivedPart, str]] = []
    for run in runs:
        end = run.end
        stands_alone = run.first == 0 or kinds[run.first - 1] is BlockKind.BLANK
        gap_behind = kinds[end : end + 1] == [BlockKind.BLANK]
        # Of two gaps that would meet, one goes along, but for where a line of ours will stand.
        if stands_alone and gap_behind and (has_marker or run is not oldest):
            end += 1
        content = "".join(pieces[run.first : end])
        parts.append((_part(source, run, changed, content, blocks[run.first].block.first), content))
        pieces[run.first : end] = [""] * (end - run.first)
    if not has_marker:
        pieces[oldest.first] = marker_of(source) + _line_end(blocks[oldest.end - 1].text)
    return Cut(parts, "".join(pieces))


def _runs(sections: list[DatedSection], chosen: Collection[int]) -> list[_Run]:
    runs = []
    place = 0
    for section in sections:
        run: _Run | None = None
        for each in section.blocks:
            if each.block.first in chosen:
                if run is None:
                    run = _Run(section.path, place, place, [])
                    runs.append(run)
                run.end = place + 1
                run.dates += [each.date] if each.date else []
            elif each.block.kind not in _PASSED_OVER:
                run = None
            place += 1
    return runs


def _part(
    source: str, run: _Run, changed: date, content: str, line: int, *, whole: bool = False
) -> ArchivedPart:
    return ArchivedPart(
        source=source,
        heading=run.heading,
        first=min(run.dates, default=changed),
        last=max(run.dates, default=changed),
        dated_by=DatedBy.TEXT if run.dates else DatedBy.MTIME,
        line=line + 1,
        lines=len(split_lines(content)),
        digest=digest_of(content.encode()),
        tokens=max(1, estimate_part(content)),
        whole=whole,
    )


def _line_end(text: str) -> str:
    """Return what a text's last line ends in."""
    lines = split_lines(text)
    return lines[-1][len(lines[-1].rstrip("\r\n")) :] if lines else ""
