"""The commands as processes: in a pipe, on a terminal, and what the shell completes."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.commands import run_command, run_on_terminal
from tests.support.processes import CHECKOUT, Answer
from tests.support.transcripts import SESSION, Transcript

ESCAPE = "\x1b["


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    recorded = Transcript()
    recorded.root = str(tmp_path / "project")
    recorded.user("Build it. Never push to main.")
    recorded.compact("Nothing.", preserved=0)
    recorded.user("Go on.")
    folder = recorded.root.replace("/", "-").replace("_", "-").replace(".", "-")
    return recorded.write(tmp_path / ".claude" / "projects" / folder / f"{SESSION}.jsonl")


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    (tmp_path / "project" / "features" / "login").mkdir(parents=True, exist_ok=True)
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(tmp_path),
        "PYTHONPATH": str(CHECKOUT),
        "CLAUDE_PROJECT_DIR": str(tmp_path / "project"),
        "TERM": "xterm-256color",
        **more,
    }


def in_a_pipe(tmp_path: Path, *arguments: str, **more: str) -> Answer:
    return run_command(*arguments, env=environment(tmp_path, **more), cwd=tmp_path)


def on_a_terminal(tmp_path: Path, *arguments: str, **more: str) -> str:
    return run_on_terminal(*arguments, env=environment(tmp_path, **more), cwd=tmp_path)


@pytest.mark.parametrize("command", ["diagnose", "simulate", "state"])
def test_a_pipe_gets_plain_text_and_nothing_on_stderr(
    transcript: Path, tmp_path: Path, command: str
) -> None:
    done = in_a_pipe(tmp_path, command)
    assert (done.code, done.stderr) == (0, "")
    assert done.stdout
    assert ESCAPE not in done.stdout


def test_recall_loads_no_room_that_it_does_not_need(transcript: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "amplihack_compaction", "recall", "push"],
        cwd=tmp_path, env=environment(tmp_path), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "Never push to main" in done.stdout
    rooms = set(re.findall(r"\bamplihack_compaction\.(\w+)", done.stderr))
    assert rooms == {"base", "cli", "clients", "compactor", "store", "text", "transcript"}


def test_a_terminal_shows_progress_and_colours(transcript: Path, tmp_path: Path) -> None:
    shown = on_a_terminal(tmp_path, "diagnose")
    assert "Reading the session" in shown
    assert f"{ESCAPE}31mlost: rule" in shown
    plain = on_a_terminal(tmp_path, "diagnose", NO_COLOR="1")
    assert "lost: rule" in plain
    assert f"{ESCAPE}31m" not in plain
    assert "Reading the session" not in on_a_terminal(tmp_path, "diagnose", "--json")


def test_a_validation_that_finds_a_loss_exits_with_1(transcript: Path, tmp_path: Path) -> None:
    done = in_a_pipe(tmp_path, "validate")
    assert (done.code, done.stderr) == (1, "")
    assert "Never push to main." in done.stdout


def test_on_a_narrow_terminal_a_line_goes_on_below_its_last_column(
    transcript: Path, tmp_path: Path
) -> None:
    in_a_pipe(tmp_path, "store", "sync", "-q")
    (piped,) = in_a_pipe(tmp_path, "store", "sessions", COLUMNS="60").stdout.splitlines()
    shown = on_a_terminal(tmp_path, "store", "sessions", COLUMNS="60").splitlines()
    assert len(shown) > 1
    assert {line[:10].strip() for line in shown[1:]} == {""}
    assert " ".join(line.strip() for line in shown).split() == piped.split()
    diagnosed = on_a_terminal(tmp_path, "diagnose", COLUMNS="60", NO_COLOR="1").splitlines()
    assert "  event       none recorded: the hooks were not there, or" in diagnosed
    assert f"{'':14}did not run" in diagnosed


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_is_given_its_completion(tmp_path: Path, shell: str) -> None:
    done = in_a_pipe(tmp_path, _AMPLIHACK_COMPACTION_COMPLETE=f"source_{shell}")
    assert done.code == 0
    assert f"complete_{shell}" in done.stdout
    assert "amplihack-compaction" in done.stdout


def completed(tmp_path: Path, shell: str, *words: str) -> set[str]:
    """Return what a shell is offered for the last of the words."""
    line = " ".join(("amplihack-compaction", *words))
    told = {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    if shell == "bash":
        told = {"COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    done = in_a_pipe(tmp_path, _AMPLIHACK_COMPACTION_COMPLETE=f"complete_{shell}", **told)
    assert done.stderr == ""
    return set(done.stdout.replace('"', " ").replace("'", " ").split())


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_commands_sessions_and_features_are_completed(
    transcript: Path, tmp_path: Path, shell: str
) -> None:
    assert {"simulate"} <= completed(tmp_path, shell, "simul")
    assert SESSION in completed(tmp_path, shell, "diagnose", SESSION[:4])
    assert "login" in completed(tmp_path, shell, "feature", "status", "log")
    assert "latest" in completed(tmp_path, shell, "snapshot", "show", "lat")


def test_the_help_offers_to_install_the_completion(tmp_path: Path) -> None:
    done = in_a_pipe(tmp_path, "--help")
    assert "--install-completion" in done.stdout
    for command in ("diagnose", "simulate", "validate", "state"):
        assert f"amplihack-compaction {command}" in in_a_pipe(tmp_path, command, "--help").stdout
