"""Find what stands twice: whole outputs, also but for numbers; and runs of lines of prose."""

import re
from collections.abc import Iterator, Sequence

from amplihack_compaction.compactor.condense.cut_outputs import Gap, Removal, Shears, gaps_between
from amplihack_compaction.compactor.condense.cuttable_parts import Layout, OutputBlock
from amplihack_compaction.compactor.condense.documents import Document, quoted
from amplihack_compaction.compactor.condense.kept_lines import is_decision, stays, stays_in_prose
from amplihack_compaction.text.sentences import is_list_item, runs_on
from amplihack_compaction.text.words import one_line

# What is repeated is found by its first characters, over not more than so many lines.
_WINDOW_CHARS = 120
_WINDOW_LINES = 12
_NAMED_CHARS = 40
_NUMBERS = re.compile(
    r"0x[0-9a-fA-F]{1,64}|\b(?=[a-f]{0,63}[0-9])[0-9a-f]{7,64}\b"
    r"|\d+(?:[.,:]\d+)*(?:\s?(?:ms|µs|us|ns|s|min|m|h|B|kB|KB|MB|GB|KiB|MiB|GiB|%)\b)?%?"
    r"|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\b"
)
_MASKED_CHARS = 2_000
_LEAST_NEAR_LINES = 12
_NUMBERS_MATTER = ("diff", "base64")
_CODE = re.compile(r" {3}|\t|\s*(?:>>>|\.\.\.) ")


class Repeats:
    """Remembers what was seen, document after document, and returns what is there again."""

    def __init__(self, documents: Sequence[Document], shears: Shears) -> None:
        """Take all documents, by whose numbers places are told."""
        self._documents = documents
        self._shears = shears
        self._exact: dict[int, tuple[int, OutputBlock]] = {}
        self._near: dict[int, tuple[int, OutputBlock]] = {}
        self._windows: dict[int, tuple[int, int]] = {}
        self._gone = [bytearray(len(document.lines)) for document in documents]

    def cut_block(self, number: int, block: OutputBlock) -> Removal | None:
        """Return what goes from a block that stands elsewhere; remember it where it does not."""
        if block.is_rest:
            return None
        lines = self._documents[number].lines[block.first : block.end]
        source = self._known(self._exact, number, block, lines, near=False)
        what = "as in"
        if source is None and _may_differ(block):
            source = self._known(self._near, number, block, masked(lines), near=True)
            what = "but for numbers as in"
        if source is None:
            return None
        staying = {n for n, line in enumerate(lines, block.first) if stays(line)}
        if what != "as in":
            staying |= {block.first, block.end - 1}
        total = block.end - block.first
        removal = Removal(number, "duplicate", what, total, block.indent)
        self._name(removal, source)
        return removal if self._cut(removal, (block.first, block.end), staying) else None

    def _known(
        self,
        seen: dict[int, tuple[int, OutputBlock]],
        number: int,
        block: OutputBlock,
        lines: list[str],
        *,
        near: bool,
    ) -> tuple[int, int] | None:
        """Return the place of the block with the same lines, or remember this one."""
        other, first = seen.setdefault(hash(tuple(lines)), (number, block))
        if first is block:
            return None
        theirs = self._documents[other].lines[first.first : first.end]
        return (other, first.first) if (masked(theirs) if near else theirs) == lines else None

    def cut_prose(self, number: int, layout: Layout) -> Iterator[Removal]:
        """Yield what goes from a document's prose; remember the rest."""
        last: Removal | None = None
        for first, end in layout.prose:
            for removal in self._repeated_runs(number, layout, first, end):
                if last is not None and self._joined(last, removal):
                    continue
                if last is not None:
                    yield last
                last = removal
        if last is not None:
            yield last

    def _repeated_runs(
        self, number: int, layout: Layout, first: int, end: int
    ) -> Iterator[Removal]:
        lines = self._documents[number].lines
        place = first
        while place < end:
            key = _window(lines, place, end) if _begins(lines, place, first) else 0
            source = self._windows.setdefault(key, (number, place)) if key else (number, place)
            length = self._length(source, (number, place), end)
            while length and not _begins(lines, place + length, end):
                length -= 1
            if not length:
                place += 1
                continue
            region = _trimmed(lines, place, place + length)
            staying = _staying(lines, *region)
            staying.update(n for n in range(*region) if n in layout.guarded)
            removal = Removal(number, "duplicate", "as in", length)
            self._name(removal, source)
            removal.indent = lines[region[0]][: -len(lines[region[0]].lstrip())]
            if self._cut(removal, region, staying):
                for gap in removal.gaps:
                    self._gone[number][slice(*gap)] = b"\1" * (gap[1] - gap[0])
                yield removal
            place += length

    def _length(self, source: tuple[int, int], here: tuple[int, int], end: int) -> int:
        """Return how many lines are the same there and here, as long as they still stand there."""
        if source == here:
            return 0
        theirs, gone = self._documents[source[0]].lines, self._gone[source[0]]
        mine = self._documents[here[0]].lines
        most = min(end - here[1], len(theirs) - source[1])
        if source[0] == here[0]:
            most = min(most, here[1] - source[1])
        length = 0
        while (
            length < most
            and not gone[source[1] + length]
            and theirs[source[1] + length] == mine[here[1] + length]
        ):
            length += 1
        return length

    def _cut(self, removal: Removal, region: Gap, staying: set[int]) -> bool:
        """Take out of a region what need not stay; tell whether that pays."""
        document = self._documents[removal.document]
        gaps = (_trimmed(document.lines, *gap) for gap in gaps_between(*region, staying))
        return self._shears.cut(document, removal, gaps)

    def _name(self, removal: Removal, source: tuple[int, int]) -> None:
        """Say where the first copy stands: by its words, which stay as they are when lines move."""
        document = self._documents[source[0]]
        name = "this file" if source[0] == removal.document else quoted(document.name)
        words = one_line(quoted(document.lines[source[1]]), _NAMED_CHARS)
        removal.source, removal.place = source, f'{name} at "{words}"'

    def _joined(self, last: Removal, removal: Removal) -> bool:
        """Make one of two copies of the same text that follow each other."""
        if last.source != removal.source or len(last.gaps) != 1 or len(removal.gaps) != 1:
            return False
        (start, behind), (first, end) = last.gaps[0], removal.gaps[0]
        between = self._documents[last.document].piece(behind, first)
        same = (end - first) * last.times == behind - start - (last.times - 1) * (first - behind)
        if between.strip() or not same:
            return False
        last.gaps[0] = (start, end)
        last.total += removal.total + first - behind
        last.times += 1
        last.original_tokens += removal.original_tokens
        last.original_chars += removal.original_chars + len(between)
        return True


def _may_differ(block: OutputBlock) -> bool:
    """Say whether a block is still the same when its numbers differ; of a short one they tell."""
    long_enough = block.end - block.first >= _LEAST_NEAR_LINES
    return long_enough and block.look.is_log and block.look.name not in _NUMBERS_MATTER


def masked(lines: list[str]) -> list[str]:
    """Return lines of output without what differs from run to run: numbers, times, spacing."""
    return [
        "".join(_NUMBERS.sub("0", line[:_MASKED_CHARS]).split()) + line[_MASKED_CHARS:]
        for line in lines
    ]


def _window(lines: list[str], start: int, end: int) -> int:
    """Return a hash of the lines from here on that hold enough characters; 0 if they do not."""
    chars = 0
    if not lines[start].strip():
        return 0
    for number in range(start, min(end, start + _WINDOW_LINES)):
        chars += len(lines[number])
        if chars >= _WINDOW_CHARS:
            return hash(tuple(lines[start : number + 1]))
    return 0


def _begins(lines: list[str], number: int, edge: int) -> bool:
    """Return whether a line begins something new, as the one at the edge of the text does.

    What runs on from the line above stays with it: half a sentence is no copy.
    """
    if number == edge or is_list_item(lines[number]):
        return True
    above, line = lines[number - 1].strip(), lines[number].strip()
    if not above or not line:
        return True
    in_table = above.startswith("|") and line.startswith("|")
    return not in_table and not runs_on(above, line)


def _staying(lines: list[str], first: int, end: int) -> set[int]:
    """Return the lines of repeated prose that stay: rules, code, paragraphs with a decision."""
    found: set[int] = set()
    start = first
    for number in range(first, end + 1):
        if number < end and lines[number].strip():
            line = lines[number]
            code = _CODE.match(line) and not is_list_item(line)
            half_a_comment = ("<!--" in line) != ("-->" in line)
            if code or half_a_comment or stays_in_prose(line):
                found.add(number)
            continue
        if any(is_decision(line) for line in lines[start:number]):
            found.update(range(start, number))
        start = number + 1
    return found


def _trimmed(lines: list[str], first: int, end: int) -> Gap:
    """Return the range without the blank lines at its ends."""
    while first < end and not lines[first].strip():
        first += 1
    while first < end and not lines[end - 1].strip():
        end -= 1
    return first, end
