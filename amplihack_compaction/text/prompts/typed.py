"""Separate what a user typed from what he pasted."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import and_

from amplihack_compaction.text.machine_text import machine_lines
from amplihack_compaction.text.prompts.pasted import (
    is_fence,
    is_heading,
    is_quotation,
    mark_after_leads,
    mark_blocks,
    mark_document,
    without_quotation_mark,
)
from amplihack_compaction.text.strings import one_line
from amplihack_compaction.transcript.content import is_cut

_TITLE_CHARS = 120
_CACHED_PROMPTS = 1024

# Of what somebody else wrote, so much is kept.
_HANDED_CHARS = 500
_GAP = re.compile(r"\n{3,}")
_INLINE_LEAD = re.compile(
    r"(?:^|(?<=[.!?] ))(?P<lead>(?:error message|output|log|stderr|stdout|traceback"
    r"|[^.:!?\n]{0,60}\b(?:here(?:'s| is)|got|get|getting|gives|shows|prints|throws|with)\b"
    r"[^.:!?\n]{0,40}\b(?:log|error|output|message|trace|exception"
    r"|warning)\b[^.:!?\n]{0,20})):[ \t]+"
    r"(?P<pasted>[^\n]+?)(?=(?<=[.!?])\s+(?=[A-Za-z])|$)",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Typed:
    """A prompt's typed part; of the pasted part its size and its first heading or line.

    `handed` is what of it was written to be read, in one line: a mail, a ticket, a review.
    """

    typed: str
    pasted_chars: int = 0
    title: str = ""
    handed: str = ""


@lru_cache(maxsize=_CACHED_PROMPTS)
def split_typed(text: str) -> Typed:
    """Return what the user typed himself, without code, logs, quotations and documents.

    Lines keep their order; where something pasted stood, an empty line separates what was
    around it.
    """
    spoken, inline = _drop_inline_output(text.replace("\r\n", "\n").replace("\r", "\n"))
    lines = spoken.split("\n")
    marks = [is_cut(line) for line in lines]
    mark_blocks(lines, marks)
    plain = [not mark for mark in marks]
    for number, machine in enumerate(machine_lines(lines)):
        plain[number] = plain[number] and (not machine or is_quotation(lines[number]))
        marks[number] = marks[number] or (machine and lines[number].strip() != "")
    begin = mark_after_leads(lines, marks)
    mark_document(lines, marks)
    typed = _assemble(lines, marks, inline)
    return replace(typed, handed=_handed(lines, [*map(and_, marks, plain)], begin))


def _handed(lines: list[str], pasted: list[bool], begin: int) -> str:
    """Return the lines that quote somebody, and those below a line that announces a document."""
    kept = (
        without_quotation_mark(line).strip().removeprefix("- ")
        for number, line in enumerate(lines)
        if pasted[number] and (number >= begin or is_quotation(line))
    )
    return one_line(" · ".join(filter(None, kept)), _HANDED_CHARS)


def _drop_inline_output(text: str) -> tuple[str, int]:
    """Cut what follows `error:` and its like on the same line, up to the end of the sentence."""
    dropped = 0

    def cut(found: re.Match[str]) -> str:
        nonlocal dropped
        dropped += len(found["pasted"])
        return f"{found['lead']}."

    return _INLINE_LEAD.sub(cut, text), dropped


def _assemble(lines: list[str], marks: list[bool], pasted_chars: int) -> Typed:
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
    return Typed(_GAP.sub("\n\n", "\n".join(kept)).strip(), pasted_chars, title)
