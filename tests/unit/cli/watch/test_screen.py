"""The terminal while `watch` runs, and afterwards."""

import os
import pty
import signal
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console, ConsoleDimensions, Group

from amplihack_compaction.cli.commands import watch as screen_module
from amplihack_compaction.cli.commands.watch import watch
from amplihack_compaction.cli.watch import ChosenItem, SessionNow, lay_out_view
from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from tests.support.transcripts import SESSION, Transcript

LOCAL_MODES, CONTROLS = 3, 6
LEAVE_SCREEN = b"\x1b[?1049l"


class Terminal:
    """A terminal of its own: `stdin` and `stdout` are the program's, `seen` what it has written."""

    def __init__(self) -> None:
        self.outside, inside = pty.openpty()
        self.stdin = os.fdopen(inside, "r", encoding="utf-8")
        self.stdout = os.fdopen(os.dup(inside), "w", encoding="utf-8")
        self.seen = b""
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self.outside, 4096)
            except OSError:
                return
            if not part:
                return
            self.seen += part

    def modes(self) -> list[object]:
        return termios.tcgetattr(self.stdin.fileno())

    def press_when_shown(self, keys: bytes) -> None:
        """Press keys as soon as the view is there; what was pressed before it is dropped."""

        def press() -> None:
            while b"q quits" not in self.seen:
                time.sleep(0.01)
            os.write(self.outside, keys)

        threading.Thread(target=press, daemon=True).start()

    def watch(self) -> None:
        """Run the command on this terminal; pytest has its own streams from test to test."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("sys.stdin", self.stdin)
            patch.setattr("sys.stdout", self.stdout)
            watch(None)

    def close(self) -> None:
        """Close the program's side, and see the rest of what it wrote."""
        self.stdin.close()
        self.stdout.close()
        self._reader.join(timeout=10)


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[Terminal]:
    made = Terminal()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setattr(screen_module, "POLL_SECONDS", 0.01)
    yield made
    made.close()
    os.close(made.outside)


@pytest.fixture
def folder(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return transcript_folder(str(project))


def record(folder: Path) -> None:
    session = Transcript()
    session.user("Fix the login. Never push to main.")
    session.assistant("Done.")
    session.write(folder / f"{SESSION}.jsonl")


@pytest.mark.parametrize("keys", [b"q", b"Q", b"\x04", b"xyzq"])
def test_a_key_ends_it_and_the_terminal_is_as_it_was(
    terminal: Terminal, folder: Path, keys: bytes
) -> None:
    before = terminal.modes()
    terminal.press_when_shown(keys)
    terminal.watch()
    assert terminal.modes() == before
    terminal.close()
    assert LEAVE_SCREEN in terminal.seen, terminal.seen[-300:]
    assert terminal.seen.index(b"Waiting for a session") < terminal.seen.index(LEAVE_SCREEN)


def test_while_it_runs_keys_are_not_shown_and_it_cannot_be_stopped(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[list[object]] = []

    def look() -> list[bytes]:
        seen.append(terminal.modes())
        return [b"q"]

    monkeypatch.setattr(screen_module, "_pressed", look)
    terminal.watch()
    (modes,) = seen
    local, controls = modes[LOCAL_MODES], modes[CONTROLS]
    assert isinstance(local, int)
    assert isinstance(controls, list)
    assert not local & (termios.ECHO | termios.ICANON)
    assert local & termios.ISIG  # Ctrl-C still is one
    assert controls[termios.VSUSP] == b"\0"


def test_it_draws_again_only_when_something_has_changed(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = iter([(80, 24)] * 5 + [(60, 10)] * 5)
    drawn: list[tuple[int, int]] = []
    current = [(80, 24)]

    def count(picture: SessionNow, width: int, height: int, choice: ChosenItem) -> Group:
        drawn.append((width, height))
        return lay_out_view(picture, width, height, choice=choice)

    def look() -> list[bytes]:
        current[0] = next(sizes, (0, 0))
        return [b"q"] if current[0] == (0, 0) else []

    monkeypatch.setattr(screen_module, "lay_out_view", count)
    monkeypatch.setattr(screen_module, "_pressed", look)
    monkeypatch.setattr(Console, "size", property(lambda _: ConsoleDimensions(*current[0])))
    terminal.watch()
    assert drawn == [(80, 24), (60, 10)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_gives_the_terminal_back_first(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    before, handler = terminal.modes(), signal.getsignal(number)

    def be_ended() -> list[bytes]:
        signal.raise_signal(number)
        return []

    monkeypatch.setattr(screen_module, "_pressed", be_ended)
    with pytest.raises(SystemExit) as left:
        terminal.watch()
    assert left.value.code == 128 + number
    assert terminal.modes() == before
    assert signal.getsignal(number) is handler


def test_control_c_is_no_error(
    terminal: Terminal, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = terminal.modes()
    # A shell's background job inherits that Ctrl-C is ignored, and the view would not end.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(screen_module, "_pressed", lambda: signal.raise_signal(signal.SIGINT))
    try:
        terminal.watch()
    finally:
        signal.signal(signal.SIGINT, handler)
    assert terminal.modes() == before


def test_in_a_pipe_it_is_shown_once_with_its_ledger(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    watch(None)
    assert "Waiting for a session" in capsys.readouterr().out
    record(folder)
    watch(None)
    shown = capsys.readouterr().out
    assert f"Session {SESSION}" in shown
    assert "rule         Never push to main." in shown
    assert "q quits" not in shown
    assert "\x1b" not in shown
