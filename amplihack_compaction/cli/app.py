"""The command line: `amplihack-compaction`, one module a command below `commands/`.

Exit codes: 0 for done, 1 for an error that the message explains, 2 for a call that cannot be
understood, 130 for Ctrl-C. With `--json`, standard output is one JSON object in the first two
cases.
"""

import json
import sys
import tomllib
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, place_and_reason
from amplihack_compaction.base.installation import shortened
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli import commands
from amplihack_compaction.cli.terminal import print_any_character

# Of each group its commands: what each does in a sentence, and calls of it.
_TOLD = tomllib.loads(Path(__file__).with_name("commands.toml").read_text(encoding="utf-8"))
GROUPS: dict[str, dict[str, str]] = {
    title: {name: told["said"] for name, told in group.items() if "said" in told}
    for title, group in _TOLD.items()
}
_CALLS = {name: told.get("calls") for group in _TOLD.values() for name, told in group.items()}
COMMANDS = {name: said for group in GROUPS.values() for name, said in group.items()}
# Of a command that does not have the module of its own name.
_MODULES = {
    "uninstall": "install",
    "upgrade": "install",
    "statusline": "status",
    "fresh-start": "fresh_start",
    **dict.fromkeys(("remember", "forget", "done", "pin", "undo"), "edit"),
}


class _LoadedWhenCalled(TyperGroup):
    """All commands by name and a sentence; the module of one is imported when it is called.

    To import them all would make `--help` and the shell's completion wait.
    """

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.commands.update({n: TyperCommand(n, help=said) for n, said in COMMANDS.items()})

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ARG002 - as typer calls it
        """Write the commands in their groups."""
        for title, group in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl(list(group.items()), col_max=14)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # of typer's own click, or click's
        name, found, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name in COMMANDS else found, rest


def load_command(name: str) -> Any:
    """Return a command, or a group of them, as typer makes it of its module."""
    module = import_module(f"{commands.__name__}.{_MODULES.get(name, name)}")
    whole = typer.Typer(rich_markup_mode=None, pretty_exceptions_enable=False)
    if hasattr(module, "commands"):
        whole.add_typer(module.commands)
    else:  # it is the function of its name
        whole.command(name)(getattr(module, name.replace("-", "_")))
    command = get_group(whole).commands[name]
    below = getattr(command, "commands", {})
    for path, each in {name: command, **{f"{name} {one}": below[one] for one in below}}.items():
        if _CALLS.get(path):
            calls = (f"  amplihack-compaction {call}" for call in _CALLS[path])
            each.epilog = "\n".join(["\b", "Examples:", *calls])  # after `\b` none are joined
        # A group lists each of its commands with its whole first sentence.
        each.short_help = " ".join((each.help or "").partition("\n\n")[0].split())
    return command


app = typer.Typer(
    name="amplihack-compaction",
    cls=_LoadedWhenCalled,
    help="Carry a Claude Code session's state across context compaction.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text: the same in a pipe, and nothing to load
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"amplihack-compaction {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: bool = typer.Option(  # noqa: ARG001 - its callback does it
        False, "--version", callback=_print_version, is_eager=True, help="Show the version."
    ),
) -> None:
    """Carry a Claude Code session's state across context compaction."""
    if not project_root():  # what is below no folder would be below the system's root
        raise CompactionError("the current folder is gone: change to the project's")


def run_command_line() -> None:
    """Run the command line.

    An error of the package's own becomes a message and exit code 1, and so does what the system
    refused a command that had no words of its own for it.
    """
    print_any_character()
    try:
        app()
    except CompactionError as error:
        _fail(str(error))
    except OSError as error:
        _fail(f"{place_and_reason(error)}; run it again when that is put right")


def _fail(message: str) -> None:
    from amplihack_compaction.text.words import harmless_lines

    said = harmless_lines(shortened(message))
    arguments = [*sys.argv[1:], "--"]
    if "--json" in arguments[: arguments.index("--")]:
        with suppress(OSError):  # standard output may be what failed
            typer.echo(json.dumps({"error": said}, indent=2))
    typer.echo(f"amplihack-compaction: {said}", err=True)
    sys.exit(1)
