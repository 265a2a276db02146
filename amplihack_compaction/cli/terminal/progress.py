"""Show on a terminal that something is going on; in a pipe nothing is shown."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


@contextmanager
def at_work(what: str, *, quiet: bool = False) -> Iterator[None]:
    """Show a moving bar and the elapsed time on stderr, where that is a terminal."""
    if not shows_progress(quiet=quiet):
        yield
        return
    from rich.progress import BarColumn, TextColumn, TimeElapsedColumn

    with bar(TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()) as progress:
        progress.add_task(what, total=None)  # how much there is to do is known when it is done
        yield


def shows_progress(*, quiet: bool = False) -> bool:
    """Return whether progress is to be shown: to somebody who watches, and did not ask for none."""
    return not quiet and sys.stderr.isatty()


def bar(*columns: "ProgressColumn", transient: bool = True) -> "Progress":
    """Return a bar on stderr, for use in a `with`; without columns the usual ones."""
    from rich.console import Console
    from rich.progress import Progress

    return Progress(*columns, console=Console(stderr=True), transient=transient)
