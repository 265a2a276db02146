"""What is installed in a project: the client's settings files that apply, and our hooks in them.

Every settings file is read once. A command of a project's file may have come with somebody else's
repository, so that nothing is run of it but what is, to the letter, what `install` writes.
"""

import os
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    Registered,
    check_settings,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Scope,
    plugin_hooks,
    plugin_switches,
    read_text,
    registered_in,
    scopes,
)
from amplihack_compaction.clients.reading import OTHER_CLIENTS, wiring_of
from amplihack_compaction.transcript.session import as_list, as_object, text_in

_PLUGINS_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class RegisteredIn:
    """A settings file of a client: its content, our hooks in it, and why it was not read."""

    scope: Scope
    settings: dict[str, Any] = field(default_factory=dict)
    hooks: tuple[Registered, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Plugin:
    """The plugin as it is enabled here: its id NAME@MARKETPLACE, and its hooks."""

    id: str
    hooks: tuple[Registered, ...]


@dataclass(frozen=True, slots=True)
class Installation:
    """A project, the settings files that apply in it, each file once, and the plugin.

    `others` are other clients' files that have our hooks.
    """

    root: str
    places: tuple[RegisteredIn, ...]
    plugin: Plugin | None = None
    others: tuple[RegisteredIn, ...] = ()

    @property
    def registered(self) -> list[tuple[RegisteredIn, Registered]]:
        """Our hooks of all files, each with its place."""
        return [(place, hook) for place in self.places for hook in place.hooks]

    @property
    def hooks(self) -> list[Registered]:
        """Our hooks of all files, and the plugin's."""
        plugin = self.plugin.hooks if self.plugin is not None else ()
        return [*(hook for _, hook in self.registered), *plugin]


def find_installation(root: str) -> Installation:
    """Return a project as it is now."""
    found = scopes(Path(root))
    # The user's own file is that also at home, where it is the project's as well.
    narrow = [found[name] for name in ("local", "project", "user")]
    by_file = {os.path.realpath(scope.path): scope for scope in narrow}
    places = [_read(scope) for scope in reversed(by_file.values())]
    others = [_read(file) for file in files_of_others(root) if file.path.suffix == ".json"]
    found_in_others = tuple(place for place in others if place.hooks)
    return Installation(root, tuple(places), _enabled_plugin(places), found_in_others)


def registered_above(root: str) -> Path | None:
    """Return the nearest folder above a project whose own files have our hooks."""
    user = os.path.realpath(scopes(Path(root))["user"].path)
    for folder in Path(os.path.abspath(root)).parents:  # noqa: PTH100 - links stay links
        found = scopes(folder)
        for scope in (found["project"], found["local"]):
            if registered_in(scope) and os.path.realpath(scope.path) != user:
                return folder
    return None


def files_of_others(root: str) -> list[Scope]:
    """Return the file of each other client that our hooks, or our plugin, are in or could be."""
    return [
        wiring_of(client).client_file(Path(root), user=user)
        for client in OTHER_CLIENTS
        for user in (True, False)
    ]


def _enabled_plugin(places: list[RegisteredIn]) -> Plugin | None:
    """Return the plugin that is enabled by the narrowest file that names it, and installed."""
    decided: dict[str, bool] = {}
    for place in places:  # from the widest on
        decided |= plugin_switches(place.settings)
    path = config_folder() / "plugins" / "installed_plugins.json"
    content = parse_object(read_bytes(str(path), _PLUGINS_LIMIT_BYTES, follow=True) or b"") or {}
    installed = as_object(content.get("plugins"))
    for name in (name for name, is_enabled in decided.items() if is_enabled):
        for each in as_list(installed.get(name)):
            with suppress(SettingsError):
                if folder := text_in(as_object(each), "installPath"):
                    return Plugin(name, tuple(plugin_hooks(Path(folder))))
    return None


def _read(scope: Scope) -> RegisteredIn:
    try:
        text = read_text(scope)
        return RegisteredIn(scope, check_settings(text), tuple(registered_hooks(text)))
    except SettingsError as error:
        return RegisteredIn(scope, problem=str(error))
