"""How much a piece of work takes, by what does not depend on the machine that it runs on.

What grows with the square of its input shows in the number of calls; a pattern that runs away
shows in that it does not end. Times are for benchmarks.
"""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn, TypeVar

T = TypeVar("T")

RUNAWAY_SECONDS = 20.0
"""Of the processor: hundreds of times what linear work on a test's text takes anywhere."""


class Hung(BaseException):
    """A piece of work took more of the processor's time than it may."""


@contextmanager
def watchdog(seconds: float = RUNAWAY_SECONDS) -> Iterator[None]:
    """Raise Hung inside when it takes more of the processor's time than this."""

    def stop(_number: int, _frame: FrameType | None) -> NoReturn:
        raise Hung(f"more than {seconds:.0f} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def counted(work: Callable[[], T]) -> tuple[T, int]:
    """Return what a piece of work returns, and how many calls it makes, of the library's too."""
    calls = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        result = work()
    finally:
        sys.setprofile(before)
    return result, calls
