"""Condense texts: cut what programs put out and what stands twice, keep what people wrote.

Done again it changes nothing: passes are made until one finds nothing to cut. Each cut makes
the text shorter, and nothing but the rest of an earlier cut is ever left for a second pass.
"""

from collections.abc import Callable, Mapping, Sequence

from amplihack_compaction.compactor.condense.cut_outputs import (
    Removal,
    Shears,
    cut_block,
    cut_lines,
)
from amplihack_compaction.compactor.condense.cut_repeats import Repeats
from amplihack_compaction.compactor.condense.cuttable_parts import lay_out
from amplihack_compaction.compactor.condense.documents import (
    HINT,
    Condensed,
    CondensedItem,
    Document,
    read_document,
)


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
    items: list[CondensedItem] = []
    while True:
        documents, found = _pass(documents, shears)
        if not found:
            break
        items += found
    order = {name: number for number, name in enumerate(texts)}
    items.sort(key=lambda item: (order[item.file], item.first_line, item.last_line))
    return Condensed({document.name: document.text for document in documents}, items)


def _pass(documents: list[Document], shears: Shears) -> tuple[list[Document], list[CondensedItem]]:
    """Return the documents with what could go gone, and one item per place."""
    removals = _find(documents, shears)
    edits: list[list[tuple[int, int, str]]] = [[] for _ in documents]
    for removal in removals:
        edits[removal.document] += shears.edits(removal)
    made = [document.with_edits(own) for document, own in zip(documents, edits, strict=True)]
    return made, [_item(documents[removal.document], removal, shears) for removal in removals]


def _find(documents: Sequence[Document], shears: Shears) -> list[Removal]:
    """Return all that can go: copies first, then the middle of outputs, then blobs in prose."""
    repeats = Repeats(documents, shears)
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


def _item(document: Document, removal: Removal, shears: Shears) -> CondensedItem:
    edits = shears.edits(removal)
    numbers = [n for first, end, _ in edits for n in (first, end - 1)]
    endings = sum(len(document.endings[end - 1]) for _, end in removal.gaps)
    written = [removal.inline] if removal.inline else [text for _, _, text in edits]
    return CondensedItem(
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
