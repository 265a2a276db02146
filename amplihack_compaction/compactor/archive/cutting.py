"""Cut the chosen blocks out of a text: the parts that go, and the text with one line for them."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date

from amplihack_compaction.compactor.archive.archive_folder import (
    ArchivedPart,
    DatedBy,
    marker_of,
)
from amplihack_compaction.compactor.archive.dated_sections import DatedSection
from amplihack_compaction.compactor.backups.folder import digest_of
from amplihack_compaction.context.tokens.estimate import estimate_part
from amplihack_compaction.text.markdown import BlockKind, split_lines

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
