"""`watch`: keep a view of the running session on the terminal until the user quits."""

import os
import re
import select
import signal
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import FrameType
from typing import NoReturn

from rich.console import Console
from rich.live import Live

from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.commands.edit import DONE, change_item, undo_edit
from amplihack_compaction.cli.options import FOLLOWED_ARGUMENT
from amplihack_compaction.cli.sessions import SESSION_ID, Session, chosen_session, open_session
from amplihack_compaction.cli.watch import (
    ChosenItem,
    SessionNow,
    SessionReader,
    lay_out_view,
    ledger_items,
)
from amplihack_compaction.clients.reading import project_transcripts, session_transcript
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies
from amplihack_compaction.ledger.edits import LedgerItem, last_edit
from amplihack_compaction.text.words import inert

POLL_SECONDS = 0.5
_KEYS_BYTES = 64
_QUIT = frozenset(b"qQ\x04")  # Ctrl-D as well
_UP, _DOWN = (b"k", b"\x1b[A", b"\x1bOA"), (b"j", b"\x1b[B", b"\x1bOB")
_ACTS = {b"f": "forget", b"d": "done", b"p": "pin"}
_UNDO = b"u"
_KEY = re.compile(rb"\x1b[\[O][A-D]|.", re.DOTALL)
_SIGNALLED = 128


def watch(session: str | None = FOLLOWED_ARGUMENT) -> None:
    """Keep a view of the running session on the terminal: context, what is kept, hooks.

    Waits for a session that has not begun. Without a name it takes the newest of this project, and
    goes over to the next one that begins. The arrow keys go through what is kept, and f, d and p
    forget, finish or pin the item that is chosen; u takes the last change back. Press q to quit; in
    a pipe it prints the view once.
    """
    watching = WatchedSession(session)
    console = Console(highlight=False)
    if not (sys.stdin.isatty() and console.is_terminal) or console.is_dumb_terminal:
        console.print(watching.once(console))
        return
    with suppress(KeyboardInterrupt, OSError), _single_keys(), _ending_by_signal():
        _run(watching, console)


class WatchedSession:
    """The session that is followed, and its reader; another session gets another reader.

    Without a name it is the project's newest one until another one begins, as after `/clear`.
    """

    def __init__(self, named: str | None) -> None:
        """Look for the session. Raises TranscriptError when it is named and can never come."""
        self._root, self._named = project_root(), named
        self._nothing = SessionNow(self._root)
        self._known: set[Path] = set()
        self._reader: SessionReader | None = None
        self._found: Session | None = None
        if named is not None and (not SESSION_ID.fullmatch(named) or Path(named).exists()):
            self._found = chosen_session(named)

    def session(self) -> Session | None:
        """Return the session as of now; None while it has not begun."""
        paths: list[Path] = []
        if self._named is None:
            new = [path for path in project_transcripts(self._root) if path not in self._known]
            # A copy counts from when somebody goes on in it.
            paths = without_unused_copies(self._root, new)
        elif self._found is None:
            paths = list(filter(None, [session_transcript(self._root, self._named)]))
        for path in paths:
            with suppress(TranscriptError, OSError):
                self._found = open_session(path)
                self._known |= {path} if self._known else set(paths)
                break
        return self._found

    def picture(self) -> SessionNow:
        """Return what is known now of the session that is followed."""
        session = self.session()
        if session is None:
            return self._nothing
        if self._reader is None or session.id != self._reader.session.id:
            self._reader = SessionReader(session)
        return self._reader.picture()

    def press(self, key: bytes, choice: ChosenItem, drawn: SessionNow) -> ChosenItem:
        """Do what a key means to what was drawn, and return what is chosen then and was done.

        What is gone after that is chosen no more: a second press does nothing to what moved up.
        """
        session, state = drawn.session, drawn.state
        if session is None:
            return ChosenItem()
        items = ledger_items(state) if state is not None else []
        step = (key in _DOWN) - (key in _UP)
        number = min(max(choice.number_in(drawn) + step, -1), len(items) - 1)
        item = items[number] if number >= 0 else None
        if step:
            return ChosenItem(item.whole_id if item is not None else "", session.id)
        # What is gone is chosen again when it comes back.
        is_here = choice.session_id == session.id
        chosen = ChosenItem(choice.item_id if is_here else "", session.id)
        try:
            told = self._change(session, key, item)
        except (CompactionError, OSError) as error:
            return replace(chosen, told=str(error))
        if told and self._reader is not None:
            self._reader.look_again()
        return replace(chosen, told=told)

    def _change(self, session: Session, key: bytes, item: LedgerItem | None) -> str:
        """Do what a key means to the item, and return what was done; empty for nothing."""
        if key in _ACTS and item is not None:
            change_item(session, _ACTS[key], item)
            return f"{DONE[_ACTS[key]]}: {inert(item.text)}"
        transcript = str(session.transcript)
        newest = last_edit(session.folder, transcript, "user") if key == _UNDO else None
        if newest is None:
            return "There is nothing to take back." if key == _UNDO else ""
        undo_edit(session, newest)
        return f"Taken back: {newest.act} {inert(newest.text)}"

    def once(self, console: Console) -> object:
        """Return the whole view, its ledger included, which the second look reads."""
        self.picture()
        return lay_out_view(self.picture(), console.width, 10_000, footer=False)


def _run(watching: WatchedSession, console: Console) -> None:
    shown: tuple[SessionNow, int, int, ChosenItem] | None = None
    choice = ChosenItem()
    with Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            width, height = console.size
            current = (watching.picture(), width, height, choice)
            if shown is None or current[0] is not shown[0] or current[1:] != shown[1:]:
                view = lay_out_view(current[0], width, height, choice=choice)
                live.update(view, refresh=True)
                shown = current
            is_changed = False
            for key in _pressed():
                if key[0] in _QUIT:
                    return
                if not is_changed:  # what was typed ahead was meant for another picture
                    choice = watching.press(key, choice, current[0])
                    is_changed = bool(choice.told)


def _pressed() -> list[bytes]:
    """Wait for keys, half a second at most; the end of the input is a wish to quit."""
    ready, _, _ = select.select([sys.stdin], [], [], POLL_SECONDS)
    if not ready:
        return []
    return _KEY.findall(os.read(sys.stdin.fileno(), _KEYS_BYTES)) or [b"q"]


@contextmanager
def _single_keys() -> Iterator[None]:
    """Have keys read as they are pressed and not shown, and the terminal given back as it was."""
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    try:
        tty.setcbreak(descriptor)
        now = termios.tcgetattr(descriptor)
        now[6][termios.VSUSP] = b"\0"  # a view that is stopped would leave its screen to the shell
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
