"""Show on a terminal that something is going on; in a pipe nothing is shown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_work(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show a spinner on stderr, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(f"{what} ...", spinner="dots"):
        yield
