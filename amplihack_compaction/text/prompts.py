"""What of a prompt its user typed, and what he pasted: code, logs, quotations, documents."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from operator import and_

from amplihack_compaction.text.outputs import error_among
from amplihack_compaction.text.pasted.authors import mark_foreign
from amplihack_compaction.text.pasted.documents import (
    mark_long_text,
    mark_quoted_again,
    with_leads_apart,
)
from amplihack_compaction.text.pasted.shapes import (
    is_fence,
    is_heading,
    mark_shapes,
    with_gaps,
    without_quotation_mark,
)
from amplihack_compaction.text.words import one_line
from amplihack_compaction.transcript.session import is_cut

_TITLE_CHARS = 120
_CACHED_PROMPTS = 1024

# Of what somebody else wrote, so much is kept.
_HANDED_CHARS = 500
_FRONT_LINES = 3
_GAP = re.compile(r"\n{3,}")
_INLINE_LEAD = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<lead>(?:error message|output|log|stderr|stdout|traceback"
    r"|[^.:!?\n]{0,60}\b(?:here(?:'s| is)|got|get|getting|gives|shows|prints|throws|with)\b"
    r"[^.:!?\n]{0,40}\b(?:log|error|output|message|trace|exception"
    r"|warning)\b[^.:!?\n]{0,20})):[ \t]+"
    r"(?P<pasted>[^\n]+?)(?=(?<=[.!?])\s+(?=[A-Za-z])|$)",
    re.IGNORECASE | re.MULTILINE,
)

_QUOTATION = re.compile(
    r"“[^“”]{1,4000}”|„[^„“”]{1,4000}[“”]|«[^«»]{1,4000}»|[「『][^「」『』]{1,4000}[」』]"
    r"|`[^`\n]{1,4000}`|(?<!\w)\"(?=\S)[^\"]{1,4000}(?<=\S)\"(?!\w)"
)
_SEVERAL_SENTENCES = re.compile(r"[.!?]\s+\S|[。！？].|\n")


@dataclass(frozen=True, slots=True)
class PromptParts:
    """A prompt's typed part; of the pasted part its size and its first heading or line.

    `handed` is what of it was written to be read, in one line: a mail, a ticket, a review; or else
    the line that tells of an error, or a document's first lines and headings.
    """

    typed: str
    pasted_chars: int = 0
    title: str = ""
    handed: str = ""


@lru_cache(maxsize=_CACHED_PROMPTS)
def split_typed(text: str, *, by_user: bool = True) -> PromptParts:
    """Return what the user typed himself, without code, logs, quotations and documents.

    Lines keep their order; where something pasted stood, an empty line separates what was
    around it. The model's text is judged by its form alone: it pastes nothing to remark on.
    """
    spoken, inline = _drop_inline_output(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines, marks, by_person = shaped_lines(spoken, by_user=by_user)
    mark_quoted_again(lines, marks)
    mark_long_text(lines, marks)
    if by_user:
        mark_foreign(lines, marks)
    if not any(marks):  # it is kept as it stands, without the gaps
        lines = spoken.split("\n")
        marks = [False] * len(lines)
    typed = _assemble(lines, marks, sum(map(len, inline)))
    handed = _handed(lines, [*map(and_, marks, by_person)])
    pasted = list(compress(lines, marks))
    if handed.endswith("…"):
        handed = _outline(typed.title, pasted) or handed
    return replace(typed, handed=handed or error_among([*inline, *pasted]))


def shaped_lines(spoken: str, *, by_user: bool = True) -> tuple[list[str], list[bool], list[bool]]:
    """Return a prompt's lines, those that their form tells to be pasted, and those of a person."""
    lines = spoken.split("\n")
    lines = with_gaps(with_leads_apart(lines) if by_user else lines)
    marks = [is_cut(line) for line in lines]
    return lines, marks, mark_shapes(lines, marks, by_user=by_user)


def without_quoted_texts(typed: str) -> str:
    """Return what was typed without quotations of several sentences: they are somebody else's."""

    def cut(found: re.Match[str]) -> str:
        several = _SEVERAL_SENTENCES.search(found[0][1:-1])
        return f"{found[0][0]}…{found[0][-1]}" if several else found[0]

    return _QUOTATION.sub(cut, typed)


def _outline(title: str, pasted: list[str]) -> str:
    """Return how a pasted document begins, and its headings; empty for code, or without heading."""
    if not is_heading(title) or is_fence(pasted[0]):
        return ""
    lines = [line.strip() for line in pasted if line.strip()]
    front = lines[lines.index(title) :][:_FRONT_LINES] if title in lines else []
    return one_line(" · ".join([*front, *filter(is_heading, lines[_FRONT_LINES:])]), _HANDED_CHARS)


def _handed(lines: list[str], pasted: list[bool]) -> str:
    """Return the lines that another person wrote."""
    kept = (without_quotation_mark(line).strip() for line in compress(lines, pasted))
    return one_line(" · ".join(line.removeprefix("- ") for line in kept if line), _HANDED_CHARS)


def _drop_inline_output(text: str) -> tuple[str, list[str]]:
    """Cut what follows `error:` and its like on the same line, up to the end of the sentence."""
    dropped: list[str] = []

    def cut(found: re.Match[str]) -> str:
        dropped.append(found["pasted"])
        return f"{found['lead']}."

    return _INLINE_LEAD.sub(cut, text), dropped


def _assemble(lines: list[str], marks: list[bool], pasted_chars: int) -> PromptParts:
    kept: list[str] = []
    title = ""
    for line, pasted in zip(lines, marks, strict=True):
        if not pasted:
            kept.append(line.rstrip())
            continue
        pasted_chars += len(line) + 1
        is_title = not title or (is_heading(line) and not title.startswith("#"))
        if is_title and not is_cut(line):
            title = line.strip()[:_TITLE_CHARS]
        if kept and kept[-1]:
            kept.append("")
    if is_fence(title):
        title = ""
    return PromptParts(_GAP.sub("\n\n", "\n".join(kept)).strip(), pasted_chars, title)
