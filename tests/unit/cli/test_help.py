"""Every command says what it takes, in words and not in names of types."""

from collections.abc import Iterator

import click
import pytest
from typer.main import get_command

from amplihack_compaction.cli.app import app


def commands(command: object, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, each in getattr(command, "commands", {}).items():
        yield f"{path}{name}", each
        yield from commands(each, f"{path}{name} ")


COMMANDS = dict(commands(get_command(app)))


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
