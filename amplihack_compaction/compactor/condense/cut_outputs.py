"""Cut what programs put out to its head, its tail and what must stay; cut blobs inside lines."""

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from amplihack_compaction.compactor.condense.cuttable_parts import OutputBlock
from amplihack_compaction.compactor.condense.documents import (
    CutKind,
    Document,
    has_inline_stub,
    inline_stub,
    stub,
)
from amplihack_compaction.compactor.condense.kept_lines import stays, stays_in_prose
from amplihack_compaction.text.outputs import is_diff_header

Gap = tuple[int, int]
"""Lines that go: the first one, and the one behind the last."""

# Of a block its first and last lines with text stay, of a long line of output its two ends.
_HEAD_LINES = _TAIL_LINES = 6
_LONG_LINE_CHARS = 1_000
# So much more than its stub costs has a cut to save.
_LEAST_SAVED_TOKENS = 8
_BLOB_CHARS = 400
_BLOB_HEAD_CHARS, _BLOB_TAIL_CHARS = 60, 20
_BLOB = re.compile(r"(?<![\w+/=-])[\w+/=-]{400,}", re.ASCII)
_LINE_HEAD_SHARE, _LINE_TAIL_SHARE = 0.3, 0.15


@dataclass(slots=True)
class Removal:
    """What goes from one place of one document, for one reason.

    `total` is the number of lines of the whole block, whose lines begin with `indent`. `place`
    names where the first copy of a repeated text stands. A cut inside a line has no gaps: `inline`
    is what stands in the line with the number `line`, which is `made` by it.
    """

    document: int
    kind: CutKind
    what: str
    total: int = 0
    indent: str = ""
    gaps: list[Gap] = field(default_factory=list)
    line: int = 0
    inline: str = ""
    made: str = ""
    place: str = ""
    original_tokens: int = 0
    original_chars: int = 0

    def words(self, number: int) -> str:
        """Return what the stub of a gap says."""
        gone = self.gaps[number][1] - self.gaps[number][0]
        return f"{gone} of {self.total} lines left out" if number else self._words(gone)

    def summary(self) -> str:
        """Return in words what goes, all gaps together."""
        if self.inline:
            return f"{self.what}, {self.original_chars} characters left out of a line"
        return self._words(sum(end - first for first, end in self.gaps))

    def _words(self, gone: int) -> str:
        if self.place:
            return f"{gone} line{'s' * (gone > 1)} left out, {self.what} {self.place}"
        return f"{self.what}, {gone} of {self.total} lines left out"


class Shears:
    """Decides whether a cut pays; each piece and each stub is counted once."""

    def __init__(self, count_tokens: Callable[[str], int], hint: str) -> None:
        self._hint = hint
        self.count = functools.cache(count_tokens)

    def saves(self, piece: str, words: str) -> int:
        """Return the tokens of a piece if its stub is worth it, else 0."""
        if len(piece) <= len(words) + 2:
            return 0
        tokens = self.count(piece)
        return tokens if tokens - self.count(words) >= _LEAST_SAVED_TOKENS else 0

    def line(self, removal: Removal, number: int) -> str:
        """Return the stub's line for a gap of a removal."""
        return removal.indent + stub(removal.words(number), "" if number else self._hint)

    def edits(self, removal: Removal) -> list[tuple[int, int, str]]:
        """Return the runs of lines that go, each with the line that takes its place."""
        if removal.inline:
            return [(removal.line, removal.line + 1, removal.made)]
        return [(*gap, self.line(removal, number)) for number, gap in enumerate(removal.gaps)]

    def cut(self, document: Document, removal: Removal, gaps: Iterable[Gap]) -> bool:
        """Add to the removal the gaps that pay; tell whether any did."""
        for first, end in gaps:
            removal.gaps.append((first, end))
            number = len(removal.gaps) - 1
            piece = document.piece(first, end)
            tokens = self.saves(piece, self.line(removal, number))
            if not tokens:
                removal.gaps.pop()
                continue
            removal.original_tokens += tokens
            removal.original_chars += len(piece)
        return bool(removal.gaps)


def cut_block(number: int, document: Document, block: OutputBlock, shears: Shears) -> list[Removal]:
    """Return what goes from a block of the document with that number."""
    lines = document.lines
    # Of equal lines in a row one is enough.
    kept = [
        n for n in range(block.first, block.end) if stays(lines[n]) and lines[n] != lines[n - 1]
    ]
    staying = {*kept, *_ends(lines, block), *_neighbours(lines, block, kept)}
    main = Removal(number, block.kind, block.what, block.end - block.first, block.indent)
    is_cut = shears.cut(document, main, gaps_between(block.first, block.end, staying))
    gone = {line for gap in main.gaps for line in range(*gap)}
    rest = (line for line in range(block.first, block.end) if line not in gone)
    return [*[main] * is_cut, *cut_lines(number, document, rest, shears, output=True)]


def gaps_between(first: int, end: int, staying: set[int]) -> list[Gap]:
    """Return the runs of lines that are not among those that stay."""
    gaps = []
    start = first
    for line in range(first, end + 1):
        if line == end or line in staying:
            if line > start:
                gaps.append((start, line))
            start = line + 1
    return gaps


def _ends(lines: list[str], block: OutputBlock) -> set[int]:
    """Return the block's first and last lines with text."""
    ends: set[int] = set()
    for numbers, most in (
        (range(block.first, block.end), _HEAD_LINES),
        (range(block.end - 1, block.first - 1, -1), _TAIL_LINES),
    ):
        left = most
        for number in numbers:
            if left <= 0:
                break
            ends.add(number)
            left -= lines[number].strip() != ""
    return ends


def _neighbours(lines: list[str], block: OutputBlock, kept: list[int]) -> set[int]:
    """Return the lines that errors need: the frame they come from; of diffs, the files' names."""
    if block.look.name == "diff":
        return {n for n in range(block.first, block.end) if is_diff_header(lines[n])}
    found: set[int] = set()
    for number in kept:
        if number - 2 >= block.first and lines[number - 2].lstrip().startswith('File "'):
            found |= {number - 1, number - 2}
        if number + 1 < block.end and lines[number + 1].lstrip().startswith("at "):
            found.add(number + 1)
    return found


def cut_lines(
    number: int, document: Document, places: Iterable[int], shears: Shears, *, output: bool = False
) -> list[Removal]:
    """Return the cuts inside long lines: of blobs anywhere, of all others only in an `output`."""
    found = []
    for place in places:
        line = document.lines[place]
        if len(line) < _BLOB_CHARS or has_inline_stub(line):
            continue
        start, end, what = _span(line, output=output)
        words = inline_stub(end - start, what)
        tokens = shears.saves(line[start:end], words)
        if tokens:
            removal = Removal(number, "verbose", what, line=place, inline=words)
            removal.made = line[:start] + words + line[end:]
            removal.original_tokens, removal.original_chars = tokens, end - start
            found.append(removal)
    return found


def _span(line: str, *, output: bool) -> tuple[int, int, str]:
    """Return what may go from a line, as start, end and name; nothing of a line that must stay."""
    blob = max(_BLOB.finditer(line), key=lambda found: len(found[0]), default=None)
    if blob is not None:
        start, end, what = (
            blob.start() + _BLOB_HEAD_CHARS,
            blob.end() - _BLOB_TAIL_CHARS,
            "unbroken text",
        )
    elif output and len(line) > _LONG_LINE_CHARS and not stays(line):
        start = int(_LONG_LINE_CHARS * _LINE_HEAD_SHARE)
        end, what = len(line) - int(_LONG_LINE_CHARS * _LINE_TAIL_SHARE), "a long line"
    else:
        return 0, 0, ""
    # What is told beside a blob may be an error, a decision or a rule that belongs together.
    told = any(map(stays if output else stays_in_prose, (line[:start], line[end:])))
    return (0, 0, "") if told else (start, end, what)
