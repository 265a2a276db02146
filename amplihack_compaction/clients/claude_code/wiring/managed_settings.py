"""What the settings that an administrator manages say about hooks.

The client reads `managed-settings.json` and the files of `managed-settings.d`, in name order, in a
folder of the system. They stand above every other settings file; what is set by a server or by a
device's policy is not seen from here.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from amplihack_compaction.base.files import read_bytes
from amplihack_compaction.base.json_objects import parse_object

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
