"""Read what texts and tool inputs say of todos: lists, TODO lines, droppings, what is done."""

import re
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.extract.statements import TodoStatus
from amplihack_compaction.text.sentences import inline_list_apart
from amplihack_compaction.text.words import (
    normal_form,
    one_line,
)
from amplihack_compaction.transcript.session import prose_lines

TODO_LIMIT_CHARS = 400

_OPEN, _ACTIVE = TodoStatus.PENDING, TodoStatus.IN_PROGRESS
_DONE, _DROPPED = TodoStatus.COMPLETED, TodoStatus.CANCELLED
_STATUS = {
    "pending": _OPEN,
    "open": _OPEN,
    "todo": _OPEN,
    "in_progress": _ACTIVE,
    "completed": _DONE,
    "done": _DONE,
    "cancelled": _DROPPED,
    "canceled": _DROPPED,
    "deleted": _DROPPED,
}
_BOXES = {" ": _OPEN, "": _OPEN, "x": _DONE, "X": _DONE, "✓": _DONE, "✔": _DONE, "✅": _DONE}
_BOXES |= {"~": _DROPPED, "-": _DROPPED, "/": _ACTIVE, ">": _ACTIVE}
_SIGNS = {"☐": _OPEN, "⬜": _OPEN, "🔲": _OPEN, "☑": _DONE, "✅": _DONE, "✔": _DONE, "☒": _DROPPED}
_BULLET = r"(?:[-*+•]|\d{1,3}[.)])[ \t]+"
_BOX = re.compile(rf"[ \t>]*{_BULLET}\[([ xX~\-/>✓✔✅]?)\][ \t]+(\S.*)")
_SIGN = re.compile(rf"[ \t>]*(?:{_BULLET})?([☐⬜🔲☑✅✔☒])\ufe0f?[ \t]*(\S.*)")
_LISTED = re.compile(rf"[ \t]*{_BULLET}(\S.*)")
_STRUCK = re.compile(r"~~(.+)~~\s*$")
_EMPHASIS = re.compile(r"\*\*|__")
_MARKER = re.compile(r"(?<![\w`#/])(TODO|DONE)(?:\([^()\n]{0,40}\))?(?:\*\*|__)?[ \t]*[:：](?!:)")
_LOWER_MARKER = re.compile(r"[Tt]odo(?:\*\*|__)?[ \t]*[:：]")
_LEAD = re.compile(rf"[ \t>]*(?:{_BULLET})?(?:📝[ \t]*)?(?:\*\*|__)?")
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+)?(?:\*\*|__)?(?:(?:remaining|open|outstanding|my)[ \t]+)?"
    r"(TODOs?|To-?dos?)(?:[ \t]+list|[ \t]+items)?[ \t:*_]*",
    re.IGNORECASE,
)
_SUFFIXES = {
    "done": _DONE, "completed": _DONE, "finished": _DONE, "fixed": _DONE, "✅": _DONE, "✓": _DONE,
    "☑": _DONE, "cancelled": _DROPPED, "canceled": _DROPPED, "dropped": _DROPPED,
    "skipped": _DROPPED, "obsolete": _DROPPED, "won't do": _DROPPED, "in progress": _ACTIVE,
    "wip": _ACTIVE, "started": _ACTIVE,
}  # fmt: skip
_SUFFIX_WORDS = "|".join(word for word in _SUFFIXES if word.isascii())
_SUFFIX = re.compile(
    rf"(?:[(\[][ \t]*({_SUFFIX_WORDS})[ \t]*[)\]]|[ \t][-–—][ \t]*({_SUFFIX_WORDS})"
    r"|([✅✓☑]))\ufe0f?[ \t]*\.?$",
    re.IGNORECASE,
)
_EMPTY = frozenset(("", "none", "nothing", "n a", "na", "n/a", "tbd"))
_PLACEHOLDER = re.compile(r"[<\[{…].{0,60}[>\]}]$|\.{3}$|…$")

# What stands above a checklist of open work, and not above one of features or of things to try.
_SAYS_LEFT = re.compile(
    r"\b(?:left|remain\w*|outstanding|still (?:open|missing|to)|to[- ]?do|offen\w*|übrig|reste\w*"
    r"|queda\w*|falta\w*|pendiente\w*|pendente\w*)\b|осталось|剩|还没|未完成|残り|남은",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class TodoMention:
    """What one line or list entry says of a todo.

    `boxed` tells a checklist's entry from a line that says TODO, and from an entry below a line
    that says what is left to do. `only_known` marks a sign that may close a todo but makes none:
    a summary's ✅.
    """

    text: str
    status: TodoStatus
    boxed: bool = False
    only_known: bool = False


def read_todo_status(value: Any) -> TodoStatus | None:
    """Return the status that a client's word stands for; None for an unknown one."""
    return _STATUS.get(value) if isinstance(value, str) else None


def read_list(value: Any) -> list[TodoMention] | None:
    """Return the entries of a TodoWrite list or `user.todos`; None when it is no list."""
    if not isinstance(value, list):
        return None
    marks = []
    for entry in value:
        if not isinstance(entry, dict):
            continue
        text, status = entry.get("content"), read_todo_status(entry.get("status"))
        if isinstance(text, str) and text.strip() and status is not None:
            marks.append(TodoMention(one_line(text, TODO_LIMIT_CHARS), status))
    return marks


def read_mentions(text: str) -> list[TodoMention]:
    """Return what a text's checklists and TODO lines say, outside code fences, in order."""
    if not may_hold_mentions(text):
        return []
    marks: list[TodoMention] = []
    listing, is_left = False, False
    for line in (part for whole in prose_lines(text) for part in inline_list_apart(whole)):
        box = _BOX.match(line)
        if box is not None:
            _add(marks, box.group(2), _BOXES[box.group(1)], boxed=not is_left)
            continue
        if line.strip():
            is_left = _SAYS_LEFT.search(line) is not None
        if _HEADING.fullmatch(line):
            listing = True
        elif listing and (entry := _LISTED.match(line)) is not None:
            _add(marks, entry.group(1), _OPEN)
        else:
            listing = listing and not line.strip()
            _add_signs(marks, line)
            _add_markers(marks, line)
    return _settle_signs(marks)


def may_hold_mentions(text: str) -> bool:
    """Return at a glance whether a text can have checklists or TODO lines."""
    return (
        "]" in text
        or "odo" in text
        or "TODO" in text
        or "DONE" in text
        or any(sign in text for sign in _SIGNS)
    )


def _add(
    marks: list[TodoMention],
    text: str,
    status: TodoStatus,
    boxed: bool = False,
    only_known: bool = False,
) -> None:
    suffix = _SUFFIX.search(text)
    if suffix is not None:
        word = next(group for group in suffix.groups() if group)
        text, status = text[: suffix.start()], _SUFFIXES[word.lower()]
    struck = _STRUCK.match(text)
    if struck is not None:
        text = struck.group(1)
        status = _DROPPED if status is not _DONE else status
    text = one_line(_EMPHASIS.sub("", text), TODO_LIMIT_CHARS)
    if normal_form(text) not in _EMPTY and not _PLACEHOLDER.match(text):
        marks.append(TodoMention(text, status, boxed, only_known))


def _add_signs(marks: list[TodoMention], line: str) -> None:
    sign = _SIGN.match(line)
    if sign is not None:
        status = _SIGNS[sign.group(1)]
        _add(marks, sign.group(2), status, boxed=True, only_known=status is _DONE)


def _settle_signs(marks: list[TodoMention]) -> list[TodoMention]:
    """Let ✅ make todos of its own only in a list that has open ones."""
    if not any(mark.status in (_OPEN, _ACTIVE) for mark in marks):
        return marks
    return [replace(mark, only_known=False) for mark in marks]


def _add_markers(marks: list[TodoMention], line: str) -> None:
    lead = _LEAD.match(line)
    body = line[lead.end() :] if lead else line
    lower = _LOWER_MARKER.match(body)
    if lower is not None:
        body = "TODO:" + body[lower.end() :]
    found = list(_MARKER.finditer(body))
    if not found or (
        (before := body[: found[0].start()].rstrip()) and before[-1] not in ".!?;)。！？"
    ):
        return
    for number, marker in enumerate(found):
        end = found[number + 1].start() if number + 1 < len(found) else len(body)
        text = body[marker.end() : end].strip(" \t*_;")
        done = marker.group(1) == "DONE"
        _add(marks, text, _DONE if done else _OPEN)
