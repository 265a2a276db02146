"""What condensing is given and gives back: lines that know where they came from, and stubs.

Lines end in CR, LF or CR LF and keep what they end in. A stub takes the ending of the last line
that it replaces, so what stays is the same to the byte. It is one line, or a few words inside a
long one, and says what is gone:

    [compacted: pytest log, 412 of 430 lines left out; `feature compact --revert` brings it back]
    [compacted: 37 of 430 lines left out]
    [compacted: 12 lines left out, as in research.md at "The bank pays"; ...]
    [compacted: 48231 characters of base64 left out]
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePosixPath
from typing import Literal

from amplihack_compaction.text.markdown import split_lines
from amplihack_compaction.text.word_lists import word_lists
from amplihack_compaction.text.words import one_line, printable

CutKind = Literal["tool_output", "duplicate", "verbose", "old_content"]

Edit = tuple[int, int, str]
"""A run of lines, its first and the one behind it, and the line that stands in its place then."""

HINT = "`feature compact --revert` brings it back"
_OPENING = "[compacted: "
_STUB_CHARS = 600
_PHRASE_CHARS = 120
_BRACKETS = str.maketrans("[]", "()")
INLINE_STUB = re.compile(r"\[compacted: \d+ characters [^\[\]\n]{0,80}left out\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactedItem:
    """One place that was cut: which lines of the original, and what they cost before and after.

    `first_line` and `last_line` count from 1 in the original text and hold all that is gone;
    lines between them may have stayed. Sizes are characters of what stood there, and stands there
    now.
    `revert_path` is where the whole file is kept, relative to the feature's folder; empty on a dry
    run.
    """

    type: CutKind
    file: str
    first_line: int
    last_line: int
    original_size: int
    compacted_size: int
    original_tokens: int
    compacted_tokens: int
    what: str
    can_revert: bool = False
    revert_path: str = ""


@dataclass(frozen=True, slots=True)
class Condensed:
    """All texts, the unchanged ones too, under their names and in their order; what was cut."""

    texts: dict[str, str]
    items: list[CompactedItem]


def stub(words: str, hint: str = "") -> str:
    """Return the line that stands for what is gone; `words` say what, and that it was left out."""
    told = f"; {quoted(hint)}" if hint else ""
    return f"{_OPENING}{words}{told}]"


def inline_stub(chars: int, what: str) -> str:
    """Return what stands inside a line for the characters that are gone."""
    return f"{_OPENING}{chars} characters of {what} left out]"


def is_stub(line: str) -> bool:
    """Return whether a line is a stub; text that only looks like one is as good: it stays."""
    if len(line) > _STUB_CHARS:
        return False
    line = line.strip()
    return line.startswith(_OPENING) and line.endswith("]") and " left out" in line


def quoted(text: str) -> str:
    """Return a name or heading in a form that cannot break a stub: short, one line, no brackets."""
    return one_line(printable(text).translate(_BRACKETS), _PHRASE_CHARS)


_LOOK_CHARS = 300
_FILES = word_lists("files")
_LOG_NAME = re.compile(rf"\.(?:{'|'.join(_FILES['log'])})(?:\.\d+)?\Z", re.ASCII)
"""A log's name, a rotated one's too, like `server.log.1`."""

_DECISION_FILE = re.compile(r"(?:^|[/._-])(?:adrs?|decisions?|decision-log)(?:[/._-]|$)", re.I)

Sort = Literal["whole", "prose", "log"]
"""What a file is for condensing: never cut, notes in which outputs stand, or one output."""


@dataclass(slots=True)
class Document:
    """A text's lines without their endings, the endings, and each line's place in the original.

    `origins` holds, per line, the first and last line of the original (from 1) that it is or
    stands for.
    """

    name: str
    sort: Sort
    lines: list[str]
    endings: list[str]
    origins: list[tuple[int, int]]

    @property
    def text(self) -> str:
        """The whole text."""
        return self.piece(0, len(self.lines))

    def piece(self, first: int, end: int) -> str:
        """Return the lines from `first` up to, not including, `end`, with their endings."""
        pairs = zip(self.lines[first:end], self.endings[first:end], strict=True)
        return "".join(chain.from_iterable(pairs))

    def with_edits(self, edits: Iterable[Edit]) -> "Document":
        """Return the document with these edits made; none touches another's lines."""
        made = Document(self.name, self.sort, [], [], [])
        place = 0
        for first, end, text in [*sorted(edits), (len(self.lines), 0, "")]:
            made.lines += self.lines[place:first]
            made.endings += self.endings[place:first]
            made.origins += self.origins[place:first]
            if end:
                made.lines.append(text)
                made.endings.append(self.endings[end - 1])
                made.origins.append((self.origins[first][0], self.origins[end - 1][1]))
            place = end
        return made


def read_document(name: str, text: str) -> Document:
    """Return the text taken apart; joined again it is the same."""
    whole = split_lines(text)
    lines = [line.rstrip("\r\n") for line in whole]
    endings = [line[len(bare) :] for line, bare in zip(whole, lines, strict=True)]
    origins = [(number, number) for number in range(1, len(lines) + 1)]
    return Document(name, sort_of(name, text), lines, endings, origins)


def sort_of(name: str, text: str) -> Sort:
    """Return what a file is: data, code, hidden files and records of decisions stay whole."""
    path = _plain_path(name)
    if is_code_or_data(name) or _DECISION_FILE.search(str(path)):
        return "whole"
    if _LOG_NAME.search(path.name):
        return "log"
    return "whole" if path.suffix[1:] not in _FILES["prose"] and _is_data(text) else "prose"


def is_code_or_data(name: str) -> bool:
    """Return whether a file is code, data or hidden, by its name alone."""
    path = _plain_path(name)
    hidden = path.name.startswith(".")
    return hidden or path.suffix[1:] in _FILES["never cut"] or path.name in _FILES["never cut name"]


def _plain_path(name: str) -> PurePosixPath:
    return PurePosixPath(name.replace("\\", "/").lower())


def _is_data(text: str) -> bool:
    head, tail = text[:_LOOK_CHARS].lstrip("\ufeff \t\r\n"), text[-_LOOK_CHARS:].rstrip()
    if head.startswith(("#!", "<?", "<!", "<html", "%PDF")):
        return True
    first_line = head.partition("\n")[0]
    return head[:1] in ("{", "[") and tail[-1:] in ("}", "]") and not is_stub(first_line)
