"""`config`: the settings that are in force, what is wrong with them, and changing one.

A change leaves every other byte of a settings file as it is.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import typer

from amplihack_compaction import base
from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.settings import (
    PROJECT,
    SETTINGS,
    USER,
    Resolved,
    Setting,
    layer_of_text,
    nearest,
    resolve_settings,
    setting_paths,
    shown,
    unknown_variables,
)
from amplihack_compaction.cli.options import AS_JSON, argument, command_group, option
from amplihack_compaction.cli.terminal import show
from amplihack_compaction.clients.claude_code.wiring.json_edits import (
    insert_part,
    read_container,
    remove_part,
    replace_value,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Change,
    Scope,
    apply_edit,
    plan_edit,
)
from amplihack_compaction.text.words import counted

SCHEMA_PATH = Path(base.__path__[0]) / "compaction.schema.json"
"""The schema of a settings file, which `python -m tests.publish_settings` makes."""
# A store's address may carry a password.
_OWN_MODE = 0o600
commands = command_group(
    "config", "The settings: what is in force, what is wrong, and changing one."
)


@commands.command("show")
def config_show(
    key: str | None = argument("KEY", "One of them, with what it does.", None),
    as_json: bool = AS_JSON,
) -> None:
    """Print every setting that is in force, and where it comes from; of one, what it does."""
    resolved = resolve_settings(project_root())
    if key is not None:
        setting = find_setting(key)
        choices = f"\n  one of {', '.join(setting.choices)}" if setting.choices else ""
        typer.echo(f"{_line(resolved, key)}\n  {setting.what}{choices}")
        return
    settings = {
        name: {"value": value, "from": origin.scope, "where": origin.where or None}
        for name, value in resolved.values.items()
        if (origin := resolved.origins[name])
    }
    content = {"settings": settings, "problems": list(map(str, resolved.problems))}
    lines = [_line(resolved, name) for name in resolved.values]
    if resolved.problems:
        found = counted(len(resolved.problems), "problem")
        lines.append(f"\n{found}: {own_command()} config check")
    show(content, [*lines, "\nWhat one of them does: `config show NAME`."], as_json=as_json)


@commands.command("check")
def config_check() -> None:
    """Name what is wrong in the settings files and the environment.

    Exit code 1 when anything is.
    """
    found = [str(problem) for problem in resolve_settings(project_root()).problems]
    found += unknown_variables(os.environ)
    for problem in found:
        typer.echo(problem)
    if found:
        raise typer.Exit(1)
    typer.echo("The settings are in order.")


@commands.command("set")
def config_set(
    key: str = argument("KEY", "As `config show` names it."),
    value: str | None = argument(
        "VALUE",
        "A number, true, false, null or a text; for `redact_patterns` a list as JSON.",
        None,
    ),
    user: bool = option(
        "--user/--team",
        "In your own file, for all of your projects, or in this project's, which git shares.",
        True,
    ),
    unset: bool = option("--unset", "Take the key out.", False),
) -> None:
    """Set one value; every other byte of the file stays.

    Exit code 1 for a value that cannot be used; the file is then as it was.
    """
    if (value is None) is not unset:
        raise typer.BadParameter("give a value, or --unset")

    root, scope = project_root(), USER if user else PROJECT
    change = unset_value(root, scope, key) if value is None else set_value(root, scope, key, value)
    path = change.scope.path
    done = "removed: nothing was left in it" if change.after is None else "changed"
    kept = "has it so already" if value is not None else f"does not set {key}: nothing to take out"
    typer.echo(f"{path} {done if change.is_needed else kept}.")
    if key in SETTINGS:
        typer.echo(_line(resolve_settings(root), key))


@commands.command("schema")
def config_schema(path: bool = option("--path", "Print where it lies instead.", False)) -> None:
    """Print the JSON schema of the settings files, for editors."""
    typer.echo(SCHEMA_PATH if path else SCHEMA_PATH.read_text(encoding="utf-8"), nl=path)


def _line(resolved: Resolved, name: str) -> str:
    origin = resolved.origins[name]
    where = f" {origin.where}" if origin.where else ""
    return f"{name:<24} {shown(resolved.values[name]):<14} {origin.scope}{where}"


def find_setting(key: str) -> Setting:
    """Return the setting of a key. Raises SettingsError that names the nearest known one."""
    found = SETTINGS.get(key)
    if found is None:
        near = nearest(key)
        hint = f"; did you mean {near!r}?" if near else ""
        raise SettingsError(f"there is no setting {key!r}{hint}")
    return found


def set_value(root: str, scope: str, key: str, text: str) -> Change:
    """Write a value to the file of a scope, user or project, and return what changed.

    Raises SettingsError for a value that would not count there, and for a file that cannot be
    read or written; it then is as it was.
    """
    value = find_setting(key).parse(text)
    change = _plan(root, scope, lambda before: _put(before, key, value))
    layer = layer_of_text(change.scope.name, str(change.scope.path), change.after or b"")
    problems = resolve_settings(root, other=layer).problems
    wrong = next((each for each in problems if each.layer is layer and each.key == key), None)
    if wrong is not None:
        hint = "; leave out --team" if "own file" in wrong.text else ""
        raise SettingsError(f"{key}: {wrong.text}{hint}")
    _apply(change)
    return change


def unset_value(root: str, scope: str, key: str) -> Change:
    """Take a key out of the file of a scope, known or not, and return what changed.

    A file in which nothing is left is removed. Raises SettingsError for a file that cannot be read
    or written; it then is as it was.
    """
    change = _plan(root, scope, lambda before: _take_out(before, key))
    if change.is_needed and change.after is not None and json.loads(change.after) == {}:
        change = replace(change, after=None)
    if change.before is not None:
        _apply(change)
    return change


def _plan(root: str, scope: str, edit: Callable[[str], str]) -> Change:
    paths = setting_paths(root)
    # At home, the project's file is the user's own.
    named = scope if scope in paths else USER
    path, inside = os.path.realpath(paths[named]), os.path.realpath(root)
    if named == PROJECT and not path.startswith(f"{inside}/"):
        raise SettingsError(f"{paths[named]} leads out of the project, to {path}: not written")

    def checked(text: str) -> str:
        if layer_of_text("", "", text.encode("utf-8")).problem:
            raise SettingsError("it is not a JSON object")
        return edit(text)

    return plan_edit(Scope(named, Path(paths[named])), checked)


def _apply(change: Change) -> None:
    apply_edit(change, None if change.scope.name == PROJECT else _OWN_MODE)


def _put(text: str, key: str, value: object) -> str:
    root = read_container(text)
    member = root.member(key)
    if member is None:
        return insert_part(text, root, key, value)
    return text if member.value == value else replace_value(text, member, value)


def _take_out(text: str, key: str) -> str:
    while (member := (root := read_container(text)).member(key)) is not None:
        text = remove_part(text, root, member)
    return text
