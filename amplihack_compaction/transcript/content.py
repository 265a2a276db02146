"""What a message's content holds: its texts and its blocks (light).

The client writes a string, or a list of blocks of several types.
"""

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# How far from its place a cut is put off for the end of a sentence.
_NEAR_CHARS = 400
_END = re.compile(r"[.!?](?=\s)|[\n。！？]")
_CUT = re.compile(r"\[\.\.\. [0-9]+ characters \.\.\.\]")
_ANALYSIS = re.compile(r"<analysis>.*?</analysis>", re.DOTALL)


def message_text(content: object) -> str:
    """Return the text of a message's content: a string, or the text blocks of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = [
        block.get("text")
        for block in content
        if isinstance(block, dict) and block.get("type") == "text"
    ]
    return "\n".join(part for part in parts if isinstance(part, str))


def blocks_of(content: object, kind: str) -> "list[dict[str, Any]]":
    """Return a content list's blocks of one type; none when the content is no list."""
    if not isinstance(content, list):
        return []
    return [block for block in content if isinstance(block, dict) and block.get("type") == kind]


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


def summary_part(compact_summary: str) -> str:
    """Return what of a model's summary the session goes on with: never its analysis."""
    text = _ANALYSIS.sub(" ", compact_summary)
    start = text.find("<summary>")
    if start >= 0:
        text = text[start + len("<summary>") :]
        end = text.rfind("</summary>")
        return (text[:end] if end >= 0 else text).strip()
    return text.partition("<analysis>")[0].strip()
