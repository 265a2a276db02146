"""Show on a terminal that something is going on; in a pipe nothing is shown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def at_work(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show a moving bar and the elapsed time on stderr, where that is a terminal."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        bar.add_task(what, total=None)  # how much there is to do is known when it is done
        yield
