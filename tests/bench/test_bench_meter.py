"""The meter against the next response's own numbers, on the transcripts that a variable names.

The corpus holds long texts cut down, so that what came between two responses is not known there;
those pairs are left out.
"""

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from amplihack_compaction.base.files import parse_object
from amplihack_compaction.clients.claude_code.compaction_limits import family_of
from amplihack_compaction.clients.claude_code.tail import (
    Usage,
    estimate_tokens,
    newest_usage,
    usage_of,
)
from amplihack_compaction.context.meter import character_line

_CUT = re.compile(rb"\[\.\.\. \d+ \w+ \w+ \.\.\.\]")
_SEARCH_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True)
class Pair:
    """What the meter said before a response, and what the response said."""

    model: str
    said: int
    bare: int
    real: int

    @property
    def error(self) -> float:
        """The relative error."""
        return abs(self.said - self.real) / self.real


def responses(path: Path) -> Iterator[tuple[Usage, bool]]:
    """Yield each response at its first line, and whether a compaction lies before it."""
    offset, seen, compacted = 0, set(), False
    with path.open("rb") as stream:
        for line in stream:
            entry = parse_object(line)
            usage = usage_of(entry, offset)
            compacted |= entry is not None and entry.get("subtype") == "compact_boundary"
            if usage is not None and usage.message_id not in seen:
                seen.add(usage.message_id)
                yield usage, compacted
                compacted = False
            offset += len(line)


def pairs(path: Path) -> Iterator[Pair]:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        for real, compacted in responses(path):
            usage = newest_usage(descriptor, real.offset, _SEARCH_BYTES)
            if usage is None or compacted:
                continue
            if _CUT.search(os.pread(descriptor, real.offset - usage.start, usage.start)):
                continue
            line = character_line(usage.model)
            said = estimate_tokens(descriptor, usage, real.offset, *line)
            yield Pair(usage.model, said, usage.tokens, real.input_tokens)
    finally:
        os.close(descriptor)


def quantiles(errors: list[float]) -> str:
    ordered = sorted(errors)
    p50, p90 = (ordered[int(len(ordered) * share)] for share in (0.5, 0.9))
    return f"{len(ordered):5} pairs  p50 {p50:.3%}  p90 {p90:.3%}"


def test_the_meter_foretells_the_next_response(report: Callable[[str], None]) -> None:
    corpus = os.environ.get("COMPACTION_CORPUS")
    if not corpus:
        pytest.skip("COMPACTION_CORPUS names no folder")
    found = [pair for path in sorted(Path(corpus).glob("*.jsonl")) for pair in pairs(path)]
    by_family: dict[float | None, list[float]] = {}
    for pair in found:
        by_family.setdefault(family_of(pair.model).precision, []).append(pair.error)
    errors = [pair.error for pair in found]
    report(f"meter, all        {quantiles(errors)}")
    for precision, family in by_family.items():
        report(f"meter, {precision or 0:.2%} said {quantiles(family)}")
    report(f"usage alone       {quantiles([abs(p.bare - p.real) / p.real for p in found])}")
    ordered = sorted(errors)
    assert ordered[len(ordered) // 2] <= 0.002
    assert ordered[int(len(ordered) * 0.9)] <= 0.01
