"""Whether anything is stored, and how much of it is kept (light).

The same values as `settings` resolves, read without its model, which costs a hook five times what
the storing does. Of these, what the user's own file says counts over the project's.
"""

from amplihack_compaction.base.settings.raw import read_own_file, read_project_file, read_variable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_MEGABYTES = 2048
"""What a store may take by default; as in `settings`."""
_RANGES = {"store_megabytes": (1, 10_000_000), "store_days": (0, 100_000)}


def read_bounds(root: str) -> "tuple[bool, int, int]":
    """Return whether the store is on, and the megabytes and days that it is kept within."""
    values: dict[str, Any] = {"store": "on", "store_megabytes": MOST_MEGABYTES, "store_days": 0}
    values.update(_usable(read_project_file(root)))
    values.update(_usable(read_own_file()))
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
        try:
            found[name] = int(read_variable(name))
        except ValueError:
            continue
    return found
