"""Hooks as `install` writes them, and with commands that it does not write, but that run ours."""

from collections.abc import Sequence
from typing import Any

from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    STORE_SUFFIX,
    entry_of,
    hooks_of,
)


def hook_group(event: str, names: Sequence[str] = ()) -> dict[str, Any]:
    """Return the group that holds hooks of an event: all of them, or those of these names."""
    return {"hooks": [entry_of(name) for name in names or hooks_of(event)]}


def earlier_command(name: str, base: str = "/old") -> str:
    """Return the command of a hook, of launchers in another place."""
    launcher = "Store" if name.endswith(STORE_SUFFIX) else name
    return f"{base}/amplihack-compaction/hooks/{launcher}||:"


def earlier_entry(name: str) -> dict[str, Any]:
    """Return the entry of a hook."""
    return {**entry_of(name), "command": earlier_command(name)}


def earlier_settings(*events: str) -> dict[str, Any]:
    """Return settings with the hooks of these events."""
    groups = {e: [{"hooks": [earlier_entry(name) for name in hooks_of(e)]}] for e in events}
    return {"hooks": groups}
