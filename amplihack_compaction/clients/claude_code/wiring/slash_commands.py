"""Bring the slash commands into a `.claude/commands` folder, and take them out again.

They are those of the plugin, with the command as this machine calls it. A file of the name that
may not call this command is somebody's own, and is left alone.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from amplihack_compaction.base.installation import COMMAND_NAME, own_command

_PACKAGE = Path(__file__).parents[3]
FOLDERS = (_PACKAGE / "commands", _PACKAGE.parent / "commands")
"""Where they lie: in an installed package, and in a checkout."""
_OF_THE_PLUGIN = "compaction-setup.md"
# Where it is called, not where it is spoken of.
_CALL = re.compile(rf"(?:(?<=\()|(?<=`)|^){COMMAND_NAME} ", re.MULTILINE)
_MAY_CALL = re.compile(r"^allowed-tools: Bash\([^)]*\bamplihack[-_]compaction ", re.MULTILINE)


def slash_commands() -> Iterator[tuple[str, str]]:
    """Yield the name of each command's file, and its text."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    for path in sorted(folder.glob("*.md")) if folder is not None else ():
        if path.name != _OF_THE_PLUGIN:
            text = path.read_text(encoding="utf-8")
            yield path.name, _CALL.sub(lambda _: f"{own_command()} ", text)


def write_commands(claude_folder: Path) -> tuple[list[str], list[str]]:
    """Write the commands; return the names of ours, and those of others' files.

    Raises OSError when a file cannot be written.
    """
    own, others = [], []
    for name, text in slash_commands():
        path = claude_folder / "commands" / name
        if (path.is_symlink() or path.exists()) and not _is_ours(path):
            others.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        own.append(name)
    return own, others


def remove_commands(claude_folder: Path) -> None:
    """Remove the commands, of any version; raises OSError when one cannot be removed."""
    for name, _ in slash_commands():
        path = claude_folder / "commands" / name
        if _is_ours(path):
            path.unlink()
    with suppress(OSError):  # somebody else's files are in it
        (claude_folder / "commands").rmdir()
        claude_folder.rmdir()


def _is_ours(path: Path) -> bool:
    try:
        return not path.is_symlink() and bool(_MAY_CALL.search(path.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return False
