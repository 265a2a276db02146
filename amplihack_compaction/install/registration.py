"""The commands `install` and `uninstall`: what they say, and in which order they act."""

import difflib
import os
import shlex
import shutil
import statistics
import sys
from contextlib import suppress
from pathlib import Path

import typer

from amplihack_compaction.errors import CompactionError, SettingsError
from amplihack_compaction.install.commands import EVENTS, TIMEOUT_SECONDS, own_python
from amplihack_compaction.install.merge import Registered, registered_hooks
from amplihack_compaction.install.replay import Replay, replay_session
from amplihack_compaction.install.settings_file import (
    Change,
    Scope,
    apply_registration,
    apply_removal,
    hooks_are_disabled,
    plan_registration,
    plan_removal,
    read_text,
    registered_in,
    scopes,
)
from amplihack_compaction.limits import DISABLE_VARIABLE
from amplihack_compaction.paths import linked_folder, runtime_folder

_INDENT = "  "
# What install.sh writes into the environment that it made.
_STAMP = "installed-from"


def choose_scope(project: Path | None, *, local: bool, user: bool) -> Scope:
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


def install_hooks(scope: Scope, events: str | None, *, dry_run: bool, proof: bool) -> int:
    """Register the hooks, prove them, and return the exit code: 1 when a hook fails."""
    change = plan_registration(scope, events=_chosen_events(events))
    if dry_run:
        _print_difference(change)
        _warn(scope)
        return 0
    apply_registration(change)
    hooks = registered_hooks(read_text(scope))
    names = ", ".join(hook.event for hook in hooks)
    if change.is_needed:
        typer.echo(f"Registered in {scope.path}:\n{_INDENT}{names}")
        if scope.backup.exists():
            typer.echo(f"{_INDENT}(the original is kept as {scope.backup.name})")
    else:
        typer.echo(f"Already registered in {scope.path}, nothing changed:\n{_INDENT}{names}")
    _warn(scope)
    return _prove(scope, hooks) if proof else 0


def uninstall_hooks(scope: Scope, *, dry_run: bool) -> None:
    """Take the hooks out of the settings file and say what became of it."""
    _remove_hooks(scope, dry_run=dry_run)
    environment = Path(sys.prefix)
    if not dry_run and (environment / _STAMP).is_file():
        typer.echo(
            "The environment stays, for your other projects. Without it no hook runs; to delete"
            f" it:\n{_INDENT}rm -r {shlex.quote(str(environment.parent))}"
        )


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


def purge_runtime(project: Path, *, dry_run: bool, yes: bool) -> None:
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
        typer.confirm(f"Delete {what}?", abort=True)
    try:
        shutil.rmtree(folder)
    except OSError as error:
        raise CompactionError(f"{folder} cannot be deleted: {error.strerror}") from None
    for above in (folder.parent, folder.parent.parent):
        with suppress(OSError):  # somebody else's files are in it
            above.rmdir()
    typer.echo(f"Deleted {folder}.")


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


def _warn(scope: Scope) -> None:
    """Say what keeps the hooks from running, or makes them run twice."""
    project = scope.path.parent.parent if scope.name != "user" else Path.cwd()
    for other in scopes(project).values():
        if hooks_are_disabled(other):
            _say(f'Warning: "disableAllHooks" in {other.path} keeps all hooks from running.')
        if other.path != scope.path and registered_in(other):
            _say(
                f"Warning: the hooks are registered in {other.path} too. One place is enough:"
                f" amplihack-compaction uninstall {_option(other)}"
            )
    if os.environ.get(DISABLE_VARIABLE, "0") not in ("", "0"):
        _say(f"Warning: {DISABLE_VARIABLE} is set here; under it the hooks do nothing.")


def _prove(scope: Scope, hooks: list[Registered]) -> int:
    typer.echo("\nReplaying a recorded session through the hooks, as the client runs them ...")
    replay = replay_session(hooks)
    if replay.told:
        typer.echo("After its compaction, the model is told:\n")
        typer.echo("\n".join(_INDENT + line for line in replay.told.splitlines()))
    typer.echo("\n" + _table(replay))
    undo = f"{_command()} uninstall {_option(scope)}"
    if not replay.problems:
        typer.echo("\nAll hooks work. The next session here has them.")
        typer.echo("In the project's folder, once a session has been recorded:")
        typer.echo(f"  to see what they did   {_command()} diagnose")
        typer.echo(f"  to take them out       {undo}")
        return 0
    for problem in dict.fromkeys(replay.problems):
        _say(f"FAILED  {problem}")
    _say(f"The hooks stay registered, and cannot stop a session. To take them out: {undo}")
    return 1


def _table(replay: Replay) -> str:
    """Return a line for each event: how often it ran, its median and longest time, its answer."""
    lines = [f"{_INDENT}{'hook':<18}{'runs':>4}{'ms':>6}{'most':>6}  answered"]
    for event in TIMEOUT_SECONDS:
        answers = [answer for answer in replay.answers if answer.event == event]
        if not answers:
            continue
        times = [answer.milliseconds for answer in answers]
        took = f"{statistics.median(times):>6.0f}{max(times):>6.0f}"
        longest = max((answer.stdout for answer in answers), key=len)
        said = f"{len(longest)} characters" if longest else "nothing, as it should"
        if any(answer.problem for answer in answers):
            said = "FAILED"
        lines.append(f"{_INDENT}{event:<18}{len(answers):>4}{took}  {said}")
    return "\n".join(lines)


def _option(scope: Scope) -> str:
    if scope.name == "user":
        return "--user"
    project = f"--project {shlex.quote(str(scope.path.parent.parent))}"
    return f"--local {project}" if scope.name == "local" else project


def _command() -> str:
    """Return how to call this command here: by its name where the shell finds it."""
    name = "amplihack-compaction"
    own = Path(own_python()).with_name(name)
    found = shutil.which(name)
    if found and Path(found).resolve() == own.resolve():
        return name
    if own.exists():
        return shlex.quote(str(own))
    return f"{shlex.quote(sys.executable)} -m amplihack_compaction"


def _say(text: str) -> None:
    typer.echo(text, err=True)
