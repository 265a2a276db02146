"""Read what texts and tool inputs say of todos: lists, TODO lines, droppings, what is done."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from amplihack_compaction.extract.statements import TodoStatus
from amplihack_compaction.text.sentences import inline_list_apart, sentences
from amplihack_compaction.text.words import (
    GO_ON_WORDS,
    distinct_words,
    has_hint,
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
# What stands above a checklist of open work, and not above one of features or of things to try.
_SAYS_LEFT = re.compile(
    r"\b(?:left|remain\w*|outstanding|still (?:open|missing|to)|to[- ]?do|offen\w*|übrig|reste\w*"
    r"|queda\w*|falta\w*|pendiente\w*|pendente\w*)\b|осталось|剩|还没|未完成|残り|남은",
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


@dataclass(frozen=True, slots=True)
class DroppedTodo:
    """What a user wants dropped; `named` when the words call it a task, `task_id` a number."""

    text: str
    named: bool = False
    task_id: str = ""


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


def read_dropped(text: str) -> list[DroppedTodo]:
    """Return what a user's text wants dropped; words with "for now" or a "not" are no such."""
    targets = []
    for line in prose_lines(text):
        for found in _CANCEL.finditer(line):
            target = _TAIL.sub("", found.group("target")[:_TARGET_CHARS]).strip()
            if not _is_demand(line, found) or _LATER.search(found.group("target")):
                continue
            number = _NUMBER.match(target)
            if number is not None:
                targets.append(DroppedTodo(target, True, number.group(1)))
            elif distinct_words(target):
                targets.append(DroppedTodo(target, _NOUN.search(target) is not None))
    return targets


def _is_demand(line: str, found: re.Match[str]) -> bool:
    """Return whether it is a demand: no question, negation or sentence about something else."""
    before = line[max(0, found.start("verb") - _LOOK_BACK_CHARS) : found.start("verb")]
    asked = found.group("end") and (found.group("lead") or "").lower() != "you"
    return not (asked or _NEGATED.search(before) or _SENTENCE.search(found.group("target")))


def names_todo(target: DroppedTodo, text: str) -> bool:
    """Say whether the words clearly name this todo: all of them in it, and most of it in them."""
    wanted, there = distinct_words(target.text), distinct_words(text)
    if not wanted or not wanted <= there:
        return False
    return target.named or len(wanted) >= _CLEAR_SHARE * len(there)


# What is longer tells of more than one piece of work.
_SENTENCE_CHARS = 120
_WORDS = 14
_HINTS = (
    "done", "finish", "complet", "ready", "ed ", "wrote", "built", "sent", "in place", "live",
    "fertig", "erledigt", "termin", "fait", "prêt", "list", "hech", "pront", "feit", "готов",
    "сделан", "好了", "完成", "搞定", "完了", "終わり", "완료", "끝",
)  # fmt: skip
_IS_DONE = re.compile(
    r"(?P<what>[^.,;:!?\n]{2,80}?)(?:\s(?:is|are|was|were|ist|sind|est|sont|está|están|é|são|estão)"
    r"|'s)(?: (?:all|now|also|both|jetzt|auch|maintenant|aussi|ya|también|já|também))?"
    r" (?:done|finished|completed?|ready|in place|implemented|shipped|published|live|sent|out"
    r"|fertig|erledigt|fait(?:e?s?)|terminée?s?|prête?s?|list[oa]s?|hech[oa]s?|terminad[oa]s?"
    r"|pront[oa]s?|feit[oa]s?)(?: (?:too|now|as well|again))?\W*$"
    r"|(?P<russian>[^.,;:!?\n]{2,80}?) (?:готов[аоы]?|сделан[аоы]?)\W*$"
    r"|(?P<chinese>[^。，,！!？?\n]{1,40}?)(?:也|都|已经|已)*(?:做好|完成|搞定|写好|改好)了?\W*$"
    r"|(?P<korean>[^.,!?\n]{1,40}?)(?:을|를|이|가|은|는|도)? ?(?:모두 )?(?:완료|끝)\S{0,6}\W*$"
    r"|(?P<japanese>[^。、！!？?\n]{1,40}?)(?:が|は|を|も)(?:完了|終わり|でき)\S{0,6}\W*$",
    re.IGNORECASE,
)
_DID = re.compile(
    r"(?:(?:ok|okay|yes|great|and|also)[, ]+){0,2}(?:(?:i|we)(?:'ve| have)? (?:just |also |now )?)?"
    r"(?P<what>(?!(?:embed|shed|shred|wed|\w*eed)\b)"
    r"(?:done with|(?:\w{2,20}ed|wrote|built|sent|made|set up|ran)\b)[^.;:!?\n]{2,80})",
    re.IGNORECASE,
)
_NOT_DONE = re.compile(
    r"\b(?:not|never|no|almost|nearly|half|partly|once|until|if|when|unless|will|should|must|needs?"
    r"|next|before|after|except|tried|failed|started|stopped|skipped|nicht|noch|fast|pas|presque"
    r"|sin|casi|não|quase|не|почти)\b|n't\b|[?？]\s*$|没|未|还|まだ|아직",
    re.IGNORECASE,
)
# The past of what tells no todo from another.
_DID_SOMETHING = frozenset(
    "added updated wrote fixed created implemented made did ran used set finished completed done"
    " built checked removed ensured".split()
)
_JOINT = re.compile(r",\s|\s(?:and|und|et|y|e|и)\s|[、和与]")
# "revoke the token when we're done": when, is not what.
_WHEN = re.compile(
    r"\s(?:when|after|before|once|until|as soon as|by|wenn|nach|sobald|quand|cuando)\s"
)
# Endings differ between what is to do and what was done: "migrate", "migrated", "migration".
_STEM_CHARS = 5
_CACHED_TEXTS = 1024


def read_finished(text: str) -> list[str]:
    """Return the names of what a text calls done, in the text's words."""
    if not has_hint(text, _HINTS):
        return []
    found: list[str] = []
    for sentence in sentences("\n".join(prose_lines(text))):
        words = sentence.replace("’", "'")
        is_short = len(words) <= _SENTENCE_CHARS and len(words.split()) <= _WORDS
        if not is_short or not has_hint(words, _HINTS):
            continue
        told = _IS_DONE.match(words) or _DID.match(words)
        if told is not None and not _NOT_DONE.search(words):
            found.append(next(filter(None, told.groups())))
    return found


def finishes(name: str, todo: str) -> bool:
    """Return whether what was called done clearly is this todo, as a whole."""
    wanted = _wanted_of(todo)
    return any(_is_clear(said, wanted) for said in _parts_of(name))


def _is_clear(said: frozenset[str], wanted: frozenset[str]) -> bool:
    if not said or not wanted:
        return False
    if wanted <= said:
        return len(said - wanted) <= len(wanted) // 2
    return said <= wanted and len(said) >= _CLEAR_SHARE * len(wanted)


@lru_cache(maxsize=_CACHED_TEXTS)
def _wanted_of(todo: str) -> frozenset[str]:
    return _stems(_WHEN.split(todo, maxsplit=1)[0])


@lru_cache(maxsize=_CACHED_TEXTS)
def _parts_of(name: str) -> tuple[frozenset[str], ...]:
    """Return what a name calls done: all of it, or one of several things."""
    return tuple(_stems(part) for part in (name, *_JOINT.split(name)))


def _stems(text: str) -> frozenset[str]:
    words = distinct_words(text) - GO_ON_WORDS - _DID_SOMETHING
    return frozenset(word[:_STEM_CHARS] for word in words)
