"""Read all files below a folder, and say which were left alone."""

import errno
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass

from amplihack_compaction.base.errors import BackupError, reason_of
from amplihack_compaction.compactor.backups.folder import FOLDER_FLAGS, FileImage, Folder

_FILES_LIMIT = 5_000
_DEPTH_LIMIT = 40
_TOTAL_LIMIT_BYTES = 256 * 1024 * 1024
# What a file or folder answers that went, or became a link, since it was listed.
_GONE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP})


@dataclass(frozen=True, slots=True)
class Tree:
    """The regular files of a folder, and why others were left alone, one sentence each.

    `unread` are those of them, and the folders, that the system did not let be read: not a choice,
    but a problem.
    """

    files: dict[str, FileImage]
    skipped: dict[str, str]
    unread: list[str]


def read_tree(folder: Folder) -> Tree:
    """Read every regular file below, hidden folders and links left out.

    Raises OSError when the folder itself cannot be listed.
    """
    tree = Tree({}, {}, [])
    total = 0
    for path, found in _walk("", folder.descriptor, os.listdir(folder.descriptor)):  # noqa: PTH208
        if isinstance(found, OSError):
            _leave(tree, path, found)
        elif len(tree.files) >= _FILES_LIMIT or total > _TOTAL_LIMIT_BYTES:
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
                _leave(tree, path, error)
    return tree


def _leave(tree: Tree, path: str, error: OSError) -> None:
    if error.errno not in _GONE:
        tree.skipped[path] = f"not readable ({reason_of(error)})"
        tree.unread.append(path)


def _walk(
    below: str, descriptor: int, names: list[str], depth: int = 0
) -> Iterator[tuple[str, os.stat_result | OSError]]:
    """Yield what is below a folder; for what cannot be looked at or into, the error."""
    for name in sorted(names):
        path = f"{below}{name}"
        try:
            found = os.stat(name, dir_fd=descriptor, follow_symlinks=False)
            if not stat.S_ISDIR(found.st_mode):
                yield path, found
                continue
            if name.startswith(".") or depth >= _DEPTH_LIMIT:
                continue
            inner = os.open(name, FOLDER_FLAGS, dir_fd=descriptor)
        except OSError as error:
            yield path, error
            continue
        try:
            inside = os.listdir(inner)  # noqa: PTH208 - a descriptor
        except OSError as error:
            yield path, error
        else:
            yield from _walk(f"{path}/", inner, inside, depth + 1)
        finally:
            os.close(inner)
