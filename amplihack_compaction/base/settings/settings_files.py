"""Where settings lie, and what each place says by itself, unchecked (light)."""

import os

from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.base.folders import read_inside

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

FILE_NAME = "compaction.json"
PROJECT_FILE = f".claude/{FILE_NAME}"
VARIABLE_PREFIX = "AMPLIHACK_COMPACTION_"
SETTINGS_LIMIT_BYTES = 1024 * 1024
"""A settings file is written by hand; one that is larger is something else."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""Some editors begin a file with it, and JSON knows none."""


def config_path() -> str:
    """Return the path of the client's own folder: `$CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    named = os.environ.get("CLAUDE_CONFIG_DIR")
    # A user without a name and a home, as in some containers, has no such folder: `~` stays.
    return (named or os.path.expanduser("~/.claude")).rstrip("/")  # noqa: PTH111


def variable_of(name: str) -> str:
    """Return the environment variable of a setting."""
    return VARIABLE_PREFIX + name.upper()


def read_variable(name: str) -> str:
    """Return the environment's text for a setting; empty for none."""
    return os.environ.get(variable_of(name), "")


def project_file(root: str) -> bytes | None:
    """Return the content of a project's settings file; None where it cannot be read.

    Links are followed that stay in the project.
    """
    return read_inside(root, PROJECT_FILE, SETTINGS_LIMIT_BYTES, linked=True)


def own_file() -> bytes | None:
    """Return the content of the user's own settings file; None where it cannot be read.

    Whose own file it is may keep it elsewhere, and have a link here.
    """
    return read_bytes(f"{config_path()}/{FILE_NAME}", SETTINGS_LIMIT_BYTES, follow=True)


def parse_settings(content: bytes | None) -> "dict[str, Any] | None":
    """Return the settings in a file's content; None where it is no JSON object."""
    return parse_object((content or b"").removeprefix(BYTE_ORDER_MARK))
