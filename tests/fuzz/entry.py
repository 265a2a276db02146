"""Run what a hook script or the command line runs, inside this process.

The same functions, on the same descriptors: standard input, output and errors are files of the
case's own while it runs, and leaving the process is an exception. A watchdog counts the processor's
seconds, so that a busy machine is never taken for a hang.
"""

import os
import posix
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from io import TextIOWrapper
from typing import NoReturn
from unittest.mock import patch

from amplihack_compaction.hook.run import run_hook as hook
from tests.support.effort import watchdog

HANG_SECONDS = 2.0


class _Left(BaseException):
    """The process would have ended."""

    def __init__(self, code: int) -> None:
        self.code = code


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a process would have left behind."""

    code: int
    stdout: bytes
    stderr: bytes


def run_hook(event: str, stdin: bytes) -> Outcome:
    """Run the hook of an event; what it raises under strict rules comes out."""
    return _run(lambda: hook(event), stdin)


def run_command(words: Sequence[str], stdin: bytes) -> Outcome:
    """Run a command line; what it does not catch itself comes out."""
    # Not above: other tests run that module as a program, and it must not have been imported.
    from amplihack_compaction.__main__ import main as command_line

    def entry() -> None:
        with _streams(), patch.object(sys, "argv", ["amplihack-compaction", *words]):
            try:
                command_line()
            finally:
                sys.stdout.flush()
                sys.stderr.flush()

    return _run(entry, stdin)


def _run(entry: Callable[[], None], stdin: bytes) -> Outcome:
    with _descriptors(stdin) as (stdout, stderr), _no_exit(), watchdog(HANG_SECONDS):
        code = 0
        try:
            entry()
        except _Left as left:
            code = left.code
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(left.code is not None)
        finally:
            signal.alarm(0)  # the hook that stores has set it, and its process would have ended
        return Outcome(code, _content(stdout), _content(stderr))


@contextmanager
def _descriptors(stdin: bytes) -> Iterator[tuple[int, int]]:
    """Put files of their own in the place of descriptors 0, 1 and 2."""
    saved, files = [os.dup(number) for number in range(3)], _files()
    for file in files:
        os.ftruncate(file, 0)
        os.lseek(file, 0, os.SEEK_SET)
    os.pwrite(files[0], stdin, 0)
    try:
        for number, file in enumerate(files):
            os.dup2(file, number)
        yield files[1], files[2]
    finally:
        for number, copy in enumerate(saved):
            os.dup2(copy, number)
            os.close(copy)


@cache
def _files() -> tuple[int, ...]:
    """Return files in memory for the three descriptors, the same for every case."""
    return tuple(os.memfd_create(name) for name in ("stdin", "stdout", "stderr"))


@contextmanager
def _streams() -> Iterator[None]:
    """Give Python streams on the descriptors as they are now, as a new process would have them."""
    before = sys.stdin, sys.stdout, sys.stderr
    try:
        sys.stdin, sys.stdout, sys.stderr = (
            TextIOWrapper(os.fdopen(number, mode, closefd=False), "utf-8", "surrogateescape")
            for number, mode in enumerate(("rb", "wb", "wb"))
        )
        yield
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


def _content(descriptor: int) -> bytes:
    return os.pread(descriptor, os.fstat(descriptor).st_size, 0)


@contextmanager
def _no_exit() -> Iterator[None]:
    def leave(status: int) -> NoReturn:
        raise _Left(status)

    before = posix._exit
    posix._exit = os._exit = leave
    try:
        yield
    finally:
        posix._exit = os._exit = before
