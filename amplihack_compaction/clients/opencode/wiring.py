"""Our plugin in OpenCode's folder: `<project>/.opencode/plugins/`, or `~/.config/opencode/plugins`.

The client loads each file there at its start. Ours starts the launchers, by their place in the
user's home: it is the same for everybody, and does nothing for who has not installed the package.
"""

import os
from pathlib import Path

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.clients.claude_code.wiring.settings_file import Change, Scope, read_file

AFTERWARDS = "OpenCode loads it at its next start."
_PLUGIN = "amplihack-compaction.js"
_OURS = b"// Made by amplihack-compaction:"


def client_file(project: Path, *, user: bool = False) -> Scope:
    """Return the file of the plugin: the project's, or the user's own."""
    config = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")  # noqa: PTH111
    folder = Path(config, "opencode") if user else project / ".opencode"
    return Scope("user" if user else "project", folder / "plugins" / _PLUGIN, "opencode")


def plan_client_registration(scope: Scope) -> Change:
    """Return the change that puts our plugin there. Raises SettingsError where another's is."""
    plugin = Path(__file__).with_name("plugin.js").read_bytes()
    return Change(scope, _read_plugin(scope), plugin)


def plan_client_removal(scope: Scope) -> Change:
    """Return the change that takes our plugin out. Raises SettingsError where another's is."""
    return Change(scope, _read_plugin(scope), None)


def _read_plugin(scope: Scope) -> bytes | None:
    data = read_file(scope.path)
    if data is not None and not data.startswith(_OURS):
        raise SettingsError(f"{scope.path} is left as it was: it is not this package's")
    return data
