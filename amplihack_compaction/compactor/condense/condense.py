"""Condense texts: cut what programs put out and what stands twice, keep what people wrote.

Done again it changes nothing: passes are made until one finds nothing to cut. Each cut makes
the text shorter, and nothing but the rest of an earlier cut is ever left for a second pass. What
programs put out is cut to its head, its tail and what must stay; blobs are cut inside lines.
"""

import functools
import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby

from amplihack_compaction.compactor.condense.cuttable_parts import Layout, OutputBlock
from amplihack_compaction.compactor.condense.documents import (
    HINT,
    INLINE_STUB,
    CompactedItem,
    Condensed,
    CutKind,
    Document,
    Edit,
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
_LONG_HEAD_CHARS, _LONG_TAIL_CHARS = 300, 150
_BLOB_CHARS = 400
_BLOB_HEAD_CHARS, _BLOB_TAIL_CHARS = 60, 20
_BLOB = re.compile(r"(?<![\w+/=-])[\w+/=-]{400,}", re.ASCII)
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
    count = functools.cache(count_tokens)
    items: list[CompactedItem] = []
    while True:
        one = _Pass(count, hint)
        documents = [one.cut(document) for document in documents]
        if not one.items:
            break
        items += one.items
    order = {name: number for number, name in enumerate(texts)}
    items.sort(key=lambda item: (order[item.file], item.first_line, item.last_line))
    return Condensed({document.name: document.text for document in documents}, items)


class _Pass:
    """One pass over all documents; `items` are the places that were cut."""

    def __init__(self, count: Callable[[str], int], hint: str) -> None:
        self.items: list[CompactedItem] = []
        self._count, self._hint = count, hint
        self._document: Document
        self._edits: list[Edit] = []
        # Where each block and paragraph stood first: its document and line.
        self._seen: dict[tuple[str, ...], tuple[Document, int]] = {}
        # Those of them that were cut themselves, by the document's name and line.
        self._shortened: set[tuple[str, int]] = set()

    def cut(self, document: Document) -> Document:
        """Cut copies first, then the middle of outputs, then blobs; return what is left."""
        self._document, self._edits = document, []
        if document.sort != "whole":
            layout = Layout(document)
            for block in layout.blocks:
                if block.is_rest or not self._cut_copy(block.first, block.end, block.indent):
                    self._cut_output(block)
            self._cut_prose(layout)
        return document.with_edits(self._edits)

    def _cut_output(self, block: OutputBlock) -> None:
        """Cut the middle of what a program put out, and its long lines."""
        lines, edits = self._document.lines, len(self._edits)
        # Of equal lines in a row one is enough.
        kept = [
            n for n in range(block.first, block.end) if stays(lines[n]) and lines[n] != lines[n - 1]
        ]
        staying = {*kept, *_ends(lines, block), *_neighbours(lines, block, kept)}
        total = block.end - block.first
        gone = self._cut(
            block.kind, gaps_between(block.first, block.end, staying), total, block.indent,
            lambda lines: f"{block.what}, {lines} of {total} lines left out",
        )  # fmt: skip
        self._cut_lines((n for n in range(block.first, block.end) if n not in gone), output=True)
        if len(self._edits) > edits:
            self._shortened.add((self._document.name, block.first))

    def _cut_prose(self, layout: Layout) -> None:
        """Cut paragraphs that stand elsewhere, and blobs in the others."""
        lines, gone = self._document.lines, set[int]()
        for run in layout.prose:
            for is_text, places in groupby(range(*run), lambda n: bool(lines[n].strip())):
                paragraph = list(places)
                if is_text and not any(n in layout.guarded or _stays(lines[n]) for n in paragraph):
                    gone |= self._cut_copy(paragraph[0], paragraph[-1] + 1)
        self._cut_lines(n for run in layout.prose for n in range(*run) if n not in gone)

    def _cut_copy(self, first: int, end: int, indent: str = "") -> set[int]:
        """Cut lines that stood elsewhere before, where that pays; else remember them."""
        lines = self._document.lines[first:end]
        source, place = self._seen.setdefault(tuple(lines), (self._document, first))
        if source is self._document and place == first:
            return set()
        # The first copy is named by its words, which stay as they are when lines move.
        words = one_line(quoted(source.lines[place]), _NAMED_CHARS)
        name = "this file" if source is self._document else quoted(source.name)
        cut = ", cut there as well" if (source.name, place) in self._shortened else ""
        staying = {n for n, line in enumerate(lines, first) if stays(line)}
        return self._cut(
            "duplicate", gaps_between(first, end, staying), end - first, indent,
            lambda gone:
                f"{gone} line{'s' * (gone > 1)} left out, as in {name} at \"{words}\"{cut}",
        )  # fmt: skip

    def _cut(
        self, kind: CutKind, gaps: Iterable[Gap], total: int, indent: str,
        told: Callable[[int], str],
    ) -> set[int]:  # fmt: skip
        """Cut the gaps that pay of a block of so many lines; return the lines that go.

        `told` says what goes, of so many lines; it stands in the first gap, with the hint.
        """
        edits: list[Edit] = []
        for first, end in gaps:
            words = f"{end - first} of {total} lines left out" if edits else told(end - first)
            line = indent + stub(words, "" if edits else self._hint)
            if self._pays(self._document.piece(first, end), line):
                edits.append((first, end, line))
        gone = {n for first, end, _ in edits for n in range(first, end)}
        if edits:
            self._note(kind, told(len(gone)), edits)
        return gone

    def _cut_lines(self, places: Iterable[int], *, output: bool = False) -> None:
        """Cut inside long lines: blobs anywhere, all others only in an `output`."""
        for place in places:
            line = self._document.lines[place]
            if len(line) < _BLOB_CHARS or INLINE_STUB.search(line):
                continue
            start, end, what = _span(line, output=output)
            words = inline_stub(end - start, what)
            if self._pays(line[start:end], words):
                told = f"{what}, {end - start} characters left out of a line"
                self._note("verbose", told, [(place, place + 1, line[:start] + words + line[end:])])

    def _pays(self, piece: str, words: str) -> bool:
        """Return whether a stub costs enough less than what it stands for."""
        is_shorter = len(piece) > len(words) + 2
        return is_shorter and self._count(piece) - self._count(words) >= _LEAST_SAVED_TOKENS

    def _note(self, kind: CutKind, what: str, edits: list[Edit]) -> None:
        """Note a cut, and what it saves."""
        document = self._document
        old = [document.piece(first, end) for first, end, _ in edits]
        new = [line + document.endings[end - 1] for _, end, line in edits]
        item = CompactedItem(
            type=kind,
            file=document.name,
            first_line=document.origins[edits[0][0]][0],
            last_line=document.origins[edits[-1][1] - 1][1],
            original_tokens=sum(map(self._count, old)),
            compacted_tokens=sum(map(self._count, new)),
            original_size=sum(map(len, old)),
            compacted_size=sum(map(len, new)),
            what=what,
        )
        self._edits += edits
        self.items.append(item)


def gaps_between(first: int, end: int, staying: set[int]) -> list[Gap]:
    """Return the runs of lines that are not among those that stay."""
    runs = groupby(range(first, end), staying.__contains__)
    gone = [list(run) for stay, run in runs if not stay]
    return [(run[0], run[-1] + 1) for run in gone]


def _ends(lines: list[str], block: OutputBlock) -> set[int]:
    """Return the block's first and last lines with text."""
    texts = [number for number in range(block.first, block.end) if lines[number].strip()]
    head_end = texts[_HEAD_LINES - 1] + 1 if len(texts) >= _HEAD_LINES else block.end
    tail = texts[-_TAIL_LINES] if len(texts) >= _TAIL_LINES else block.first
    return {*range(block.first, head_end), *range(tail, block.end)}


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


def _span(line: str, *, output: bool) -> tuple[int, int, str]:
    """Return what may go from a line, as start, end and name; nothing of a line that must stay."""
    blob = max(_BLOB.finditer(line), key=lambda found: len(found[0]), default=None)
    if blob is not None:
        start, end = blob.start() + _BLOB_HEAD_CHARS, blob.end() - _BLOB_TAIL_CHARS
        what = "unbroken text"
    elif output and len(line) > _LONG_LINE_CHARS and not stays(line):
        start, end, what = _LONG_HEAD_CHARS, len(line) - _LONG_TAIL_CHARS, "a long line"
    else:
        return 0, 0, ""
    # What is told beside a blob may be an error, a decision or a rule that belongs together.
    told = any(map(stays if output else stays_in_prose, (line[:start], line[end:])))
    return (0, 0, "") if told else (start, end, what)


def _stays(line: str) -> bool:
    """Return whether a line keeps its paragraph in every copy: rules, decisions, errors, code."""
    is_code = _CODE.match(line) and not is_list_item(line)
    return bool(is_code or _COMMENT.search(line)) or stays_in_prose(line)
