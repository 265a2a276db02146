"""Small file operations that cannot tear what is stored, and JSON objects parsed (hot).

Folders are made 0700 and files 0600: what lands here was said in private. Reading refuses
everything that is no regular file, so that a FIFO or a device never makes a hook wait.

JSON is parsed with the interpreter's own C scanner: `import json` costs 2.5 times a bare
interpreter's start, mostly for `re`, which its decoder needs. The scanner under it does not.
"""

import posix
from _json import make_scanner

from amplihack_compaction.base.size_limits import LINE_LIMIT_BYTES, VALUES_LIMIT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

_CREATE_NEW = posix.O_WRONLY | posix.O_CREAT | posix.O_EXCL | posix.O_CLOEXEC
_AT_ONCE = posix.O_NONBLOCK | posix.O_CLOEXEC
_APPEND = posix.O_RDWR | posix.O_CREAT | posix.O_APPEND | posix.O_NOFOLLOW | _AT_ONCE
_READ = posix.O_RDONLY | _AT_ONCE
_FROM_HERE = 1  # `SEEK_CUR`
_BUFFER_BYTES = 128 * 1024
_TYPE_MASK = 0o170000
_REGULAR = 0o100000
_LINK = 0o120000
_FOLDER = 0o040000
_RUNTIME = "/.claude/runtime/power-steering/"


def open_regular(path: str, *, follow: bool = False) -> int:
    """Open a regular file for reading and return its descriptor.

    A link is opened only with `follow`: git carries links, and one in a project can lead anywhere.
    Raises OSError when it is missing, unreadable or anything else than a regular file, and
    ValueError when the name holds a NUL or cannot be a file's.
    """
    try:
        descriptor = posix.open(path, _READ if follow else _READ | posix.O_NOFOLLOW)
    except OSError as error:
        if not follow and is_link(path):  # the system's words would be of too many of them
            raise OSError(error.errno, "it is a link, and none is followed here", path) from None
        raise
    try:
        if posix.fstat(descriptor).st_mode & _TYPE_MASK != _REGULAR:
            raise OSError(f"not a regular file: {path}")
    except OSError:
        posix.close(descriptor)
        raise
    return descriptor


def read_bytes(path: str, limit_bytes: int, *, follow: bool = False) -> bytes | None:
    """Return the file's content, or None when it is missing, no file, or above the limit.

    A link counts as no file, but with `follow`: where the file is the user's own.
    """
    try:
        return read_whole(open_regular(path, follow=follow), limit_bytes)
    except (OSError, ValueError):
        return None


def read_whole(descriptor: int, limit_bytes: int) -> bytes:
    """Return an open file's content, and close it; raises OSError where it is above the limit."""
    try:
        if posix.fstat(descriptor).st_size > limit_bytes:
            raise OSError(f"it is larger than {limit_bytes} bytes")
        return read_range(descriptor, 0, limit_bytes)
    finally:
        posix.close(descriptor)


def read_if_there(path: str, limit_bytes: int) -> bytes | None:
    """Return the file's content, or None when there is none.

    For files that are written anew from what they hold: one that cannot be read now must not be
    taken for one that is not there. Raises OSError with its number when it cannot be read, and
    without one when it is no regular file or above the limit.
    """
    try:
        descriptor = open_regular(path)
    except FileNotFoundError:
        return None
    return read_whole(descriptor, limit_bytes)


def read_kept(path: str, limit_bytes: int) -> bytes | None:
    """Return what a file of this package's holds; None when there is none.

    What is no regular file there, or above the limit, none of our processes left. Raises OSError
    when the file cannot be read now: what it holds may be read again, and is not to be lost.
    """
    try:
        return read_if_there(path, limit_bytes)
    except OSError as error:
        if error.errno is not None:
            raise
        return None


def read_range(descriptor: int, start: int, length: int) -> bytes:
    """Return up to `length` bytes from `start`, fewer only at the end of the file."""
    parts = []
    while length > 0 and (part := posix.pread(descriptor, length, start)):
        parts.append(part)
        start += len(part)
        length -= len(part)
    return b"".join(parts)


def is_link(path: str) -> bool:
    """Return whether there is a symbolic link of that name."""
    return _type_of(path) == _LINK


def link_on_way(path: str) -> str:
    """Return the first folder that is a link on the way to a file of ours in a project, or nothing.

    Git can carry such a link, which would lead what is written or removed out of the project.
    """
    head, found, rest = path.rpartition(_RUNTIME)
    folder = f"{head}/.claude"
    for part in f"runtime/power-steering/{rest}".split("/") if found else ():
        if is_link(folder):
            return folder
        folder = f"{folder}/{part}"
    return ""


def _refuse_links(path: str) -> None:
    link = link_on_way(path)
    if link:
        raise OSError(f"{link} is a link; nothing is written through it")


def is_folder(path: str) -> bool:
    """Return whether there is a folder of that name, and no link to one."""
    return _type_of(path) == _FOLDER


def is_regular(path: str) -> bool:
    """Return whether there is a regular file of that name, and no link to one."""
    return _type_of(path) == _REGULAR


def _type_of(path: str) -> int:
    try:
        return posix.lstat(path).st_mode & _TYPE_MASK
    except (OSError, ValueError):
        return 0


def make_folder(path: str) -> None:
    """Make a folder and its missing parents, each with mode 0700."""
    _refuse_links(path)
    try:
        posix.mkdir(path, 0o700)
    except FileExistsError:
        return
    except FileNotFoundError:
        parent = path.rpartition("/")[0]
        if not parent:
            raise
        make_folder(parent)
        # Not once more from the start: below a link that leads nowhere that would never end.
        try:
            posix.mkdir(path, 0o700)
        except FileExistsError:
            return  # another process was faster


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte; a short write is continued."""
    view = memoryview(data)
    while view:
        view = view[posix.write(descriptor, view) :]


def create_exclusively(path: str, data: bytes) -> bool:
    """Create a file with its content; return False when one of that name exists already.

    The content is written to a file of its own first and then linked into place, so that
    whoever finds the name finds the whole content: a process that dies leaves no torn claim.
    """
    temporary = write_temporary(path, (data,))
    try:
        posix.link(temporary, path)
    except FileExistsError:
        return False
    finally:
        posix.unlink(temporary)
    return True


def replace_atomically(path: str, data: bytes) -> None:
    """Put `data` in the place of the file: readers see the old content or the new, never half."""
    replace_with_parts(path, (data,))


def replace_with_parts(path: str, parts: "Iterable[bytes]") -> None:
    """Put what the parts make up in the place of the file, without holding it in memory."""
    temporary = write_temporary(path, parts)
    try:
        posix.rename(temporary, path)
    except OSError:
        posix.unlink(temporary)
        raise


def write_temporary(path: str, parts: "Iterable[bytes]", *, sync: bool = False) -> str:
    """Write a file of its own beside `path` and return its name, `PATH.PID.HEX.tmp`.

    With `sync` the content is on the disk when this returns. Nothing is left after an error.
    """
    _refuse_links(path)
    temporary = f"{path}.{posix.getpid()}.{posix.urandom(4).hex()}.tmp"
    descriptor = _open_to_write(temporary, _CREATE_NEW)
    try:
        with open(descriptor, "wb", _BUFFER_BYTES) as file:  # noqa: PTH123 - a descriptor
            file.writelines(parts)
            if sync:
                file.flush()
                posix.fsync(descriptor)
    except BaseException:
        posix.unlink(temporary)
        raise
    return temporary


def append_line(path: str, line: bytes, limit_bytes: int) -> None:
    """Append one line in a single write; above the limit the file first becomes `PATH.1`.

    Raises OSError where there is no room for all of it, and for a link, a FIFO and whatever else
    is no regular file of its own.
    """
    _refuse_links(path)
    descriptor = _open_to_write(path, _APPEND)
    try:
        status = posix.fstat(descriptor)
        if status.st_mode & _TYPE_MASK != _REGULAR:
            raise OSError(f"not a regular file: {path}")
        is_full = status.st_size > limit_bytes
        if not is_full:
            _write_line(descriptor, line, status.st_size)
        elif is_still(path, descriptor):  # else another process that found it full was faster
            posix.rename(path, path + ".1")
    finally:
        posix.close(descriptor)
    if is_full:
        append_line(path, line, limit_bytes)


def _write_line(descriptor: int, line: bytes, size: int) -> None:
    """Write a line whole or not at all, and on a line of its own where the last one is torn."""
    if size and posix.pread(descriptor, 1, size - 1) != b"\n":
        line = b"\n" + line
    written = posix.write(descriptor, line)
    if written < len(line):
        # From where it began, and not `size`: another process may have appended in between.
        posix.ftruncate(descriptor, posix.lseek(descriptor, 0, _FROM_HERE) - written)
        raise OSError("there is no room left on the disk")


def is_still(path: str, descriptor: int) -> bool:
    """Return whether an open file is still the one of that name."""
    try:
        there = posix.lstat(path)
    except FileNotFoundError:
        return False
    held = posix.fstat(descriptor)
    return (there.st_dev, there.st_ino) == (held.st_dev, held.st_ino)


def _open_to_write(path: str, flags: int) -> int:
    """Open a file of its owner's; its folder is made where it is missing."""
    try:
        return posix.open(path, flags, 0o600)
    except FileNotFoundError:
        make_folder(path.rpartition("/")[0])
        return posix.open(path, flags, 0o600)


def list_names(folder: str) -> list[str]:
    """Return the names in a folder, sorted; none when there is no such folder, nor can be."""
    try:
        return sorted(posix.listdir(folder))
    except (OSError, ValueError):
        return []


def names_in(folder: str, problems: list[str]) -> list[str]:
    """Return the names in a folder, sorted; none when it is missing.

    `problems` gets a sentence where it cannot be looked into.
    """
    from amplihack_compaction.base.errors import reason_of

    try:
        return sorted(posix.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError as error:
        problems.append(f"{folder} cannot be looked into: {reason_of(error)}")
        return []


_WHITE = b" \t\n\r"


class _Strict:
    """The settings that the C scanner reads off its context; the same as `json.loads`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    parse_float = float
    parse_int = int
    parse_constant = float
    memo: "dict[str, str]" = {}  # noqa: RUF012 - the scanner looks the name up on the class


_FIRST_BYTES = 64 * 1024
_GROWTH = 4
_BLOCK_BYTES = 1024 * 1024


def find_lines(
    descriptor: int, start: int, end: int, mark: bytes, is_wanted: "Callable[[bytes], bool]"
) -> tuple[list[int], int]:
    """Return the offsets of the wanted lines that hold `mark`, and where the last whole line ends.

    `start` must be the start of a line or lie in one that is not wanted. A last line without
    its newline is still being written: it is not looked at, and the returned position is its
    start, so that the next search begins there.
    """
    offsets: list[int] = []
    position, carry = start, b""
    while position < end:
        block = read_range(descriptor, position, min(_BLOCK_BYTES, end - position))
        if not block:
            break
        base = position - len(carry)
        position += len(block)
        buffer = carry + block if carry else block
        whole = buffer.rfind(b"\n") + 1
        hit = buffer.find(mark, 0, whole)
        while hit >= 0:
            line_start = buffer.rfind(b"\n", 0, hit) + 1
            line_end = buffer.find(b"\n", hit)
            if is_wanted(buffer[line_start:line_end]):
                offsets.append(base + line_start)
            hit = buffer.find(mark, line_end, whole)
        carry = buffer[whole:]
        if len(carry) > LINE_LIMIT_BYTES:
            carry = b""
    return offsets, position - len(carry)


def find_back(
    descriptor: int, size: int, limit_bytes: int, find: "Callable[[bytes, int], Any]"
) -> "Any":
    """Return what `find` finds in the last bytes before `size`, given their offset; None for none.

    It is given more and more of them, `limit_bytes` at most.
    """
    length = _FIRST_BYTES
    while True:
        length = min(length, limit_bytes, size)
        start = size - length
        found = find(read_range(descriptor, start, length), start)
        if found is not None or length in (size, limit_bytes):
            return found
        length *= _GROWTH


def is_too_dense(line: bytes) -> bool:
    """Return whether JSON has more objects and lists than a hook may take the memory for."""
    return len(line) > VALUES_LIMIT and line.count(b"{") + line.count(b"[") > VALUES_LIMIT


_scan = make_scanner(_Strict)  # type: ignore[arg-type] # it reads attributes only


def parse_object(data: bytes) -> "dict[str, Any] | None":
    """Return the one JSON object that `data` holds, or None when it is anything else.

    Anything else is: empty, another JSON value, text behind the object, truncated or malformed
    JSON, bytes that are not UTF-8, more objects and lists than there is memory for, or nesting
    deeper than the interpreter's recursion limit.
    """
    stripped = data.strip(_WHITE)
    if not stripped.startswith(b"{") or is_too_dense(stripped):
        return None
    try:
        text = stripped.decode("utf-8")
        value, end = _scan(text, 0)
    except (ValueError, StopIteration, RecursionError, SystemError):
        # SystemError: the C scanner takes its error class from the json package, which is not
        # imported here, and then fails without naming an error.
        return None
    return value if end == len(text) and isinstance(value, dict) else None
