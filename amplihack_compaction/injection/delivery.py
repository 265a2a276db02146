"""Follow a session's compactions by the new bytes of its transcript (hot).

PreToolUse, UserPromptSubmit and Stop run all the time and nearly always have nothing to do: they
read a few numbers and the bytes that the transcript has grown by.
"""

import posix

from amplihack_compaction.base.files import open_regular, read_range
from amplihack_compaction.base.limits import HOT_SCAN_BYTES
from amplihack_compaction.base.paths import prepare_runtime
from amplihack_compaction.injection.position import Position, read_position, write_position
from amplihack_compaction.injection.receipts import (
    STATE_MARKER,
    is_claimed,
    read_receipt,
)
from amplihack_compaction.transcript.tail import MARKER, find_boundaries

# The position is written again only when this much has been looked at since, so that an
# ordinary tool call writes nothing.
_SAVE_STEP_BYTES = 64 * 1024
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024
_LINE_HEAD_BYTES = 4096
_ASSISTANT = b'"type":"assistant"'
# The client records a hook's raw output too; this attachment is what the model was sent.
_DELIVERED = b'"type":"hook_additional_context"'


def observe(
    root: str,
    folder: str,
    transcript_path: str,
    *,
    is_new_turn: bool = False,
    look_back: bool = False,
) -> Position | None:
    """Return the session's position brought up to the transcript's end; None without one.

    `position.missing` then says that the newest compaction's injection did not arrive. A shorter
    file than what was seen before, or one without its boundary, is met as unknown. `is_new_turn`:
    whatever hooks answered before is written by now. `look_back`: search what an unknown
    transcript held before its last megabyte, once.
    """
    try:
        descriptor = open_regular(transcript_path)
    except (OSError, ValueError):
        return None
    try:
        size = posix.fstat(descriptor).st_size
        known = read_position(folder)
        if known is not None and not _is_of(descriptor, size, known):
            known = None
        position = known or _first_position(descriptor, size)
        changed = _advance(descriptor, position, size) or known is None
        if look_back and position.begun:
            search_before(descriptor, position)
            changed = True
        if position.boundary > position.settled:
            changed |= settle(descriptor, folder, position, is_new_turn)
    finally:
        posix.close(descriptor)
    if changed:
        if known is None:
            prepare_runtime(root)
        write_position(folder, position)
    return position


def _is_of(descriptor: int, size: int, known: Position) -> bool:
    """Return whether what was seen before was seen in this transcript."""
    if known.scanned > size:
        return False
    return known.boundary < 0 or MARKER in read_range(descriptor, known.boundary, _LINE_HEAD_BYTES)


def _first_position(descriptor: int, size: int) -> Position:
    """Begin in an unknown transcript: at a line's start not far from its end."""
    start = size - HOT_SCAN_BYTES
    if start <= 0:
        return Position()
    line_end = read_range(descriptor, start, HOT_SCAN_BYTES).find(b"\n")
    begun = size if line_end < 0 else start + line_end + 1
    return Position(begun, begun)


def _advance(descriptor: int, position: Position, size: int) -> bool:
    """Search what is new; return whether the position is worth writing down."""
    begin = position.scanned
    offsets, end = find_boundaries(descriptor, begin, size)
    if offsets:
        nothing_before = -1 if position.begun else 0
        before = position.boundary if position.boundary >= 0 else nothing_before
        position.window = (before, *offsets)[-2]
        position.boundary = offsets[-1]
        position.tries = position.checks = 0
        if position.boundary == 0:
            # A fork's inherited boundary: nothing in this file was compacted by it, and its
            # window's number is that of the first compaction to come.
            position.settled = position.checked = 0
    position.scanned = end
    return bool(offsets) or end - begin > _SAVE_STEP_BYTES


def search_before(descriptor: int, position: Position) -> None:
    """Search the part of the transcript that was not looked at, and fill in what it tells."""
    earlier, _ = find_boundaries(descriptor, 0, position.begun)
    if position.boundary < 0 and earlier:
        position.boundary = earlier.pop()
    if position.boundary >= 0 and position.window < 0:
        position.window = earlier[-1] if earlier else 0
    position.begun = 0


def settle(descriptor: int, folder: str, position: Position, is_new_turn: bool = False) -> bool:
    """Find out whether the newest compaction's injection arrived; return whether it is settled.

    A receipt alone says that a text was given out. The transcript shows the attachment when it
    arrived (a forked session has it from its origin, without a receipt of its own); until the
    model has answered after the boundary, it may not be written yet, and nothing is decided.
    What a later hook than SessionStart gave is waited for until the next turn: tools run in
    parallel, and the attachment of one is written after the hooks of all. Given twice, it is
    settled: a third text would be noise.
    """
    after = read_range(descriptor, position.boundary, _AFTER_BOUNDARY_BYTES)
    given = position.window >= 0 and is_claimed(folder, position.window)
    if _arrived(after) or (given and is_claimed(folder, position.window, 1)):
        position.settled = position.boundary
        return True
    position.attempt = 1 if given else 0
    if not given:
        position.missing = True
    elif _given_at_session_start(folder, position.window):
        position.missing = _ASSISTANT in after
    else:
        position.missing = is_new_turn
    return False


def _arrived(after: bytes) -> bool:
    """Return whether a line is the attachment of a state: both marks, in the same line."""
    hit = after.find(_DELIVERED)
    while hit >= 0:
        start = after.rfind(b"\n", 0, hit) + 1
        end = after.find(b"\n", hit)
        if STATE_MARKER in after[start : end if end >= 0 else len(after)]:
            return True
        hit = after.find(_DELIVERED, hit + 1)
    return False


def _given_at_session_start(folder: str, window_start: int) -> bool:
    receipt = read_receipt(folder, window_start) or {}
    return receipt.get("event") == "SessionStart"
