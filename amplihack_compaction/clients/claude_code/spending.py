"""What a session has cost, and what its compactions took out of the context, by its transcript.

The client notes its own reckoning in `cost-state` lines, of which the newest counts, and each
compaction's tokens before and after in the boundary.
"""

from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.session_lines import lines_between
from amplihack_compaction.transcript.session import ReadReport, as_object

_MARKS = (b'"type":"cost-state"', b'"subtype":"compact_boundary"')
# More than a client can have spent; a number of hundreds of digits is no float.
_MOST_DOLLARS = 10**9


@dataclass(slots=True)
class Spending:
    """A session's cost in dollars, None where it is not told, and what its compactions saved."""

    dollars: float | None = None
    compactions: int = 0
    tokens_out: int = 0


def read_spending(transcript_path: str) -> Spending:
    """Return what a transcript tells of costs; nothing where it cannot be read."""
    found = Spending()
    cost: Any = None
    try:
        for _, line in lines_between(transcript_path, 0, None, ReadReport()):
            data: dict[str, Any] = {}
            if any(mark in line for mark in _MARKS):
                data = parse_object(line) or {}
            if data.get("type") == "cost-state":
                cost = data.get("totalCostUSD")
            elif data.get("subtype") == "compact_boundary":  # and no quotation of one
                told = as_object(data.get("compactMetadata"))
                before, after = told.get("preTokens"), told.get("postTokens")
                found.compactions += 1
                if type(before) is int and type(after) is int:
                    found.tokens_out += max(0, before - after)
    except TranscriptError:
        return Spending()
    if type(cost) in (int, float) and 0 <= cost < _MOST_DOLLARS:
        found.dollars = float(cost)
    return found
