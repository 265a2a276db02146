"""Texts of a session: cut, made storable, and their lines outside code fences (light)."""

import re

# How far from its place a cut is put off for the end of a sentence.
_NEAR_CHARS = 400
_END = re.compile(r"[.!?](?=\s)|[\n。！？]")
_CUT = re.compile(r"\[\.\.\. [0-9]+ characters \.\.\.\]")
_FENCES = ("```", "~~~")


def cut_middle(text: str, limit: int) -> str:
    """Return the text, or its head and tail around a mark that says how much is left out.

    The mark has a line of its own. Where a sentence or line ends near by, none is cut in two: half
    of one can say the contrary of the whole.
    """
    if len(text) <= limit:
        return text
    half = limit // 2
    near = min(_NEAR_CHARS, half // 2)
    head, tail = text[:half], text[len(text) - half :]
    ends = [found.end() for found in _END.finditer(head, half - near)]
    head = head[: ends[-1]] if ends else head
    begin = _END.search(tail, 0, near)
    tail = tail[begin.end() :] if begin is not None else tail
    left = len(text) - len(head) - len(tail)
    return f"{head}\n[... {left} characters ...]\n{tail}"


def is_cut(line: str) -> bool:
    """Return whether a line is the mark of `cut_middle`, which nobody said."""
    return _CUT.fullmatch(line) is not None


def storable(text: str) -> str:
    """Return a text that every database takes: no NUL, no half of a character."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\N{SYMBOL FOR NULL}").encode("utf-8", "replace").decode("utf-8")


def prose_lines(text: str) -> list[str]:
    """Return a text's lines outside code fences; an unclosed fence reaches to the end."""
    if "```" not in text and "~~~" not in text:
        return text.splitlines()
    lines: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line.lstrip()[:3]
        if fence:
            fence = "" if mark == fence else fence
        elif mark in _FENCES:
            fence = mark
        else:
            lines.append(line)
    return lines
