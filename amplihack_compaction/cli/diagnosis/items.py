"""What is looked for in later texts: a value to the letter, or a sentence by its words."""

import re
from collections.abc import Container
from functools import lru_cache
from math import ceil

from amplihack_compaction.text.words import fold, is_empty, raw_words
from amplihack_compaction.validation.matching.findings import has_literal, literal_form
from amplihack_compaction.validation.matching.item_match import Label, match
from amplihack_compaction.validation.matching.text_index import TextIndex

LITERAL_KINDS = frozenset({"value", "verify", "file", "branch"})
PREFIX_CHARS = 5
LEAST_SHARE = 0.6
"""The share of an item's words below which a text cannot state it: as in `wording.matching`."""
RUN = re.compile(r"[^\W_]+")
_FOUND = frozenset({Label.KEPT, Label.REWORDED})
_LEAST_CHARS = 4
_LEAST_WORDY_CHARS = 12
_LEAST_DIGITS = 2
_LINE_WORDS = 3


class Item:
    """Something to look for in folded texts.

    `runs` are the letters and digits that a literal is made of; `prefixes` the beginnings of a
    sentence's words, which endings do not change.
    """

    def __init__(self, kind: str, text: str) -> None:
        self.kind, self.text = kind, text
        self.is_literal = kind in LITERAL_KINDS
        self.literal = literal_form(text) if self.is_literal else ""
        self.runs = frozenset(RUN.findall(self.literal))
        words = [] if self.is_literal else raw_words(fold(text))
        self.prefixes = frozenset(word[:PREFIX_CHARS] for word in words if not is_empty(word))

    @property
    def least_shared(self) -> int:
        """How many of a sentence's words a text has that states it."""
        return max(ceil(LEAST_SHARE * len(self.prefixes)), _LINE_WORDS)

    def is_telling(self, quantities: Container[str]) -> bool:
        """Return whether to find it says anything: everyday words and `2 files` come by chance."""
        if not self.is_literal:
            return len(self.prefixes) >= _LINE_WORDS
        if len(self.literal) < _LEAST_CHARS:
            return False
        if self.text in quantities:
            return sum(sign.isdigit() for sign in self.literal) >= _LEAST_DIGITS
        wordy = all(sign.isalpha() or sign.isspace() for sign in self.literal)
        return not wordy or len(self.literal) >= _LEAST_WORDY_CHARS

    def stands_in(self, folded: str) -> bool:
        """Return whether a folded text has the item."""
        if self.is_literal:
            return bool(self.literal) and has_literal(self.literal, folded)
        if self.shared(folded) < self.least_shared:
            return False
        lines = [line for line in folded.splitlines() if self.shared(line) >= _LINE_WORDS]
        found = match(self.text, TextIndex(lines), self.kind) if lines else None
        return found is not None and found.label in _FOUND

    def shared(self, folded: str) -> int:
        """Return how many of a sentence's words begin in a folded text."""
        return sum(prefix in folded for prefix in self.prefixes)


@lru_cache(maxsize=2_000)
def item_of(kind: str, text: str) -> Item:
    """Return what to look for, made once for each text."""
    # What is lost once is mostly lost at every later compaction too.
    return Item(kind, text)
