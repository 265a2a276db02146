"""Colour words on a terminal; in a pipe, or with `NO_COLOR`, they stay plain."""

import os
import sys

import typer

LEVEL_COLOURS = {"raw": "green", "compact": "yellow", "summarize": "magenta", "handoff": "red"}
"""The colour of each level of a filling context, by the names that rich and typer know."""


def paint(text: str, colour: str, width: int = 0) -> str:
    """Return the text, filled up to a width, in a colour where standard output shows colours.

    An empty colour is none.
    """
    filled = text.ljust(width)
    return typer.style(filled, fg=colour) if colour and shows_colours() else filled


def shows_colours() -> bool:
    """Return whether standard output is a terminal whose user wants colours."""
    wanted = not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return wanted and sys.stdout.isatty()
