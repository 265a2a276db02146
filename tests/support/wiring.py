"""Hooks as version 0.1.0 registered them."""

from typing import Any

from amplihack_compaction.clients.claude_code.wiring.hook_entries import entry_of, hooks_of

_SCRIPTS = {
    "PreCompact": "pre_compact",
    "SessionStart": "session_start",
    "PostCompact": "post_compact",
    "PreToolUse": "pre_tool_use",
    "UserPromptSubmit": "user_prompt_submit",
    "Stop": "stop",
    "SessionEnd": "session_end",
}


def earlier_command(name: str, base: str = "/old") -> str:
    """Return the command of a hook."""
    quoted = base.replace("'", "'\"'\"'")
    python = f"'{quoted}/bin/python'"
    script = f"'{quoted}/amplihack_compaction_hooks/{_SCRIPTS.get(name, 'store')}.py'"
    return f"[ -x {python} ] && [ -f {script} ] || exit 0; {python} -I -S {script} || exit 0"


def earlier_entry(name: str) -> dict[str, Any]:
    """Return the entry of a hook."""
    return {**entry_of(name), "command": earlier_command(name)}


def earlier_settings(*events: str) -> dict[str, Any]:
    """Return settings with the hooks of these events."""
    groups = {e: [{"hooks": [earlier_entry(name) for name in hooks_of(e)]}] for e in events}
    return {"hooks": groups}
