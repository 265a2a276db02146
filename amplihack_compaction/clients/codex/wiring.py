"""Codex's hooks file, with ours in it: `<project>/.codex/hooks.json`, or `<home>/hooks.json`.

Its shape is that of Claude Code's settings. The client runs a hook only after its user has looked
at it and trusts it, and one of a project's only where the user trusts the project.
"""

from pathlib import Path

from amplihack_compaction.clients.claude_code.wiring.hook_entries import EVENTS, entry_of
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    Change,
    Scope,
    plan_registration,
    plan_removal,
)
from amplihack_compaction.clients.codex.session_files import codex_home

plan_client_removal = plan_removal
AFTERWARDS = (
    "Codex runs no hook before you trust it: start `codex` in the project, and say so when it asks,"
    " or with /hooks."
)
# More than this it does not allow, and says so at every start.
_LAST_SECONDS = 3
# What these tell the model it cuts in the middle where that is longer than 10,000 bytes of UTF-8,
# unless the entry says otherwise; a state in Cyrillic or Chinese is.
_TELLS = ("SessionStart", "UserPromptSubmit", "PreToolUse")


def client_file(project: Path, *, user: bool = False) -> Scope:
    """Return the file that hooks are registered in: the project's, or the user's own."""
    folder = codex_home() if user else project / ".codex"
    return Scope("user" if user else "project", folder / "hooks.json", "codex")


def plan_client_registration(scope: Scope) -> Change:
    """Return the change that registers our hooks. Raises SettingsError when it cannot be made."""
    return plan_registration(scope, EVENTS, entry=_entry)


def _entry(name: str) -> dict[str, object]:
    entry = entry_of(name)
    if name in _TELLS:
        return {**entry, "additionalContextLimit": 0}
    if not name.startswith("SessionEnd"):
        return entry
    # The client waits for all hooks of the end, and says where one asked for something else.
    return {"type": "command", "command": entry["command"], "timeout": _LAST_SECONDS}
