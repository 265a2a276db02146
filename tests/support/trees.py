"""Pictures of folders, to be compared: what a user would miss if it were not the same."""

import errno
import os
import stat
from pathlib import Path
from typing import NamedTuple

import pytest

from amplihack_compaction.compactor.backups.change_history import CompactionHistoryEntry, read_entry
from amplihack_compaction.compactor.backups.changes import Replacement, apply_change, new_change_id
from amplihack_compaction.compactor.backups.folder import KEPT_FOLDER, FileImage, Folder, read_tree


def picture(folder: Path) -> dict[str, tuple[object, ...]]:
    """Return type, mode, modification time and content of everything below but our own."""
    found: dict[str, tuple[object, ...]] = {}
    for above, folders, files in os.walk(os.fsencode(folder)):
        folders[:] = [name for name in folders if name != os.fsencode(KEPT_FOLDER)]
        for name in folders + files:
            path = os.path.join(above, name)
            state = os.lstat(path)
            key = os.fsdecode(os.path.relpath(path, os.fsencode(folder)))
            mode = stat.S_IMODE(state.st_mode)
            if stat.S_ISLNK(state.st_mode):
                found[key] = ("link", os.readlink(path))
            elif stat.S_ISREG(state.st_mode):
                found[key] = ("file", mode, state.st_mtime_ns, Path(os.fsdecode(path)).read_bytes())
            else:
                found[key] = (stat.S_IFMT(state.st_mode), mode)
    return found


class Applied(NamedTuple):
    """A change that was made, and what was found before it."""

    entry: CompactionHistoryEntry
    found: list[str]


def replace_contents(
    folder: Folder, contents: dict[str, bytes | None], level: str = "compact"
) -> Applied:
    """Make one change: new bytes by path, None removes the file."""
    files = read_tree(folder).files
    replacements = [
        Replacement(path=path, old=files.get(path), new=new) for path, new in contents.items()
    ]
    identifier = new_change_id(folder)
    found = apply_change(folder, replacements, identifier=identifier, level=level)
    return Applied(read_entry(folder, identifier), found)


def refuse_to_read(patch: pytest.MonkeyPatch, refused: str) -> None:
    """Let a file fail to be read, in whichever folder it lies."""
    real = Folder.read

    def fail(folder: Folder, path: str) -> FileImage:
        if path == refused:
            raise OSError(errno.EIO, "Input/output error", path)
        return real(folder, path)

    patch.setattr(Folder, "read", fail)
