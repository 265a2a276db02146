"""The commands `compact transcript` and `expand`."""

from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction.cli.options import DryRunOption, JsonOption, SessionArgument, examples

commands = typer.Typer()
compact_app = typer.Typer(help="Make a context smaller, reversibly.", no_args_is_help=True)
commands.add_typer(compact_app, name="compact")


@compact_app.command(
    "transcript",
    epilog=examples(
        "compact transcript --dry-run",
        "compact transcript 1f2e3d4c --keep-turns 5",
        "compact transcript --list",
        "compact transcript --revert 5a6b7c8d",
    ),
)
def transcript(
    session: SessionArgument = None,
    dry_run: DryRunOption = False,
    keep_turns: Annotated[
        int, typer.Option("--keep-turns", metavar="N", min=0, help="Newest turns that stay whole.")
    ] = 3,
    keep_tokens: Annotated[
        int,
        typer.Option("--keep-tokens", metavar="N", min=0, help="The most tokens of those turns."),
    ] = 10_000,
    over: Annotated[
        int,
        typer.Option(
            "--over", metavar="N", min=60, help="Leave out what has more tokens than this."
        ),
    ] = 100,
    inputs: Annotated[
        str,
        typer.Option("--inputs", metavar="none|superseded|all", help="Texts that went into files."),
    ] = "superseded",
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            metavar="file|window|auto",
            help="The whole file, or the window since the last compaction; auto takes the window"
            " above 16 MB.",
        ),
    ] = "auto",
    thinking: Annotated[
        bool, typer.Option("--thinking", help="Keep the thinking of older responses.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="List the copies that were made.")] = False,
    revert: Annotated[
        str | None, typer.Option("--revert", metavar="COPY", help="Delete a copy.")
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Delete a copy that was gone on with, too.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Copy a session under a new id, without what can be looked up again.

    The client resumes the copy; the original is never touched. Rules, decisions, errors, the
    newest turns and your own words stay whole. `expand` gives back whatever was left out.
    """
    from amplihack_compaction.cli.commands import transcripts

    if listed and revert is not None:
        raise typer.BadParameter("--list and --revert exclude each other")
    if revert is not None and (dry_run or as_json):
        raise typer.BadParameter("--revert has no dry run and no JSON")
    if session is not None and (listed or revert is not None):
        raise typer.BadParameter("--list and --revert take no session: --revert COPY names it")
    if force and revert is None:
        raise typer.BadParameter("--force belongs to --revert")
    if listed:
        transcripts.show_copies(as_json=as_json)
    elif revert is not None:
        transcripts.revert_copy(revert, force=force)
    else:
        options = transcripts.make_options(
            keep_turns, keep_tokens, over, inputs, scope, thinking=not thinking
        )
        transcripts.compact_transcript(session, options, dry_run=dry_run, as_json=as_json)


@commands.command(
    epilog=examples(
        "expand 5a6b7c8d.17", "expand 5a6b7c8d.17 --output picture.png", "expand --session 5a6b7c8d"
    )
)
def expand(
    placeholder: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="A placeholder's id. Without one, those of --session are listed."
        ),
    ] = None,
    session: Annotated[
        str, typer.Option("--session", "-s", metavar="COPY", help="The copy it stands in.")
    ] = "",
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="Write it to a new file; `-` prints it."
        ),
    ] = None,
) -> None:
    """Print what was left out of a copy of a session, as it stands in the original."""
    from amplihack_compaction.cli.commands.transcripts import expand as print_part

    print_part(placeholder, session, output)
