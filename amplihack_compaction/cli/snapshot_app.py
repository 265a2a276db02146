"""The commands `snapshot ...`, `fresh-start` and `handoff`: going on elsewhere."""

from typing import Annotated

import typer

from amplihack_compaction.cli.options import JsonOption, SessionOption, SnapshotArgument, examples

commands = typer.Typer()
snapshot_app = typer.Typer(help="What was kept of the project's sessions.", no_args_is_help=True)
commands.add_typer(snapshot_app, name="snapshot")


@snapshot_app.command("list", epilog=examples("snapshot list", "snapshot list --json"))
def snapshot_list(as_json: JsonOption = False) -> None:
    """List the snapshots of the project, newest first, with their checkpoints.

    Exit code 1 when not all can be seen and used.
    """
    from amplihack_compaction.cli.commands.snapshots import list_project_snapshots

    list_project_snapshots(as_json=as_json)


@snapshot_app.command("show", epilog=examples("snapshot show", "snapshot show ID --json"))
def snapshot_show(snapshot: SnapshotArgument = "latest", as_json: JsonOption = False) -> None:
    """Print what a snapshot holds, nothing left out."""
    from amplihack_compaction.cli.commands.snapshots import show_snapshot

    show_snapshot(snapshot, as_json=as_json)


@snapshot_app.command("restore", epilog=examples("snapshot restore ID --session 1f2e3d4c"))
def snapshot_restore(snapshot: SnapshotArgument = "latest", session: SessionOption = None) -> None:
    """Have a session given a snapshot's context with its next prompt or tool use."""
    from amplihack_compaction.cli.commands.snapshots import restore_snapshot

    restore_snapshot(snapshot, session)


@commands.command("fresh-start", epilog=examples("fresh-start", "fresh-start 20260201-143022-a1b2"))
def fresh_start(snapshot: SnapshotArgument = "latest", as_json: JsonOption = False) -> None:
    """Print the context of an earlier session, for a new one to go on with.

    Run inside a session, that session's own record begins with it. Exit code 1 when the snapshot
    that is named cannot be used.
    """
    from amplihack_compaction.cli.commands.snapshots import print_fresh_start

    print_fresh_start(snapshot, as_json=as_json)


@commands.command(epilog=examples("handoff", "handoff --session 1f2e3d4c --print"))
def handoff(
    session: SessionOption = None,
    to_stdout: Annotated[
        bool, typer.Option("--print", help="Print the document instead of saying where it is.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Write the handoff document of a session, with a checkpoint."""
    from amplihack_compaction.cli.commands.handoff import write_handoff

    if to_stdout and as_json:
        raise typer.BadParameter("--print and --json exclude each other")

    write_handoff(session, to_stdout=to_stdout, as_json=as_json)
