"""Whether anything is stored, and how much of it is kept (light).

The same values as `settings` resolves, read without its model, which costs a hook five times what
the storing does. Of these, what the user's own file says counts over the project's.
"""

import posix

from amplihack_compaction.files import read_bytes
from amplihack_compaction.scanner import parse_object

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_MEGABYTES = 2048
"""What a store may take by default; as in `settings`."""
_RANGES = {"store_megabytes": (1, 10_000_000), "store_days": (0, 100_000)}
_LIMIT_BYTES = 1024 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def read_bounds(root: str) -> "tuple[bool, int, int]":
    """Return whether the store is on, and the megabytes and days that it is kept within."""
    values: dict[str, Any] = {"store": "on", "store_megabytes": MOST_MEGABYTES, "store_days": 0}
    for path in (f"{root}/.claude/compaction.json", _own_file()):
        values.update(_usable(_read(path)))
    values.update(_usable(_variables()))
    return values["store"] == "on", values["store_megabytes"], values["store_days"]


def _usable(values: "dict[str, Any]") -> "dict[str, Any]":
    usable = {"store": values["store"]} if values.get("store") in ("on", "off") else {}
    for name, (low, high) in _RANGES.items():
        value = values.get(name)
        if type(value) is int and low <= value <= high:
            usable[name] = value
    return usable


def _variables() -> "dict[str, Any]":
    """Return the bounds that the environment sets; a variable for `store` names its database."""
    found = {}
    for name in _RANGES:
        text = posix.environ.get(f"AMPLIHACK_COMPACTION_{name.upper()}".encode(), b"")
        try:
            found[name] = int(text)
        except ValueError:
            continue
    return found


def _own_file() -> str:
    environ = posix.environ
    folder = environ.get(b"CLAUDE_CONFIG_DIR") or environ.get(b"HOME", b"") + b"/.claude"
    return f"{folder.decode('utf-8', 'surrogateescape')}/compaction.json"


def _read(path: str) -> "dict[str, Any]":
    data = read_bytes(path, _LIMIT_BYTES) or b""
    return parse_object(data.removeprefix(_BYTE_ORDER_MARK)) or {}
