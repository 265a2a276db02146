"""`install` and `uninstall`: the hooks in a settings file, proven by a replayed session."""

import difflib
import os
import shlex
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from amplihack_compaction.base.errors import CompactionError, SettingsError, reason_of
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import linked_folder, runtime_folder
from amplihack_compaction.cli.install.replay import replay_session, replay_table
from amplihack_compaction.cli.options import (
    DryRunOption,
    LocalOption,
    ProjectOption,
    UserOption,
    examples,
)
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    Registered,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Change,
    Scope,
    apply_registration,
    apply_removal,
    plan_registration,
    plan_removal,
    read_text,
    scopes,
)
from amplihack_compaction.clients.claude_code.wiring.wiring_problems import (
    PLUGIN_NAME,
    enabled_plugin,
    gone_programs,
    plugin_environment,
    plugin_hooks,
    scope_option,
    wiring_warnings,
)

_INDENT = "  "
# What install.sh writes into the environment that it made.
_STAMP = "installed-from"
# What install.sh makes in its home; `.DS_Store` is nobody's work.
_OWN_NAMES = ("venv", "install.log", ".DS_Store")


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
    if plugin is not None:
        if project is not None or local or user or events is not None or dry_run:
            raise typer.BadParameter("--plugin goes with none of the other options but --no-proof")
        raise typer.Exit(_prove_plugin(plugin, proof=proof))
    scope = _choose_scope(project, local=local, user=user)
    raise typer.Exit(_install_hooks(scope, events, dry_run=dry_run, proof=proof))


def _choose_scope(project: Path | None, *, local: bool, user: bool) -> Scope:
    """Return the settings file that the options name.

    Raises typer.BadParameter for options that exclude each other, and SettingsError for a
    project folder that does not exist.
    """
    if user and (local or project is not None):
        raise typer.BadParameter("--user goes neither with --local nor with --project")
    folder = Path(os.path.abspath(project or Path.cwd()))  # noqa: PTH100 - links stay links
    if not user and not folder.is_dir():
        raise SettingsError(f"there is no folder {folder}")
    return scopes(folder)["user" if user else "local" if local else "project"]


def _install_hooks(scope: Scope, events: str | None, *, dry_run: bool, proof: bool) -> int:
    """Register the hooks, prove them, and return the exit code: 1 when a hook fails."""
    change = plan_registration(scope, events=_chosen_events(events))
    before = registered_hooks(read_text(scope))
    if dry_run:
        _print_difference(change)
    else:
        apply_registration(change)
        _print_registration(change, before)
    for path in gone_programs(hook.command for hook in before):
        replaced = "would be replaced" if dry_run else "was replaced"
        _say(f"Warning: {path}, which {scope.path} named, is gone; it {replaced}.")
    _warn(scope.path.parent.parent if scope.name != "user" else Path.cwd(), scope)
    if dry_run or not proof:
        return 0
    undo = f"{own_command()} uninstall {scope_option(scope)}"
    failed = f"The hooks stay registered, and cannot stop a session. To take them out: {undo}"
    return _prove(registered_hooks(read_text(scope)), undo, failed)


def _prove_plugin(folder: Path, *, proof: bool) -> int:
    """Prove the hooks of the plugin in a folder, and return the exit code: 1 when one fails.

    Nothing is registered: the client wires an enabled plugin's hooks itself. Raises
    SettingsError when there is no such plugin in the folder, or no environment for its hooks.
    """
    hooks = plugin_hooks(folder)
    environment = plugin_environment()
    if not os.access(f"{environment}/bin/python", os.X_OK):
        setup = f"sh {shlex.quote(str(folder.absolute() / 'install.sh'))} --plugin"
        raise SettingsError(
            f"the plugin's hooks do nothing: there is no environment {environment}. To make it:"
            f" {setup}"
        )
    names = ", ".join(hook.name for hook in hooks)
    typer.echo(f"The plugin's hooks run in {environment}:\n{_INDENT}{names}")
    _warn(Path.cwd(), None)
    if not proof:
        return 0
    undo = f"claude plugin uninstall {enabled_plugin(Path.cwd()) or PLUGIN_NAME}"
    return _prove(hooks, undo, f"They cannot stop a session. To take them out: {undo}")


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
    scope = _choose_scope(project, local=local, user=user)
    _uninstall_hooks(scope, dry_run=dry_run)
    if purge:
        _purge_runtime(project or Path.cwd(), dry_run=dry_run, yes=yes)


def _uninstall_hooks(scope: Scope, *, dry_run: bool) -> None:
    """Take the hooks out of the settings file and say what became of it."""
    _remove_hooks(scope, dry_run=dry_run)
    environment = _own_environment(Path(sys.prefix))
    if not dry_run and environment is not None:
        typer.echo(
            "The environment stays, for your other projects. Without it no hook runs; to delete"
            f" it:\n{_INDENT}rm -r {shlex.quote(str(environment))}"
        )


def _own_environment(prefix: Path) -> Path | None:
    """Return what install.sh made and nobody else keeps anything in; None for other environments.

    A test environment in a checkout bears the same stamp: the checkout is nobody's to delete.
    """
    if prefix.name != _OWN_NAMES[0] or not (prefix / _STAMP).is_file():
        return None
    beside = {path.name for path in prefix.parent.iterdir()}
    return prefix.parent if beside <= set(_OWN_NAMES) else prefix


def _remove_hooks(scope: Scope, *, dry_run: bool) -> None:
    change = plan_removal(scope)
    if dry_run:
        _print_difference(change)
        return
    if not change.is_needed:
        typer.echo(f"No hooks of amplihack-compaction in {scope.path}; nothing changed.")
        return
    restored = scope.backup.exists() and scope.backup.read_bytes() == change.after
    apply_removal(change)
    if change.after is None:
        typer.echo(f"Removed {scope.path}, which held only these hooks.")
    elif restored:
        typer.echo(f"{scope.path} has its original content again.")
    else:
        typer.echo(f"Took the hooks out of {scope.path}; everything else in it is as it was.")


def _purge_runtime(project: Path, *, dry_run: bool, yes: bool) -> None:
    """Delete what the hooks stored in a project, after asking."""
    root = str(project.absolute())
    folder = Path(runtime_folder(root))
    link = linked_folder(root)
    if link:
        raise CompactionError(f"{link} is a link; nothing is deleted through it")
    if not folder.is_dir():
        typer.echo(f"Nothing is stored in {folder}.")
        return
    files = [path for path in folder.rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files) / 1000
    number = f"{len(files)} file{'s' * (len(files) != 1)}"
    what = f"{folder} ({number}, {size:.0f} kB: snapshots, receipts, logs)"
    if dry_run:
        typer.echo(f"Would delete {what}.")
        return
    if not yes:
        _confirm(what)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise CompactionError(f"{folder} cannot be deleted: {reason_of(error)}") from None
    for above in (folder.parent, folder.parent.parent):
        with suppress(OSError):  # somebody else's files are in it
            above.rmdir()
    typer.echo(f"Deleted {folder}.")


def _confirm(what: str) -> None:
    """Ask before something is deleted. Raises CompactionError for every answer but a yes."""
    try:
        is_wanted = typer.confirm(f"Delete {what}?")
    except typer.Abort:  # nobody is there to answer
        raise CompactionError(
            "nothing was deleted: to do it without being asked, add --yes"
        ) from None
    if not is_wanted:
        raise CompactionError("nothing was deleted")


def _chosen_events(events: str | None) -> tuple[str, ...]:
    if events is None:
        return EVENTS
    names = [name.strip() for name in events.split(",") if name.strip()]
    unknown = [name for name in names if name not in EVENTS]
    if unknown or not names:
        said = f"unknown event {unknown[0]!r}" if unknown else "no event named"
        raise typer.BadParameter(f"--events: {said}; known events: {', '.join(EVENTS)}")
    return tuple(event for event in EVENTS if event in names)


def _print_difference(change: Change) -> None:
    if not change.is_needed:
        typer.echo(f"{change.scope.path} would not change.")
        return
    name = str(change.scope.path)
    before, after = (
        (data or b"").decode("utf-8", "replace").splitlines(keepends=True)
        for data in (change.before, change.after)
    )
    source = name if change.before is not None else "/dev/null"
    target = name if change.after is not None else "/dev/null"
    for line in difflib.unified_diff(before, after, source, target):
        end = "" if line.endswith("\n") else "\n\\ No newline at end of file\n"
        typer.echo(line + end, nl=False)


def _warn(project: Path, own: Scope | None) -> None:
    for warning in wiring_warnings(project, own):
        _say(f"Warning: {warning}")


def _print_registration(change: Change, before: list[Registered]) -> None:
    """Say event by event what became of the file."""
    scope = change.scope
    earlier = {hook.name: hook.command for hook in before}
    now = {hook.name: hook.command for hook in registered_hooks(read_text(scope))}
    if not change.is_needed:
        typer.echo(f"Already registered in {scope.path}, nothing changed:")
        typer.echo(_INDENT + ", ".join(now))
        return
    typer.echo(f"Registered in {scope.path}:")
    kinds = {
        "new": [event for event in now if event not in earlier],
        "brought up to date": [
            event for event in now if event in earlier and earlier[event] != now[event]
        ],
        "taken out": [event for event in earlier if event not in now],
        "as before": [event for event in now if earlier.get(event) == now[event]],
    }
    for kind, events in kinds.items():
        if events:
            typer.echo(f"{_INDENT}{kind}: {', '.join(events)}")
    if scope.backup.exists():
        typer.echo(f"{_INDENT}(the original is kept as {scope.backup.name})")


def _prove(hooks: list[Registered], undo: str, failed: str) -> int:
    typer.echo("\nReplaying a recorded session through the hooks, as the client runs them ...")
    replay = replay_session(hooks)
    if replay.told:
        typer.echo("After its compaction, the model is told:\n")
        typer.echo("\n".join(_INDENT + line for line in replay.told.splitlines()))
    typer.echo("\n" + replay_table(replay))
    if not replay.problems:
        typer.echo("\nAll hooks work. The next session here has them.")
        typer.echo("In the project's folder, once a session has been recorded:")
        typer.echo(f"  to see what they did   {own_command()} diagnose")
        typer.echo(f"  to take them out       {undo}")
        return 0
    for problem in dict.fromkeys(replay.problems):
        _say(f"FAILED  {problem}")
    _say(failed)
    return 1


def _say(text: str) -> None:
    typer.echo(text, err=True)
