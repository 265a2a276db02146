"""Read what texts and tool inputs say of todos: lists, checklists, TODO lines, cancellations."""

import re
from dataclasses import dataclass, replace
from typing import Any

from amplihack_compaction.extract.model import TodoStatus
from amplihack_compaction.text.sentences import unfolded
from amplihack_compaction.text.strings import normal_form, one_line
from amplihack_compaction.text.telling_words import distinct_words
from amplihack_compaction.transcript.steps import prose_lines

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

# Only a demand drops a todo: "the cancel button" and "we skip tests on CI" do not.
_CANCEL = re.compile(
    r"(?:^[ \t]*(?:[-*][ \t]+)?|[.!?;:,([–—-][ \t]*|\b(?P<lead>please|pls|let'?s|just|can|should"
    r"|could|to|and|also|then|so|ok|okay|actually|now|(?:i|we)'ll|but|or|instead|rather|yes|no|nah"
    r"|you|may|will)[ \t]+)"
    r"(?P<verb>drop|skip|cancel|abandon|scrap|ditch|forget(?:[ \t]+about)?|never[ \t]?mind"
    r"|don'?t[ \t]+bother[ \t]+with|leave[ \t]+out"
    r"|(?:there(?:'s|[ \t]+is)[ \t]+)?no[ \t]+(?:more[ \t]+|longer[ \t]+)?need[ \t]+(?:for|to)"
    r"|(?:we[ \t]+)?(?:don'?t|no[ \t]+longer|won'?t)[ \t]+need)"
    r"[ \t]+(?P<target>[^.,;:!?\n()]{2,80})(?P<end>\??)",
    re.IGNORECASE,
)
_LOOK_BACK_CHARS = 24
_NEGATED = re.compile(
    r"\b(?:don'?t|not|never|cannot|can'?t|shouldn'?t|without|did|why)\b[^.,;]*$", re.I
)
_SENTENCE = re.compile(
    r"\b(?:is|are|was|were|isn'?t|doesn'?t|does|has|should|must|needs?|gets?|fails?|keeps?)\b"
    r"|\b(?:table|database|column|index|schema|constraint)s?\b",
    re.IGNORECASE,
)
_LATER = re.compile(r"\b(?:for now|for today|right now|until|till|later|unless|if|when)\b", re.I)
_TARGET_CHARS = 600
_TAIL = re.compile(
    r"(?:[ \t]+(?:any ?more|altogether|entirely|completely|please|then|now|too|either)\b.*"
    r"|[ \t]+(?:and|but|because|since|as)\b.*)$",
    re.IGNORECASE,
)
_NOUN = re.compile(r"\b(?:task|todo|to-do|item|step|point|ticket)s?\b", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?:the[ \t]+)?(?:(?:task|todo|item)[ \t]*(?:#[ \t]*)?|#[ \t]*)(\d{1,4})$", re.I
)
_CLEAR_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Mark:
    """What one line or list entry says of a todo.

    `boxed` tells a checklist's entry from a line that says TODO. `only_known` marks a sign that
    may close a todo but makes none: a summary's ✅.
    """

    text: str
    status: TodoStatus
    boxed: bool = False
    only_known: bool = False


@dataclass(frozen=True, slots=True)
class Target:
    """What a user wants dropped; `named` when the words call it a task, `task_id` a number."""

    text: str
    named: bool = False
    task_id: str = ""


def read_status(value: Any) -> TodoStatus | None:
    """Return the status that a client's word stands for; None for an unknown one."""
    return _STATUS.get(value) if isinstance(value, str) else None


def read_list(value: Any) -> list[Mark] | None:
    """Return the entries of a TodoWrite list or `user.todos`; None when it is no list."""
    if not isinstance(value, list):
        return None
    marks = []
    for entry in value:
        if not isinstance(entry, dict):
            continue
        text, status = entry.get("content"), read_status(entry.get("status"))
        if isinstance(text, str) and text.strip() and status is not None:
            marks.append(Mark(one_line(text, TODO_LIMIT_CHARS), status))
    return marks


def read_marks(text: str) -> list[Mark]:
    """Return what a text's checklists and TODO lines say, outside code fences, in order."""
    if not may_hold_marks(text):
        return []
    marks: list[Mark] = []
    listing = False
    for line in (part for whole in prose_lines(text) for part in unfolded(whole)):
        box = _BOX.match(line)
        if box is not None:
            _add(marks, box.group(2), _BOXES[box.group(1)], boxed=True)
        elif _HEADING.fullmatch(line):
            listing = True
            continue
        elif listing and (entry := _LISTED.match(line)) is not None:
            _add(marks, entry.group(1), _OPEN)
            continue
        else:
            listing = listing and not line.strip()
            _add_signs(marks, line)
            _add_markers(marks, line)
    return _settle_signs(marks)


def may_hold_marks(text: str) -> bool:
    """Tell at a glance whether a text can have checklists or TODO lines."""
    return (
        "]" in text
        or "odo" in text
        or "TODO" in text
        or "DONE" in text
        or any(sign in text for sign in _SIGNS)
    )


def _add(
    marks: list[Mark],
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
        marks.append(Mark(text, status, boxed, only_known))


def _add_signs(marks: list[Mark], line: str) -> None:
    sign = _SIGN.match(line)
    if sign is not None:
        status = _SIGNS[sign.group(1)]
        _add(marks, sign.group(2), status, boxed=True, only_known=status is _DONE)


def _settle_signs(marks: list[Mark]) -> list[Mark]:
    """Let ✅ make todos of its own only in a list that has open ones."""
    if not any(mark.status in (_OPEN, _ACTIVE) for mark in marks):
        return marks
    return [replace(mark, only_known=False) for mark in marks]


def _add_markers(marks: list[Mark], line: str) -> None:
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


def read_targets(text: str) -> list[Target]:
    """Return what a user's text wants dropped; words with "for now" or a "not" are no such."""
    targets = []
    for line in prose_lines(text):
        for found in _CANCEL.finditer(line):
            target = _TAIL.sub("", found.group("target")[:_TARGET_CHARS]).strip()
            if not _is_demand(line, found) or _LATER.search(found.group("target")):
                continue
            number = _NUMBER.match(target)
            if number is not None:
                targets.append(Target(target, True, number.group(1)))
            elif distinct_words(target):
                targets.append(Target(target, _NOUN.search(target) is not None))
    return targets


def _is_demand(line: str, found: re.Match[str]) -> bool:
    """Tell a demand from a question, a negation and a sentence about something else."""
    before = line[max(0, found.start("verb") - _LOOK_BACK_CHARS) : found.start("verb")]
    asked = found.group("end") and (found.group("lead") or "").lower() != "you"
    return not (asked or _NEGATED.search(before) or _SENTENCE.search(found.group("target")))


def names_todo(target: Target, text: str) -> bool:
    """Say whether the words clearly name this todo: all of them in it, and most of it in them."""
    wanted, there = distinct_words(target.text), distinct_words(text)
    if not wanted or not wanted <= there:
        return False
    return target.named or len(wanted) >= _CLEAR_SHARE * len(there)
