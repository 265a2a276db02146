"""The plugin's hooks, and what of an administrator's settings keeps ours from running.

Managed settings stand above all others: `managed-settings.json` and the files of
`managed-settings.d`, in name order, in a folder of the system. What is set by a server or by a
device's policy is not seen from here.
"""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    Registered,
    registered_hooks,
)
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Scope,
)

PLUGIN_NAME = "amplihack-compaction"
_HOOKS_FILE = "hooks/hooks.json"


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


FOLDERS = (Path("/etc/claude-code"), Path("/Library/Application Support/ClaudeCode"))
_SIZE_LIMIT_BYTES = 16 * 1024 * 1024


def managed_obstacles() -> list[tuple[Path, str]]:
    """Return each managed file that keeps our hooks from running, with the key that does so.

    `allowManagedHooksOnly` spares a plugin that the managed settings enable themselves.
    """
    files = list(_managed_files())
    is_managed = any(_enables_plugin(settings) for _, settings in files)
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


def _enables_plugin(settings: dict[str, Any]) -> bool:
    plugins = settings.get("enabledPlugins")
    return isinstance(plugins, dict) and any(
        name.partition("@")[0] == PLUGIN_NAME and value is True for name, value in plugins.items()
    )
