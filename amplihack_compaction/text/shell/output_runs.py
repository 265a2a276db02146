"""Find in prose where a program speaks: a pasted log, a diff, a trace, without fences."""

import re

from amplihack_compaction.text.shell.outputs import DIFF_HEADER, group_of

_HUNK = re.compile(r"@@ -\d{1,9}(?:,(\d{1,9}))? \+\d{1,9}(?:,(\d{1,9}))? @@")
_SESSION_START = re.compile(r"={3,} ?test session starts")
_SESSION_END = re.compile(r"={3,} .{0,200}\bin \d[\d.]*s\b")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s")
_FENCE = re.compile(r"\s{0,12}(?:```|~~~)")
# Something else than output begins: an item of a list, a quotation, a table.
_PROSE = re.compile(r"\s{0,12}(?:[-*+•]\s|\d{1,3}[.)]\s|>|\|)")
_LEAST_RUN_LINES = 8


def find_runs(lines: list[str], first: int, end: int) -> list[tuple[int, int]]:
    """Return where programs speak within lines of prose, as first line and the line behind it.

    Careful: list items, quotations, tables and headings end a run, and only what no person
    writes begins one.
    """
    runs = []
    place = first
    while place < end:
        behind = _run_end(lines, place, end)
        if behind - place >= _LEAST_RUN_LINES:
            runs.append((place, behind))
        place = max(behind, place + 1)
    return runs


def _run_end(lines: list[str], start: int, end: int) -> int:
    """Return the line behind the run that starts here; `start` when none does."""
    if _SESSION_START.match(lines[start]):
        return _session_end(lines, start, end)
    if lines[start].startswith(("diff --git ", "@@ -")):
        return _diff_end(lines, start, end)
    if not group_of(lines[start], strong=True) or _PROSE.match(lines[start]):
        return start
    behind = place = start
    while place < end:
        line = lines[place]
        if _HEADING.match(line) or _FENCE.match(line) or _PROSE.match(line):
            break
        if group_of(line, strong=True):
            behind = place + 1
        elif line.strip() and not (line[:1] in " \t" and behind == place):
            break
        elif line.strip():
            behind = place + 1
        elif place - behind > 1:
            break
        place += 1
    return behind


def _session_end(lines: list[str], start: int, end: int) -> int:
    """Return the line behind a pytest session's last; a torn one ends where a text begins."""
    for place in range(start + 1, end):
        line = lines[place]
        if _SESSION_END.match(line):
            return place + 1
        if _SESSION_START.match(line) or _HEADING.match(line) or _FENCE.match(line):
            break
    return _plain_end(lines, start, end)


def _plain_end(lines: list[str], start: int, end: int) -> int:
    place = start
    while place < end and (group_of(lines[place], strong=True) or not lines[place].strip()):
        place += 1
    while place > start and not lines[place - 1].strip():
        place -= 1
    return place


def _diff_end(lines: list[str], start: int, end: int) -> int:
    """Follow headers and hunks by the number of lines that each hunk says it has."""
    place = start
    while place < end:
        hunk = _HUNK.match(lines[place])
        if hunk is not None:
            place = _hunk_end(lines, place + 1, end, int(hunk[1] or 1), int(hunk[2] or 1))
        elif DIFF_HEADER.match(lines[place]):
            place += 1
        else:
            break
    return place


def _hunk_end(lines: list[str], place: int, end: int, old: int, new: int) -> int:
    """Return the line behind a hunk; a torn one, shorter than it says, ends at an empty line."""
    blank = -1
    while place < end and (old > 0 or new > 0):
        sign = lines[place][:1]
        if sign not in ("", " ", "-", "+", "\\"):
            break
        if not sign and blank < 0:
            blank = place
        old -= sign in ("", " ", "-")
        new -= sign in ("", " ", "+")
        place += 1
    if old > 0 or new > 0:
        return blank if blank >= 0 else place
    return place + (place < end and lines[place].startswith("\\ No newline"))
