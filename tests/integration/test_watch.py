"""The command `watch` in a real terminal: tmux shows it as a user would see it."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from tests.support.processes import CHECKOUT, environment
from tests.support.transcripts import SESSION, Transcript

TMUX = shutil.which("tmux")
# Far above what anything takes here: it only ends a test that would never end.
PATIENCE_SECONDS = 120.0
PROMPT = "ready>"
needs_tmux = pytest.mark.skipif(TMUX is None, reason="not run: tmux is not here")


class Tmux:
    """One window with a shell in it."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self._socket = str(folder / "tmux")
        settings = folder / "shell"
        settings.write_text(f"PS1='{PROMPT} '\n")
        self._env = {**env, "ENV": str(settings)}
        self.run("-f", "/dev/null", "new-session", "-d", "-s", "s", "-x", "100", "-y", "30", "sh")
        self.until(self.is_back)

    def run(self, *arguments: str) -> str:
        command = [str(TMUX), "-S", self._socket, *arguments]
        done = subprocess.run(command, env=self._env, capture_output=True, text=True, check=True)
        return done.stdout

    def type(self, *keys: str) -> None:
        self.run("send-keys", "-t", "s", *keys)

    def screen(self) -> str:
        return self.run("capture-pane", "-p", "-t", "s")

    @staticmethod
    def is_back(screen: str) -> bool:
        """Return whether the shell waits for the next line: its terminal is its own again.

        What is typed while a program still gives the terminal back may be dropped.
        """
        lines = screen.rstrip().splitlines()
        return "q quits" not in screen and lines[-1:] == [PROMPT]

    def until(self, seen: Callable[[str], bool]) -> str:
        """Return the screen as soon as it shows what is waited for."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not seen(screen := self.screen()):
            assert time.monotonic() < end, repr(screen)
            time.sleep(0.05)
        return screen


@pytest.fixture
def env(project: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    monkeypatch.setenv("HOME", str(project.parent))
    return environment(project, TERM="screen-256color", LANG="C.UTF-8", PYTHONPATH=str(CHECKOUT))


@pytest.fixture
def tmux(tmp_path: Path, env: dict[str, str]) -> Iterator[Tmux]:
    # A socket's path may have 107 bytes, which pytest's own folders can exceed.
    folder = Path(f"/tmp/{os.getpid()}.{time.monotonic_ns()}")
    folder.mkdir(mode=0o700)
    opened = Tmux(folder, env)
    try:
        yield opened
    finally:
        opened.run("kill-server")
        shutil.rmtree(folder)


COMMAND = [sys.executable, "-m", "amplihack_compaction", "watch"]


def grow(project: Path, session: Transcript) -> None:
    session.write(transcript_folder(str(project)) / f"{session.session_id}.jsonl")


@needs_tmux
def test_it_follows_a_session_from_before_its_beginning(tmux: Tmux, project: Path) -> None:
    tmux.type(shlex.join(COMMAND), "Enter")
    tmux.until(lambda screen: "Waiting for a session" in screen)
    session = Transcript()
    session.user("Fix the login. Never push to main.")
    session.assistant("Done.")
    grow(project, session)
    screen = tmux.until(lambda screen: "Never push to main." in screen)
    assert f"Session {SESSION}" in screen
    assert "plenty of room" in screen
    for _ in range(700):
        session.messages += 1
    session.user("Go on.")
    session.assistant("Yes.")
    grow(project, session)
    tmux.until(lambda screen: "filling up" in screen)
    tmux.run("resize-window", "-t", "s", "-x", "50", "-y", "9")
    screen = tmux.until(lambda screen: len(screen.splitlines()) <= 9 and "q quits" in screen)
    assert "filling up" in screen
    assert max(map(len, screen.splitlines())) <= 50
    tmux.type("q")
    tmux.until(tmux.is_back)
    tmux.type("echo left $?", "Enter")
    tmux.until(lambda screen: "left 0" in screen)


@needs_tmux
def test_the_items_are_gone_through_and_changed_with_keys(tmux: Tmux, project: Path) -> None:
    session = Transcript()
    session.root = str(project)
    session.user("Fix the login. Never push to main.")
    session.assistant("Done.\n- [ ] Write the docs")
    grow(project, session)
    tmux.type(shlex.join(COMMAND), "Enter")
    tmux.until(lambda screen: "Never push to main." in screen and "go through" in screen)
    tmux.type("Down", "Down")
    tmux.until(lambda screen: "f forgets" in screen)
    tmux.type("d")
    tmux.until(lambda screen: "Done: Write the docs" in screen and "[ ] Write" not in screen)
    tmux.type("u")
    tmux.until(lambda screen: "Taken back" in screen and "[ ] Write the docs" in screen)
    tmux.type("Down", "d")
    tmux.until(lambda screen: "a rule is never done" in screen)
    tmux.type("f")
    tmux.until(lambda screen: "Forgotten: Never push" in screen)
    tmux.type("q")
    tmux.until(tmux.is_back)


@needs_tmux
def test_control_c_ends_it_and_the_shell_is_as_before(tmux: Tmux, project: Path) -> None:
    tmux.type(shlex.join(COMMAND), "Enter")
    tmux.until(lambda screen: "q quits" in screen)
    tmux.type("C-c")
    tmux.until(tmux.is_back)
    tmux.type("echo left $?", "Enter")
    screen = tmux.until(lambda screen: "left 0" in screen)
    assert "Traceback" not in screen
    assert "echo left" in screen  # what is typed is shown again


def test_while_nothing_happens_it_costs_next_to_nothing(project: Path, env: dict[str, str]) -> None:
    import pty

    session = Transcript()
    session.user("Fix the login.")
    for number in range(300):
        session.tool("Bash", {"command": f"make {number}"}, "x" * 3000)
    grow(project, session)
    outside, inside = pty.openpty()
    process = subprocess.Popen(COMMAND, stdin=inside, stdout=inside, stderr=inside, env=env)
    os.close(inside)
    try:
        shown = b""
        while b"Fix the login." not in shown:
            shown += os.read(outside, 65536)
        reads = _bytes_read(process.pid)
        time.sleep(1.1)  # two looks, where the machine is not busy
        assert _bytes_read(process.pid) - reads < 64 * 1024  # of a megabyte
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=PATIENCE_SECONDS) == 128 + signal.SIGTERM
        os.close(outside)


def _bytes_read(pid: int) -> int:
    lines = Path(f"/proc/{pid}/io").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("rchar"))
