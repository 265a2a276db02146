"""Every command says what it takes, in words and not in names of types."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from amplihack_compaction.cli import app
from amplihack_compaction.cli import commands as commands_folder
from amplihack_compaction.cli.app import load_command


def commands(name: str, command: Any) -> Iterator[tuple[str, Any]]:
    yield name, command
    for below, each in getattr(command, "commands", {}).items():
        yield from commands(f"{name} {below}", each)


COMMANDS = dict(pair for name in app.COMMANDS for pair in commands(name, load_command(name)))


def test_the_list_of_commands_cuts_no_sentence_off_and_leaves_none_out() -> None:
    said = CliRunner().invoke(app.app, ["--help"], env={"COLUMNS": "80"}).stdout
    listed = said.partition("\nSet up:\n")[2]
    assert "..." not in listed
    lines = [line for line in listed.splitlines() if line.startswith("  ")]
    assert [line.split()[0] for line in lines] == list(app.COMMANDS)
    folder = Path(commands_folder.__path__[0])
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__", "statusline", "importing"}
    assert modules == {app._MODULES.get(name, name) for name in app.COMMANDS} - {"statusline"}


def test_an_unknown_command_is_none_and_the_nearest_is_named() -> None:
    done = CliRunner().invoke(app.app, ["reprot"])
    assert done.exit_code == 2
    assert "report" in done.output


@pytest.mark.parametrize("name", COMMANDS)
def test_every_parameter_is_explained(name: str) -> None:
    for each in COMMANDS[name].params:
        assert getattr(each, "help", "the framework's own"), f"{name}: {each.name}"
        is_flag = getattr(each, "is_flag", False)
        assert is_flag or each.metavar, f"{name}: {each.name}"


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_explained_in_a_sentence(name: str) -> None:
    said = (COMMANDS[name].help or "").strip()
    assert said[:1].isupper()
    assert said.endswith(".")


def test_the_default_of_history_is_all_features() -> None:
    [name] = [each for each in COMMANDS["history"].params if each.name == "name"]
    assert "The default is all" in str(getattr(name, "help", ""))
