"""What is installed in a project: the client's settings files that apply, and our hooks in them.

Every settings file is read once. A command of a project's file may have come with somebody else's
repository, so that nothing is run of it but what lies outside the project.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import CompactionError, SettingsError
from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    INSTALLED_FOLDER,
    SCRIPTS,
    Registered,
    Runner,
    check_settings,
    programs_of,
    registered_hooks,
    running_package,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import Scope, read_text, scopes
from amplihack_compaction.clients.claude_code.wiring.wiring_problems import (
    PLUGIN_NAME,
    plugin_environment,
    plugin_hooks,
)

_PLUGINS_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RegisteredIn:
    """A settings file of the client: its content, our hooks in it, and why it was not read."""

    scope: Scope
    settings: dict[str, Any] = field(default_factory=dict)
    hooks: tuple[Registered, ...] = ()
    problem: str = ""

    @property
    def option(self) -> str:
        """The option of `install` and `uninstall` that names the file."""
        return {"project": "", "local": " --local", "user": " --user"}[self.scope.name]


@dataclass(frozen=True, slots=True)
class Plugin:
    """The plugin as it is enabled here: its id NAME@MARKETPLACE, its hooks, what they run."""

    id: str
    hooks: tuple[Registered, ...]
    runner: Runner


@dataclass(frozen=True, slots=True)
class Installation:
    """A project, the settings files that apply in it, each file once, and the plugin."""

    root: str
    places: tuple[RegisteredIn, ...]
    plugin: Plugin | None = None

    @property
    def registered(self) -> list[tuple[RegisteredIn, Registered]]:
        """Our hooks of all files, each with its place."""
        return [(place, hook) for place in self.places for hook in place.hooks]


def find_installation(root: str) -> Installation:
    """Return a project as it is now."""
    places: list[RegisteredIn] = []
    seen = set()
    # The user's own file first: at home it is the project's as well.
    found = scopes(Path(root))
    for name in ("user", "project", "local"):
        real = os.path.realpath(found[name].path)
        if real not in seen:
            seen.add(real)
            places.append(_read(found[name]))
    return Installation(root, tuple(places), _enabled_plugin(places))


def runner_of(hook: Registered) -> Runner | None:
    """Return what a command runs; None unless it is, to the letter, what `install` writes."""
    python, script = programs_of(hook.command)
    runner = Runner(python, os.path.dirname(script))  # noqa: PTH120 - a string, no lookups
    written = any(runner.command(event) == hook.command for event in SCRIPTS)
    return runner if python and written else None


def may_be_run(installed: Installation, place: RegisteredIn, runner: Runner) -> bool:
    """Return whether a checkup may run it: not what a repository brings along."""
    if place.scope.name == "user" or _is_own(runner):
        return True
    return not any(_is_inside(installed.root, path) for path in (runner.python, runner.folder))


def programs_not_there(runner: Runner, hook: Registered) -> list[str]:
    """Return what the command looks for before it runs, and does not find."""
    script = programs_of(hook.command)[1]
    missing = [] if os.access(runner.python, os.X_OK) else [runner.python]
    return missing if os.access(script, os.R_OK) else [*missing, script]


def _enabled_plugin(places: list[RegisteredIn]) -> Plugin | None:
    """Return the plugin that is enabled by the narrowest file that names it, and installed."""
    decided: dict[str, bool] = {}
    for place in places:  # from the widest on
        plugins = place.settings.get("enabledPlugins")
        for name, value in plugins.items() if isinstance(plugins, dict) else ():
            if name.partition("@")[0] == PLUGIN_NAME:
                decided[name] = value is True
    for name in (name for name, is_enabled in decided.items() if is_enabled):
        for folder in _installed_at(name):
            with suppress(SettingsError):
                return Plugin(name, tuple(plugin_hooks(Path(folder))), _plugin_runner())
    return None


def _installed_at(plugin: str) -> list[str]:
    """Return where the client has installed a plugin; nothing for one that is not."""
    path = config_folder() / "plugins" / "installed_plugins.json"
    content = parse_object(read_bytes(str(path), _PLUGINS_LIMIT_BYTES, follow=True) or b"") or {}
    plugins = content.get("plugins")
    entries = plugins.get(plugin) if isinstance(plugins, dict) else None
    paths = (each.get("installPath") for each in entries or () if isinstance(each, dict))
    return [path for path in paths if isinstance(path, str)]


def _plugin_runner() -> Runner:
    """Return what the plugin's commands run: the environment that its setup makes."""
    environment = plugin_environment()
    folder = f"{environment}/site-packages/{INSTALLED_FOLDER}"
    return Runner(f"{environment}/bin/python", folder)


def _is_inside(root: str, path: str) -> bool:
    """Return whether a path lies inside a project, by its name or by where its links lead.

    A relative one does: the client runs hooks in the project.
    """
    if not path.startswith("/"):
        return True
    named = os.path.normpath(path), os.path.normpath(os.path.abspath(root))  # noqa: PTH100
    real = os.path.realpath(path), os.path.realpath(root)
    return any(os.path.commonpath(pair) == pair[1] for pair in (named, real))


def _is_own(runner: Runner) -> bool:
    try:
        return runner == running_package()
    except CompactionError:
        return False


def _read(scope: Scope) -> RegisteredIn:
    try:
        text = read_text(scope)
        return RegisteredIn(scope, check_settings(text), tuple(registered_hooks(text)))
    except SettingsError as error:
        return RegisteredIn(scope, problem=str(error))
