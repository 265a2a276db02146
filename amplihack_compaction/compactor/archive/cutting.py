"""Cut the chosen blocks out of a text: the parts that go, and the text with one line for them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import (
    ARCHIVE_FOLDER,
    ArchivedPart,
    Marker,
    parse_marker,
)
from amplihack_compaction.compactor.archive.dated_sections import DatedBlock, DatedSection
from amplihack_compaction.compactor.archive.dates import LastChange
from amplihack_compaction.compactor.backups.folder import digest_of
from amplihack_compaction.text.markdown import CONTENT, BlockKind, split_lines

_PASSED_OVER = frozenset({BlockKind.BLANK, BlockKind.RULER})
Count = Callable[[str], int]
_SHORTEST = "."


@dataclass(frozen=True, slots=True)
class Cut:
    """Parts with their contents, and the text without them; None where the file is to go."""

    parts: list[tuple[ArchivedPart, str]]
    text: str | None


@dataclass(slots=True)
class _Run:
    """Neighbouring blocks of one section that go together, from `first` up to `end`."""

    section: DatedSection
    blocks: list[DatedBlock]
    first: int
    end: int
    """Places in the list of all blocks of the text."""


def cut_whole(source: str, text: str, changed: LastChange, count: Count) -> Cut:
    """Return the cut that takes a whole file away."""
    part = ArchivedPart(
        source=source,
        heading=(),
        first=changed.day,
        last=changed.day,
        dated_by=changed.told_by,
        line=1,
        lines=len(split_lines(text)),
        digest=digest_of(text.encode()),
        tokens=_tokens_within(text, count),
        whole=True,
    )
    return Cut([(part, text)], None)


def cut_blocks(
    source: str,
    sections: list[DatedSection],
    chosen: Collection[int],
    changed: LastChange,
    count: Count,
) -> Cut:
    """Cut the blocks that begin at these lines out of a text.

    What has no date of its own gets that of the file's last change. The line that tells of it
    stands where the oldest part stood, or is the one that is there already.
    """
    blocks = [each for section in sections for each in section.blocks]
    runs = _runs(sections, chosen)
    if not runs:
        return Cut([], "".join(each.text for each in blocks))
    marker_at = next(
        (n for n, each in enumerate(blocks) if each.block.kind is BlockKind.MARKER), None
    )
    oldest = min(runs, key=lambda run: (_dates(run, changed)[0], run.first))
    parts: list[tuple[ArchivedPart, str]] = []
    pieces = [each.text for each in blocks]
    for run in runs:
        if run is not oldest or marker_at is not None:
            _take_gap_along(run, blocks)
        content = "".join(pieces[run.first : run.end])
        parts.append((_part(source, run, changed, content, count), content))
        pieces[run.first : run.end] = [""] * (run.end - run.first)
    marker = _marker([part for part, _ in parts], source)
    if marker_at is None:
        pieces[oldest.first] = marker.line + _line_end(blocks[oldest.end - 1].text)
    else:
        known = parse_marker(blocks[marker_at].text)
        marker = replace(known, place=marker.place).joined(marker) if known else marker
        pieces[marker_at] = marker.line + _line_end(blocks[marker_at].text)
    return Cut(parts, "".join(pieces))


def _runs(sections: list[DatedSection], chosen: Collection[int]) -> list[_Run]:
    runs = []
    place = 0
    for section in sections:
        open_run: _Run | None = None
        for number, each in enumerate(section.blocks, place):
            if each.block.first in chosen and each.block.kind in CONTENT:
                if open_run is None:
                    open_run = _Run(section, [], number, number)
                    runs.append(open_run)
                open_run.blocks.append(each)
                open_run.end = number + 1
            elif each.block.kind not in _PASSED_OVER:
                open_run = None
        place += len(section.blocks)
    return runs


def _take_gap_along(run: _Run, blocks: list[DatedBlock]) -> None:
    """Let the blank lines behind a run go with it where there are some before it."""
    before = run.first == 0 or blocks[run.first - 1].block.kind is BlockKind.BLANK
    if before and run.end < len(blocks) and blocks[run.end].block.kind is BlockKind.BLANK:
        run.end += 1


def _part(source: str, run: _Run, changed: LastChange, content: str, count: Count) -> ArchivedPart:
    first, last = _dates(run, changed)
    is_dated = any(each.date is not None for each in run.blocks)
    return ArchivedPart(
        source=source,
        heading=run.section.path,
        first=first,
        last=last,
        dated_by="text" if is_dated else changed.told_by,
        line=run.blocks[0].block.first + 1,
        lines=len(split_lines(content)),
        digest=digest_of(content.encode()),
        tokens=_tokens_within(content, count),
    )


def _dates(run: _Run, changed: LastChange) -> tuple[date, date]:
    dates = [each.date for each in run.blocks if each.date is not None] or [changed.day]
    return min(dates), max(dates)


def _marker(parts: list[ArchivedPart], source: str) -> Marker:
    return Marker(
        parts=len(parts),
        lines=sum(part.lines for part in parts),
        tokens=sum(part.tokens for part in parts),
        first=min(part.first for part in parts),
        last=max(part.last for part in parts),
        place=f"{'../' * source.count('/')}{ARCHIVE_FOLDER}/",
    )


def _tokens_within(text: str, count: Count) -> int:
    """Return what a text costs as part of another, without what wraps a text of its own."""
    return max(1, count(text) - count(_SHORTEST) + 1)


def _line_end(text: str) -> str:
    """Return what a text's last line ends in."""
    if text.endswith("\r\n"):
        return "\r\n"
    return text[-1:] if text.endswith(("\n", "\r")) else ""
