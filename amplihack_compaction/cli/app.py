"""The command line: `amplihack-compaction`, one module per group of commands.

Commands import what they need when they run, so that `--help` stays quick. Exit codes: 0 for
done, 1 for an error that the message explains, 2 for a call that cannot be understood.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction import __version__
from amplihack_compaction.errors import CompactionError

app = typer.Typer(
    name="amplihack-compaction",
    help="Carry a Claude Code session's state across context compaction.",
    no_args_is_help=True,
    rich_markup_mode=None,  # plain text: the same in a pipe, and nothing to load
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

ProjectOption = Annotated[
    Path | None,
    typer.Option(
        "--project",
        metavar="DIR",
        help="Use DIR/.claude/settings.json, shared by all who work on the project."
        " The default, with the current folder.",
    ),
]
LocalOption = Annotated[
    bool,
    typer.Option("--local", help="Use .claude/settings.local.json: this project, only you."),
]
UserOption = Annotated[
    bool, typer.Option("--user", help="Use ~/.claude/settings.json: all of your projects.")
]
DryRunOption = Annotated[
    bool, typer.Option("--dry-run", help="Show what would change, and change nothing.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
SessionArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[SESSION|TRANSCRIPT]",
        help="A session id, its first characters, or the path of a transcript."
        " The default is the newest session of this project.",
        show_default=False,
    ),
]


SessionOption = Annotated[
    str | None,
    typer.Option(
        "--session",
        "-s",
        metavar="SESSION",
        help="A session id, its first characters, or the path of a transcript."
        " The default is the newest session of this project.",
        show_default=False,
    ),
]
context_app = typer.Typer(help="How full a session's context is.", no_args_is_help=True)
feature_app = typer.Typer(
    help="Features: how far they are, and how to go on with one.", no_args_is_help=True
)
snapshot_app = typer.Typer(help="What was kept of the project's sessions.", no_args_is_help=True)
app.add_typer(context_app, name="context")
app.add_typer(feature_app, name="feature")
app.add_typer(snapshot_app, name="snapshot")
SnapshotArgument = Annotated[
    str,
    typer.Argument(metavar="[ID]", help="A snapshot's or checkpoint's id, or `latest`."),
]
FeatureArgument = Annotated[
    str,
    typer.Argument(metavar="NAME", help="A feature's name, a checkpoint's id, or a session's."),
]


FolderArgument = Annotated[
    str,
    typer.Argument(
        metavar="[NAME]",
        help="A folder below `features_folder`. The default is the active feature.",
    ),
]


def _examples(*calls: str) -> str:
    r"""Return the end of a help text; after a `\b`, lines are not joined."""
    return "\b\nExamples:\n" + "\n".join(f"  amplihack-compaction {call}" for call in calls)


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


@app.command(
    epilog=_examples(
        "install",
        "install --project ~/work/shop --dry-run",
        "install --user --events PreCompact,SessionStart",
    )
)
def install(
    project: ProjectOption = None,
    local: LocalOption = False,
    user: UserOption = False,
    events: Annotated[
        str | None,
        typer.Option("--events", metavar="A,B", help="Register these hook events only."),
    ] = None,
    dry_run: DryRunOption = False,
    proof: Annotated[
        bool, typer.Option("--proof/--no-proof", help="Replay a recorded session afterwards.")
    ] = True,
) -> None:
    """Register the hooks in a settings file, and prove that they work.

    The rest of the file keeps every byte; the original is kept beside it until `uninstall`.
    """
    from amplihack_compaction.install.registration import choose_scope, install_hooks

    scope = choose_scope(project, local=local, user=user)
    raise typer.Exit(install_hooks(scope, events, dry_run=dry_run, proof=proof))


@app.command(
    epilog=_examples(
        "uninstall",
        "uninstall --project ~/work/shop --purge",
    )
)
def uninstall(
    project: ProjectOption = None,
    local: LocalOption = False,
    user: UserOption = False,
    dry_run: DryRunOption = False,
    purge: Annotated[
        bool,
        typer.Option("--purge", help="Also delete what the hooks stored in the project."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
) -> None:
    """Take the hooks out of a settings file.

    The file gets its original bytes back if nothing else has changed in it since.
    """
    from amplihack_compaction.install.registration import (
        choose_scope,
        purge_runtime,
        uninstall_hooks,
    )

    scope = choose_scope(project, local=local, user=user)
    uninstall_hooks(scope, dry_run=dry_run)
    if purge:
        purge_runtime(project or Path.cwd(), dry_run=dry_run, yes=yes)


@app.command(
    epilog=_examples(
        "diagnose",
        "diagnose 1f2e3d4c --json",
        "diagnose ~/.claude/projects/-home-me-shop/1f2e3d4c-....jsonl",
    )
)
def diagnose(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Show what happened at each compaction of a session, and what was lost or brought back.

    Works on any transcript, also one that was recorded before the hooks were there.
    """
    from amplihack_compaction.cli.diagnose import show_diagnosis

    show_diagnosis(session, as_json=as_json)


@app.command(
    epilog=_examples(
        "state",
        "state 1f2e3d4c --json",
    )
)
def state(session: SessionArgument = None, as_json: JsonOption = False) -> None:
    """Print the state of a session as of now, nothing left out."""
    from amplihack_compaction.cli.diagnose import show_state

    show_state(session, as_json=as_json)


@app.command(
    epilog=_examples(
        "status",
        "status --session 1f2e3d4c --json",
    )
)
def status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is: tokens, limit and level, and where they come from.

    Exit code 1 when there is no session, or none of its responses told its numbers yet.
    """
    from amplihack_compaction.cli.context import show_status

    show_status(session, as_json=as_json)


@context_app.command("status")
def context_status(session: SessionOption = None, as_json: JsonOption = False) -> None:
    """Show how full a session's context is; the same as `status`."""
    from amplihack_compaction.cli.context import show_status

    show_status(session, as_json=as_json)


@feature_app.command("status", epilog=_examples("feature status login --tokens"))
def feature_status(
    name: FolderArgument = "",
    tokens: Annotated[bool, typer.Option("--tokens", help="Count what its texts cost.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a feature's state and progress, its texts, and how large they are.

    Exit code 1 when there is no such feature.
    """
    from amplihack_compaction.file_commands.feature import show_feature

    show_feature(name, with_tokens=tokens, as_json=as_json)


@feature_app.command(
    "compact",
    epilog=_examples(
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
        float, typer.Option("--timeout", metavar="SECONDS", help="How long it may take for that.")
    ] = 120.0,
    revert: Annotated[
        bool, typer.Option("--revert", help="Take the last compaction back, byte for byte.")
    ] = False,
    history_id: Annotated[
        str, typer.Option("--id", metavar="ID", help="Take this one back; see `history`.")
    ] = "",
    keep: Annotated[
        bool, typer.Option("--keep", help="With --revert: leave files that changed since.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="With --revert: replace files that changed since.")
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="With --revert: also after `revert_hours`.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Make a feature's files smaller, with a backup; --revert gives them back byte for byte.

    Decisions, errors, checklists, headings, rules and code stay in their own words. Exit code 1
    when it cannot be done; then every file is as it was.
    """
    from amplihack_compaction.file_commands.feature import compact
    from amplihack_compaction.file_commands.feature import revert as take_back

    if revert or history_id:
        take_back(name, history_id, keep=keep, overwrite=overwrite, force=force, as_json=as_json)
        return
    compact(
        name,
        level=level,
        with_=with_,
        timeout_seconds=timeout,
        dry_run=dry_run,
        as_json=as_json,
    )


@app.command(epilog=_examples("history", "history login --json"))
def history(name: FolderArgument = "", as_json: JsonOption = False) -> None:
    """Show what was compacted or pruned, of one feature or of all, and what was taken back."""
    from amplihack_compaction.file_commands.feature import show_history

    show_history(name, as_json=as_json)


@app.command()
def statusline() -> None:
    """Print one line for the client's status bar, from the JSON that it gives.

    Register it in the client's settings as
    {"statusLine": {"type": "command", "command": "amplihack-compaction statusline"}}.
    Always exits with 0.
    """
    from amplihack_compaction.cli.statusline import main as print_line

    print_line()


@snapshot_app.command("list", epilog=_examples("snapshot list", "snapshot list --json"))
def snapshot_list(as_json: JsonOption = False) -> None:
    """List the snapshots of the project, newest first, with their checkpoints."""
    from amplihack_compaction.cli.snapshots import list_project_snapshots

    list_project_snapshots(as_json=as_json)


@snapshot_app.command("show", epilog=_examples("snapshot show", "snapshot show ID --json"))
def snapshot_show(snapshot: SnapshotArgument = "latest", as_json: JsonOption = False) -> None:
    """Print what a snapshot holds, nothing left out."""
    from amplihack_compaction.cli.snapshots import show_snapshot

    show_snapshot(snapshot, as_json=as_json)


@snapshot_app.command("restore", epilog=_examples("snapshot restore ID --session 1f2e3d4c"))
def snapshot_restore(snapshot: SnapshotArgument = "latest", session: SessionOption = None) -> None:
    """Have a session given a snapshot's context with its next prompt or tool use."""
    from amplihack_compaction.cli.snapshots import restore_snapshot

    restore_snapshot(snapshot, session)


@app.command("fresh-start", epilog=_examples("fresh-start", "fresh-start 20260201-143022-a1b2"))
def fresh_start(snapshot: SnapshotArgument = "latest", as_json: JsonOption = False) -> None:
    """Print the context of an earlier session, for a new one to go on with.

    Run inside a session, that session's own record begins with it. Exit code 1 when the snapshot
    that is named cannot be used.
    """
    from amplihack_compaction.cli.snapshots import print_fresh_start

    print_fresh_start(snapshot, as_json=as_json)


@app.command(epilog=_examples("handoff", "handoff --session 1f2e3d4c --print"))
def handoff(
    session: SessionOption = None,
    to_stdout: Annotated[
        bool, typer.Option("--print", help="Print the document instead of saying where it is.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the handoff document of a session, with a checkpoint."""
    from amplihack_compaction.cli.handoff import write_handoff

    write_handoff(session, to_stdout=to_stdout, as_json=as_json)


@feature_app.command("continue", epilog=_examples("feature continue login"))
def feature_continue(name: FeatureArgument, as_json: JsonOption = False) -> None:
    """Print what is needed to go on with a feature: its handoff and the state behind it.

    Exit code 1 when nothing was kept of it.
    """
    from amplihack_compaction.cli.handoff import continue_feature

    continue_feature(name, as_json=as_json)


@feature_app.command(
    "checkpoint", epilog=_examples("feature checkpoint login --reason 'before the rewrite'")
)
def feature_checkpoint(
    name: FeatureArgument,
    reason: Annotated[str, typer.Option("--reason", help="What it is kept for.")] = "manual",
    session: SessionOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Print nothing.")] = False,
) -> None:
    """Keep this moment of a session under a feature's name."""
    from amplihack_compaction.cli.handoff import checkpoint_feature

    checkpoint_feature(name, reason, session, quiet=quiet)


compact_app = typer.Typer(help="Make a context smaller, reversibly.", no_args_is_help=True)
app.add_typer(compact_app, name="compact")


@compact_app.command(
    "transcript",
    epilog=_examples(
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
        int, typer.Option("--keep-turns", min=0, help="Newest turns that stay whole.")
    ] = 3,
    keep_tokens: Annotated[
        int, typer.Option("--keep-tokens", min=0, help="The most tokens of those turns.")
    ] = 10_000,
    over: Annotated[
        int, typer.Option("--over", min=60, help="Leave out what has more tokens than this.")
    ] = 100,
    inputs: Annotated[
        str,
        typer.Option("--inputs", help="Texts that went into files: none, superseded or all."),
    ] = "superseded",
    scope: Annotated[
        str,
        typer.Option(
            "--scope",
            help="The whole file, or the window since the last compaction: file, window, or auto,"
            " which is window above 16 MB.",
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
    from amplihack_compaction.file_commands import transcripts

    if listed:
        transcripts.show_copies(as_json=as_json)
    elif revert is not None:
        transcripts.revert_copy(revert, force=force)
    else:
        options = transcripts.make_options(
            keep_turns, keep_tokens, over, inputs, scope, thinking=not thinking
        )
        transcripts.compact_transcript(session, options, dry_run=dry_run, as_json=as_json)


@app.command(
    epilog=_examples(
        "expand 5a6b7c8d.17",
        "expand 5a6b7c8d.17 --output picture.png",
        "expand --session 5a6b7c8d",
    )
)
def expand(
    placeholder: Annotated[
        str | None,
        typer.Argument(metavar="[ID]", help="A placeholder's id. Without one they are listed."),
    ] = None,
    session: Annotated[
        str, typer.Option("--session", "-s", metavar="COPY", help="The copy it stands in.")
    ] = "",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write it to a new file.")
    ] = None,
) -> None:
    """Print what was left out of a copy of a session, as it stands in the original."""
    from amplihack_compaction.file_commands.transcripts import expand as print_part

    print_part(placeholder, session, output)


def main() -> None:
    """Run the command line; an error of the package's own becomes a message and exit code 1."""
    try:
        app()
    except CompactionError as error:
        typer.echo(f"amplihack-compaction: {error}", err=True)
        sys.exit(1)
