"""The client's own folder, where its settings lie, and below which its transcripts."""

import os


def config_path() -> str:
    """Return the path of the client's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    # A user without a name and a home, as in some containers, has no such folder: `~` stays.
    return (named or os.path.expanduser("~/.claude")).rstrip("/")  # noqa: PTH111
