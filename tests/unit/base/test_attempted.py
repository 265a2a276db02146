"""What is done without where a part of the work fails."""

from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import attempted, log_line, read_log


def fail() -> str:
    raise KeyError("x")


def test_what_fails_is_logged_and_something_stands_in_its_place(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STRICT", "0")
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    assert attempted("todos", fail, "none") == "none"
    assert attempted("todos", lambda: "some", "none") == "some"
    (line,) = read_log(str(project))
    assert "(todos) " in line
    assert "KeyError: 'x' at test_attempted.py:" in line


def test_tests_see_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_STRICT", "1")
    with pytest.raises(KeyError):
        attempted("todos", fail, "none")


def test_without_a_project_nothing_is_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    log_line("", "PreCompact", "nobody reads this")
    assert list(tmp_path.iterdir()) == []
