"""A prompt of which is known who wrote its lines."""

import re
from typing import NamedTuple

from amplihack_compaction.text.pasted import FOREIGN, OWN, paragraphs

# Beside a pasted text the first and the last paragraph are the user's when they are short.
_OWN_LINES = 2
_SHORTEST_PART = 12
_MARKS = re.compile(r"[\s\"“”„«».。'’`]+")


class Prompt(NamedTuple):
    """A prompt, and of it what somebody else wrote and what its user did: lines, or sentences."""

    text: str
    foreign: tuple[str, ...]
    own: tuple[str, ...]
    is_whole: bool = False
    """Whether all of its lines are known."""

    def authors_of(self, lines: list[str]) -> list[str]:
        """Return who wrote each of the lines that the prompt is read as; empty if not known."""
        foreign, own = [*map(plain, self.foreign)], [*map(plain, self.own)]
        found = [
            FOREIGN if _is_in(line, foreign) else OWN if _is_in(line, own) else ""
            for line in map(plain, lines)
        ]
        if not foreign:
            return [OWN] * len(lines)
        if self.is_whole:
            return found
        parts = paragraphs(lines)
        for begin, end in parts:
            known = {*found[begin:end]} - {""}
            at_the_edge = (begin, end) in (parts[0], parts[-1]) and end - begin <= _OWN_LINES
            if known == {OWN} or (not known and at_the_edge):
                found[begin:end] = [OWN] * (end - begin)
            elif known == {FOREIGN}:
                first = found.index(FOREIGN, begin)
                last = max(n for n in range(begin, end) if found[n])
                found[first:last] = [FOREIGN] * (last - first)
                for edge in {begin, end - 1}:
                    if not found[edge] and lines[edge].strip()[:1].islower():
                        found[edge] = OWN
        return found


def plain(text: str) -> str:
    """Return a text without what differs between a sentence and the line that it stands in."""
    return _MARKS.sub(" ", text).strip().lower()


def _is_in(line: str, sentences: list[str]) -> bool:
    long_enough = len(line) > _SHORTEST_PART
    return any(one and (one in line or (long_enough and line in one)) for one in sentences)
