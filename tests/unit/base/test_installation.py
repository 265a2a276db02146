"""What is told names programs that are there."""

import ast
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from amplihack_compaction.base.installation import extra_command, own_command, own_python
from amplihack_compaction.cli.app import app
from tests.support.package import syntax_trees

# What is put into files that others read too, on machines with other paths.
SHARED = {"compactor/transcripts/copied_lines.py"}


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the command of an environment of its own, which is the running one."""
    command = tmp_path / "it's" / "bin" / "amplihack-compaction"
    command.parent.mkdir(parents=True)
    for path in (command, command.with_name("python")):
        path.write_text("#!/bin/sh\n", encoding="utf-8")
        path.chmod(0o755)
    monkeypatch.setattr(sys, "prefix", str(command.parents[1]))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setenv("PATH", "/nowhere")
    return command


def test_an_environments_own_link_to_python_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.symlink_to(sys.executable)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    assert own_python() == str(python)
    python.unlink()
    assert own_python() == sys.executable


def test_the_command_is_named_by_its_path_where_the_shell_does_not_find_it(command: Path) -> None:
    assert shlex.split(own_command()) == [str(command)]


def test_the_command_is_named_also_where_the_current_folder_is_gone(
    command: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert shlex.split(own_command()) == [str(command)]


def test_the_command_is_named_by_its_name_where_the_shell_finds_it(
    command: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", f"::/nowhere:{command.parent}")
    assert own_command() == "amplihack-compaction"
    linked = tmp_path / "bin" / command.name
    linked.parent.mkdir()
    linked.symlink_to(command)
    monkeypatch.setenv("PATH", str(linked.parent))
    assert own_command() == "amplihack-compaction"


def test_the_command_is_named_by_the_link_in_the_home_where_there_is_one(
    command: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    linked = tmp_path / ".local" / "bin" / command.name
    linked.parent.mkdir(parents=True)
    linked.symlink_to(command)
    assert own_command() == "~/.local/bin/amplihack-compaction"
    linked.unlink()
    assert shlex.split(own_command()) == [str(command)]


def test_another_environments_command_is_not_taken_for_it(
    command: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = tmp_path / "other" / command.name
    other.parent.mkdir()
    other.write_text("#!/bin/sh\n", encoding="utf-8")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", f"{other.parent}:{command.parent}")
    assert shlex.split(own_command()) == [str(command)]


def test_a_package_that_is_not_installed_is_called_as_a_module(command: Path) -> None:
    command.unlink()
    assert shlex.split(own_command()) == [
        str(command.with_name("python")), "-P", "-m", "amplihack_compaction",
    ]  # fmt: skip


def test_an_extra_is_installed_into_the_environment_that_lacks_it(command: Path) -> None:
    python, *rest = shlex.split(extra_command("mcp"))
    assert python == str(command.with_name("python"))
    assert rest == ["-m", "pip", "install", "amplihack-compaction[mcp]"]


def told(tree: ast.Module) -> Iterator[str]:
    """Yield every text of a module but its documentation."""
    documentation = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
        if is_text and id(node) not in documentation:
            yield str(node.value)  # type: ignore[attr-defined]


def test_no_text_names_a_command_that_may_not_be_found() -> None:
    commands = "|".join(get_command(app).commands)  # type: ignore[attr-defined]
    bare = re.compile(rf"\bamplihack-compaction (?:{commands})\b")
    found = {
        path for path, tree in syntax_trees().items() for text in told(tree) if bare.search(text)
    }
    assert found <= SHARED
