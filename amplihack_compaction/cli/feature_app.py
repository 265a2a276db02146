"""The commands `feature ...`, and `history`."""

from typing import Annotated

import typer

from amplihack_compaction.cli.options import (
    DryRunOption,
    EveryFolderArgument,
    FeatureArgument,
    FolderArgument,
    ForceOption,
    JsonOption,
    KeepOption,
    OverwriteOption,
    SessionOption,
    examples,
)

commands = typer.Typer()
feature_app = typer.Typer(
    help="Features: how far they are, and how to go on with one.", no_args_is_help=True
)
commands.add_typer(feature_app, name="feature")


@feature_app.command("status", epilog=examples("feature status login --tokens"))
def feature_status(
    name: FolderArgument = "",
    tokens: Annotated[bool, typer.Option("--tokens", help="Count what its texts cost.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a feature's state and progress, its texts, and how large they are.

    Exit code 1 when there is no such feature, or when a file of it cannot be read.
    """
    from amplihack_compaction.cli.commands.feature import show_feature

    show_feature(name, with_tokens=tokens, as_json=as_json)


@feature_app.command(
    "compact",
    epilog=examples(
        "feature compact login --dry-run",
        "feature compact login",
        "feature compact login --revert",
        "feature compact login --level summarize --with claude",
    ),
)
def feature_compact(
    name: FolderArgument = "",
    level: Annotated[
        str,
        typer.Option(
            "--level",
            metavar="compact|summarize",
            help="`compact` shortens logs and repetitions; `summarize` leaves one short summary.",
        ),
    ] = "compact",
    dry_run: DryRunOption = False,
    with_: Annotated[
        str,
        typer.Option("--with", metavar="claude", help="Have your `claude -p` write the summary."),
    ] = "",
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", metavar="SECONDS", min=1, max=3600, help="How long it may take for that."
        ),
    ] = 120.0,
    revert: Annotated[
        bool, typer.Option("--revert", help="Take the last compaction back, byte for byte.")
    ] = False,
    history_id: Annotated[
        str | None,
        typer.Option(
            "--id", metavar="ID", help="Take this one back; see `history`.", show_default=False
        ),
    ] = None,
    keep: KeepOption = False,
    overwrite: OverwriteOption = False,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> None:
    """Make a feature's files smaller, with a backup; --revert gives them back byte for byte.

    Decisions, errors, checklists, headings, rules and code stay in their own words. Exit code 1
    when it cannot be done; then every file is as it was. Also when a file cannot be read: that one
    is left out, and named.
    """
    from amplihack_compaction.cli.commands.feature import compact
    from amplihack_compaction.cli.commands.feature import revert as take_back

    if history_id == "":  # an empty variable of a script is no wish to compact
        raise typer.BadParameter("--id: it is empty; `history` lists the ids")
    if revert or history_id is not None:
        if dry_run:
            raise typer.BadParameter("--revert has no dry run")
        if level != "compact" or with_:
            raise typer.BadParameter("--level and --with do not belong to --revert")
        take_back(
            name, history_id or "", keep=keep, overwrite=overwrite, force=force, as_json=as_json
        )
        return
    if keep or overwrite or force:
        raise typer.BadParameter("--keep, --overwrite and --force belong to --revert")
    compact(
        name,
        level=level,
        with_=with_,
        timeout_seconds=timeout,
        dry_run=dry_run,
        as_json=as_json,
    )


@feature_app.command("continue", epilog=examples("feature continue login"))
def feature_continue(name: FeatureArgument, as_json: JsonOption = False) -> None:
    """Print what is needed to go on with a feature: its handoff and the state behind it.

    Exit code 1 when nothing was kept of it, when what may be newer cannot be read, or when the
    state behind the handoff cannot be used.
    """
    from amplihack_compaction.cli.commands.handoff import continue_feature

    continue_feature(name, as_json=as_json)


@feature_app.command(
    "checkpoint", epilog=examples("feature checkpoint login --reason 'before the rewrite'")
)
def feature_checkpoint(
    name: FeatureArgument,
    reason: Annotated[
        str, typer.Option("--reason", metavar="TEXT", help="What it is kept for.")
    ] = "manual",
    session: SessionOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
) -> None:
    """Keep this moment of a session under a feature's name."""
    from amplihack_compaction.cli.commands.handoff import checkpoint_feature

    checkpoint_feature(name, reason, session, quiet=quiet)


@commands.command(epilog=examples("history", "history login --json"))
def history(name: EveryFolderArgument = "", as_json: JsonOption = False) -> None:
    """Show what was compacted or pruned, of one feature or of all, and what was taken back.

    Exit code 1 when something of it cannot be read.
    """
    from amplihack_compaction.cli.commands.history import show_history

    show_history(name, as_json=as_json)
