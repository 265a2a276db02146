"""Cut out the part of a message that a query is about, and mark what was found in it."""

import re
from bisect import bisect_left
from dataclasses import dataclass

from amplihack_compaction.store.recall.query import Term

EXCERPT_CHARS = 240
_LOOKED_AT_CHARS = 64_000
_MARKS = 100
_SPACE = re.compile(r"\s+")
_BETWEEN = r"[\W_]{1,3}"


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text on one line; `marks` are the `(start, end)` of what was found in it."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with something before and behind each mark."""
        parts, position = [], 0
        for start, end in self.marks:
            parts += [self.text[position:start], before, self.text[start:end], after]
            position = end
        return "".join(parts) + self.text[position:]


def make_excerpt(body: str, terms: list[Term], size: int = EXCERPT_CHARS) -> Excerpt:
    """Return the part of at most `size` characters in which most of the terms stand."""
    text = _SPACE.sub(" ", body[:_LOOKED_AT_CHARS]).strip()
    if not text.isprintable():  # what a program printed may steer a terminal
        text = "".join(c if c.isprintable() else " " for c in text)
    found = _find(text, terms)
    start = _best_start(found, size)
    # A little before the first word shows what it belongs to.
    start = max(0, min(start - size // 6, len(text) - size)) if found else 0
    end = min(len(text), start + size)
    head, tail = "…" if start else "", "…" if end < len(text) else ""
    shift = len(head) - start
    marks = tuple((a + shift, b + shift) for a, b, _ in found if a >= start and b <= end)
    return Excerpt(head + text[start:end] + tail, _apart(marks))


def _find(text: str, terms: list[Term]) -> list[tuple[int, int, int]]:
    """Return `(start, end, number of the term)` of what is found, in the order of the text."""
    found: list[tuple[int, int, int]] = []
    for number, term in enumerate(terms):
        pattern = _pattern(term)
        for place, match in enumerate(pattern.finditer(text)):
            if place >= _MARKS:
                break
            found.append((match.start(), match.end(), number))
    return sorted(found)


def _pattern(term: Term) -> "re.Pattern[str]":
    if term.run:
        return re.compile(re.escape(term.run))
    return re.compile(_BETWEEN.join(map(re.escape, term.words)), re.IGNORECASE)


def _best_start(found: list[tuple[int, int, int]], size: int) -> int:
    """Return where to begin, so that as many different terms as can be are inside."""
    starts = [start for start, _, _ in found]
    best, most = 0, 0
    for place, start in enumerate(starts):
        inside = found[place : bisect_left(starts, start + size)]
        count = len({number for _, _, number in inside})
        if count > most:
            best, most = start, count
    return best


def _apart(marks: tuple[tuple[int, int], ...]) -> tuple[tuple[int, int], ...]:
    """Return the marks without those that overlap an earlier one."""
    kept: list[tuple[int, int]] = []
    for start, end in marks:
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)
