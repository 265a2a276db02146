"""The command line: `amplihack-compaction`, one module a command below `commands/`.

Exit codes: 0 for done, 1 for an error that the message explains, 2 for a call that cannot be
understood, 130 for Ctrl-C. With `--json`, standard output is one JSON object in the first two
cases.
"""

import json
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_group

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, place_and_reason
from amplihack_compaction.base.installation import shortened
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli import commands
from amplihack_compaction.cli.terminal import print_any_character

# In the order in which the help lists them; each fits into a line of 80 columns.
GROUPS = {
    "Set up": {
        "install": "Register the hooks, and prove that they work.",
        "uninstall": "Take the hooks out again, the settings as they were.",
        "upgrade": "Bring the package and the hooks up to the newest version.",
        "doctor": "Check that the hooks work here.",
        "config": "The settings: what is in force, what is wrong, changing one.",
    },
    "See what happens": {
        "status": "Show how full the context is, and when it is compacted.",
        "statusline": "Print one line for Claude Code's status bar.",
        "watch": "Keep a view of the running session on the terminal.",
        "state": "Print the state of a session, or what changed in it.",
        "report": "Write one HTML page that shows a session.",
        "diagnose": "Show what each compaction of a session kept and lost.",
        "validate": "Say whether the model still has what mattered.",
        "simulate": "Show what the model would be told after each compaction.",
    },
    "Keep and change what is kept": {
        "remember": "Keep something: the model is told it after every compaction.",
        "forget": "Take something out of what is kept of a session.",
        "done": "Mark a todo, an issue or the objective as done.",
        "pin": "Keep an item of the state, before all others.",
        "undo": "Take back what was changed by hand last.",
    },
    "Find again and go on": {
        "recall": "Find what was said or done, also what was compacted away.",
        "mcp": "The server by which the model can search and note by itself.",
        "store": "What was kept of all sessions.",
        "fresh-start": "Print the context of an earlier session, for a new one.",
        "handoff": "Write the handoff document of a session.",
        "snapshot": "The states of this project's sessions that were kept.",
        "feature": "Folders of a feature's files: progress, going on, shortening.",
    },
    "Make smaller": {
        "compact": "Copy a session without its old output, to go on in the copy.",
        "context": "Archive old parts of features and of the project's memory.",
        "history": "Show what was compacted or pruned, and what was taken back.",
        "expand": "Print what was left out of a copy of a session.",
    },
}
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
    whole.add_typer(module.commands)
    return get_group(whole).commands[name]


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
    version: Annotated[  # noqa: ARG001 - its callback does it
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
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
    if _wants_json(sys.argv[1:]):
        with suppress(OSError):  # standard output may be what failed
            typer.echo(json.dumps({"error": said}, indent=2))
    typer.echo(f"amplihack-compaction: {said}", err=True)
    sys.exit(1)


def _wants_json(arguments: list[str]) -> bool:
    before = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:before]
