"""Condense texts: cut what programs put out and what stands twice, keep what people wrote.

Done again it changes nothing: passes are made until one finds nothing to cut. Each cut makes
the text shorter, and nothing but the rest of an earlier cut is ever left for a second pass.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from amplihack_compaction.compactor.condense.cut_outputs import (
    Removal,
    Shears,
    cut_block,
    cut_lines,
    gaps_between,
)
from amplihack_compaction.compactor.condense.cuttable_parts import Layout, OutputBlock, lay_out
from amplihack_compaction.compactor.condense.documents import (
    HINT,
    CompactedItem,
    Condensed,
    Document,
    quoted,
    read_document,
)
from amplihack_compaction.compactor.condense.kept_lines import stays, stays_in_prose
from amplihack_compaction.text.sentences import is_list_item
from amplihack_compaction.text.words import one_line

_NAMED_CHARS = 40
# What is left of half a comment would hide the text below it.
_COMMENT = re.compile(r"<!--|-->")
_CODE = re.compile(r" {3}|\t|\s*(?:>>>|\.\.\.) ")


def condense_texts(
    texts: Mapping[str, str],
    count_tokens: Callable[[str], int],
    hint: str = HINT,
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
