"""Choose what of a text goes to the archive, and cut it out, with one line in its place.

That is what is old, or what a file has too much of.

Never chosen are headings, front matter, fences that nothing closes, the sections with open work,
those of decisions and rules, and whatever states one.

A section's date is the newest that its heading holds, else that of the section above it. A block
that begins with a date of its own, an item or a line of a log, is no older than its section.
A heading with a date to come is of no age yet, nor is what stands below it. Dates are read in the
house's nine languages. Only what can be read in one way is one: `03/04/2026` is none, nor is a day
without its year.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from operator import attrgetter

from amplihack_compaction.compactor.archive.archive_folder import ArchivedPart, is_marker, marker_of
from amplihack_compaction.compactor.backups.folder import FileImage, digest_of
from amplihack_compaction.compactor.condense.documents import is_code_or_data
from amplihack_compaction.compactor.condense.kept_lines import (
    DECISION_HEADING,
    RULES_HEADING,
    is_decision,
    is_open_item,
    is_undone_list,
    month_numbers,
    speaks_of_always,
    words_for,
)
from amplihack_compaction.context.estimate import estimate_part
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.text.markdown import (
    BULLET,
    CONTENT,
    Block,
    BlockKind,
    read_blocks,
    split_lines,
)
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
_PASSED_OVER = frozenset({BlockKind.BLANK, BlockKind.RULER})
# The line that tells of the archive, and the blank one beside it.
_MARKER_LINES = 2

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
    form = next(form for form in range(1, _FORMS + 1) if match[f"y{form}"])
    month = match[f"m{form}"].casefold()
    # A letter may match without being one of the name's own: the dotless i.
    number = int(month) if month.isdecimal() else _NUMBERS.get(month, 0)
    try:
        return date(int(match[f"y{form}"]), number, int(match[f"d{form}"]))
    except ValueError:
        return None


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
    for line in text.splitlines():
        said = date_at_start(line)[1].lstrip(_QUOTING)[:_LINE_CHARS]
        if not said.strip() or is_machine_line(said):
            continue
        if speaks_of_always(said) or is_decision(said) or any(map(kind_of_rule, sentences(said))):
            return True
    return False


def last_change(image: FileImage) -> date:
    """Return the local day on which a file was written last; none lies ahead."""
    seconds = image.status.st_mtime_ns / 10**9
    return date.fromtimestamp(min(max(seconds, 0.0), time.time()))


@dataclass(frozen=True, slots=True)
class Cut:
    """Parts with their contents, and the text without them; None where the file is to go."""

    parts: list[tuple[ArchivedPart, str]]
    text: str | None


@dataclass(frozen=True, slots=True)
class DatedBlock:
    """A block of a text and what it says, below which headings, and its date where it has one.

    `headings` are the titles from the highest down to its section's own; sections are numbered, and
    what stands above the first heading is number 0. `is_to_come` where its date, or that of its
    heading, lies ahead; then it has no other.
    """

    block: Block
    text: str
    section: int
    headings: tuple[str, ...]
    date: date | None
    is_to_come: bool


Unit = list[DatedBlock]
"""Blocks that go together."""


class DatedText:
    """A text's blocks in order, whose texts joined are it; what of them may go, and the cut of it.

    Dates after `today`, impossible ones and those that can be read in two ways are none. `newest`
    is that of what stands below headings; None without any. Takes time linear in the text.
    """

    def __init__(self, source: str, text: str, today: date) -> None:
        """Read the text of the file that `source` names, a path below its folder."""
        self._source = source
        self.blocks = list(_read_blocks(split_lines(text), today, rst=source.endswith(".rst")))
        self.content = [each for each in self.blocks if each.block.kind in CONTENT]
        self.newest = max((each.date for each in self.content if each.date), default=None)
        self._kinds = [each.block.kind for each in self.blocks]
        staying = {
            number
            for number, section in groupby(self.blocks, attrgetter("section"))
            if _stays_whole(list(section), source)
        }
        self._free = [
            each
            for each in self.content
            if not (each.is_to_come or each.section in staying or _stays(each))
        ]

    def cut_old(self, before: date, changed: date) -> Cut:
        """Cut what has a date before a day; the newest dated content stays whatever its age.

        A text without dates is as old as its file's last change, and goes whole where nothing of it
        has to stay.
        """
        if self.newest is not None:
            old = [each for each in self._free if each.date and self.newest != each.date < before]
            return self._cut(old, changed)
        old = self._free if changed < before else []
        if not old or len(old) < len(self.content):
            return self._cut(old, changed)
        text = "".join(each.text for each in self.blocks)
        return Cut([(self._part([], changed, text), text)], None)

    def cut_overflow(self, lines_over: int, changed: date) -> Cut:
        """Cut so much that the text has this many lines less, if it has as much that may go.

        Dated content goes first, the oldest before the newer. Then sections without a date: as few
        as possible, and where one is enough the smallest that is. Text before the second heading,
        which says what all of it is about, and the newest dated content go last.
        """
        need = lines_over if BlockKind.MARKER in self._kinds else lines_over + _MARKER_LINES
        chosen: Unit = []
        for group in self._in_order():
            for unit in _fewest(group, need):
                chosen += unit
                need -= _size(unit)
        return self._cut(chosen, changed)

    def _in_order(self) -> list[list[Unit]]:
        """Return units in groups: of a group those go that fit best."""
        dated: dict[tuple[date, int], Unit] = {}
        undated: dict[int, Unit] = {}
        for each in self._free:
            if each.date is not None:
                dated.setdefault((each.date, each.section), []).append(each)
            else:
                undated.setdefault(max(1, each.section), []).append(each)
        opening = undated.pop(1, [])
        by_age = [[dated[key]] for key in sorted(dated) if key[0] != self.newest]
        last = [[unit] for (day, _), unit in dated.items() if day == self.newest]
        return [*by_age, [*undated.values()], [opening], *last]

    def _cut(self, chosen: Unit, changed: date) -> Cut:
        """Cut blocks out; a line that tells of it stands where the oldest stood, if there is none.

        What has no date of its own gets that of the file's last change.
        """
        kinds, pieces = self._kinds, [each.text for each in self.blocks]
        runs = self._runs({each.block.first for each in chosen})
        has_marker = BlockKind.MARKER in kinds
        parts: list[tuple[ArchivedPart, str]] = []
        oldest = min(runs, key=lambda run: (self._dates(run, changed)[0], run.start), default=None)
        for run in runs:
            first, end = run.start, run.stop
            stands_alone = first == 0 or kinds[first - 1] is BlockKind.BLANK
            gap_behind = kinds[end : end + 1] == [BlockKind.BLANK]
            # Of two gaps that would meet, one goes along, but for where a line of ours will stand.
            if stands_alone and gap_behind and (has_marker or run is not oldest):
                end += 1
            content = "".join(pieces[first:end])
            parts.append((self._part(run, changed, content), content))
            pieces[first:end] = [""] * (end - first)
        if oldest is not None and not has_marker:
            last = self.blocks[oldest.stop - 1].text
            pieces[oldest.start] = marker_of(self._source) + last[len(last.rstrip("\r\n")) :]
        return Cut(parts, "".join(pieces))

    def _runs(self, chosen: set[int]) -> list[range]:
        """Return neighbouring blocks that go together; a heading parts them, a gap does not."""
        runs: list[range] = []
        goes_on = False
        for place, each in enumerate(self.blocks):
            if each.block.first in chosen:
                first = runs.pop().start if goes_on else place
                runs.append(range(first, place + 1))
                goes_on = True
            elif each.block.kind not in _PASSED_OVER:
                goes_on = False
        return runs

    def _part(self, run: Sequence[int], changed: date, content: str) -> ArchivedPart:
        """Return the part that a run of blocks is; without any it is the whole file."""
        first, last, is_dated = self._dates(run, changed)
        begin = self.blocks[run[0]] if run else None
        return ArchivedPart(
            source=self._source,
            heading=begin.headings if begin else (),
            first=first,
            last=last,
            dated_by="text" if is_dated else "mtime",
            line=begin.block.first + 1 if begin else 1,
            lines=len(split_lines(content)),
            digest=digest_of(content.encode()),
            tokens=max(1, estimate_part(content)),
            whole=begin is None,
        )

    def _dates(self, run: Sequence[int], changed: date) -> tuple[date, date, bool]:
        """Return the first and the last date of a run of blocks, and whether they are its own."""
        dates = [day for place in run if (day := self.blocks[place].date)]
        return min(dates, default=changed), max(dates, default=changed), bool(dates)


def _read_blocks(lines: list[str], today: date, *, rst: bool) -> Iterator[DatedBlock]:
    """Yield a text's blocks; `rst` reads reStructuredText's headings."""
    headings: list[tuple[Block, date | None]] = []
    section = 0
    for block in read_blocks(
        lines,
        rst=rst,
        is_marker=is_marker,
        is_title=is_only_a_date,
        begins_entry=lambda line: date_at_start(line)[0] is not None,
    ):
        newest = None
        if block.kind is BlockKind.HEADING:
            while headings and headings[-1][0].level >= block.level:
                headings.pop()
            inherited = headings[-1][1] if headings else None
            headings.append((block, max(dates_in(block.title), default=inherited)))
            section += 1
        elif block.kind in CONTENT:
            begins = block.kind in (BlockKind.ITEM, BlockKind.TEXT)
            own = date_at_start(lines[block.first])[0] if begins else None
            above = headings[-1][1] if headings else None
            newest = max((each for each in (own, above) if each is not None), default=None)
        is_to_come = newest is not None and newest > today
        text, titles = "".join(lines[block.first : block.end]), (each.title for each, _ in headings)
        day = None if is_to_come else newest
        yield DatedBlock(block, text, section, tuple(titles), day, is_to_come)


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


def _stays_whole(section: Unit, source: str) -> bool:
    """Return whether a section holds open work, or stands below decisions or rules.

    In a file of tasks, each list item that is not marked as done is open.
    """
    headings = (DECISION_HEADING, RULES_HEADING)
    if any(each.search(title) for each in headings for title in section[0].headings):
        return True
    text = "".join(each.text for each in section)
    is_task_file = _TASK_FILE.search(source) is not None
    return is_open_item(text) or (is_task_file and is_undone_list(text))


def _stays(block: DatedBlock) -> bool:
    kind = block.block.kind
    return kind is BlockKind.OPEN_FENCE or (kind in _PROSE and states_decision_or_rule(block.text))
