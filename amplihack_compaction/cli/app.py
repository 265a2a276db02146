"""The command line: `amplihack-compaction`, one module per group of commands.

Commands import what they need when they run, so that `--help` stays quick. Exit codes: 0 for
done, 1 for an error that the message explains, 2 for a call that cannot be understood, 130 for
Ctrl-C. With `--json`, standard output is one JSON object in the first two cases.
"""

import json
import sys
from contextlib import suppress
from typing import Annotated

import typer

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, place_and_reason
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli import (
    compact_app,
    context_app,
    feature_app,
    install_app,
    session_app,
    snapshot_app,
    store_app,
)
from amplihack_compaction.cli.commands.config import config_app
from amplihack_compaction.cli.terminal import print_any_character

app = typer.Typer(
    name="amplihack-compaction",
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


# In the order in which the help lists them.
for module in (
    install_app, session_app, store_app, feature_app, snapshot_app, compact_app, context_app,
):  # fmt: skip
    app.add_typer(module.commands)
app.add_typer(config_app, name="config")


def main() -> None:
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
    from amplihack_compaction.text.strings import printable

    if _wants_json(sys.argv[1:]):
        with suppress(OSError):  # standard output may be what failed
            typer.echo(json.dumps({"error": printable(message)}, indent=2))
    typer.echo(f"amplihack-compaction: {printable(message)}", err=True)
    sys.exit(1)


def _wants_json(arguments: list[str]) -> bool:
    before = arguments.index("--") if "--" in arguments else len(arguments)
    return "--json" in arguments[:before]
