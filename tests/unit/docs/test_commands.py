"""Every command that the documentation shows is understood, and ends as documented."""

import io
import re
import shlex
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import pytest

from amplihack_compaction.cli.commands import install
from amplihack_compaction.cli.replay import Replay
from amplihack_compaction.handoff.checkpoint import snapshot_now
from tests.support.transcripts import SESSION
from tests.unit.cli.commands.test_context import command
from tests.unit.handoff.kept import Kept

REPOSITORY = Path(__file__).parents[3]
PAGES = [REPOSITORY / "README.md", *sorted((REPOSITORY / "docs").glob("*.md"))]
SHELLS = ("sh", "console", "bash")
PROGRAM = "amplihack-compaction "
# They serve until they are ended; tests of their own start them.
SERVING = ("mcp", "watch")


def shown_commands(page: Path) -> Iterator[str]:
    """Yield the commands in a page's shell blocks, without their comments."""
    language = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("```"):
            language = "" if language else line[3:].strip() or "text"
        elif language in SHELLS and line.removeprefix("$ ").startswith(PROGRAM):
            yield re.sub(r"\s+#.*", "", line.removeprefix("$ "))


COMMANDS = [(page.name, line) for page in PAGES for line in shown_commands(page)]


@pytest.fixture
def kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Return a project with all that the documentation speaks of."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    monkeypatch.setenv("PATH", "/nonexistent")  # no `claude` is asked
    monkeypatch.setattr(webbrowser, "open", lambda *_: True)
    monkeypatch.setattr(install, "replay_session", lambda _: Replay())  # it has tests of its own
    monkeypatch.setattr(sys, "stdin", io.StringIO("y\n"))  # where something is asked
    monkeypatch.chdir(project)
    made = Kept(project)
    made.usage(40_000)
    snapshot_now(made.moment())
    feature = project / "features" / "login"
    feature.mkdir(parents=True)
    rows = "".join(f"2026-01-02 10:00:00 INFO request {n} served\n" for n in range(200))
    (feature / "progress.md").write_text(f"# Progress\n\nDecided: argon2.\n\n```\n{rows}```\n")
    (project / "old.jsonl").write_bytes(made.path.read_bytes())
    return made


def filled_in(line: str, kept: Kept) -> list[str]:
    """Return a command's words with something real in the place of what the reader fills in."""
    line = line.replace("[ID]", "").replace("[--print]", "--print")
    names = {
        "ID": "latest", "NAME": "login", "PROJECT_DIR": kept.root, "WORDS": "login",
        "1f2e3d4c": SESSION[:8], "TRANSCRIPT": str(kept.path), "SESSION": SESSION,
    }  # fmt: skip
    return [names.get(word, word) for word in shlex.split(line)[1:]]


def test_the_documentation_shows_commands() -> None:
    assert len(COMMANDS) > 40
    assert {name for name, _ in COMMANDS} >= {"README.md", "store.md", "compacting-features.md"}


@pytest.mark.parametrize(("page", "line"), COMMANDS, ids=[f"{p}: {c}" for p, c in COMMANDS])
def test_a_documented_command_is_understood(
    page: str,
    line: str,
    kept: Kept,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = filled_in(line, kept)
    if words[0] in SERVING:
        pytest.skip(f"{words[0]} serves until it is ended")
    code = command(monkeypatch, *words)
    said = capsys.readouterr()
    assert code in (0, 1), said.err
    assert "Traceback" not in said.err
    assert said.out or said.err  # an error is explained
