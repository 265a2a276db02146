"""What the command line makes of errors."""

import sys
from pathlib import Path

import pytest

from amplihack_compaction.cli.app import main


def test_what_the_system_refuses_becomes_a_message(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise OSError(30, "Read-only file system", str(path))

    monkeypatch.chdir(project)
    monkeypatch.setattr(sys, "argv", ["x", "install", "--local", "--no-proof"])
    monkeypatch.setattr(Path, "unlink", refuse)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    said = capsys.readouterr().err
    assert "settings.local.json" in said
    assert "Read-only file system" in said
    assert "Traceback" not in said


def test_an_error_without_a_file_is_said_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse() -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("amplihack_compaction.cli.app.app", refuse)
    with pytest.raises(SystemExit) as left:
        main()
    assert left.value.code == 1
    assert capsys.readouterr().err.startswith("amplihack-compaction: Input/output error")
