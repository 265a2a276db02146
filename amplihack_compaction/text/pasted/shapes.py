"""Lines of a prompt that their form tells to be pasted: code, logs, quotations, chats, commits."""

import re
from bisect import bisect_left
from collections import Counter

from amplihack_compaction.text.sentences import is_key_in_prose, is_list_item, machine_lines
from amplihack_compaction.text.words import has_cjk

_FENCE = re.compile(r"\s*(?:[-*>] )?(```|~~~|\"\"\"|''')")
_QUOTATION = re.compile(r"^\s{0,3}>(?:\s|$)")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_OPEN_TAG = re.compile(r"\s*<([a-zA-Z][\w:.-]*)(?:\s[^<>]*)?>")
_CLOSE_TAG = re.compile(r"</([a-zA-Z][\w:.-]*)>")
# Comments, a commit as `git` shows it, what was said in a chat with its time or sender's mark, and
# a key with a list or a text below it.
_COMMENT = re.compile(r"\s{0,8}/\*")
_COMMENT_END = "*/"
_COMMENT_LINE = re.compile(r"\s*(?P<mark>#|//|--|;+|%|REM\b|\*)\s*\w")
_COMMIT = re.compile(r"[*|/\\ ]{0,12}commit [0-9a-f]{7,64}\b")
_IN_A_COMMIT = re.compile(
    r"\s{0,4}(?:Author|AuthorDate|Date|Commit|CommitDate|Merge|Refs?):\s|\s{4}|\s*$|\s?\|",
    re.IGNORECASE,
)
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[AaPp][Mm])?"
_DAY = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?"
_SAID_BY = re.compile(
    rf"\s{{0,3}}(?:\[?(?:{_DAY}\s)?{_CLOCK}\]?\s+(?:-\s)?<?@?[\w .,'-]{{1,40}}>?:\s"
    rf"|[\w .'-]{{1,30}}\s[\[(]{_CLOCK}[\])]:?(?:\s|$)"
    r"|<[\w.|-]{1,30}>\s+\S|(?=[0-9a-f]{0,11}\d)[0-9a-f]{7,12}\s+\S"
    rf"|[\w .'-]{{1,40}}\s{{2,}}{_CLOCK}\s*$)"
)
_TEXT_KEY = re.compile(r"(?P<indent>\s*)(?:- )?[\w.-]{1,40}:\s*[|>][-+]?\s*$")
_YAML_LINE = re.compile(r"\s*(?:- )?[a-z_][\w.-]{0,40}:(?:\s|$)")
_YAML_DEPTH = re.compile(
    r"\s+(?:- )?[a-z_][\w.-]{0,40}:(?:\s|$)|- [a-z_][\w.-]{0,40}:\s|[\w.-]+:\s*$"
)
# Marks of a text's begin and end, and the head of a page's source.
_BEGIN = re.compile(
    r"\W{0,8}(?:begin|start)(?: of)? (?P<what>\w[\w ]{0,30}?)\W{0,8}$", re.IGNORECASE
)
_END = re.compile(r"\W{0,8}end(?: of)? (?P<what>\w[\w ]{0,30}?)\W{0,8}$", re.IGNORECASE)
_CONFLICT, _CONFLICT_END = "<<<<<<< ", ">>>>>>> "
_RULE_OFF = re.compile(r"---\s*$")
_MOST_HEAD_LINES = 20
# A table of which a cell is in words: users note so as well.
_ROW_IN_WORDS = re.compile(r"\s*\|.*[^\W\d_]{2},? [^\W\d_]{2}.*\|\s*$")
_SENTENCE_END = re.compile(r"[.!]\s+[A-ZÀ-Þ]|[.!。”]\s*$")


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


def paragraph_end(lines: list[str], start: int) -> int:
    """Return the line behind the paragraph that goes on at `start`."""
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def with_gaps(lines: list[str]) -> list[str]:
    """Return the lines with an empty one between light words and a text written with care.

    Few leave a line empty between "lol look" and what they paste below it.
    """
    found: list[str] = []
    for number, line in enumerate(lines):
        if number and line.strip() and lines[number - 1].strip() and _changes(lines, number):
            found.append("")
        found.append(line)
    return found


def _changes(lines: list[str], number: int) -> bool:
    """Return whether the register changes before a line: at its paragraph's head, or its end."""
    before, line = lines[number - 1], lines[number]
    # A paragraph is walked once, from its head: each of its lines is asked for.
    if (number == 1 or not lines[number - 2].strip()) and _is_light(before):
        return _is_careful(lines[number : paragraph_end(lines, number)])
    is_last = number + 1 == len(lines) or not lines[number + 1].strip()
    return is_last and _is_light(line) and _is_careful([before])


def _is_light(line: str) -> bool:
    line = line.strip()
    small = line[:1].islower() or has_cjk(line[:1])
    return small and not line.endswith((".", "!", "。", "！", ",", ";"))


def _is_careful(part: list[str]) -> bool:
    first = part[0].strip()
    small = first[:1].islower() or is_list_item(first) or is_heading(first)
    return not small and any(_SENTENCE_END.search(line) for line in part)


def mark_shapes(lines: list[str], marks: list[bool], *, by_user: bool) -> list[bool]:
    """Mark what its form tells to be pasted; return which lines a person may have written."""
    _mark_blocks(lines, marks)
    by_person = [not mark for mark in marks]
    for number, is_machine in enumerate(machine_lines(lines)):
        by_person[number] &= not is_machine or is_quotation(lines[number])
        in_words = by_user and _ROW_IN_WORDS.match(lines[number])
        marks[number] |= is_machine and not in_words and lines[number].strip() != ""
    for begin, end in paragraphs(lines):
        _mark_comments(lines, marks, begin, end)
        _mark_yaml(lines, marks, begin, end)
    return by_person


def paragraphs(lines: list[str]) -> list[tuple[int, int]]:
    """Return where the paragraphs begin and end."""
    found, number = [], 0
    while number < len(lines):
        end = paragraph_end(lines, number)
        if end > number:
            found.append((number, end))
        number = max(end, number + 1)
    return found


def _mark(marks: list[bool], begin: int, end: int) -> None:
    marks[begin:end] = [True] * (end - begin)


def _mark_blocks(lines: list[str], marks: list[bool]) -> None:
    """Mark fenced code, triple-quoted text, elements over several lines, and blocks below keys."""
    closings = _closings(lines)
    number = 0
    while number < len(lines):
        end = _block_end(lines, number, closings)
        _mark(marks, number, end)
        number = max(end, number + 1)


def _closings(lines: list[str]) -> dict[str, list[int]]:
    """Return in which lines each element, comment and marked text may end, by what ends there.

    Looked up and not searched for: many that begin and never end would each be searched to the end.
    """
    found: dict[str, list[int]] = {}
    for number, line in enumerate(lines):
        names = [tag.group(1) for tag in _CLOSE_TAG.finditer(line)]
        names += [mark for mark in (_COMMENT_END, _CONFLICT_END) if mark in line]
        if end := _END.match(line):
            names.append(_end_of(end))
        for name in names:
            found.setdefault(name, []).append(number)
    return found


def _end_of(mark: re.Match[str]) -> str:
    """Return what the marks of a text's begin and end stand under; no element is called so."""
    return f"end {mark['what'].casefold()}"


def _closed(closings: dict[str, list[int]], name: str, start: int) -> int:
    """Return the line behind the first end of a name from `start` on; `start` without one."""
    ends = closings.get(name, [])
    place = bisect_left(ends, start)
    return ends[place] + 1 if place < len(ends) else start


def _block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind the block that starts here; `start` when none does."""
    line = lines[start]
    other = _plain_block_end(lines, start, closings)
    if other > start:
        return other
    fence = _FENCE.match(line)
    if fence is not None:
        mark = fence.group(1)
        if mark in line[fence.end() :]:
            return start + 1 if line.rstrip().endswith(mark) else start
        return _fence_end(lines, start, mark)
    tag = _OPEN_TAG.match(line)
    return _closed(closings, tag.group(1), start) if tag is not None else start


def _fence_end(lines: list[str], start: int, mark: str) -> int:
    """Return the line behind a fence's end; one that names a language begins another inside."""
    depth = 1
    for number in range(start + 1, len(lines)):
        line = lines[number].strip()
        if line.startswith(mark) and line[len(mark) :].isalnum():
            depth += 1
        elif mark in line:
            depth -= 1
        if not depth:
            return number + 1
    return len(lines)


def _plain_block_end(lines: list[str], start: int, closings: dict[str, list[int]]) -> int:
    """Return the line behind a comment, a commit, a chat's line or what is below a key."""
    line, rest = lines[start], range(start + 1, len(lines))
    begun = _BEGIN.match(line)
    if begun is not None:
        return _closed(closings, _end_of(begun), start)
    if line.startswith(_CONFLICT):
        return _closed(closings, _CONFLICT_END, start)
    if _RULE_OFF.match(line):
        return _page_source_end(lines, start)
    if _COMMENT.match(line):
        return _closed(closings, _COMMENT_END, start)
    if _SAID_BY.match(line):
        is_head = line.rstrip()[-1:].isdigit() or line.rstrip()[-1:] in "mM])"
        return paragraph_end(lines, start) if is_head else start + 1
    key = _TEXT_KEY.match(line)
    if key is not None:
        deeper = len(key["indent"]) + 1
        inside = (n for n in rest if lines[n].strip() and not lines[n][:deeper].isspace())
        return next(inside, len(lines))
    if not _COMMIT.match(line):
        return start
    end = next((n for n in rest if not _IN_A_COMMIT.match(lines[n])), len(lines))
    return end if end > start + 1 else start


def _page_source_end(lines: list[str], start: int) -> int:
    """Return the line behind the paragraph below a page's head of keys; `start` without one."""
    for number in range(start + 1, min(start + _MOST_HEAD_LINES, len(lines))):
        if _RULE_OFF.match(lines[number]) and number > start + 1:
            below = next((n for n in range(number + 1, len(lines)) if lines[n].strip()), number)
            return paragraph_end(lines, below)
        if not _YAML_LINE.match(lines[number]):
            return start
    return start


def _mark_comments(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark a program's comments: beside code, or in several lines with the same mark."""
    found = [_COMMENT_LINE.match(lines[number]) for number in range(begin, end)]
    beside_code = any(
        marks[number] and not is_quotation(lines[number]) for number in range(begin, end)
    )
    counts = Counter(match["mark"][0] for match in found if match)
    for number, match in enumerate(found, begin):
        mark = match["mark"] if match else "*"
        if mark != "*" and (beside_code or counts[mark[0]] > 1 or mark in ("//", ";;")):
            marks[number] = True


def _mark_yaml(lines: list[str], marks: list[bool], begin: int, end: int) -> None:
    """Mark keys with values where some lie deeper than others, or have a list below them.

    Not where a value is in prose: people write down what they want in this form too.
    """
    keys = [number for number in range(begin, end) if _YAML_LINE.match(lines[number])]
    if len(keys) < 2 or not any(_YAML_DEPTH.match(lines[number]) for number in keys):
        return
    if not any(map(is_key_in_prose, lines[keys[0] : end])):
        _mark(marks, keys[0], end)
