"""Hooks with commands that `install` does not write, but that run ours."""

from typing import Any

from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    STORE_SUFFIX,
    entry_of,
    hooks_of,
)


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
