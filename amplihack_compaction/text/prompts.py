"""What of a prompt its user typed, and what he pasted: code, logs, quotations, documents."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import compress
from operator import and_

from amplihack_compaction.text.commands import error_among
from amplihack_compaction.text.pasted import (
    SURE,
    is_fence,
    is_heading,
    is_of_himself,
    last_remark,
    mark_foreign,
    mark_shapes,
    paragraphs,
    with_gaps,
    without_quotation_mark,
)
from amplihack_compaction.text.sentences import is_list_item
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
    _mark_quoted_again(lines, marks)
    _mark_long_text(lines, marks)
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
    lines = with_gaps(_with_leads_apart(lines) if by_user else lines)
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


# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules. One
# without is a text above twice as much.
_DOCUMENT_CHARS = 1500
_FEWEST_HEADINGS = 2
_FEWEST_PARAGRAPHS = 2
_OWN_LINES = 6

_ANNOUNCED = re.compile(r"(?P<lead>[^:：]{4,120}(?::(?=\s)|：))\s*(?P<text>[^\s\"“„«「`].*)")
# Further down only a paragraph's first line is looked at: a log has thousands of others.
_MOST_LINES_TYPED = 200
_SENTENCE_END = re.compile(r"(?<=[.!?\"”])\s+|(?<=[。！？])")
_FEWEST_WORDS_QUOTED = 3
_QUOTED_SPAN = re.compile(r"[\"“„«「]([^\"”“»」\n]{12,400})[\"”“»」]")


def _with_leads_apart(lines: list[str]) -> list[str]:
    """Return the lines, those in parts that go on behind a lead: `translate this: ...`.

    A sentence of himself behind it is the user's again.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        inside = number > _MOST_LINES_TYPED and lines[number - 1].strip()
        lead = None if inside else _ANNOUNCED.match(line)
        if lead is None or last_remark(lead["lead"]).text < SURE:
            found.append(line)
            continue
        text = _SENTENCE_END.split(lead["text"])
        own = next((n for n, part in enumerate(text) if n and is_of_himself(part)), len(text))
        found += [lead["lead"], " ".join(text[:own]), *([""] * (own < len(text)))]
        found += text[own:]
    return found


def _mark_quoted_again(lines: list[str], marks: list[bool]) -> None:
    """Mark a text of which the user's own words quote a part: what it is a part of is not his."""
    found = paragraphs(lines)
    texts = ["\n".join(lines[begin:end]).casefold() for begin, end in found]
    for asking, (begin, end) in enumerate(found):
        if any(marks[begin:end]):
            continue
        for span in _QUOTED_SPAN.findall(texts[asking]):
            words = span.strip(" .!?")
            if len(words.split()) < _FEWEST_WORDS_QUOTED:
                continue
            for place, (first, last) in enumerate(found):
                if place != asking and words in texts[place]:
                    for number in range(first, last):
                        marks[number] = True


def _mark_long_text(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text that nothing else told apart, but for what is above it and what closes it.

    It reaches from its first heading on; from the second paragraph on where it has none.
    """
    parts = [part for part in paragraphs(lines) if not all(marks[part[0] : part[1]])]
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    structured = len(headings) >= _FEWEST_HEADINGS
    if size <= _DOCUMENT_CHARS * (1 if structured else 2) or len(parts) < _FEWEST_PARAGRAPHS:
        return
    (first, behind), (last, end) = parts[0], parts[-1]
    start = headings[0] if structured else behind if behind - first <= _OWN_LINES else first + 1
    closing = last if end - last <= _OWN_LINES else end - 1
    above = next((line for line in reversed(lines[:closing]) if line.strip()), "")
    if is_heading(above) or any(
        is_list_item(line) or is_heading(line) for line in lines[closing:end]
    ):
        closing = end
    for number in range(start, closing):
        marks[number] = marks[number] or lines[number].strip() != ""
