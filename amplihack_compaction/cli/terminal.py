"""What commands do with the terminal: colours, progress, odd encodings, problems, files to write.

In a pipe no colour and no progress is shown, and only what a command gives is printed.
"""

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import get_terminal_size
from textwrap import wrap

import typer

from amplihack_compaction.base.errors import CompactionError, reason_of
from amplihack_compaction.base.files import replace_with_parts
from amplihack_compaction.text.words import inert, one_line, printable

LEVEL_COLOURS = {"raw": "green", "compact": "yellow", "summarize": "magenta", "handoff": "red"}
"""The colour of each level of a filling context, by the names that rich and typer know."""
STDOUT = "-"
"""What names standard output in the place of a file."""
_PROBLEMS_SHOWN = 20
_PROBLEM_CHARS = 400
_TIME_CHARS = 40
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_COLUMN = re.compile(r"(?<! ) {2,}(?:\x1b\[[0-9;]*m)*(?=\S)")


def show(content: object, lines: Iterable[str], *, as_json: bool) -> None:
    """Print one JSON object where that is wanted, else lines.

    On a terminal that a line is too long for, it goes on below its last column.
    """
    if as_json:  # in ASCII: an escape that stands in for a character would change what it says
        typer.echo(json.dumps(content, indent=2))
        return
    width = get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    for line in lines:
        typer.echo("\n".join(_folded(part, width) for part in line.split("\n")))


def coloured(text: str, colour: str, width: int = 0) -> str:
    """Return the text, filled up to a width, in a colour where it is shown, and wanted.

    An empty colour is none.
    """
    wanted = colour and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    filled = text.ljust(width)
    return typer.style(filled, fg=colour) if wanted and sys.stdout.isatty() else filled


def _folded(line: str, width: int) -> str:
    if len(_COLOUR.sub("", line)) <= width:
        return line
    head, column = "", 0
    for match in _COLUMN.finditer(line):
        at = len(_COLOUR.sub("", line[: match.end()]))
        if at <= width // 2:
            head, column = line[: match.end()], at
    # What is copied from it, as a path, stays whole.
    parts = wrap(line[len(head) :], width - column, break_long_words=False, break_on_hyphens=False)
    return head + f"\n{'':{column}}".join(parts)


def shown_time(at: str) -> str:
    """Return an ISO time as day, clock time and zone; as it is where it is no such time."""
    whole = len(at) >= len("2026-01-01T00:00:00") and at[10] == "T"
    if whole and at.endswith("Z"):
        return f"{at[:10]} {at[11:16]} UTC"
    return printable(one_line(at, _TIME_CHARS))


@contextmanager
def showing_progress(
    what: str, *, quiet: bool = False, total: int | None = None
) -> Iterator[Callable[..., None]]:
    """Show a bar and the time on stderr, where that is a terminal; yield what moves the bar.

    It takes `advance` or `completed` with `total`, and another `description`. Without a total the
    bar only moves: how much there is to do is known when it is done.
    """
    if quiet or not sys.stderr.isatty():
        yield lambda **_: None
        return
    from rich import progress
    from rich.console import Console

    words = progress.TextColumn("{task.description}")
    columns = (words, progress.BarColumn(), progress.TimeElapsedColumn())
    with progress.Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        yield partial(shown.update, shown.add_task(what, total=total))


def print_any_character() -> None:
    """Have standard output and error write what they cannot encode as an escape, not raise."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test's may be another
            stream.reconfigure(errors="backslashreplace")


def exit_with_problems(problems: Sequence[str]) -> None:
    """Say on stderr what could not be done, and exit with 1; nothing when there is nothing."""
    for problem in problems[:_PROBLEMS_SHOWN]:
        typer.echo(f"amplihack-compaction: {inert(problem, _PROBLEM_CHARS)}", err=True)
    left = len(problems) - _PROBLEMS_SHOWN
    if left > 0:
        typer.echo(f"amplihack-compaction: and {left} more", err=True)
    if problems:
        raise typer.Exit(1)


def confirm(question: str) -> None:
    """Ask before something is deleted. Raises CompactionError for every answer but a yes."""
    try:
        is_wanted = typer.confirm(question)
    except typer.Abort:  # nobody is there to answer
        typer.echo()
        raise CompactionError(
            "nothing was changed: to do it without being asked, add --yes"
        ) from None
    if not is_wanted:
        raise CompactionError("nothing was changed")


def output_file(named: str | Path) -> Path:
    """Return the file that is to be written, with links resolved: they are the user's own.

    Raises CompactionError where no regular file can be.
    """
    # Those of `Path` raise where there is no such user, and for links in a ring.
    path = Path(os.path.realpath(os.path.expanduser(named)))  # noqa: PTH111
    if not path.parent.is_dir():
        raise CompactionError(f"there is no folder {path.parent}: make it, or name another file")
    if os.path.exists(path) and not path.is_file():  # noqa: PTH110 - false for odd names
        raise CompactionError(f"{path} is not a regular file: name another one")
    return path


def write_output(path: Path, parts: Iterable[bytes]) -> None:
    """Put the parts in the file's place, for the user alone (0600).

    Raises CompactionError when it cannot be written; it then is as it was.
    """
    try:
        replace_with_parts(str(path), parts)
    except OSError as error:
        raise CompactionError(f"cannot write {path}: {reason_of(error)}") from error
