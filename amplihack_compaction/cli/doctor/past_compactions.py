"""Tell the compactions of a project's sessions, and which of our hooks ran at each.

A compaction is known by its boundary in a transcript. What our hooks left of it tells which of
them ran: PreCompact a time in its event, SessionStart its receipt, PostCompact its loss report.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.files import is_regular, open_regular, read_range
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.clients.claude_code.wiring.hook_commands import is_ours
from amplihack_compaction.injection.receipts import STATE_MARKER, list_receipts
from amplihack_compaction.transcript.entries import Entry
from amplihack_compaction.transcript.tail import find_boundaries
from amplihack_compaction.transcript.windows import Boundary, read_boundary
from amplihack_compaction.validation.events import epoch_seconds, read_events

_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
_ANNOUNCED = "pre_compact_at"
_DELIVERED = b'"hook_additional_context"'
_TRACE = b'"hook_success"'
_ASSISTANT = b'"type":"assistant"'

# Whether PreCompact ran, by session and the start of the window.
Announced = dict[tuple[str, Any], bool]


@dataclass(frozen=True, slots=True)
class Past:
    """A compaction of a session: what the transcript shows of it, and what our hooks left.

    `announced` tells whether PreCompact ran; None without an event that could say so.
    `took_ms` is how long our hooks took, by event, where the client wrote it down.
    """

    session_id: str
    boundary: Boundary
    receipts: tuple[dict[str, Any], ...] = ()
    announced: bool | None = None
    judged: bool = False
    delivered: bool = False
    answered: bool = False
    known_session: bool = False
    took_ms: dict[str, int] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """When it was, in seconds since 1970; 0 where that is not known."""
        return epoch_seconds(self.boundary.timestamp) or 0.0


def read_past(root: str, paths: list[Path], newest: int) -> list[Past]:
    """Return so many of the last compactions of each transcript, the newest of all first.

    Of those that a fork copied only the original is among them.
    """
    announced = {
        (event.session_id, event.extra.get("window_start")): bool(event.extra[_ANNOUNCED])
        for event in read_events(root).events
        if _ANNOUNCED in event.extra
    }
    by_uuid: dict[str, Past] = {}
    for path in paths:
        for past in _past_of(root, path, newest, announced):
            known = by_uuid.get(past.boundary.uuid)
            if known is None or (past.receipts and not known.receipts):
                by_uuid[past.boundary.uuid] = past
    return sorted(by_uuid.values(), key=lambda each: each.seconds, reverse=True)


def _past_of(root: str, path: Path, newest: int, announced: Announced) -> Iterator[Past]:
    """Yield a transcript's newest compactions; only the boundaries themselves are parsed."""
    try:
        descriptor = open_regular(str(path))
    except OSError:
        return
    try:
        size = os.fstat(descriptor).st_size
        offsets, _ = find_boundaries(descriptor, 0, size)
        folder = session_folder(root, path.stem)
        receipts = list_receipts(folder) if offsets else []
        for place, offset in list(enumerate(offsets))[-newest:]:
            start = offsets[place - 1] if place else 0
            end = (*offsets, size)[place + 1]
            after = read_range(descriptor, offset, min(end - offset, _AFTER_BOUNDARY_BYTES))
            boundary = _boundary_of(after, offset)
            if boundary is not None:
                ran = announced.get((path.stem, start))
                yield _past(path.stem, boundary, after, folder, start, receipts, ran)
    finally:
        os.close(descriptor)


def _past(
    session_id: str,
    boundary: Boundary,
    after: bytes,
    folder: str,
    start: int,
    receipts: list[dict[str, Any]],
    announced: bool | None,
) -> Past:
    lines = after.split(b"\n")
    judged = is_regular(f"{folder}/losses/{start}.json")
    return Past(
        session_id,
        boundary,
        tuple(each for each in receipts if each.get("window_start") == start),
        announced=announced,
        judged=judged,
        delivered=any(_DELIVERED in line and STATE_MARKER in line for line in lines),
        answered=_ASSISTANT in after,
        known_session=judged or any(_ran_at(each, start) for each in receipts),
        took_ms=_times(lines),
    )


def _ran_at(receipt: dict[str, Any], start: int) -> bool:
    """Return whether a receipt shows that our hooks ran when the window from `start` was compacted.

    Hooks that came later make up for the last compaction: that receipt shows nothing of it.
    """
    window = receipt.get("window_start")
    if not isinstance(window, int):
        return False
    return window < start or (window == start and receipt.get("event") == "SessionStart")


def _boundary_of(after: bytes, offset: int) -> Boundary | None:
    data = parse_object(after.partition(b"\n")[0])
    return read_boundary(Entry(offset, data)) if data is not None else None


def _times(lines: list[bytes]) -> dict[str, int]:
    """Return how long our hooks of the compaction took, by event, as the client noted it."""
    found: dict[str, int] = {}
    for line in lines:
        entry = parse_object(line) if _TRACE in line else None
        trace = (entry or {}).get("attachment")
        if not isinstance(trace, dict) or not is_ours(trace.get("command")):
            continue
        event, took = trace.get("hookEvent"), trace.get("durationMs")
        if isinstance(event, str) and isinstance(took, int):
            found.setdefault(event, took)
    return found
