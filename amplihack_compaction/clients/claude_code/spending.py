"""What a session has cost, and what its compactions took out of the context, by its transcript.

The client notes its own reckoning in `cost-state` lines, of which the newest counts, and each
compaction's tokens before and after in the boundary.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from typing import Any

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.base.folders import opened
from amplihack_compaction.transcript.session import as_object

_COST_MARK = b'"type":"cost-state"'
_BOUNDARY_MARK = b'"subtype":"compact_boundary"'


@dataclass(frozen=True, slots=True)
class Spending:
    """A session's cost in dollars, None where it is not told, and what its compactions saved."""

    dollars: float | None = None
    compactions: int = 0
    tokens_out: int = 0


def read_spending(transcript_path: str) -> Spending:
    """Return what a transcript tells of costs; nothing where it cannot be read."""
    try:
        with opened(transcript_path) as at, mmap(at, 0, access=ACCESS_READ) as data:
            return _spending_in(data)
    except (OSError, ValueError):  # an empty file cannot be mapped
        return Spending()


# More than a client can have spent; a number of hundreds of digits is no float.
_MOST_DOLLARS = 10**9


def _spending_in(data: mmap) -> Spending:
    newest = data.rfind(_COST_MARK)
    cost: Any = _line_at(data, newest).get("totalCostUSD") if newest >= 0 else None
    dollars = float(cost) if type(cost) in (int, float) and 0 <= cost < _MOST_DOLLARS else None
    number = tokens = 0
    for boundary in _boundaries(data):
        told = as_object(boundary.get("compactMetadata"))
        before, after = told.get("preTokens"), told.get("postTokens")
        number += 1
        if type(before) is int and type(after) is int:
            tokens += max(0, before - after)
    return Spending(dollars, number, tokens)


def _boundaries(data: mmap) -> Iterator[dict[str, Any]]:
    place = data.find(_BOUNDARY_MARK)
    while place >= 0:
        line = _line_at(data, place)
        if line.get("subtype") == "compact_boundary":  # and no quotation of one
            yield line
        place = data.find(_BOUNDARY_MARK, place + 1)


def _line_at(data: mmap, place: int) -> dict[str, Any]:
    begin, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
    return parse_object(data[begin : end if end >= 0 else len(data)]) or {}
