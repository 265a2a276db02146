"""Share out the room of a text among the lines of its sections, by need.

The budget goes to the sections' core lines first: up to each section's share, then in the order
of the sections, to all that fit in what is left. What this leaves goes to the other lines in the
same way.
"""

from amplihack_compaction.base.limits import utf16_length
from amplihack_compaction.context.tokens.estimate import CharacterLine
from amplihack_compaction.injection.sections import Section

# What a section leaves of its share is shared out again among the others.
_ROUNDS = 4


class Purse:
    """What is left of the budget, in tokens and in UTF-16 code units."""

    def __init__(self, line: CharacterLine, tokens: float, utf16: int) -> None:
        self.line, self.tokens, self.utf16 = line, tokens, utf16

    def cost(self, text: str) -> float:
        """Return what a line and its line break cost, in tokens."""
        return self.line.cost(text + "\n")

    def pay(self, text: str) -> bool:
        """Take a line's cost if there is room for it."""
        cost, units = self.cost(text), utf16_length(text) + 1
        if cost > self.tokens or units > self.utf16:
            return False
        self.tokens -= cost
        self.utf16 -= units
        return True


class Part:
    """A section, and which of its lines are printed."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.chosen: set[int] = set()

    @property
    def is_due(self) -> bool:
        """Whether the section is there even without room for any of its lines."""
        return bool(self.section.core or self.section.always)

    @property
    def core_left_out(self) -> int:
        """How many of the needed lines are not printed."""
        return self.section.core - sum(number < self.section.core for number in self.chosen)

    @property
    def others_left_out(self) -> int:
        """How many of the lines that are only useful are not printed."""
        return len(self.section.lines) - len(self.chosen) - self.core_left_out

    @property
    def text(self) -> str:
        """What is printed of the section; empty when nothing is."""
        if not self.chosen and not self.section.always:
            return ""
        return "\n".join((self.heading, *self.section.always, *self.section.shown(self.chosen)))

    @property
    def heading(self) -> str:
        """The line above the section's others."""
        return f"## {self.section.title}"

    def fill(self, end: int, purse: Purse, allowance: float) -> None:
        """Print lines before the one of number `end` while the allowance lasts, if they fit.

        The first core line needs no allowance: half an objective is worth more than none.
        """
        for number in range(end):
            if number in self.chosen:
                continue
            text = self.section.lines[number]
            if not self.chosen and not self.is_due:
                text = f"{self.heading}\n{text}"
            allowance -= purse.cost(text)
            if allowance < 0 and (self.chosen or not self.section.core):
                break
            if purse.pay(text):
                self.chosen.add(number)


def pay_headings(parts: list[Part], purse: Purse) -> None:
    """Pay for the headings, and for what is printed in any case."""
    for part in parts:
        for text in (part.heading, *part.section.always) if part.is_due else ():
            purse.pay(text)


def share_out(parts: list[Part], purse: Purse) -> None:
    """Print core lines while there is room, then others of the sections whose core is whole."""
    _fill_all(parts, [(part.section.core, part.section.share) for part in parts], purse)
    others = [
        (part.section.core if part.core_left_out else len(part.section.lines), part.section.spare)
        for part in parts
    ]
    _fill_all(parts, others, purse)


def _fill_all(parts: list[Part], ends: list[tuple[int, float]], purse: Purse) -> None:
    """Fill every section up to its end: by its share of what is left, then while it lasts."""
    for _ in range(_ROUNDS):
        room = purse.tokens
        for part, (end, share) in zip(parts, ends, strict=True):
            part.fill(end, purse, share * room)
    for part, (end, _) in zip(parts, ends, strict=True):
        part.fill(end, purse, float("inf"))
