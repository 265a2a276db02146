"""Follow a session's compactions by the new bytes of its transcript (hot).

PreToolUse, UserPromptSubmit and Stop run all the time and nearly always have nothing to do: they
read a few numbers and the bytes that the transcript has grown by.
"""

import posix

from amplihack_compaction.files import open_regular, read_range
from amplihack_compaction.limits import HOT_SCAN_BYTES
from amplihack_compaction.paths import prepare_runtime
from amplihack_compaction.preservation.position import Position, read_position, write_position
from amplihack_compaction.preservation.receipts import (
    STATE_MARKER,
    is_claimed,
    read_receipt,
)
from amplihack_compaction.transcript.tail import find_boundaries

# The position is written again only when this much has been looked at since, so that an
# ordinary tool call writes nothing.
_SAVE_STEP_BYTES = 64 * 1024
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
_ASSISTANT = b'"type":"assistant"'
# The client records a hook's raw output too; this attachment is what the model was sent.
_DELIVERED = b'"type":"hook_additional_context"'


def observe(root: str, folder: str, transcript_path: str) -> Position | None:
    """Return the session's position brought up to the transcript's end; None without one.

    `position.missing` then says that the newest compaction's injection did not arrive. A
    transcript that is shorter than what was seen of it is another file: nothing is known.
    """
    try:
        descriptor = open_regular(transcript_path)
    except (OSError, ValueError):
        return None
    try:
        size = posix.fstat(descriptor).st_size
        known = read_position(folder)
        if known is not None and known.scanned > size:
            known = None
        position = known or Position(scanned=_first_line(descriptor, size), window=-1)
        changed = _advance(descriptor, position, size, known is not None)
        if position.boundary > position.settled:
            changed |= settle(descriptor, folder, position, size)
    finally:
        posix.close(descriptor)
    if changed:
        if known is None:
            prepare_runtime(root)
        write_position(folder, position)
    return position


def _first_line(descriptor: int, size: int) -> int:
    """Return where to begin in an unknown transcript: a line's start not far from its end."""
    start = size - HOT_SCAN_BYTES
    if start <= 0:
        return 0
    line_end = read_range(descriptor, start, HOT_SCAN_BYTES).find(b"\n")
    return size if line_end < 0 else start + line_end + 1


def _advance(descriptor: int, position: Position, size: int, known: bool) -> bool:
    """Search what is new; return whether the position is worth writing down."""
    begin = position.scanned
    offsets, end = find_boundaries(descriptor, begin, size)
    if offsets:
        whole_file_seen = known or begin == 0
        earlier = [position.boundary if position.boundary >= 0 else 0, *offsets]
        position.window = earlier[-2] if len(offsets) > 1 or whole_file_seen else -1
        position.boundary = offsets[-1]
    position.scanned = end
    return bool(offsets) or end - begin > _SAVE_STEP_BYTES or not known


def settle(descriptor: int, folder: str, position: Position, size: int) -> bool:
    """Find out whether the newest compaction's injection arrived; return whether it is settled.

    A receipt alone says that a text was given out. The transcript shows the attachment when it
    arrived (a forked session has it from its origin, without a receipt of its own); until the
    model has answered after the boundary, it may not be written yet, and nothing is decided.
    What a later hook than SessionStart gave is not given again: tools run in parallel, and the
    attachment of one is written after the hooks of all.
    """
    given = position.window >= 0 and is_claimed(folder, position.window)
    length = min(size - position.boundary, _AFTER_BOUNDARY_BYTES)
    after = read_range(descriptor, position.boundary, length)
    arrived = _DELIVERED in after and STATE_MARKER in after
    if arrived or (given and _given_later(folder, position.window)):
        position.settled = position.boundary
        return True
    position.missing = not given or _ASSISTANT in after
    position.attempt = 1 if given else 0
    return False


def _given_later(folder: str, window_start: int) -> bool:
    receipt = read_receipt(folder, window_start) or {}
    return receipt.get("event") != "SessionStart" or is_claimed(folder, window_start, 1)
