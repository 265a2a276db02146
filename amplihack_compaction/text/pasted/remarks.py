"""What a remark of the user's points at: a text that somebody else wrote, or a program's output.

"fyi", "got this from legal", "what do they want from me?" stand beside such a text, and no list of
words has them all: the weights were learnt from remarks in nine languages, and against what users
type otherwise (`python -m tests.publish_acts`).
"""

import re
from functools import lru_cache
from typing import NamedTuple

from amplihack_compaction.text.classifier import Table

REMARKS_TABLE = Table("remarks.weights", (0.0, 0.0), mistyped=True, known_share=0.3)
LIKELY, SURE = 0.5, 0.75
_LEAD_CHARS = 160
_CLAUSE_END = re.compile(r"(?<![.!?…])[.!?…]+(?:\s+|$)|[。！？]+\s*|\s[-–—]\s|\n")
_CACHED_CLAUSES = 1024


class RemarkChances(NamedTuple):
    """How likely a remark points at somebody's text, and at what a program wrote, from 0 to 1."""

    text: float
    output: float


@lru_cache(maxsize=_CACHED_CLAUSES)
def _chances(clause: str) -> RemarkChances:
    return RemarkChances(*REMARKS_TABLE.chances_of(clause))


def last_remark(line: str) -> RemarkChances:
    """Return what the last clause of a line announces, as what stands below it."""
    clauses = _clauses(line[-_LEAD_CHARS:])
    return _chances(clauses[-1]) if clauses else RemarkChances(0.0, 0.0)


def any_remark(paragraph: str) -> RemarkChances:
    """Return what the clauses of a closing paragraph point back at, at most."""
    found = [_chances(clause) for clause in _clauses(paragraph[: _LEAD_CHARS * 2])]
    return RemarkChances(*map(max, zip((0.0, 0.0), *found, strict=True)))


def _clauses(text: str) -> list[str]:
    parts = (part.strip(" \t:：") for part in _CLAUSE_END.split(text.strip()))
    return [part for part in parts if part]
