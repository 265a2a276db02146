"""What the hooks of a session have seen of its transcript so far (hot).

One small file per session, `position`, a line of numbers in text:

    3 SCANNED BEGUN BOUNDARY WINDOW SETTLED CHECKED TRIES CHECKS

`SCANNED`: where the search for boundaries stands. `BEGUN`: where it began; before that nothing
was looked at. `BOUNDARY`: offset of the newest compaction boundary, -1 for none known. `WINDOW`:
where the window that it closed began, -1 when unknown. `SETTLED`: the boundary whose injection is
settled. `CHECKED`: the boundary that Stop has dealt with. `TRIES`: how often an injection for this
boundary was begun. `CHECKS`: how often Stop began to deal with it.

It is a cache: every number can be found again in the transcript and the receipts. Hooks run in
parallel; the last one to write wins, and a lost write only means that it is looked up again.
"""

from amplihack_compaction.base.files import read_bytes, replace_atomically

_VERSION = 3
_LIMIT_BYTES = 4096


class Position:
    """The numbers of the file; see the module.

    `missing` and `attempt` are found out anew each time: whether the newest compaction's
    injection is to be given now, and how often it was given before.
    """

    __slots__ = (
        "attempt", "begun", "boundary", "checked", "checks", "missing", "scanned", "settled",
        "tries", "window",
    )  # fmt: skip

    def __init__(
        self,
        scanned: int = 0,
        begun: int = 0,
        boundary: int = -1,
        window: int = -1,
        settled: int = -1,
        checked: int = -1,
        tries: int = 0,
        checks: int = 0,
    ) -> None:
        self.scanned = scanned
        self.begun = begun
        self.boundary = boundary
        self.window = window
        self.settled = settled
        self.checked = checked
        self.tries = tries
        self.checks = checks
        self.missing = False
        self.attempt = 0

    def numbers(self) -> tuple[int, ...]:
        """Return the numbers in the order of the file."""
        return (
            self.scanned, self.begun, self.boundary, self.window, self.settled, self.checked,
            self.tries, self.checks,
        )  # fmt: skip


def read_position(folder: str) -> Position | None:
    """Return a session's position, or None when there is none that can be understood."""
    data = read_bytes(f"{folder}/position", _LIMIT_BYTES)
    try:
        version, *numbers = [int(word) for word in (data or b"").split()]
    except ValueError:
        return None
    if version != _VERSION or len(numbers) != len(Position().numbers()):
        return None
    scanned, begun, *offsets, _tries, _checks = numbers
    if not 0 <= begun <= scanned or not all(-1 <= offset <= scanned for offset in offsets):
        return None  # damaged: no such place was ever looked at
    return Position(*numbers)


def write_position(folder: str, position: Position) -> None:
    """Store a session's position."""
    text = " ".join(str(number) for number in (_VERSION, *position.numbers()))
    replace_atomically(f"{folder}/position", text.encode() + b"\n")
