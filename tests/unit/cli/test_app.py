"""What the command line makes of errors."""

import json
import sys
from pathlib import Path

import pytest

from amplihack_compaction.cli.app import run_command_line


def test_what_the_system_refuses_becomes_a_message(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "argv", ["x", "install", "--local", "--no-proof"])
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(SystemExit) as left:
        run_command_line()
    assert left.value.code == 1
    said = capsys.readouterr().err
    assert "settings.local.json" in said
    assert "Read-only file system" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(
    "arguments",
    [
        ["diagnose", "--json"],
        ["state", "nope", "--json"],
        ["state", "--diff", "1", "now", "--json"],
        ["status", "--json"],
        ["simulate", "--json"],
        ["validate", "--json"],
        ["snapshot", "show", "--json"],
        ["fresh-start", "nope", "--json"],
        ["handoff", "--json"],
        ["feature", "status", "--json"],
        ["feature", "compact", "nope", "--json"],
        ["feature", "continue", "nope", "--json"],
        ["context", "prune", "--feature", "nope", "--json"],
        ["compact", "transcript", "--json"],
        ["store", "show", "nope", "--json"],
        ["store", "history", "nope", "--json"],
        ["recall", "x", "--url", "odd://", "--json"],
    ],
)
def test_an_error_is_one_json_object_where_json_is_asked_for(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "argv", ["x", *arguments])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    out, err = capsys.readouterr()
    assert left.value.code == 1
    assert err == f"amplihack-compaction: {json.loads(out)['error']}\n"


@pytest.mark.parametrize(
    "arguments", [["state"], ["feature", "compact", "x"], ["snapshot", "list"], ["install"]]
)
def test_in_a_folder_that_is_gone_a_command_says_so(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
) -> None:
    monkeypatch.delenv("CLAUDE_PROJECT_DIR", raising=False)
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    monkeypatch.setattr(sys, "argv", ["x", *arguments])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    assert left.value.code == 1
    assert "the current folder is gone: change to the project's" in capsys.readouterr().err


def test_an_error_without_a_file_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("amplihack_compaction.cli.app.app", refuse)
    with pytest.raises(SystemExit) as left:
        run_command_line()
    assert left.value.code == 1
    assert capsys.readouterr().err.startswith("amplihack-compaction: Input/output error")
