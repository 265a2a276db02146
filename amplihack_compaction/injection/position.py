"""Where a session stands in its transcript, and at which compaction (hot).

PreToolUse, UserPromptSubmit and Stop run all the time and nearly always have nothing to do: they
read a few numbers and the bytes that the transcript has grown by. The numbers stand in one small
file per session, `position`, as text in a line:

    3 SCANNED BEGUN BOUNDARY WINDOW SETTLED CHECKED TRIES CHECKS

`SCANNED`: where the search for boundaries stands. `BEGUN`: where it began; before that nothing
was looked at. `BOUNDARY`: offset of the newest compaction boundary, -1 for none known. `WINDOW`:
where the window that it closed began, -1 when unknown. `SETTLED`: the boundary whose injection is
settled. `CHECKED`: the boundary that Stop has dealt with. `TRIES`: how often an injection for this
boundary was begun. `CHECKS`: how often Stop began to deal with it.

It is a cache: every number can be found again in the transcript and the receipts. Hooks run in
parallel; the last one to write wins, and a lost write only means that it is looked up again.
"""

import posix

from amplihack_compaction.base.files import open_regular, read_bytes, read_range, replace_atomically
from amplihack_compaction.base.paths import prepare_runtime
from amplihack_compaction.base.size_limits import HOT_SCAN_BYTES, STATE_HEAD
from amplihack_compaction.clients import tail_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from amplihack_compaction.clients.client_tail import ClientTail

_POSITION_VERSION = 3
_POSITION_LIMIT_BYTES = 4096


_NUMBERS = ("scanned", "begun", "boundary", "window", "settled", "checked", "tries", "checks")


class Position:
    """The numbers of the file; see the module.

    `missing` and `attempt` are found out anew each time: whether the newest compaction's
    injection is to be given now, and how often it was given before.
    """

    scanned = begun = tries = checks = attempt = 0
    boundary = window = settled = checked = -1
    missing = False

    def __init__(self, *numbers: int) -> None:
        for name, number in zip(_NUMBERS, numbers, strict=False):
            setattr(self, name, number)

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers in the order of the file."""
        return tuple([getattr(self, name) for name in _NUMBERS])


def read_position(folder: str) -> Position | None:
    """Return a session's position, or None when there is none that can be understood."""
    data = read_bytes(f"{folder}/position", _POSITION_LIMIT_BYTES)
    try:
        version, *numbers = [int(word) for word in (data or b"").split()]
    except ValueError:
        return None
    if version != _POSITION_VERSION or len(numbers) != len(_NUMBERS):
        return None
    scanned, begun, *offsets, _tries, _checks = numbers
    if not 0 <= begun <= scanned or not all(-1 <= offset <= scanned for offset in offsets):
        return None  # damaged: no such place was ever looked at
    return Position(*numbers)


def write_position(folder: str, position: Position) -> None:
    """Store a session's position."""
    text = " ".join(str(number) for number in (_POSITION_VERSION, *position.numbers()))
    replace_atomically(f"{folder}/position", text.encode() + b"\n")


def is_pending(folder: str) -> bool:
    """Return whether a text waits for the session's next prompt or tool use."""
    try:
        posix.stat(f"{folder}/pending")
    except OSError:
        return False
    return True


# The position is written again only when this much has been looked at since, so that an
# ordinary tool call writes nothing.
_SAVE_STEP_BYTES = 64 * 1024
_LINE_HEAD_BYTES = 4096
_AFTER_BOUNDARY_BYTES = 4 * 1024 * 1024


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
    tail = tail_of(transcript_path)
    try:
        size = posix.fstat(descriptor).st_size
        known = read_position(folder)
        if known is not None and not _is_of(tail, descriptor, size, known):
            known = None
        position = known or _first_position(descriptor, size)
        changed = _advance(tail, descriptor, position, size) or known is None
        if look_back and position.begun:
            search_before(tail, descriptor, position)
            changed = True
        if position.boundary > position.settled:
            changed |= settle(tail, descriptor, folder, position, is_new_turn)
    finally:
        posix.close(descriptor)
    if changed:
        if known is None:
            prepare_runtime(root)
        write_position(folder, position)
    return position


def _is_of(tail: "ClientTail", descriptor: int, size: int, known: Position) -> bool:
    """Return whether what was seen before was seen in this transcript."""
    if known.scanned > size:
        return False
    if known.boundary < 0:
        return True
    return tail.MARKER in read_range(descriptor, known.boundary, _LINE_HEAD_BYTES)


def _first_position(descriptor: int, size: int) -> Position:
    """Begin in an unknown transcript: at a line's start not far from its end."""
    start = size - HOT_SCAN_BYTES
    if start <= 0:
        return Position()
    line_end = read_range(descriptor, start, HOT_SCAN_BYTES).find(b"\n")
    begun = size if line_end < 0 else start + line_end + 1
    return Position(begun, begun)


def _advance(tail: "ClientTail", descriptor: int, position: Position, size: int) -> bool:
    """Search what is new; return whether the position is worth writing down."""
    begin = position.scanned
    offsets, end = tail.find_boundaries(descriptor, begin, size)
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


def search_before(tail: "ClientTail", descriptor: int, position: Position) -> None:
    """Search the part of the transcript that was not looked at, and fill in what it tells."""
    earlier, _ = tail.find_boundaries(descriptor, 0, position.begun)
    if position.boundary < 0 and earlier:
        position.boundary = earlier.pop()
    if position.boundary >= 0 and position.window < 0:
        position.window = earlier[-1] if earlier else 0
    position.begun = 0


def settle(
    tail: "ClientTail", descriptor: int, folder: str, position: Position, is_new_turn: bool = False
) -> bool:
    """Find out whether the newest compaction's injection arrived; return whether it is settled.

    A receipt alone says that a text was given out. The transcript shows the attachment when it
    arrived (a forked session has it from its origin, without a receipt of its own); until the
    model has answered after the boundary, it may not be written yet, and nothing is decided.
    What a later hook than SessionStart gave is waited for until the next turn: tools run in
    parallel, and the attachment of one is written after the hooks of all. Given twice, it is
    settled: a third text would be noise.
    """
    from amplihack_compaction.injection.receipts import is_claimed, read_receipt

    after = read_range(descriptor, position.boundary, _AFTER_BOUNDARY_BYTES)
    given = position.window >= 0 and is_claimed(folder, position.window)
    if arrived(tail.DELIVERED_MARK, after) or (given and is_claimed(folder, position.window, 1)):
        position.settled = position.boundary
        return True
    position.attempt = 1 if given else 0
    if not given:
        position.missing = True
    elif (read_receipt(folder, position.window) or {}).get("event") == "SessionStart":
        position.missing = tail.ANSWER_MARK in after
    else:
        position.missing = is_new_turn
    return False


def arrived(mark: bytes, after: bytes) -> bool:
    """Return whether a line behind the boundary's shows a state: both marks, in the same line."""
    hit = after.find(mark, after.find(b"\n"))
    while hit >= 0:
        start = after.rfind(b"\n", 0, hit) + 1
        end = after.find(b"\n", hit)
        if STATE_HEAD.encode() in after[start : end if end >= 0 else len(after)]:
            return True
        hit = after.find(mark, hit + 1)
    return False
