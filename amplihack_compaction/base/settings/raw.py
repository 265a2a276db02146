"""Single values of the settings as their places have them, for hooks (light).

`settings` resolves the same, but its model costs a hook several times what most of them do.
"""

import posix

from amplihack_compaction.base.files import is_link, read_bytes
from amplihack_compaction.base.json_objects import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LIMIT_BYTES = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_project_file(root: str) -> "dict[str, Any]":
    """Return what a project's settings file says; nothing where it cannot be read."""
    folder = f"{root}/.claude"
    path = f"{folder}/compaction.json"
    if not (is_link(folder) or is_link(path)):
        return _parsed(read_bytes(path, _LIMIT_BYTES))
    from amplihack_compaction.base.contained_files import read_inside

    return _parsed(read_inside(root, ".claude/compaction.json", _LIMIT_BYTES, linked=True))


def read_own_file() -> "dict[str, Any]":
    """Return what the user's own settings file says; nothing where it cannot be read."""
    environ = posix.environ
    folder = environ.get(b"CLAUDE_CONFIG_DIR") or environ.get(b"HOME", b"") + b"/.claude"
    path = f"{folder.decode('utf-8', 'surrogateescape')}/compaction.json"
    # Whose own file it is may keep it elsewhere, and have a link here.
    return _parsed(read_bytes(path, _LIMIT_BYTES, follow=True))


def read_variable(name: str) -> str:
    """Return the environment's text for a setting; empty for none."""
    text = posix.environ.get(f"AMPLIHACK_COMPACTION_{name.upper()}".encode(), b"")
    return text.decode("utf-8", "surrogateescape")


def _parsed(data: "bytes | None") -> "dict[str, Any]":
    return parse_object((data or b"").removeprefix(_BYTE_ORDER_MARK)) or {}
