"""Something that happens beside a test, again and again, in a thread of its own."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def _at_once() -> float:
    return 0.0


@contextmanager
def meanwhile(act: Callable[[], None], pause: Callable[[], float] = _at_once) -> Iterator[None]:
    """Do something over and over until the block ends; `pause` gives the seconds between."""
    stop = threading.Event()

    def run() -> None:
        while not stop.wait(pause()):
            act()

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
