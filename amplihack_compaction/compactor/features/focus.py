"""Which feature is active: the one that `.claude/active-focus.md` names.

Its `feature:` line names it, else its first words do.
"""

from amplihack_compaction.base.contained_files import read_inside
from amplihack_compaction.text.strings import one_line

FOCUS_FILE = ".claude/active-focus.md"
_LIMIT_BYTES = 64 * 1024
_NAME_CHARS = 80


def active_feature(root: str) -> str:
    """Return the feature that `.claude/active-focus.md` names; empty without one."""
    data = read_inside(root, FOCUS_FILE, _LIMIT_BYTES) or b""
    lines = [
        line.strip().strip("#*->` \t") for line in data.decode("utf-8", "replace").splitlines()
    ]
    for line in lines:
        head, _, name = line.partition(":")
        if head.strip("*` ").casefold() in ("feature", "active feature", "active") and name:
            return plain_name(name)
    return next((plain_name(line) for line in lines if plain_name(line)), "")


def plain_name(name: str) -> str:
    """Return a name as one printable line without quotes around it."""
    line = one_line(name, _NAME_CHARS)
    return "".join(c for c in line if c.isprintable()).strip("*`'\" ")
