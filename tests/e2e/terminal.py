"""Interactive mode: the client on a pseudo terminal, for what it does nowhere else.

Nothing tells when an interactive turn has ended. But the client draws while it works, so a turn
counts as ended when both screen and API have been quiet for a while, not counting what the client
then waited for a processor on a busy machine.
"""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from .api import Api
from .conversation import EXIT_SECONDS, BoundTurn, ClientTimeoutError, Keys, Said
from .process import Launch, running

ROWS, COLUMNS = 50, 180
QUIET_SECONDS = 1.0
ENTER_SECONDS = 0.3
POLL_SECONDS = 0.05
ECHO_SECONDS = 10.0
"""So long a busy client may take to draw what is typed; where it draws nothing it goes on then."""


def type_turns(
    command: Sequence[str], launch: Launch, turns: Sequence[BoundTurn], turn_seconds: float
) -> Said:
    """Run an interactive client through the turns, and leave it with /exit."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    launch.stderr.touch()
    try:
        with running(command, launch, theirs, theirs, theirs) as process:
            os.close(theirs)
            return Terminal(process, ours, launch.api).hold(turns, turn_seconds)
    finally:
        os.close(ours)


class Terminal:
    """Types prompts and watches screen and API."""

    def __init__(self, process: subprocess.Popen[bytes], descriptor: int, api: Api) -> None:
        self._process, self._descriptor, self._api = process, descriptor, api
        self._drawn = bytearray()
        self._drawn_at = time.monotonic()
        self._reader = threading.Thread(target=self._read, daemon=True)

    def hold(self, turns: Sequence[BoundTurn], turn_seconds: float) -> Said:
        """Take every turn, then let the client leave."""
        self._reader.start()
        self._settle("the start", turn_seconds, first=b"\xe2\x9d\xaf")
        for turn in turns:
            if callable(turn):
                turn()
            else:
                self._press(turn) if isinstance(turn, Keys) else self._type(turn)
                self._settle(str(turn), turn_seconds)
        self._type("/exit")
        exit_code = self._process.wait(EXIT_SECONDS)
        self._reader.join()
        return Said(exit_code, screen=self._drawn.decode(errors="replace"))

    def _type(self, text: str) -> None:
        # Enter in the same burst would count as part of pasted text.
        typed_at = time.monotonic()
        os.write(self._descriptor, text.encode())
        while self._drawn_at < typed_at and time.monotonic() - typed_at < ECHO_SECONDS:
            time.sleep(POLL_SECONDS)
        time.sleep(ENTER_SECONDS)
        os.write(self._descriptor, b"\r")
        self._drawn_at = time.monotonic()

    def _press(self, keys: Keys) -> None:
        os.write(self._descriptor, keys.pressed.encode())
        self._drawn_at = time.monotonic()

    def _settle(self, waiting_for: str, seconds: float, first: bytes = b"") -> None:
        deadline = time.monotonic() + seconds
        active_at, waited = self._active_at(), self._waited_seconds()
        while first not in self._drawn or time.monotonic() - active_at < QUIET_SECONDS + (
            self._waited_seconds() - waited
        ):
            if self._active_at() != active_at:
                active_at, waited = self._active_at(), self._waited_seconds()
            if time.monotonic() > deadline:
                screen = self._drawn[-2000:].decode(errors="replace")
                raise ClientTimeoutError(f"waiting for {waiting_for!r} after {screen!r}")
            time.sleep(POLL_SECONDS)

    def _active_at(self) -> float:
        return max(self._drawn_at, self._api.active_at)

    def _waited_seconds(self) -> float:
        """Return how long the client's threads stood in the queue for a processor; else 0."""
        nanoseconds = 0
        for statistics in Path(f"/proc/{self._process.pid}/task").glob("*/schedstat"):
            with suppress(OSError):  # the thread has ended
                nanoseconds += int(statistics.read_text().split()[1])
        return nanoseconds / 1e9

    def _read(self) -> None:
        while True:
            try:
                drawn = os.read(self._descriptor, 65536)
            except OSError:  # how Linux reports that no process has the terminal open
                return
            if not drawn:
                return
            self._drawn += drawn
            self._drawn_at = time.monotonic()
