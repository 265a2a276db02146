"""Find what stands twice to the letter: whole outputs, and whole paragraphs of prose."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from amplihack_compaction.compactor.condense.cut_outputs import Removal, Shears, gaps_between
from amplihack_compaction.compactor.condense.cuttable_parts import Layout, OutputBlock
from amplihack_compaction.compactor.condense.documents import Document, quoted
from amplihack_compaction.compactor.condense.kept_lines import stays, stays_in_prose
from amplihack_compaction.text.sentences import is_list_item
from amplihack_compaction.text.words import one_line

_NAMED_CHARS = 40
# What is left of half a comment would hide the text below it.
_COMMENT = re.compile(r"<!--|-->")
_CODE = re.compile(r" {3}|\t|\s*(?:>>>|\.\.\.) ")


class Repeats:
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
