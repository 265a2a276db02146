"""The commands `context ...`."""

from typing import Annotated

import typer

from amplihack_compaction.cli.options import (
    DryRunOption,
    ForceOption,
    JsonOption,
    KeepOption,
    OverwriteOption,
    SessionOption,
    examples,
)

commands = typer.Typer()
context_app = typer.Typer(help="How full a session's context is.", no_args_is_help=True)
commands.add_typer(context_app, name="context")


@context_app.command("status")
def context_status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is; the same as `status`."""
    from amplihack_compaction.cli.commands.context import show_status

    show_status(session, as_json=as_json)


@context_app.command(
    "prune",
    epilog=examples(
        "context prune --dry-run",
        "context prune --feature login",
        "context prune --revert 20260204-101112-a1b2c3d4",
    ),
)
def context_prune(
    feature: Annotated[
        str | None,
        typer.Option(
            "--feature", metavar="NAME", help="Prune this feature only.", show_default=False
        ),
    ] = None,
    dry_run: DryRunOption = False,
    as_json: JsonOption = False,
    revert: Annotated[
        str | None,
        typer.Option(
            "--revert", metavar="ID", help="Give back what a prune took.", show_default=False
        ),
    ] = None,
    keep: KeepOption = False,
    overwrite: OverwriteOption = False,
    force: ForceOption = False,
) -> None:
    """Archive what is old of the features and of the project's memory, and remove what expired.

    Exit code 1 when a part of it could not be done.
    """
    from amplihack_compaction.cli.commands.prune import prune, revert_prune

    if revert == "":  # an empty variable of a script is no wish to prune
        raise typer.BadParameter("--revert: the id is empty; `history` lists the ids")
    if revert is not None:
        if dry_run or as_json:
            raise typer.BadParameter("--revert has neither a dry run nor JSON")
        revert_prune(revert, feature, keep=keep, overwrite=overwrite, force=force)
    elif keep or overwrite or force:
        raise typer.BadParameter("--keep, --overwrite and --force belong to --revert")
    else:
        prune(feature, dry_run=dry_run, as_json=as_json)
