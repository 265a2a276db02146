"""Take a numbered list that was typed in one line apart: "Todo: 1. the footer 2. the icon"."""

import re

_NUMBERED = re.compile(r"(?:^|(?<=\s))\(?(?P<number>\d{1,2})[.)]\s+(?=[^\W\d]|\d+\s|[`'\"\[*])")
# Before the list stands nothing, or what ends: "see chapter 1. 2. is wrong" lists nothing.
_LEAD_ENDS = (":", "：", ".", "!", "?", ";", "-", "–", "—")
_SENTENCE_END = re.compile(r"[.!?]\s+")
_FEWEST_ITEMS = 2


def unfolded(line: str) -> list[str]:
    """Return a line's list as lines: what stands before it, and each item with its number.

    A line without such a list is returned as it is. The sentence that announces the list has a
    line of its own.
    """
    if "1." not in line and "1)" not in line:  # nearly every line
        return [line]
    starts: list[int] = []
    for found in _NUMBERED.finditer(line):
        if int(found["number"]) == len(starts) + 1:
            starts.append(found.start())
    lead = line[: starts[0]].strip() if starts else ""
    if len(starts) < _FEWEST_ITEMS or (lead and not lead.endswith(_LEAD_ENDS)):
        return [line]
    ends = [*starts[1:], len(line)]
    items = [line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    return [*_announced(lead), *items]


def _announced(lead: str) -> list[str]:
    """Return what stands before a list, the last sentence of it apart."""
    ends = [found.end() for found in _SENTENCE_END.finditer(lead)]
    cut = ends[-1] if ends else 0
    return [part for part in (lead[:cut].strip(), lead[cut:].strip()) if part]
