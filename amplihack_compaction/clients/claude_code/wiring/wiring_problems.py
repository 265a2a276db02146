"""Where the hooks are wired, over all settings files and the plugin, and what is wrong with it.

The client runs what every settings file of a project registers, equal commands once, and what an
enabled plugin brings: with both, each hook runs twice. Whether a plugin is enabled stands in
`enabledPlugins`, `{"amplihack-compaction@MARKETPLACE": true}`, of the narrowest scope that names
it.

Settings that an administrator manages stand above all of these files: `managed-settings.json` and
the files of `managed-settings.d`, in name order, in a folder of the system. What is set by a server
or by a device's policy is not seen from here.
"""

import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.size_limits import DISABLE_VARIABLE
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    Registered,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Scope,
    registered_in,
    scopes,
    settings_in,
)

PLUGIN_NAME = "amplihack-compaction"
_HOOKS_FILE = "hooks/hooks.json"
_NARROWEST_FIRST = ("local", "project", "user")


def wiring_warnings(project: Path, own: Scope | None) -> list[str]:
    """Say what keeps the hooks from running in a project, or makes them run twice.

    `own` is the scope they are registered in, None for the plugin.
    """
    warnings = [
        f'"{key}" in {path}, which an administrator manages, keeps the hooks from running.'
        for path, key in managed_obstacles(PLUGIN_NAME)
    ]
    # In the home itself two scopes are one file.
    for scope in {scope.path: scope for scope in scopes(project).values()}.values():
        if settings_in(scope).get("disableAllHooks") is True:
            warnings.append(f'"disableAllHooks" in {scope.path} keeps all hooks from running.')
        if own is None or scope.path != own.path:
            warnings += _second_wiring(scope)
    if own is not None and (plugin := enabled_plugin(project)):
        warnings.append(
            f"the plugin {plugin} has the same hooks: they run twice, though they act once."
            f" One of the two is enough: claude plugin uninstall {plugin},"
            f" or {own_command()} uninstall {scope_option(own)}"
        )
    if os.environ.get(DISABLE_VARIABLE, "0") not in ("", "0"):
        warnings.append(f"{DISABLE_VARIABLE} is set here; under it the hooks do nothing.")
    return warnings


def enabled_plugin(project: Path) -> str:
    """Return the id, NAME@MARKETPLACE, by which the plugin is enabled in a project; else ''."""
    found = scopes(project)
    decided: dict[str, bool] = {}
    for name in _NARROWEST_FIRST:
        plugins = settings_in(found[name]).get("enabledPlugins")
        for plugin, value in plugins.items() if isinstance(plugins, dict) else ():
            if plugin.partition("@")[0] == PLUGIN_NAME:
                decided.setdefault(plugin, bool(value))
    return next((plugin for plugin, is_enabled in decided.items() if is_enabled), "")


def plugin_hooks(folder: Path) -> list[Registered]:
    """Return the hooks that a plugin's folder wires.

    Raises SettingsError when it holds no such plugin.
    """
    try:
        hooks = registered_hooks((folder / _HOOKS_FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        hooks = []
    if not hooks:
        raise SettingsError(f"there is no plugin of this package in {folder}")
    return hooks


def scope_option(scope: Scope) -> str:
    """Return the option of the command line that names a scope."""
    if scope.name == "user":
        return "--user"
    project = f"--project {shlex.quote(str(scope.path.parent.parent))}"
    return f"--team {project}" if scope.name == "project" else project


def _second_wiring(scope: Scope) -> list[str]:
    if not registered_in(scope):
        return []
    return [
        f"the hooks are registered in {scope.path} too. One place is enough:"
        f" {own_command()} uninstall {scope_option(scope)}"
    ]


FOLDERS = (Path("/etc/claude-code"), Path("/Library/Application Support/ClaudeCode"))
_SIZE_LIMIT_BYTES = 16 * 1024 * 1024


def managed_obstacles(plugin_name: str) -> list[tuple[Path, str]]:
    """Return each managed file that keeps our hooks from running, with the key that does so.

    `allowManagedHooksOnly` spares a plugin that the managed settings enable themselves.
    """
    files = list(_managed_files())
    is_managed = any(_enables(settings, plugin_name) for _, settings in files)
    found = []
    for path, settings in files:
        if settings.get("disableAllHooks") is True:
            found.append((path, "disableAllHooks"))
        elif settings.get("allowManagedHooksOnly") is True and not is_managed:
            found.append((path, "allowManagedHooksOnly"))
    return found


def _managed_files() -> Iterator[tuple[Path, dict[str, Any]]]:
    for folder in FOLDERS:
        for path in (
            folder / "managed-settings.json",
            *sorted((folder / "managed-settings.d").glob("*.json")),
        ):
            settings = parse_object(read_bytes(str(path), _SIZE_LIMIT_BYTES, follow=True) or b"")
            if settings is not None:
                yield path, settings


def _enables(settings: dict[str, Any], plugin_name: str) -> bool:
    plugins = settings.get("enabledPlugins")
    return isinstance(plugins, dict) and any(
        name.partition("@")[0] == plugin_name and value is True for name, value in plugins.items()
    )
