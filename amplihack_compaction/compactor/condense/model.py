"""What condensing texts is told and gives back, and the stubs that stand where lines were.

A stub is one line, or a few words inside a long one, and says what is gone:

    [compacted: pytest log, 412 of 430 lines left out; `feature compact --revert` brings it back]
    [compacted: 37 of 430 lines left out]
    [compacted: 12 lines left out, as in research.md under "Findings"; ...]
    [compacted: the line above 41 more times, left out]
    [compacted: 48231 characters of base64 left out]
"""

import re
from dataclasses import dataclass
from typing import Literal

from amplihack_compaction.text.strings import one_line, printable

Kind = Literal["tool_output", "duplicate", "verbose", "old_content"]

HINT = "`feature compact --revert` brings it back"
_OPENING = "[compacted: "
_STUB_CHARS = 600
_PHRASE_CHARS = 120
_BRACKETS = str.maketrans("[]", "()")
_INLINE = re.compile(r"\[compacted: \d+ characters [^\[\]\n]{0,80}left out\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CondenseOptions:
    """How much of an output stays.

    Of a block the first `head_lines` and the last `tail_lines` stay, of a line of output above
    `long_line_chars` its two ends. A cut must save `least_saved_tokens` more than its stub costs.
    `hint` stands in each block's first stub and says how to get the text back.
    """

    head_lines: int = 6
    tail_lines: int = 6
    long_line_chars: int = 1_000
    least_saved_tokens: int = 8
    hint: str = HINT


@dataclass(frozen=True, slots=True, kw_only=True)
class CondensedItem:
    """One place that was cut: which lines of the original, and what they cost before and after.

    `first_line` and `last_line` count from 1 in the original text and hold all that is gone;
    lines between them may have stayed. Sizes are those of what is gone and of its stubs.
    """

    kind: Kind
    file: str
    first_line: int
    last_line: int
    original_tokens: int
    compacted_tokens: int
    original_chars: int
    compacted_chars: int
    what: str


@dataclass(frozen=True, slots=True)
class Condensed:
    """All texts, the unchanged ones too, under their names and in their order; what was cut."""

    texts: dict[str, str]
    items: list[CondensedItem]


def stub(words: str, hint: str = "") -> str:
    """Return the line that stands for what is gone; `words` say what, and that it was left out."""
    told = f"; {_phrase(hint)}" if hint else ""
    return f"{_OPENING}{words}{told}]"


def inline_stub(chars: int, what: str) -> str:
    """Return what stands inside a line for the characters that are gone."""
    return f"{_OPENING}{chars} characters of {what} left out]"


def quoted(text: str) -> str:
    """Return a name or heading in a form that cannot break a stub: short, one line, no brackets."""
    return _phrase(text)


def is_stub(line: str) -> bool:
    """Return whether a line is a stub; text that only looks like one is as good: it stays."""
    if len(line) > _STUB_CHARS:
        return False
    line = line.strip()
    return line.startswith(_OPENING) and line.endswith("]") and " left out" in line


def has_inline_stub(line: str) -> bool:
    """Return whether a part of the line was left out before."""
    return _INLINE.search(line) is not None


def _phrase(text: str) -> str:
    return one_line(printable(text).translate(_BRACKETS), _PHRASE_CHARS)
