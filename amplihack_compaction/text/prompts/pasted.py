"""Mark the lines of a prompt that its user pasted: code, logs, quotations, documents."""

import re
from bisect import bisect_left
from itertools import takewhile

from amplihack_compaction.text.machine_text import is_list_item
from amplihack_compaction.text.prompts.leads import lead_kind

# Above this a prompt with headings is a document: prompts beyond it gave 27-40 % false rules.
DOCUMENT_CHARS = 1500

_FENCE = re.compile(r"\s*(?:[-*>] )?(```|~~~|\"\"\"|''')")
_QUOTATION = re.compile(r"^\s{0,3}>(?:\s|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_OPEN_TAG = re.compile(r"\s*<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w:.-]*)>")
# A plan of more steps, or of longer ones, is a document.
_PLAN = re.compile(r"\bplan\b|计划|計画|план", re.IGNORECASE)
_STEPS_AT_MOST = 20
_STEP_CHARS = 200
_SPOKEN = re.compile(
    r"\b(?:I|I'm|I've|me|my|please|pls|plz|let's|claude|(?:can|could|would|will|do|did) you)\b"
    r"|^(?:implement|fix|add|write|review|summari[sz]e|refactor|update|make|create|build|check"
    r"|explain|translate|use|do|go|start|take|follow|apply|and|but|so|now|also|remember|important"
    r"|why|what|how|can|could|then|ok|okay|bitte|por favor|s'il)\b"
    r"|请|帮我|ください|お願い|해\s?줘|해주세요|пожалуйста|исправь|сделай"
    r"|\b(?:kannst|könntest|bau|mach|schreib|antworte|peux-tu|tu peux|réponds|fais|puedes|haz"
    r"|responde|pode|faz|você|напиши|ответь|можешь)\b"
    r"|[てで][。!！]?$|たい[。!！]?$|(?:줘|주세요|하자|할까)[.!]?$|[吧吗下][。！]?$",
    re.IGNORECASE,
)
_RULE_OPENING = re.compile(
    r"(?:never|always|don'?t|do not|only|no|avoid|nunca|siempre|sempre|jamais|toujours|nie|niemals"
    r"|immer|никогда|всегда|не)\b|不要|永远|别|必须|絶対|必ず|절대|항상",
    re.IGNORECASE,
)


def is_heading(line: str) -> bool:
    """Return whether a line is a heading of markdown."""
    return _HEADING.match(line) is not None


def is_fence(line: str) -> bool:
    """Return whether a line begins or ends a block of code."""
    return _FENCE.match(line) is not None


def is_quotation(line: str) -> bool:
    """Return whether a line is marked as a quotation."""
    return _QUOTATION.match(line) is not None


def without_quotation_mark(line: str) -> str:
    """Return a quotation's words."""
    return _QUOTATION.sub("", line)


def mark_blocks(lines: list[str], marks: list[bool]) -> None:
    """Mark fenced code, triple-quoted text and elements that span several lines."""
    closings: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        for found in _CLOSE_TAG.finditer(line):
            closings.setdefault(found.group(1), []).append(number)
    number = 0
    while number < len(lines):
        end = _block_end(lines, number, closings)
        for place in range(number, end):
            marks[place] = True
        number = max(end, number + 1)


def _block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind the block that starts here; `start` when none does."""
    line = lines[start]
    fence = _FENCE.match(line)
    if fence is not None:
        mark = fence.group(1)
        if mark in line[fence.end() :]:
            return start + 1 if line.rstrip().endswith(mark) else start
        closing = (n for n in range(start + 1, len(lines)) if mark in lines[n])
        return next(closing, len(lines) - 1) + 1
    tag = _OPEN_TAG.match(line)
    ends = closings.get(tag.group(1), []) if tag is not None else []
    place = bisect_left(ends, start)
    return ends[place] + 1 if place < len(ends) else start


def mark_after_leads(lines: list[str], marks: list[bool]) -> int:
    """Mark what stands below lines like `here is the log:` and `the README says:`.

    Return the number of the line with which a document begins, that behind the last without one.
    """
    number = 0
    while number < len(lines):
        kind = "" if marks[number] else lead_kind(lines[number])
        if kind == "document" and (_is_own_plan(lines, number) or _is_quoted(lines, number)):
            kind = ""
        if kind == "machine":
            number = _mark_output(lines, marks, number + 1)
        elif kind == "document":
            _mark_to_the_end(lines, marks, number + 1)
            return number + 1
        else:
            number += 1
    return number


def _is_quoted(lines: list[str], number: int) -> bool:
    """Say whether what is below a line is marked as a quotation, which ends where the marks do."""
    below = (line.strip() for line in lines[number + 1 :])
    return next(filter(None, below), "").startswith(">")


def _is_own_plan(lines: list[str], number: int) -> bool:
    """Return whether a list of a few short steps is below a line that announces a plan."""
    if not _PLAN.search(lines[number]):
        return False
    below = [line for line in lines[number + 1 :] if line.strip()]
    steps = list(takewhile(is_list_item, below))
    short = all(len(step) <= _STEP_CHARS for step in steps)
    return 1 < len(steps) <= _STEPS_AT_MOST and short


def _mark_output(lines: list[str], marks: list[bool], start: int) -> int:
    """Mark the paragraph below a lead-in and those after it that look like output."""
    number = start
    while number < len(lines) and not lines[number].strip():
        number += 1
    first = True
    while number < len(lines):
        end = _paragraph_end(lines, number)
        if not first and not any(marks[number:end]):
            return number
        last = end - 1
        speech = not marks[last] and last > number and _SPOKEN.search(lines[last].strip())
        for place in range(number, last if speech else end):
            marks[place] = True
        number = end
        while number < len(lines) and not lines[number].strip():
            number += 1
        first = False
    return number


def _mark_to_the_end(lines: list[str], marks: list[bool], start: int) -> None:
    """Mark all that follows but for closing paragraphs that speak to the model."""
    end = len(lines)
    while end > start:
        while end > start and not lines[end - 1].strip():
            end -= 1
        begin = end
        while begin > start and lines[begin - 1].strip():
            begin -= 1
        if begin <= start or not _speaks(lines, marks, begin, end):
            break
        end = begin
    if not any(lines[n].strip() for n in range(start, end)):
        return
    for place in range(start, end):
        marks[place] = marks[place] or lines[place].strip() != ""


def _speaks(lines: list[str], marks: list[bool], begin: int, end: int) -> bool:
    """Return whether a closing paragraph is the user's own: plain and addressed to somebody."""
    if any(marks[begin:end]) or any(is_heading(line) for line in lines[begin:end]):
        return False
    first = lines[begin].strip()
    above = next((n for n in range(begin - 1, -1, -1) if lines[n].strip()), -1)
    if above >= 0 and is_heading(lines[above]):
        return False
    if any(is_list_item(line) for line in lines[begin:end]):
        return False
    if _SPOKEN.search(first) or first[:1].islower():
        return True
    structured = above >= 0 and (marks[above] or is_list_item(lines[above]))
    return structured and _RULE_OPENING.match(first) is not None


def mark_document(lines: list[str], marks: list[bool]) -> None:
    """Mark a long text with headings from its first heading on."""
    size = sum(len(line) for line, pasted in zip(lines, marks, strict=True) if not pasted)
    if size <= DOCUMENT_CHARS:
        return
    headings = [n for n, line in enumerate(lines) if not marks[n] and is_heading(line)]
    if len(headings) > 1:
        _mark_to_the_end(lines, marks, headings[0])


def _paragraph_end(lines: list[str], start: int) -> int:
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return end
