"""What only one person has is overlooked by git, and shown again when it is taken back."""

import subprocess
from pathlib import Path

import pytest

from amplihack_compaction.clients.claude_code.wiring.slash_commands import exclude_from_git


def status(folder: Path) -> str:
    command = ["git", "status", "--short", "-uall"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.mark.parametrize("below", [".", "packages/shop"])
def test_what_is_named_is_overlooked_until_it_is_named_no_more(
    repository: Path, below: str
) -> None:
    project = repository / below
    (project / ".claude").mkdir(parents=True)
    exclude = repository / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("*.log")
    for name in ("mine.json", "ours.json"):
        (project / ".claude" / name).write_text("{}")
    for _ in range(2):
        exclude_from_git(project, [".claude/mine.json"])
    assert [line.rpartition("/")[2] for line in status(repository).splitlines()] == ["ours.json"]
    exclude_from_git(project, [])
    assert exclude.read_text() == "*.log\n"
    assert len(status(repository).splitlines()) == 2


def test_nothing_is_done_outside_of_a_repository(tmp_path: Path) -> None:
    exclude_from_git(tmp_path, ["mine.json"])
    assert list(tmp_path.iterdir()) == []
