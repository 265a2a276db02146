"""Put a session's state on disk at a compaction: ledger, snapshot, window copy and event."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amplihack_compaction.compaction.events import record_event
from amplihack_compaction.errors import CompactionError
from amplihack_compaction.ledger.fold import Folded, current_state
from amplihack_compaction.paths import prepare_runtime, session_folder
from amplihack_compaction.preservation.snapshot import (
    snapshot_of_window,
    take_snapshot,
    text_path,
)
from amplihack_compaction.preservation.window_copy import copy_window, has_copy
from amplihack_compaction.settings import Settings, load_settings
from amplihack_compaction.transcript.boundaries import Window, read_windows

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was put on disk; `snapshot_id` is empty where the disk refused.

    `transcript_bytes` is the transcript's size before it was read.
    """

    folder: str
    folded: Folded
    settings: Settings
    snapshot_id: str
    transcript_bytes: int

    @property
    def text_file(self) -> str:
        """The file with the whole state as text; empty where there is none."""
        return text_path(self.folder, self.snapshot_id) if self.snapshot_id else ""


def record_compaction(
    root: str, session_id: str, transcript_path: str, log: Log, **event: Any
) -> Recorded:
    """Bring everything stored of the open window up to now, and return it.

    Called again for the same window, it refreshes what is there; with nothing new in the
    transcript, only the event. What the disk refuses is logged, and the state still returned:
    what can be injected must not depend on what can be stored. `event` are further keys of the
    compaction's event. Raises TranscriptError when the transcript cannot be read.
    """
    settings, problems = load_settings(root)
    for problem in problems:
        log(problem)
    folder = _session_folder(root, session_id, log)
    size = _size(transcript_path)
    folded = current_state(folder, session_id, transcript_path, settings.ledger_items)
    start = folded.window.start
    snapshot_id, covered = snapshot_of_window(folder, start)
    is_new = covered != folded.state.covered_bytes
    try:
        # An automatic snapshot may have covered all that was said; it makes no copy.
        if is_new or not has_copy(folder, start):
            event["pre_compaction_transcript_path"] = copy_window(
                folder, transcript_path, start, None, settings.window_copies
            )
        if is_new:
            snapshot_id = take_snapshot(
                folder, folded.state, start, transcript_path, settings.snapshots
            ).id
        record_event(root, session_id, start, **_event_fields(folded, snapshot_id), **event)
    except (OSError, CompactionError) as error:
        log(f"not everything could be stored: {error}")
    return Recorded(folder, folded, settings, snapshot_id, size)


def record_past_compaction(
    root: str, session_id: str, transcript_path: str, window_start: int, log: Log, **event: Any
) -> Recorded:
    """Complete what is stored of a compaction whose boundary is in the transcript by now.

    The boundary tells what was not known before: when and why it came, its tokens, and which
    messages it kept. Where PreCompact was missed, snapshot and copy are made up for. The state
    that is returned is that of now. Raises TranscriptError when the transcript cannot be read.
    """
    settings, _ = load_settings(root)
    folder = _session_folder(root, session_id, log)
    size = _size(transcript_path)
    folded = current_state(folder, session_id, transcript_path, settings.ledger_items)
    compacted = next(read_windows(transcript_path, window_start))
    snapshot_id, _ = snapshot_of_window(folder, window_start)
    try:
        if not snapshot_id and compacted.ended is not None:
            event["pre_compaction_transcript_path"] = copy_window(
                folder,
                transcript_path,
                window_start,
                compacted.end,
                settings.window_copies,
            )
            snapshot_id = take_snapshot(
                folder, folded.base, window_start, transcript_path, settings.snapshots
            ).id
        fields = {"turn_number": folded.base.turns, "snapshot": snapshot_id}
        record_event(
            root, session_id, window_start, **fields, **_boundary_fields(compacted), **event
        )
    except (OSError, CompactionError) as error:
        log(f"not everything could be stored: {error}")
    return Recorded(folder, folded, settings, snapshot_id, size)


def _session_folder(root: str, session_id: str, log: Log) -> str:
    try:
        prepare_runtime(root)
    except OSError as error:
        log(f"the runtime folder cannot be made: {error}")
    return session_folder(root, session_id)


def _size(transcript_path: str) -> int:
    try:
        return Path(transcript_path).stat().st_size
    except OSError:
        return 0  # reading it will say what is wrong


def _boundary_fields(compacted: Window) -> dict[str, Any]:
    boundary = compacted.ended
    if boundary is None:
        return {}
    removed = [node for node in compacted.messages if node.uuid not in boundary.preserved]
    return {
        "timestamp": boundary.timestamp,
        "messages_removed": len(removed),
        "trigger": boundary.trigger,
        "pre_tokens": boundary.pre_tokens,
        "post_tokens": boundary.post_tokens,
        "precomputed": boundary.precomputed,
        "boundary_uuid": boundary.uuid,
        "boundary_offset": boundary.offset,
    }


def _event_fields(folded: Folded, snapshot_id: str) -> dict[str, Any]:
    return {
        "turn_number": folded.state.turns,
        # Counted less the preserved ones once the boundary names them.
        "messages_removed": len(folded.window.messages),
        "snapshot": snapshot_id,
    }
