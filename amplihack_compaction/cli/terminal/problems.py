"""How a command ends that did its work but for a part of it."""

from collections.abc import Sequence

import typer

from amplihack_compaction.injection.lines import inert

_SHOWN = 20
_PROBLEM_CHARS = 400


def end_with(problems: Sequence[str]) -> None:
    """Say on stderr what could not be done, and exit with 1; nothing when there is nothing."""
    for problem in problems[:_SHOWN]:
        typer.echo(f"amplihack-compaction: {inert(problem, _PROBLEM_CHARS)}", err=True)
    left = len(problems) - _SHOWN
    if left > 0:
        typer.echo(f"amplihack-compaction: and {left} more", err=True)
    if problems:
        raise typer.Exit(1)
