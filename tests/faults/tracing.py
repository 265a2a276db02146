"""Which system calls of a process touch a folder, and the same process with a fault at one of them.

strace counts and injects. It counts each kind of call in each process for itself, so a fault's
place is a call's name and its number among the calls of that name; the first process of a tree
that comes to it meets it. A process is the same from run to run but for its ids and times.
"""

import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_STRACE = ("strace", "-f")
_ONLY_TRACED = "--seccomp-bpf"
"""Lets all other calls pass at full speed; a signal is not delivered under it (strace 6.1)."""

_LINE = re.compile(r"(?:\d+ +)?(\w+)\((.*)")
_PATH = re.compile(r'(AT_FDCWD<[^>]*>|\d+<[^>]*>)?(?:, )?"([^"]*)"')
_DESCRIPTOR = re.compile(r"\d+<([^>]*)>")
_STDOUT = re.compile(r"1<[^>]*>")

_WRITING = (
    "write", "pwrite64", "writev", "ftruncate", "fallocate", "fsync", "fdatasync", "fchmod",
    "fchown", "sendfile", "copy_file_range",
)  # fmt: skip
_CHANGING = (
    "rename", "renameat", "renameat2", "link", "linkat", "symlink", "symlinkat", "unlink",
    "unlinkat", "mkdir", "mkdirat", "rmdir", "truncate", "chmod", "fchmodat", "utimensat", "chown",
)  # fmt: skip
_OPENING = ("openat", "open", "creat")
_READING = ("read", "pread64", "readv", "getdents64", "flock")
_LOOKING = ("newfstatat", "stat", "lstat", "statx", "access", "faccessat2", "readlink")
ALL = (*_WRITING, *_CHANGING, *_OPENING, *_READING, *_LOOKING)
_FOR_WRITING = re.compile(r"O_(WRONLY|RDWR|CREAT|TRUNC|APPEND)")

_WHERE_ALLOWED = {
    "ENOSPC": {*_WRITING, "rename", "renameat", "link", "linkat", "mkdir", "mkdirat", "openat"},
    "EIO": set(ALL),
    "EACCES": {*_CHANGING, *_OPENING, *_LOOKING},
    "EROFS": {*_CHANGING, *_OPENING},
    "EINTR": {*_OPENING, "write", "pwrite64", "fsync", "read", "pread64", "flock"},
}
ERRORS = tuple(_WHERE_ALLOWED)
_OF_WRITING = ("ENOSPC", "EROFS")


@dataclass(frozen=True, order=True)
class Call:
    """A system call: its name, its number among those of that name, and whether it may write."""

    name: str
    number: int
    writes: bool

    @property
    def place(self) -> str:
        """The call as people write it."""
        return f"{self.name} {self.number}"

    def takes(self, error: str) -> bool:
        """Whether the system may answer it with this error."""
        if error in _OF_WRITING and not self.writes:
            return False
        return self.name in _WHERE_ALLOWED[error]


@cache
def can_trace() -> bool:
    """Tell whether strace is here and may trace."""
    if shutil.which("strace") is None:
        return False
    return (
        subprocess.run([*_STRACE, "-o", "/dev/null", "true"], capture_output=True).returncode == 0
    )


def counting(record: Path) -> list[str]:
    """Return what goes in front of a command, so that its calls are recorded."""
    return [
        *_STRACE,
        _ONLY_TRACED,
        "-qq",
        "-y",
        "-s",
        "4096",
        "-e",
        f"trace={','.join(ALL)}",
        "-o",
        str(record),
    ]


def injecting(record: Path, call: Call, fault: str) -> list[str]:
    """Return what goes in front of a command, so that one of its calls meets a fault.

    The fault is the name of a signal, which comes before the call, or of an error, in its place.
    """
    is_signal = fault.startswith("SIG")
    what = f"signal={fault}" if is_signal else f"error={fault}"
    speed = [] if is_signal else [_ONLY_TRACED]
    inject = f"inject={call.name}:{what}:when={call.number}"
    shown = ("-y", "-s", "4096")
    return [
        *_STRACE, *speed, "-q", *shown, "-e", f"trace={call.name}", "-e", inject, "-o", str(record)
    ]  # fmt: skip


def was_struck(record: Path, root: Path) -> bool:
    """Tell whether the process came to the call at which its fault was waiting.

    Where one process of a tree meets the error that was meant for another's call, and not below
    `root`, it was no try: it may have come to Python's own library.
    """
    text = record.read_text(encoding="utf-8", errors="replace")
    if "killed by SIGKILL" in text:
        return True
    injected = next((line for line in text.splitlines() if "(INJECTED)" in line), "")
    match = _LINE.match(injected)
    if match is None:  # of a call that another process interrupted only its end is there
        return bool(injected)
    name, rest = match.groups()
    return _touches(name, rest, str(root)) or bool(name == "write" and _STDOUT.match(rest))


def read_calls(record: Path, root: Path, *, answers: bool) -> list[Call]:
    """Return the calls that touch what lies below `root`, in their order.

    Of what `answers` on stdout those writes are among them: an answer may be cut off too.
    """
    found: dict[Call, None] = {}
    numbers: dict[tuple[str, str], int] = {}
    for line in record.read_text(encoding="utf-8", errors="replace").splitlines():
        match = _LINE.match(line)
        if match is None:
            continue  # an exit, a signal, or the end of a call whose beginning was counted
        name, rest = match.groups()
        place = (line.split(" ", 1)[0], name)
        numbers[place] = numbers.get(place, 0) + 1
        if _touches(name, rest, str(root)) or (answers and name == "write" and _STDOUT.match(rest)):
            found[Call(name, numbers[place], _may_write(name, rest))] = None
    return list(found)


def _may_write(name: str, rest: str) -> bool:
    if name in _OPENING:
        return bool(_FOR_WRITING.search(rest))
    return name in _WRITING or name in _CHANGING


def _touches(name: str, rest: str, root: str) -> bool:
    if name in _WRITING or name in _READING:
        descriptor = _DESCRIPTOR.match(rest)
        return descriptor is not None and descriptor[1].startswith(root)
    for folder, path in _PATH.findall(rest):
        if path.startswith(root) or (not path.startswith("/") and root in folder):
            return True
    return False
