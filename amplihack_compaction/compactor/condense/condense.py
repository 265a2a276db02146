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
from amplihack_compaction.compactor.condense.cut_repeats import Places, Repeats
from amplihack_compaction.compactor.condense.cuttable_parts import Layout, lay_out
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
    layouts = [None if d.sort == "whole" else lay_out(d) for d in documents]
    places = Places(documents, layouts)
    removals = _find(documents, layouts, places, shears)
    made = [
        document.with_edits([edit for r in removals if r.document == number for edit in r.edits()])
        for number, document in enumerate(documents)
    ]
    items = []
    for removal in removals:
        document = documents[removal.document]
        place = ""
        if removal.source is not None:
            origin = documents[removal.source[0]].origins[removal.source[1]][0]
            line = made[removal.source[0]].line_of(origin)
            place = places.name(removal.source, removal.document, line)
        stubs = [shears.line(removal, number, place) for number in range(len(removal.gaps))]
        for (first, _), stub in zip(removal.gaps, stubs, strict=True):
            after = made[removal.document]
            after.lines[after.line_of(document.origins[first][0])] = stub
        items.append(_item(document, removal, stubs, shears, place))
    return made, items


def _find(
    documents: Sequence[Document], layouts: Sequence[Layout | None], places: Places, shears: Shears
) -> list[Removal]:
    """Return all that can go: copies first, then the middle of outputs, then blobs in prose."""
    repeats = Repeats(documents, places, shears)
    found: list[Removal] = []
    for number, (document, layout) in enumerate(zip(documents, layouts, strict=True)):
        if layout is None:
            continue
        for block in layout.blocks:
            copy = repeats.cut_block(number, block)
            found += [copy] if copy else cut_block(number, document, block, shears)
        prose = list(repeats.cut_prose(number, layout))
        gone = {line for removal in prose for gap in removal.gaps for line in range(*gap)}
        rest = (n for run in layout.prose for n in range(*run) if n not in gone)
        found += [*prose, *cut_lines(number, document, rest, shears)]
    return found


def _item(
    document: Document, removal: Removal, stubs: Sequence[str], shears: Shears, place: str
) -> CondensedItem:
    numbers = [n for first, end, _ in removal.edits() for n in (first, end - 1)]
    endings = sum(len(document.endings[end - 1]) for _, end in removal.gaps)
    written = [*stubs, removal.inline] if removal.inline else stubs
    return CondensedItem(
        type=removal.kind,
        file=document.name,
        first_line=document.origins[min(numbers)][0],
        last_line=document.origins[max(numbers)][1],
        original_tokens=removal.original_tokens,
        compacted_tokens=sum(map(shears.stub_tokens, written)),
        original_size=removal.original_chars,
        compacted_size=sum(map(len, written)) + endings,
        what=removal.summary(place),
    )
