"""The one line in a file that says what of it was archived, how much and where.

    [archived: 12 parts, 340 lines, 3400 tokens of 2025-11-02 to 2026-01-20, in FOLDER]

It is brought up to date by each later archiving; a line of another form is the user's own.
"""

import re
from dataclasses import dataclass, replace
from datetime import date

_LINE_CHARS = 400
_MARKER = re.compile(
    r"\[archived: (?P<parts>[0-9]{1,9}) parts?, (?P<lines>[0-9]{1,9}) lines?,"
    r" (?P<tokens>[0-9]{1,12}) tokens? of (?P<first>[0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?: to (?P<last>[0-9]{4}-[0-9]{2}-[0-9]{2}))?, in (?P<place>[^\]\n]{1,200})\]\s*"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Marker:
    """What was archived of a file so far; `place` is the archive's folder, from the file's."""

    parts: int
    lines: int
    tokens: int
    first: date
    last: date
    place: str

    def joined(self, other: "Marker") -> "Marker":
        """Return the marker for both."""
        return replace(
            self,
            parts=self.parts + other.parts,
            lines=self.lines + other.lines,
            tokens=self.tokens + other.tokens,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
        )

    @property
    def line(self) -> str:
        """The line, without its end."""
        to = f" to {self.last}" if self.last != self.first else ""
        sizes = ", ".join(
            f"{number} {noun}{'' if number == 1 else 's'}"
            for number, noun in ((self.parts, "part"), (self.lines, "line"), (self.tokens, "token"))
        )
        return f"[archived: {sizes} of {self.first}{to}, in {self.place}]"


def parse_marker(line: str) -> Marker | None:
    """Return the marker that a line is; None for every other line."""
    match = _MARKER.fullmatch(line) if len(line) <= _LINE_CHARS else None
    if match is None:
        return None
    try:
        first = date.fromisoformat(match["first"])
        last = date.fromisoformat(match["last"]) if match["last"] else first
    except ValueError:
        return None
    numbers = {name: int(match[name]) for name in ("parts", "lines", "tokens")}
    return Marker(**numbers, first=first, last=last, place=match["place"])
