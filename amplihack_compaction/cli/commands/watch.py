"""`watch`: keep a view of the running session on the terminal until the user quits."""

import os
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn

import typer
from rich.console import Console
from rich.live import Live

from amplihack_compaction.cli.options import SessionArgument, examples
from amplihack_compaction.cli.watch.session import SessionFollower, SessionNow, SessionReader
from amplihack_compaction.cli.watch.view import lay_out_view

POLL_SECONDS = 0.5
_KEYS_BYTES = 64
_QUIT = frozenset(b"qQ\x04")  # Ctrl-D as well
_SIGNALLED = 128
commands = typer.Typer()


@commands.command(epilog=examples("watch", "watch 1f2e3d4c"))
def watch(session: SessionArgument = None) -> None:
    """Keep a view of the running session on the terminal: context, ledger, last hook calls.

    Waits for a session that has not begun. Without a name it goes over to the next session that
    begins in this project. Press q to quit; in a pipe it prints the view once.
    """
    watching = _Watching(session)
    console = Console(highlight=False)
    if not (sys.stdin.isatty() and console.is_terminal) or console.is_dumb_terminal:
        console.print(watching.once(console))
        return
    with suppress(KeyboardInterrupt, OSError), _single_keys(), _ending_by_signal():
        _run(watching, console)


class _Watching:
    """The session that is followed, and its reader; another session gets another reader."""

    def __init__(self, named: str | None) -> None:
        self._following = SessionFollower(named)
        self._reader: SessionReader | None = None
        self._nothing = SessionNow(self._following.root)
        self._id = ""

    def picture(self) -> SessionNow:
        session = self._following.session()
        if session is None:
            return self._nothing
        if self._reader is None or session.id != self._id:
            self._reader, self._id = SessionReader(session), session.id
        return self._reader.picture()

    def once(self, console: Console) -> object:
        """Return the whole view, its ledger included."""
        picture = self.picture()
        if self._reader is not None:
            self._reader.ledger.wait()
            picture = self._reader.picture()
        return lay_out_view(picture, console.width, 10_000, footer=False)


def _run(watching: _Watching, console: Console) -> None:
    shown: tuple[SessionNow, int, int] | None = None
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            width, height = console.size
            current = (watching.picture(), width, height)
            if shown is None or current[0] is not shown[0] or current[1:] != shown[1:]:
                live.update(lay_out_view(*current), refresh=True)
                shown = current
            if _wants_to_quit():
                return


def _wants_to_quit() -> bool:
    """Wait for a key, half a second at most; the end of the input is a wish to quit as well."""
    ready, _, _ = select.select([sys.stdin], [], [], POLL_SECONDS)
    if not ready:
        return False
    keys = os.read(sys.stdin.fileno(), _KEYS_BYTES)
    return not keys or bool(_QUIT.intersection(keys))


@contextmanager
def _single_keys() -> Iterator[None]:
    """Have keys read as they are pressed and not shown, and the terminal given back as it was.

    Ctrl-Z is switched off: a stopped view would leave its screen to the shell.
    """
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        now = termios.tcgetattr(descriptor)
        now[6][termios.VSUSP] = b"\0"
        termios.tcsetattr(descriptor, termios.TCSANOW, now)
        yield
    finally:
        with suppress(termios.error):  # the terminal is gone
            termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


@contextmanager
def _ending_by_signal() -> Iterator[None]:
    """Have a signal that ends the process give the terminal back first."""

    def leave(number: int, _: FrameType | None) -> NoReturn:
        raise SystemExit(_SIGNALLED + number)

    before = {number: signal.signal(number, leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
