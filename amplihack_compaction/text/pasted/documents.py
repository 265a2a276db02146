"""A text behind a lead in the same line, one of which the user quotes a part, and a long one."""

import re

from amplihack_compaction.text.pasted.authors import is_of_himself
from amplihack_compaction.text.pasted.remarks import SURE, last_remark
from amplihack_compaction.text.pasted.shapes import is_heading, paragraphs
from amplihack_compaction.text.sentences import is_list_item

# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules. One
# without is a text above twice as much.
DOCUMENT_CHARS = 1500
_FEWEST_HEADINGS = 2
_FEWEST_PARAGRAPHS = 2
_OWN_LINES = 6

_INLINE_LEAD = re.compile(r"(?P<lead>[^:：]{4,120}(?::(?=\s)|：))\s*(?P<text>[^\s\"“„«「`].*)")
# Further down only a paragraph's first line is looked at: a log has thousands of others.
_MOST_LINES_TYPED = 200
_SENTENCE_END = re.compile(r"(?<=[.!?\"”])\s+|(?<=[。！？])")
_FEWEST_WORDS_QUOTED = 3
_QUOTED_SPAN = re.compile(r"[\"“„«「]([^\"”“»」\n]{12,400})[\"”“»」]")


def with_leads_apart(lines: list[str]) -> list[str]:
    """Return the lines, those in parts that go on behind a lead: `translate this: ...`.

    A sentence of himself behind it is the user's again.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        inside = number > _MOST_LINES_TYPED and lines[number - 1].strip()
        lead = None if inside else _INLINE_LEAD.match(line)
        if lead is None or last_remark(lead["lead"]).text < SURE:
            found.append(line)
            continue
        text = _SENTENCE_END.split(lead["text"])
        own = next((n for n, part in enumerate(text) if n and is_of_himself(part)), len(text))
        found += [lead["lead"], " ".join(text[:own]), *([""] * (own < len(text)))]
        found += text[own:]
    return found


def mark_quoted_again(lines: list[str], marks: list[bool]) -> None:
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


def mark_long_text(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text that nothing else told apart, but for what is above it and what closes it.

    It reaches from its first heading on; from the second paragraph on where it has none.
    """
    parts = [part for part in paragraphs(lines) if not all(marks[part[0] : part[1]])]
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    structured = len(headings) >= _FEWEST_HEADINGS
    if size <= DOCUMENT_CHARS * (1 if structured else 2) or len(parts) < _FEWEST_PARAGRAPHS:
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
