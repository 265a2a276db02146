"""Kill a process of its own before each of its calls that touch the disk, one after the other."""

import fcntl
import os
import posix
import signal
import sys
import traceback
from collections.abc import Callable, Iterator
from typing import Any

_CALLS = (
    "open", "write", "rename", "link", "unlink", "rmdir", "mkdir", "fsync", "fchmod", "utime",
    "close", "replace", "pwrite", "ftruncate",
)  # fmt: skip


def killed_before_each_call(
    prepare: Callable[[], None], action: Callable[[], object]
) -> Iterator[int]:
    """Yield after each kill how many calls came before it; end when the action lives to its end.

    `prepare` runs before each try, in this process; the action runs in a child.
    """
    number = 1
    while True:
        prepare()
        if not _run_until(action, number):
            return
        yield number
        number += 1


def _run_until(action: Callable[[], object], fatal: int) -> bool:
    """Run the action in a child; tell whether it was killed before its call number `fatal`."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        status = 0
        try:
            _die_before_call(fatal)
            action()
        except BaseException:  # noqa: BLE001 - shown, and the parent sees the status
            traceback.print_exc()
            status = 1
        finally:
            posix._exit(status)
    _, state = os.waitpid(child, 0)
    if os.WIFSIGNALED(state):
        assert os.WTERMSIG(state) == signal.SIGKILL
        return True
    assert os.WEXITSTATUS(state) == 0
    return False


def _die_before_call(fatal: int) -> None:
    calls = [0]

    def counted(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            calls[0] += 1
            if calls[0] == fatal:
                os.kill(os.getpid(), signal.SIGKILL)
            return function(*arguments, **named)

        return call

    for module in (os, posix):
        for name in _CALLS:
            setattr(module, name, counted(getattr(module, name)))
    fcntl.flock = counted(fcntl.flock)
