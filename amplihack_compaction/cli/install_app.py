"""The commands on the installation: register the hooks, take them out, check that they work."""

from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction.cli.options import (
    DryRunOption,
    JsonOption,
    LocalOption,
    ProjectOption,
    UserOption,
    examples,
)

commands = typer.Typer()


@commands.command(
    epilog=examples(
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
    plugin: Annotated[
        Path | None,
        typer.Option(
            "--plugin",
            metavar="DIR",
            help="Register nothing: the plugin in DIR does. Only prove that its hooks work.",
        ),
    ] = None,
    dry_run: DryRunOption = False,
    proof: Annotated[
        bool, typer.Option("--proof/--no-proof", help="Replay a recorded session afterwards.")
    ] = True,
) -> None:
    """Register the hooks in a settings file, and prove that they work.

    The rest of the file keeps every byte; the original is kept beside it until `uninstall`.
    """
    from amplihack_compaction.cli.install.registration import (
        choose_scope,
        install_hooks,
        prove_plugin,
    )

    if plugin is not None:
        if project is not None or local or user or events is not None or dry_run:
            raise typer.BadParameter("--plugin goes with none of the other options but --no-proof")
        raise typer.Exit(prove_plugin(plugin, proof=proof))
    scope = choose_scope(project, local=local, user=user)
    raise typer.Exit(install_hooks(scope, events, dry_run=dry_run, proof=proof))


@commands.command(
    epilog=examples(
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
    from amplihack_compaction.cli.install.registration import (
        choose_scope,
        purge_runtime,
        uninstall_hooks,
    )

    scope = choose_scope(project, local=local, user=user)
    uninstall_hooks(scope, dry_run=dry_run)
    if purge:
        purge_runtime(project or Path.cwd(), dry_run=dry_run, yes=yes)


@commands.command(epilog=examples("doctor", "doctor --json", "doctor --fix"))
def doctor(
    as_json: JsonOption = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="Mend what is safe to mend; see the rows' last words.")
    ] = False,
) -> None:
    """Check that the hooks work here: programs, registration, hooks, settings, storage, history.

    Each hook is fired in a temporary project. Nothing is changed without --fix, which mends rights
    and paths of our own, and removes leftovers. Exit code 1 when a row is a failure, else 0.
    """
    from amplihack_compaction.cli.doctor.doctor import run_doctor

    raise typer.Exit(run_doctor(as_json=as_json, fix=fix))
