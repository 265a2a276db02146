"""A folder that is worked in by its descriptor: no link is followed, and nothing outside opened.

Paths are relative, with `/` between their parts; names that are no UTF-8 carry surrogates. A
project that somebody else made may hold links, also ones that are put there during the work, so
that every part of a path is opened by itself.

Who changes a folder holds its lock, which the system lets go when its holder dies. It is opened
below the descriptor as everything else is, and so is no lock of filelock, which opens paths.
"""

import errno
import hashlib
import os
import shutil
import stat
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from amplihack_compaction.base.errors import BackupError, reason_of
from amplihack_compaction.base.files import read_range, write_all
from amplihack_compaction.base.folders import descend, take

T = TypeVar("T")
KEPT_FOLDER = ".compaction"
_ROOT_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC
_READ_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_CREATE_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
BLOCKED = (errno.ELOOP, errno.ENOTDIR)
"""How a path is refused on which a link or a file stands in the way."""

FILE_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True)
class FileImage:
    """A regular file as it was read: its bytes, and what the system says of it."""

    path: str
    content: bytes
    status: os.stat_result

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the content, in hexadecimal digits."""
        return digest_of(self.content)

    @property
    def mode(self) -> int:
        """The bits of its permissions."""
        return stat.S_IMODE(self.status.st_mode)

    @property
    def owner(self) -> tuple[int, int]:
        """The numbers of its user and its group."""
        return self.status.st_uid, self.status.st_gid

    def is_still(self, found: os.stat_result | None) -> bool:
        """Return whether what stands there now is this file, as it was read."""
        return found is not None and _stamp(found) == _stamp(self.status)


def _stamp(found: os.stat_result) -> tuple[int, ...]:
    return found.st_mode, found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


def digest_of(content: bytes) -> str:
    """Return the SHA-256 of bytes, in hexadecimal digits."""
    return hashlib.sha256(content).hexdigest()


class Folder:
    """An open folder, by its `descriptor`, until the end of a `with`."""

    def __init__(self, root: str, inside: str = "") -> None:
        """Open a folder, or one inside it that no link leads to; the first may be a link.

        Raises BackupError when a part is missing, a link or no folder.
        """
        self.path = f"{root}/{inside}" if inside else root
        try:
            parts = path_parts(inside) if inside else []
            with descend(os.open(root, _ROOT_FLAGS), parts) as found:
                self.descriptor = os.dup(found)
        except (OSError, ValueError) as error:
            raise BackupError(f"the folder {self.path} cannot be opened: {_why(error)}") from error

    def __enter__(self) -> "Folder":
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self.descriptor)

    @contextmanager
    def parent(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        """Open the folder that holds a path; yield its descriptor and the last name.

        With `make`, missing folders are made with mode 0700. Raises OSError when a part is
        missing or a link, ValueError when the path could lead elsewhere.
        """
        *folders, name = path_parts(path)
        with descend(os.dup(self.descriptor), folders, make=make) as descriptor:
            yield descriptor, name

    def stat(self, path: str) -> os.stat_result | None:
        """Return what stands at a path, a link itself; None when nothing does."""
        try:
            with self.parent(path) as (parent, name):
                return os.stat(name, dir_fd=parent, follow_symlinks=False)
        except FileNotFoundError:
            return None

    def read(self, path: str) -> FileImage:
        """Read a regular file whole.

        Raises BackupError when it is none, too large, or written to meanwhile; OSError when it is
        missing or cannot be read.
        """
        with self._opened(path) as descriptor:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise BackupError(f"{path} is no regular file")
            if status.st_size > FILE_LIMIT_BYTES:
                raise BackupError(f"{path} is larger than {FILE_LIMIT_BYTES // 1024**2} MiB")
            # One byte more, if it has grown.
            image = FileImage(path, read_range(descriptor, 0, status.st_size + 1), status)
            if image.is_still(os.fstat(descriptor)) and len(image.content) == status.st_size:
                return image
        raise BackupError(f"{path} is being written to; try again when that is done")

    def write_new(
        self, path: str, content: bytes, mode: int = 0o600, owner: tuple[int, int] = (-1, -1)
    ) -> None:
        """Create a file, its folders included, and have it on the disk when this returns.

        `owner` is a user's and a group's number, where that may be chosen. Raises FileExistsError
        when something of that name is there.
        """
        with self.parent(path, make=True) as (parent, name):
            descriptor = os.open(name, _CREATE_FLAGS, 0o600, dir_fd=parent)
        try:
            write_all(descriptor, content)
            with suppress(PermissionError):
                os.fchown(descriptor, *owner)
            os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def write(self, path: str, content: bytes) -> None:
        """Put bytes in the place of a file of ours, atomically."""
        temporary = f"{path}.{os.getpid()}.{os.urandom(4).hex()}.tmp"
        try:
            self.write_new(temporary, content)
            self.rename(temporary, path)
        except OSError:
            with suppress(OSError):
                self.remove(temporary)
            raise

    def rename(self, old: str, new: str) -> None:
        """Move a file or folder; a file in the way is replaced atomically."""
        with self.parent(old) as (source, name), self.parent(new, make=True) as (target, to):
            os.rename(name, to, src_dir_fd=source, dst_dir_fd=target)
            os.fsync(target)

    def link(self, old: str, new: str) -> None:
        """Give a file a second name. Raises OSError where the file system knows none."""
        with self.parent(old) as (source, name), self.parent(new, make=True) as (target, to):
            os.link(name, to, src_dir_fd=source, dst_dir_fd=target, follow_symlinks=False)

    def flush(self, path: str) -> None:
        """Have what a regular file holds on the disk, whoever wrote it."""
        with self._opened(path) as descriptor:
            os.fsync(descriptor)

    def set_attributes(self, path: str, mode: int, atime_ns: int, mtime_ns: int) -> None:
        """Give a regular file its mode and times (nanoseconds)."""
        with self._opened(path) as descriptor:
            if stat.S_IMODE(os.fstat(descriptor).st_mode) != mode:
                os.fchmod(descriptor, mode)
            os.utime(descriptor, ns=(atime_ns, mtime_ns))

    @contextmanager
    def _opened(self, path: str) -> Iterator[int]:
        with self.parent(path) as (parent, name):
            descriptor = os.open(name, _READ_FLAGS, dir_fd=parent)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def remove(self, path: str) -> None:
        """Remove a file; that there is none is fine."""
        with suppress(FileNotFoundError), self.parent(path) as (parent, name):
            os.unlink(name, dir_fd=parent)

    def remove_folder(self, path: str) -> None:
        """Remove a folder of ours with its files; that there is none is fine."""
        with suppress(FileNotFoundError), self.parent(path) as (parent, name):
            shutil.rmtree(name, dir_fd=parent)

    def names(self, path: str = "") -> list[str]:
        """Return the names in a folder, in this one without a path, sorted; none of a missing."""
        try:
            with descend(os.dup(self.descriptor), path_parts(path) if path else []) as below:
                return sorted(os.listdir(below))  # noqa: PTH208 - a descriptor
        except FileNotFoundError:
            return []


def path_parts(path: str) -> list[str]:
    """Return the names a path is made of. Raises ValueError for one that could lead elsewhere."""
    parts = path.split("/")
    if "\0" in path or not {"", ".", ".."}.isdisjoint(parts):
        raise ValueError(f"not a path below a folder: {path!r}")
    return parts


_LOCK_FILE = f"{KEPT_FOLDER}/lock"
_WAIT_SECONDS = 5.0


@contextmanager
def locked(folder: Folder, wait_seconds: float = _WAIT_SECONDS) -> Iterator[None]:
    """Hold a folder's lock.

    Raises BackupError when somebody else holds it all the time, or when it cannot be made, and for
    what the file system refuses meanwhile.
    """
    ignoring = f"{KEPT_FOLDER}/.gitignore"
    with backup_errors(folder):
        if folder.stat(ignoring) is None:  # what is kept here stays out of every commit
            folder.write(ignoring, b"*\n")  # half of it would ignore nothing, and stay
        with folder.parent(_LOCK_FILE, make=True) as (parent, name):
            flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(name, flags, 0o600, dir_fd=parent)
    try:
        if not take(descriptor, wait_seconds):
            raise BackupError(
                f"another process is changing {folder.path}; try again when it is done"
            )
        with backup_errors(folder):
            yield
    finally:
        os.close(descriptor)


@contextmanager
def backup_errors(folder: Folder) -> Iterator[None]:
    """Turn what the file system refuses into a BackupError that says why."""
    try:
        yield
    except OSError as error:
        raise BackupError(f"{folder.path} cannot be changed: {_why(error)}") from error


def _why(error: OSError | ValueError) -> str:
    is_blocked = isinstance(error, OSError) and error.errno in BLOCKED
    return "a link or a file stands in the way" if is_blocked else reason_of(error)


_FILES_LIMIT = 5_000
_DEPTH_LIMIT = 40
_DAY_SECONDS = 86_400
MEGABYTE = 1024 * 1024
_TOTAL_LIMIT_BYTES = 256 * 1024 * 1024
# What a file or folder answers that went, or became a link, since it was listed.
_GONE = frozenset({errno.ENOENT, *BLOCKED})


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
    for path, found in walk(folder):
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
                total += found.st_size
            except BackupError as error:
                tree.skipped[path] = str(error).removeprefix(f"{path} is ").partition(";")[0]
            except OSError as error:
                _leave(tree, path, error)
    return tree


def _leave(tree: Tree, path: str, error: OSError) -> None:
    if error.errno not in _GONE:
        tree.skipped[path] = f"not readable ({reason_of(error)})"
        tree.unread.append(path)


def walk(
    folder: Folder, below: str = "", depth: int = 0
) -> Iterator[tuple[str, os.stat_result | OSError]]:
    """Yield what is below a folder; for what cannot be looked at or into, the error.

    Hidden folders and too deep ones are left out.
    """
    for name in folder.names(below):
        path = f"{below}/{name}" if below else name
        try:
            found = folder.stat(path)
            if found is not None and not stat.S_ISDIR(found.st_mode):
                yield path, found
            elif found is not None and not name.startswith(".") and depth < _DEPTH_LIMIT:
                yield from walk(folder, path, depth + 1)
        except OSError as error:
            yield path, error


def beyond_limits(
    kept: Sequence[tuple[T, float, int, bool]], keep_days: float, megabytes: int
) -> list[T]:
    """Return what is too old, and the oldest of the rest until what stays fits, oldest first.

    `kept` comes oldest first: each with its time in seconds, its bytes, and whether it stays though
    it is too much.
    """
    oldest, left = time.time() - keep_days * _DAY_SECONDS, sum(size for _, _, size, _ in kept)
    beyond = []
    for each, made, size, is_safe in kept:
        if not is_safe and (made < oldest or left > megabytes * MEGABYTE):
            beyond.append(each)
            left -= size
    return beyond
