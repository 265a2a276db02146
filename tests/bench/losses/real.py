"""What real sessions give, where COMPACTION_CORPUS names a folder of them.

Their words are replaced, so nothing can be read in them; their structure is as it was.
"""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from amplihack_compaction import CompactionValidator
from amplihack_compaction.clients.reading import iterate_entries, read_windows
from amplihack_compaction.clients.speakers import summary_part
from amplihack_compaction.transcript.session import JsonObject
from amplihack_compaction.validation.events import ValidationResult
from amplihack_compaction.validation.validator import split_at_boundary
from tests.support.corpus import corpus, is_a_subagents


@cache
def real_summaries() -> tuple[str, ...]:
    """Return what the summaries of real compactions say."""
    windows = (window for path in corpus() for window in read_windows(path))
    return tuple(summary_part(window.summary) for window in windows if window.summary)


def real_verdicts(project: Path) -> Iterator[tuple[str, ValidationResult]]:
    """Validate every real compaction against the summary alone, before anything else was said."""
    validator = CompactionValidator(project)
    for path in corpus():
        if is_a_subagents(path):
            continue
        entries = [entry.data for entry in iterate_entries(str(path))]
        for end in _ends(entries):
            yield f"{path.stem} up to line {end}", validator.validate(entries[:end], "none")


def _ends(entries: list[JsonObject]) -> Iterator[int]:
    """Yield, for each compaction, where the model's next message begins."""
    place = 0
    while place < len(entries):
        follows = split_at_boundary(entries[: place + 1]).follows
        if entries[place].get("isCompactSummary") is True and len(follows) <= 2:
            kinds = [entry.get("type") for entry in entries[place:]]
            yield place + kinds.index("assistant") if "assistant" in kinds else len(entries)
        place += 1
