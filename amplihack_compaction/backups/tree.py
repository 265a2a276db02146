"""Read all files below a folder, and say which were left alone."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from amplihack_compaction.backups.folder import FOLDER_FLAGS, FileImage, Folder
from amplihack_compaction.errors import BackupError

_FILES_LIMIT = 5_000
_DEPTH_LIMIT = 40
_TOTAL_LIMIT_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Tree:
    """The regular files of a folder, and why others were left alone, one sentence each."""

    files: dict[str, FileImage]
    skipped: dict[str, str]


def read_tree(folder: Folder) -> Tree:
    """Read every regular file below, hidden folders and links left out."""
    tree = Tree({}, {})
    total = 0
    for path, found in _walk("", folder.descriptor):
        if len(tree.files) >= _FILES_LIMIT or total > _TOTAL_LIMIT_BYTES:
            tree.skipped[path] = "too much for one feature"
        elif stat.S_ISLNK(found.st_mode):
            tree.skipped[path] = "a link"
        elif not stat.S_ISREG(found.st_mode):
            tree.skipped[path] = "no regular file"
        else:
            try:
                tree.files[path] = folder.read(path)
                total += tree.files[path].stamp.size
            except BackupError as error:
                tree.skipped[path] = str(error).removeprefix(f"{path} is ").partition(";")[0]
            except OSError as error:
                tree.skipped[path] = f"not readable ({error.strerror})"
    return tree


def _walk(below: str, descriptor: int, depth: int = 0) -> Iterator[tuple[str, os.stat_result]]:
    for name in sorted(os.listdir(descriptor)):
        path = f"{below}{name}"
        try:
            found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                yield path, found
                continue
            if name.startswith(".") or depth >= _DEPTH_LIMIT:
                continue
            inner = os.open(name, FOLDER_FLAGS, dir_fd=descriptor)
        except OSError:
            continue  # gone, or a link by now
        try:
            yield from _walk(f"{path}/", inner, depth + 1)
        finally:
            os.close(inner)
