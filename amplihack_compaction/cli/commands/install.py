"""`install` and `uninstall`: the hooks in a settings file, proven by a replayed session."""

import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import typer

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError, SettingsError, reason_of
from amplihack_compaction.base.installation import (
    COMMAND_NAME,
    installer,
    own_command,
    own_path,
    own_python,
    shortened,
)
from amplihack_compaction.base.paths import linked_folder, runtime_folder
from amplihack_compaction.base.settings import FILE_NAME, config_path, load_settings
from amplihack_compaction.cli.doctor.configuration import check_doubled, check_switches
from amplihack_compaction.cli.doctor.installation import (
    Installation,
    Plugin,
    find_installation,
    registered_above,
)
from amplihack_compaction.cli.doctor.rows import Grade
from amplihack_compaction.cli.options import DRY_RUN, filled, option
from amplihack_compaction.cli.replay import replay_session, replay_table
from amplihack_compaction.cli.terminal import confirm
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    MCP_SERVER,
    Registered,
    allows_reading,
    command_of,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.launchers import write_launchers
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    PLUGIN_NAME,
    Change,
    Scope,
    apply_registration,
    apply_removal,
    plan_registration,
    plan_removal,
    plugin_hooks,
    read_text,
    registered_in,
    scope_option,
    scopes,
)
from amplihack_compaction.clients.claude_code.wiring.slash_commands import (
    exclude_from_git,
    remove_commands,
    write_commands,
)
from amplihack_compaction.clients.reading import OTHER_CLIENTS, Client, wiring_of
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER
from amplihack_compaction.compactor.transcripts.expand import list_copies
from amplihack_compaction.text.words import counted
from amplihack_compaction.transcript.session import as_object, text_in

_INDENT = "  "
# What install.sh writes into the environment that it made.
_STAMP = "installed-from"
# What install.sh makes in its home; `.DS_Store` is nobody's work.
_OWN_NAMES = ("venv", "install.log", "hooks", "locks", "backups", "key", ".DS_Store")
# What a plugin starts, where a client has no file of hooks.
_STARTED = [Registered(name, command_of(name), None) for name in ("PreCompact", "SessionStart")]
_STATUS_LINE = re.compile(r"amplihack[-_]compaction['\"]? statusline\b")
_WHOSE = {
    "project": "for the whole team",
    "local": "for you, in this project",
    "user": "for all of your projects",
}
_REWRITE = (
    "from amplihack_compaction.clients.claude_code.wiring.launchers import write_launchers;"
    " print('The hooks are of version', write_launchers().version)"
)


_PROJECT = option(
    "--project DIR", "The project's folder; the default is the current one.", None, parser=filled
)
_LOCAL = option(
    "--local", "Use .claude/settings.local.json: this project, only you. The default.", False
)
_TEAM = option("--team", "Use .claude/settings.json, shared by all who work on the project.", False)
_USER = option("--user", "Use ~/.claude/settings.json: all of your projects.", False)
_CLIENT = option(
    f"--client {'|'.join(get_args(Client))}",
    "The program whose sessions are compacted.",
    "claude-code",
)


def install(
    project: str | None = _PROJECT,
    local: bool = _LOCAL,
    team: bool = _TEAM,
    user: bool = _USER,
    events: str | None = option("--events A,B", "Register these hook events only.", None),
    plugin: Path | None = option(
        "--plugin DIR",
        "Register nothing: the plugin in DIR does. Only prove that its hooks work.",
        None,
    ),
    recall: bool = option(
        "--recall", "Let the model search what was said, without asking you.", False
    ),
    client: Client = _CLIENT,
    dry_run: bool = DRY_RUN,
    proof: bool = option("--proof/--no-proof", "Replay a recorded session afterwards.", True),
) -> None:
    """Register the hooks in a settings file, and prove that they work.

    The rest of the file keeps every byte; the original is kept elsewhere until `uninstall`.
    """
    if not dry_run and (lasting := lasting_command()):
        cached = Path(sys.prefix, "bin")
        kept = [each for each in os.get_exec_path() if Path(each) != cached]
        environment = {**os.environ, "PATH": os.pathsep.join(kept)}
        os.execve(lasting, [lasting, *sys.argv[1:]], environment)  # noqa: S606 - this, where it stays
    if plugin is not None:
        if project is not None or local or team or user or events is not None or recall or dry_run:
            raise typer.BadParameter("--plugin goes with none of the other options but --no-proof")
        raise typer.Exit(_prove_plugin(plugin, proof=proof))
    scope = _choose_scope(client, project, local=local, team=team, user=user)
    if scope.client:
        if events is not None or recall:
            raise typer.BadParameter("--client goes with neither --events nor --recall")
        change = wiring_of(client).plan_client_registration(scope)
    else:
        change = plan_registration(scope, events=_chosen_events(events), recall=recall)
    if dry_run:
        _print_difference(change)
        return
    before = registered_hooks(read_text(scope))
    write_launchers()
    apply_registration(change)
    _print_registration(change, before)
    if scope.client:
        _tell(wiring_of(client).AFTERWARDS)
    else:
        _bring_commands(scope)
        if recall:
            _add_server(scope)
        _warn(find_installation(str(_folder_of(scope))))
        _tell_of_above(scope)
    if proof:
        hooks = registered_hooks(read_text(scope)) or _STARTED
        raise typer.Exit(_prove(hooks, f"{own_command()} uninstall {scope_option(scope)}"))


def _choose_scope(
    client: Client, project: str | None, *, local: bool, team: bool, user: bool
) -> Scope:
    """Return the settings file that the options name; without one, the file that has the hooks."""
    if local + team + user > 1:
        raise typer.BadParameter("only one of --local, --team and --user")
    folder = _folder(project, user=user)
    if client in OTHER_CLIENTS:
        if local or team:
            raise typer.BadParameter("--client goes with --project or --user, and no other scope")
        other: Scope = wiring_of(client).client_file(folder, user=user)
        return other
    found = scopes(folder)
    if not (local or user or registered_in(found["local"])):
        team = team or bool(registered_in(found["project"]))
    return found["user" if user else "project" if team else "local"]


def _folder(project: str | None, *, user: bool) -> Path:
    """Return the project's folder. Raises BadParameter or SettingsError where there is none."""
    if user and project is not None:
        raise typer.BadParameter("--user takes no --project")
    folder = Path(os.path.abspath(project or Path.cwd()))  # noqa: PTH100 - links stay links
    if not user and not folder.is_dir():
        raise SettingsError(f"there is no folder {folder}")
    return folder


def _bring_commands(scope: Scope) -> None:
    """Write the slash commands beside the settings file; it may not fail the installation."""
    folder = scope.path.parent
    try:
        written, others = write_commands(folder, _called_in(scope))
    except OSError as error:
        _tell(f"The slash commands cannot be written: {reason_of(error)}")
        return
    if scope.name == "local":
        names = [scope.path.name, *(f"commands/{name}" for name in written)]
        exclude_from_git(_folder_of(scope), [f"{folder.name}/{name}" for name in names])
    if written:
        _tell(f"Slash commands in {folder / 'commands'}:\n{_INDENT}{_slashed(written)}")
    if others:
        _tell(f"Left alone, since they are another's or were edited: {', '.join(others)}")


def _slashed(names: list[str]) -> str:
    """Return slash commands as they are typed, by the names of their files."""
    return ", ".join(f"/{name.removesuffix('.md')}" for name in names)


def _called_in(scope: Scope) -> str:
    """Return how a client calls this command: by its name in what a team shares, else by path."""
    shares = scope.name == "project"
    if scope.name == "local":
        shares = bool(registered_in(scopes(_folder_of(scope))["project"]))
    return COMMAND_NAME if shares else own_path()  # an editor has another `PATH`


def _add_server(scope: Scope) -> None:
    """Have the client start the MCP server, in place of one that it may have from us already."""
    words = shlex.split(_called_in(scope))
    called = [os.path.expanduser(word) for word in words]  # noqa: PTH111 - of text
    _of_the_client(scope, "remove", MCP_SERVER)
    problem = _of_the_client(scope, "add", MCP_SERVER, "--", *called, "mcp")
    _tell(problem or "The model can search what was said by itself, and need not ask you for that.")


def _of_the_client(scope: Scope, change: str, *arguments: str) -> str:
    """Change the client's MCP servers by its own command; return what to do where that fails."""
    call = ["claude", "mcp", change, "--scope", scope.name, *arguments]
    try:
        done = subprocess.run(  # noqa: S603 - the user's own client
            call, check=False, capture_output=True, text=True, timeout=60, cwd=_folder_of(scope)
        )
        problem = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        problem = f"`claude` cannot be run: {reason_of(error)}"
    except subprocess.TimeoutExpired:
        problem = "`claude` did not answer"
    return f"{problem}; what is left to do: {shlex.join(call)}" if problem else ""


def _folder_of(scope: Scope) -> Path:
    return Path.cwd() if scope.name == "user" else scope.path.parent.parent


def _tell_of_above(scope: Scope) -> None:
    """Say that a folder above has the hooks already, and what to do then."""
    above = None if scope.name == "user" else registered_above(str(_folder_of(scope)))
    if above is not None:
        _tell(
            f"{above} has the hooks already: what is begun there has those, what is begun here has"
            " these, and each folder keeps its own state. One is enough where you begin sessions in"
            f" one of them only; to take these out: {own_command()} uninstall {scope_option(scope)}"
        )


def _prove_plugin(folder: Path, *, proof: bool) -> int:
    """Set up and prove a plugin's hooks, which the client wires itself; return the exit code."""
    hooks = plugin_hooks(folder)
    installed = write_launchers()
    names = ", ".join(hook.name for hook in hooks)
    _tell(f"The plugin's hooks are run by {installed.python}:\n{_INDENT}{names}")
    found = find_installation(str(Path.cwd()))
    plugin = found.plugin or Plugin(PLUGIN_NAME, tuple(hooks))
    _warn(replace(found, plugin=plugin))
    return _prove(hooks, f"claude plugin uninstall {plugin.id}") if proof else 0


def upgrade() -> None:
    """Bring the package and the hooks of all your projects up to the newest version."""
    done = subprocess.run(upgrade_command(), check=False)  # noqa: S603 - the installer that was used
    if done.returncode:
        raise CompactionError("nothing was upgraded, and the hooks are as they were")
    written = subprocess.run([own_python(), "-I", "-c", _REWRITE], check=False)  # noqa: S603
    raise typer.Exit(int(written.returncode != 0))


def uninstall(
    project: str | None = _PROJECT,
    local: bool = _LOCAL,
    team: bool = _TEAM,
    user: bool = _USER,
    client: Client = _CLIENT,
    dry_run: bool = DRY_RUN,
    purge: bool = option("--purge", "Also delete what the hooks stored in the project.", False),
    yes: bool = option("--yes -y", "Delete without asking.", False),
) -> None:
    """Take the hooks out of a settings file; one that git shares is named with --team.

    The file gets its original bytes back if nothing else has changed in it since.
    """
    # Not what git shares, unless it is named: it is the whole team's.
    local = local or not (team or user or client in OTHER_CLIENTS)
    scope = _choose_scope(client, project, local=local, team=team, user=user)
    plan = wiring_of(client).plan_client_removal if scope.client else plan_removal
    change = plan(scope)
    folder = _folder(project, user=user)
    stored = Path(runtime_folder(str(folder)))
    what = _what_is_in(stored, folder) if purge else ""
    if what and not (dry_run or yes):
        confirm(f"Delete {what}? (Without --purge only the hooks are taken out.)")
    _remove_hooks(change, dry_run=dry_run)
    if not scope.client:
        _tell_what_stays(folder, scope, purge=purge and not dry_run)
    if purge and not dry_run and what:
        _purge(stored)
        if user:
            _tell("What was recorded of other projects stays in each of them, in the same folder.")
    elif purge:
        _tell(f"Would delete {what}." if what else f"Nothing is stored in {stored}.")
    elif user:
        _tell("What was recorded of your sessions stays in each project, in .claude/runtime.")
    elif stored.is_dir():
        _tell(f"What was recorded of your sessions stays in {stored}; --purge deletes it.")
    if not dry_run:
        _tell_of_environment()


def _tell_of_environment() -> None:
    """Say how the environment is deleted that the hooks of all projects run in."""
    prefix, command = Path(sys.prefix), removal_command()
    # A test environment in a checkout bears the same stamp: the checkout is nobody's to delete.
    if prefix.name == _OWN_NAMES[0] and (prefix / _STAMP).is_file():
        beside = {path.name for path in prefix.parent.iterdir()}
        environment, link = prefix.parent if beside <= set(_OWN_NAMES) else prefix, _link()
        is_ours = link.is_symlink() and link.resolve().is_relative_to(environment)
        command = shlex.join(["rm", "-r", str(environment), *([str(link)] if is_ours else [])])
    if command:
        _tell(
            "The environment stays: without it no hook runs in any project. If none has hooks any"
            f" more, delete it:\n{_INDENT}{command}"
        )


def _tell_what_stays(folder: Path, removed: Scope, *, purge: bool) -> None:
    """Name what is left behind: hooks in other files, a status line of ours, settings."""
    installed = find_installation(str(folder))
    for place in (*installed.places, *installed.others):
        scope = place.scope
        path = scope.path
        if place.hooks and path != removed.path:
            undo = f"{own_command()} uninstall {scope_option(scope)}"
            whose = f"for {scope.client}" if scope.client else _WHOSE[scope.name]
            _tell(f"The hooks in {path} stay, {whose}; to take them out: {undo}")
        if _STATUS_LINE.search(text_in(as_object(place.settings.get("statusLine")), "command")):
            _tell(f'"statusLine" in {path} still runs {COMMAND_NAME}: take it out by hand.')
    features = folder / load_settings(str(folder))[0].features_folder
    made_smaller = {*folder.glob(f"*/*/{KEPT_FOLDER}"), *features.glob(f"*/{KEPT_FOLDER}")}
    for backups in sorted(made_smaller):
        _tell(
            f"The backups of what was made smaller in {backups.parent} stay; before the package"
            f" goes, `{own_command()} history` shows what can be taken back."
        )
    copies = [] if purge else list_copies(str(folder.absolute()))
    if copies:
        _tell(
            f"Of sessions here the client has {counted(len(copies), 'shortened one')}:"
            f" `{own_command()} compact transcript --list` tells which."
        )
    users = Path(config_path()) / FILE_NAME
    for own in dict.fromkeys((removed.path.parent / FILE_NAME, users)):
        if own.is_file():
            whose = ", for all of your projects" if own == users else ""
            _tell(f"The settings in {own} stay{whose}; delete the file if nobody needs them.")


def _remove_hooks(change: Change, *, dry_run: bool) -> None:
    scope = change.scope
    if dry_run:
        _print_difference(change)
        _remove_beside(scope, dry_run=True)
        return
    if not change.is_needed:
        _tell(f"There are no hooks of amplihack-compaction in {scope.path}.")
        _remove_beside(scope, dry_run=False)
        return
    restored = scope.backup.exists() and scope.backup.read_bytes() == change.after
    reads = allows_reading(read_text(scope))
    apply_removal(change)
    _remove_beside(scope, dry_run=False)
    if reads:
        problem = _of_the_client(scope, "remove", MCP_SERVER)
        _tell(problem or f"The client no longer starts the MCP server {MCP_SERVER}.")
    if change.after is None:
        _tell(f"Removed {scope.path}, which held only these hooks.")
    elif restored:
        _tell(f"{scope.path} has its original content again.")
    else:
        _tell(f"Took the hooks out of {scope.path}; everything else in it is as it was.")


def _remove_beside(scope: Scope, *, dry_run: bool) -> None:
    """Remove the slash commands, unless a file beside it has hooks too, and what git overlooks."""
    others = [each for each in scopes(scope.path.parent.parent).values() if each.path != scope.path]
    if scope.path.parent not in [each.path.parent for each in others if registered_in(each)]:
        with suppress(OSError):
            removed, edited = remove_commands(scope.path.parent, dry_run=dry_run)
            if removed:
                done = "Would remove" if dry_run else "Removed"
                _tell(f"{done} the slash commands {_slashed(removed)}.")
            if edited:
                _tell(f"Slash commands that were edited stay: {', '.join(edited)}")
    folder = _folder_of(scope)
    if scope.name == "local" and (excluding := exclude_from_git(folder, [], dry_run=dry_run)):
        took = "Would take" if dry_run else "Took"
        _tell(f"{took} out of {excluding} what git overlooked of them.")


def _what_is_in(folder: Path, project: Path) -> str:
    """Return in words what the hooks stored in a project's folder; empty for nothing."""
    if link := linked_folder(str(project)):
        raise CompactionError(f"{link} is a link; nothing is deleted through it")
    if not folder.is_dir():
        return ""
    sizes = [path.stat().st_size for path in folder.rglob("*") if path.is_file()]
    size = f"{counted(len(sizes), 'file')}, {sum(sizes) / 1000:.0f} kB"
    what = "sessions as they were said, snapshots, logs"
    if copies := len(list_copies(str(project.absolute()))):
        what += f"; what {counted(copies, 'shortened session')} left out comes back no more"
    return f"{folder} ({size}: {what})"


def _purge(folder: Path) -> None:
    """Delete what the hooks stored in a project, and the folders above it that are empty then."""
    shutil.rmtree(folder)
    for above in (folder.parent, folder.parent.parent):
        with suppress(OSError):  # somebody else's files are in it
            above.rmdir()
    _tell(f"Deleted {folder}.")


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
        _tell(f"{change.scope.path} would not change.")
        return
    both = (change.before, change.after)
    source, target = ("/dev/null" if data is None else str(change.scope.path) for data in both)
    before, after = ((data or b"").decode("utf-8", "replace").splitlines() for data in both)
    for line in difflib.unified_diff(before, after, source, target, lineterm=""):
        typer.echo(line)


def _warn(installed: Installation) -> None:
    """Say what keeps the hooks of a project from running, or has them run twice."""
    for row in (*check_switches(installed), *check_doubled(installed)):
        if row.grade is not Grade.PASS:
            _tell(f"Warning: {row.text}; {row.remedy}", err=True)


def _print_registration(change: Change, before: list[Registered]) -> None:
    """Say event by event what became of the file."""
    scope = change.scope
    earlier = {hook.name: hook.command for hook in before}
    now = {hook.name: hook.command for hook in registered_hooks(read_text(scope))}
    if not change.is_needed:
        _tell(f"Already registered in {scope.path}, nothing changed:\n{_INDENT}{', '.join(now)}")
        return
    _tell(f"Registered in {scope.path}:")
    became: dict[str, list[str]] = {}
    for name, command in {**now, **earlier}.items():
        is_same, is_new = now.get(name) == command, name not in earlier
        kind = "as before" if is_same else "brought up to date" if name in now else "taken out"
        became.setdefault("new" if is_new else kind, []).append(name)
    for kind, names in became.items():
        _tell(f"{_INDENT}{kind}: {', '.join(names)}")
    if scope.backup.exists():
        _tell(f"{_INDENT}(the original is kept as {scope.backup})")


def _prove(hooks: list[Registered], undo: str) -> int:
    _tell("\nReplaying a recorded session through the hooks, as the client runs them ...")
    replay = replay_session(hooks)
    if replay.told:
        _tell("After its compaction, the model is told:\n")
        _tell("\n".join(_INDENT + line for line in replay.told.splitlines()))
    _tell("\n" + replay_table(replay))
    if not replay.problems:
        _tell("\nAll hooks work. The next session here has them.")
        _tell("In the project's folder, once a session has been recorded:")
        _tell(f"  to see what they did   {own_command()} diagnose")
        _tell(f"  to take them out       {undo}")
        if own_command() != COMMAND_NAME and (Path(own_python()).parent / COMMAND_NAME).exists():
            _tell(f"  to call it by its name {_naming()}")
        return 0
    for problem in dict.fromkeys(replay.problems):
        _tell(f"FAILED  {problem}", err=True)
    _tell(f"They stay registered, and cannot stop a session. To take them out: {undo}", err=True)
    return 1


def _link() -> Path:
    """Return where a link makes a shell find the command by its name."""
    return Path("~/.local/bin").expanduser() / COMMAND_NAME


def _naming() -> str:
    """Return what makes the shell find the command, which is not on its PATH."""
    link = _link()
    if link.exists():
        return "add ~/.local/bin to your PATH"
    make = "" if link.parent.is_dir() else "mkdir -p ~/.local/bin && "
    return f"{make}ln -s {own_command()} ~/.local/bin/"


def _tell(text: str, *, err: bool = False) -> None:
    typer.echo(shortened(text), err=err)


def lasting_command() -> str:
    """Return this command in an environment that stays, made now, if it runs in a cached one.

    `uvx` and `pipx run` keep theirs in a cache, and hooks would be gone with it. Empty where this
    one stays. Raises CompactionError where none can be made.
    """
    folders = Path(sys.prefix).parents
    is_marked = any(os.path.exists(f"{folder}/CACHEDIR.TAG") for folder in folders)  # noqa: PTH110
    if not is_marked and not re.search(r"/(\.cache|Caches)/|/pipx/\.cache/", sys.prefix):
        return ""
    uv, pipx = os.environ.get("UV") or shutil.which("uv"), shutil.which("pipx")
    url = _installed_from().get("url")
    source = f"{COMMAND_NAME} @ {url}" if url else f"{COMMAND_NAME}=={__version__}"
    if uv:
        _ask([uv, "tool", "install", "--quiet", source])
        folder = _ask([uv, "tool", "dir", "--bin"])
    elif pipx:
        _ask([pipx, "install", source])
        folder = _ask([pipx, "environment", "--value", "PIPX_BIN_DIR"])
    else:
        raise CompactionError(f"{sys.prefix} may vanish: use `pip install {COMMAND_NAME}`")
    return f"{folder}/{COMMAND_NAME}"


def upgrade_command() -> list[str]:
    """Return the command that brings the package up to its newest version.

    Raises CompactionError where it was installed from a folder.
    """
    if "dir_info" in (origin := _installed_from()):
        raise CompactionError(
            f"it was installed from {origin.get('url')}: get the newest version there,"
            " and run ./install.sh again"
        )
    if tool := installer():
        return [*tool.split(), "upgrade", COMMAND_NAME]
    return [own_python(), "-m", "pip", "install", "--quiet", "--upgrade", COMMAND_NAME]


def removal_command() -> str:
    """Return the command that takes the package away, as it was installed; empty for pip's."""
    return f"{installer()} uninstall {COMMAND_NAME}" if installer() else ""


def _installed_from() -> dict[str, Any]:
    """Return what the installer noted of where the package came from; nothing for an index."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        noted = json.loads(distribution(COMMAND_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _ask(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise CompactionError(f"{command[0]} failed: {done.stderr.strip()[-500:]}")
    return done.stdout.strip()
