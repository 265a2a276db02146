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
    exclude.write_bytes(b"# mine\r\n*.log")
    exclude.chmod(0o664)
    for name in ("mine.json", "ours.json"):
        (project / ".claude" / name).write_text("{}")
    for _ in range(2):
        exclude_from_git(project, [".claude/mine.json"])
    assert [line.rpartition("/")[2] for line in status(repository).splitlines()] == ["ours.json"]
    exclude_from_git(project, [])
    assert exclude.read_bytes() == b"# mine\r\n*.log\n"
    assert exclude.stat().st_mode & 0o777 == 0o664
    assert len(status(repository).splitlines()) == 2


def test_folders_have_blocks_beside_each_other_which_name_them(repository: Path) -> None:
    below = repository / "informes"
    for project in (repository, below):
        (project / ".claude").mkdir(parents=True)
        (project / ".claude/mine.json").write_text("{}")
        exclude_from_git(project, [".claude/mine.json"])
    assert status(repository) == ""
    exclude = repository / ".git/info/exclude"
    assert [line for line in exclude.read_text().splitlines() if str(repository) in line] == [
        f"# amplihack-compaction: what only you have in {repository}",
        f"# amplihack-compaction: what only you have in {below}",
    ]
    exclude_from_git(below, [])
    assert status(repository) == "?? informes/.claude/mine.json\n"
    exclude_from_git(below, [".claude/mine.json"])
    exclude_from_git(repository, [])
    assert status(repository) == "?? .claude/mine.json\n"


def test_a_working_tree_beside_keeps_its_block(
    repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    beside = tmp_path_factory.mktemp("beside") / "tree"
    who = ["-c", "user.name=A", "-c", "user.email=a@b.example"]
    for words in (
        [*who, "commit", "-q", "--allow-empty", "-m", "First"],
        ["worktree", "add", "-q", str(beside)],
    ):
        subprocess.run(["git", *words], cwd=repository, check=True)
    for project in (repository, beside):
        (project / "mine.json").write_text("{}")
        exclude_from_git(project, ["mine.json"])
    exclude_from_git(repository, [])
    assert status(beside) == ""
    beside.rename(beside.with_name("moved"))
    exclude_from_git(repository, ["other.json"])
    assert str(beside) not in (repository / ".git/info/exclude").read_text()


def test_nothing_is_done_outside_of_a_repository(tmp_path: Path) -> None:
    exclude_from_git(tmp_path, ["mine.json"])
    assert list(tmp_path.iterdir()) == []
