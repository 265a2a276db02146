"""The command line: `amplihack-compaction`, one module per group of commands.

Commands import what they need when they run, so that `--help` stays quick. Exit codes: 0 for
done, 1 for an error that the message explains, 2 for a call that cannot be understood.
"""

import sys
from typing import Annotated

import typer

from amplihack_compaction import __version__
from amplihack_compaction.cli import (
    compact_app,
    context_app,
    feature_app,
    install_app,
    session_app,
    snapshot_app,
    store_app,
)
from amplihack_compaction.configuration.commands import config_app
from amplihack_compaction.errors import CompactionError, reason_of

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
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Carry a Claude Code session's state across context compaction."""


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
    try:
        app()
    except CompactionError as error:
        _fail(str(error))
    except OSError as error:
        where = f"{error.filename}: " if error.filename is not None else ""
        _fail(f"{where}{reason_of(error)}; run it again when that is put right")


def _fail(message: str) -> None:
    from amplihack_compaction.language.text import printable

    typer.echo(f"amplihack-compaction: {printable(message)}", err=True)
    sys.exit(1)
