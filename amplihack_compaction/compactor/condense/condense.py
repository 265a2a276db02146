"""Condense texts: cut what programs put out and what stands twice, keep what people wrote.

Done again it changes nothing: passes are made until one finds nothing to cut. Each cut makes
the text shorter, and nothing but the rest of an earlier cut is ever left for a second pass. What
programs put out is cut to its head, its tail and what must stay; blobs are cut inside lines.
"""

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from amplihack_compaction.compactor.condense.cuttable_parts import Layout, OutputBlock, lay_out
from amplihack_compaction.compactor.condense.documents import (
    HINT,
    CompactedItem,
    Condensed,
    CutKind,
    Document,
    has_inline_stub,
    inline_stub,
    quoted,
    read_document,
    stub,
)
from amplihack_compaction.compactor.condense.kept_lines import stays, stays_in_prose
from amplihack_compaction.text.sentences import is_diff_header, is_list_item
from amplihack_compaction.text.words import one_line

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


_NAMED_CHARS = 40
# What is left of half a comment would hide the text below it.
_COMMENT = re.compile(r"<!--|-->")
_CODE = re.compile(r" {3}|\t|\s*(?:>>>|\.\.\.) ")


def condense_texts(
    texts: Mapping[str, str], count_tokens: Callable[[str], int], hint: str = HINT
) -> Condensed:
    """Return the texts condensed, by file name; of two equal parts the earlier text's stays.

    `count_tokens` is asked for pieces that may go and for their stubs, never for a whole text;
    `hint` stands in each block's first stub and says how to get the text back.
    Takes any text and raises nothing of its own.
    """
    documents = [read_document(name, text) for name, text in texts.items()]
    shears = Shears(count_tokens, hint)
    items: list[CompactedItem] = []
    while True:
        documents, found = _pass(documents, shears)
        if not found:
            break
        items += found
    order = {name: number for number, name in enumerate(texts)}
    items.sort(key=lambda item: (order[item.file], item.first_line, item.last_line))
    return Condensed({document.name: document.text for document in documents}, items)


def _pass(documents: list[Document], shears: Shears) -> tuple[list[Document], list[CompactedItem]]:
    """Return the documents with what could go gone, and one item per place."""
    removals = _find(documents, shears)
    edits: list[list[tuple[int, int, str]]] = [[] for _ in documents]
    for removal in removals:
        edits[removal.document] += shears.edits(removal)
    made = [document.with_edits(own) for document, own in zip(documents, edits, strict=True)]
    return made, [_item(documents[removal.document], removal, shears) for removal in removals]


def _find(documents: Sequence[Document], shears: Shears) -> list[Removal]:
    """Return all that can go: copies first, then the middle of outputs, then blobs in prose."""
    repeats = _Repeats(documents, shears)
    found: list[Removal] = []
    for number, document in enumerate(documents):
        if document.sort == "whole":
            continue
        layout = lay_out(document)
        for block in layout.blocks:
            copy = repeats.cut_block(number, block)
            found += [copy] if copy else cut_block(number, document, block, shears)
        prose = list(repeats.cut_prose(number, layout))
        gone = {line for removal in prose for gap in removal.gaps for line in range(*gap)}
        rest = (n for run in layout.prose for n in range(*run) if n not in gone)
        found += [*prose, *cut_lines(number, document, rest, shears)]
    return found


def _item(document: Document, removal: Removal, shears: Shears) -> CompactedItem:
    edits = shears.edits(removal)
    numbers = [n for first, end, _ in edits for n in (first, end - 1)]
    endings = sum(len(document.endings[end - 1]) for _, end in removal.gaps)
    written = [removal.inline] if removal.inline else [text for _, _, text in edits]
    return CompactedItem(
        type=removal.kind,
        file=document.name,
        first_line=document.origins[min(numbers)][0],
        last_line=document.origins[max(numbers)][1],
        original_tokens=removal.original_tokens,
        compacted_tokens=sum(map(shears.count, written)),
        original_size=removal.original_chars,
        compacted_size=sum(map(len, written)) + endings,
        what=removal.summary(),
    )


class _Repeats:
    """Remembers what was seen, document after document, and returns what is there again."""

    def __init__(self, documents: Sequence[Document], shears: Shears) -> None:
        """Take all documents, by whose numbers places are told."""
        self._documents = documents
        self._shears = shears
        self._seen: dict[tuple[str, ...], tuple[int, int]] = {}

    def cut_block(self, number: int, block: OutputBlock) -> Removal | None:
        """Return what goes from a block that stands elsewhere; remember it where it does not."""
        if block.is_rest:
            return None
        return self._cut(number, block.first, block.end, block.indent)

    def cut_prose(self, number: int, layout: Layout) -> Iterator[Removal]:
        """Yield what goes from a document's prose; remember the rest."""
        lines = self._documents[number].lines
        for run in layout.prose:
            for is_text, places in groupby(range(*run), lambda n: bool(lines[n].strip())):
                paragraph = list(places)
                if is_text and not any(n in layout.guarded or _stays(lines[n]) for n in paragraph):
                    removal = self._cut(number, paragraph[0], paragraph[-1] + 1)
                    if removal is not None:
                        yield removal

    def _cut(self, number: int, first: int, end: int, indent: str = "") -> Removal | None:
        """Return what goes from some lines that stood elsewhere before, where that pays."""
        document = self._documents[number]
        lines = document.lines[first:end]
        source, place = self._seen.setdefault(tuple(lines), (number, first))
        if (source, place) == (number, first):
            return None
        # The first copy is named by its words, which stay as they are when lines move.
        words = one_line(quoted(self._documents[source].lines[place]), _NAMED_CHARS)
        name = "this file" if source == number else quoted(self._documents[source].name)
        removal = Removal(number, "duplicate", "as in", end - first, indent)
        removal.place = f'{name} at "{words}"'
        staying = {n for n, line in enumerate(lines, first) if stays(line)}
        return (
            removal
            if self._shears.cut(document, removal, gaps_between(first, end, staying))
            else None
        )


def _stays(line: str) -> bool:
    """Return whether a line keeps its paragraph in every copy: rules, decisions, errors, code."""
    is_code = _CODE.match(line) and not is_list_item(line)
    return bool(is_code or _COMMENT.search(line)) or stays_in_prose(line)
