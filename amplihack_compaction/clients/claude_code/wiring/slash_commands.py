"""Bring the slash commands into a `.claude/commands` folder, and take them out again.

They are those of the plugin, with the command as this machine calls it. A file of the name that
may not call this command is somebody's own, and is left alone; so is one of ours that was edited,
as the checksum in its head tells. What only one person has is kept from git, in `info/exclude`,
which git shares with nobody.
"""

import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from amplihack_compaction.base.files import replace_atomically
from amplihack_compaction.base.installation import COMMAND_NAME

_PACKAGE = Path(__file__).parents[3]
FOLDERS = (_PACKAGE / "commands", _PACKAGE.parent / "commands")
"""Where they lie: in an installed package, and in a checkout."""
_HEAD = re.compile(r"\A---\n")
_CHECKSUM = re.compile(r"^checksum: ([0-9a-f]{8})\n", re.MULTILINE)
_OF_THE_PLUGIN = "compaction-setup.md"
# Where it is called, not where it is spoken of.
_CALL = re.compile(rf"(?:(?<=\()|(?<=`)|^){COMMAND_NAME} ", re.MULTILINE)
_MAY_CALL = re.compile(r"^allowed-tools: Bash\([^)]*\bamplihack[-_]compaction ", re.MULTILINE)


def slash_commands(called_as: str = COMMAND_NAME) -> Iterator[tuple[str, str]]:
    """Yield the name of each command's file, and its text, which calls the command so."""
    folder = next((folder for folder in FOLDERS if folder.is_dir()), None)
    for path in sorted(folder.glob("*.md")) if folder is not None else ():
        if path.name != _OF_THE_PLUGIN:
            text = path.read_text(encoding="utf-8")
            called = _CALL.sub(lambda _: f"{called_as} ", text)
            yield path.name, _HEAD.sub(f"---\nchecksum: {_checksum(called)}\n", called, count=1)


def write_commands(claude_folder: Path, called_as: str) -> tuple[list[str], list[str]]:
    """Write the commands, which call ours so; return the names of ours, and of others' files.

    Raises OSError when a file cannot be written.
    """
    own, others = [], []
    for name, text in slash_commands(called_as):
        path = claude_folder / "commands" / name
        if (path.is_symlink() or path.exists()) and not _is_whole(_text_of(path)):
            others.append(name)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        own.append(name)
    return own, others


def remove_commands(claude_folder: Path, *, dry_run: bool = False) -> tuple[list[str], list[str]]:
    """Remove the commands, of any version; return their names, and those of edited ones, left.

    Raises OSError when one cannot be removed.
    """
    removed, edited = [], []
    for name, _ in slash_commands():
        path = claude_folder / "commands" / name
        text = _text_of(path)
        if _is_whole(text):
            if not dry_run:
                path.unlink()
            removed.append(name)
        elif _MAY_CALL.search(text):
            edited.append(name)
    with suppress(OSError):  # somebody else's files are in it
        if not dry_run:
            (claude_folder / "commands").rmdir()
            claude_folder.rmdir()
    return removed, edited


def _text_of(path: Path) -> str:
    """Return what a file says; nothing of a link, of none, and of one that cannot be read."""
    try:
        return "" if path.is_symlink() else path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _is_whole(text: str) -> bool:
    """Return whether a text is that of a command of ours, as it was written."""
    told = _CHECKSUM.search(text)
    unchanged = told is None or told[1] == _checksum(_CHECKSUM.sub("", text, count=1))
    return unchanged and _MAY_CALL.search(text) is not None


def _checksum(text: str) -> str:
    return f"{crc32(text.encode()):08x}"


_BEGIN, _END = "# amplihack-compaction: what only you have", "# end of amplihack-compaction\n"
_BLOCK = re.compile(rf"^{_BEGIN} in (.*)\n(?:.*\n)*?{_END}", re.MULTILINE)
_GIT_SECONDS = 10


def exclude_from_git(project: Path, paths: Sequence[str], *, dry_run: bool = False) -> Path | None:
    """Return the file in which git is told to overlook these paths of a project, if it changes.

    No others that we named before are overlooked there any more; those of other folders are, as
    long as these exist. Nothing is done outside of a repository, or where there is no git.
    """
    folder = os.path.realpath(project)
    try:
        file = Path(_git(project, "--path-format=absolute", "--git-path", "info/exclude"))
        mode = file.stat().st_mode & 0o777 if file.exists() else 0o644
        text = file.read_bytes().decode() if file.exists() else ""  # its line ends stay
        top = _git(project, "--show-prefix")

        def of_others(block: re.Match[str]) -> str:
            is_gone = block[1] == folder or not os.path.isdir(block[1])  # noqa: PTH112 - of text
            return "" if is_gone else block[0]

        kept = _BLOCK.sub(of_others, text)
        if paths:
            lines = "".join(f"/{top}{path}\n" for path in paths)
            kept += "\n" * (kept[-1:] not in ("", "\n")) + f"{_BEGIN} in {folder}\n{lines}{_END}"
        if kept != text:
            if not dry_run:
                file.parent.mkdir(exist_ok=True)
                replace_atomically(str(file), kept.encode())
                file.chmod(mode)
            return file
    except (OSError, ValueError, subprocess.SubprocessError):
        pass
    return None


def _git(folder: Path, *asked: str) -> str:
    command = ["git", "rev-parse", *asked]
    done = subprocess.run(  # noqa: S603 - fixed words
        command, cwd=folder, capture_output=True, text=True, check=True, timeout=_GIT_SECONDS
    )
    return done.stdout.strip()
