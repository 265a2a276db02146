"""What a session has cost, and what its compactions took out of the context, by its transcript.

The client notes its own reckoning in `cost-state` lines, of which the newest counts, and a
compaction's tokens before in its boundary. What was sent after it, the first response tells: the
boundary's `postTokens` leave out system prompt and tools, and older clients note none.
"""

from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.claude_code.tail import usage_of
from amplihack_compaction.clients.session_lines import lines_between
from amplihack_compaction.transcript.session import JsonObject, ReadReport, as_object

_MARKS = (b'"type":"cost-state"', b'"subtype":"compact_boundary"')
_RESPONSE = b'"type":"assistant"'
# More than a client can have spent; a number of hundreds of digits is no float.
_MOST_DOLLARS = 10**9


@dataclass(slots=True)
class Spending:
    """A session's cost in dollars, None where it is not told, and what its compactions saved.

    Of `unmeasured` compactions the tokens are not known; `tokens_out` is of the others.
    """

    dollars: float | None = None
    compactions: int = 0
    tokens_out: int = 0
    unmeasured: int = 0


def read_spending(transcript_path: str) -> Spending:
    """Return what a transcript tells of costs; nothing where it cannot be read."""
    found = Spending()
    cost: Any = None
    last: JsonObject | None = None  # the boundary whose first response is looked for
    try:
        for offset, line in lines_between(transcript_path, 0, None, ReadReport()):
            data: JsonObject = {}
            if any(mark in line for mark in _MARKS) or (last and _RESPONSE in line):
                data = parse_object(line) or {}
            if data.get("type") == "cost-state":
                cost = data.get("totalCostUSD")
            elif data.get("subtype") == "compact_boundary":  # and no quotation of one
                _measure(found, last, None)
                last = data
            elif last and (usage := usage_of(data, offset)) is not None:
                _measure(found, last, usage.input_tokens)
                last = None
    except TranscriptError:
        return Spending()
    _measure(found, last, None)
    if type(cost) in (int, float) and 0 <= cost < _MOST_DOLLARS:
        found.dollars = float(cost)
    return found


def _measure(found: Spending, boundary: JsonObject | None, sent_tokens: int | None) -> None:
    """Count a compaction, with what it took out where the first request after it is known."""
    if boundary is None:
        return
    told = as_object(boundary.get("compactMetadata"))
    before, after = told.get("preTokens"), sent_tokens or told.get("postTokens")
    found.compactions += 1
    if type(before) is int and type(after) is int:
        found.tokens_out += max(0, before - after)
    else:
        found.unmeasured += 1
