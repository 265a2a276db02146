"""Collect a window's todos from all places they are written down in, and join those of windows."""

import re
from collections import deque
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from amplihack_compaction.extract.statements import OPEN_STATUSES, Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.window_content import WindowContent, typed_or_said
from amplihack_compaction.text.words import normal_form, one_line
from amplihack_compaction.transcript.session import (
    JsonObject,
    ToolUse,
    TranscriptStep,
    as_list,
    as_object,
    as_text,
    prose_lines,
    text_in,
)

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
_EMPHASIS = re.compile(r"\*\*|__")
_MARKER = re.compile(r"(?<![\w`#/])(TODO|DONE)(?:\([^()\n]{0,40}\))?(?:\*\*|__)?[ \t]*[:：](?!:)")
_LEAD = re.compile(rf"[ \t>]*(?:{_BULLET})?(?:📝[ \t]*)?(?:\*\*|__)?")
_EMPTY = frozenset(("", "none", "nothing", "n a", "na", "n/a", "tbd"))

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
    return _STATUS.get(as_text(value))


def read_list(value: Any) -> list[TodoMention] | None:
    """Return the entries of a TodoWrite list or `user.todos`; None when it is no list."""
    if not isinstance(value, list):
        return None
    marks = []
    for entry in map(as_object, value):
        text, status = text_in(entry, "content"), read_todo_status(entry.get("status"))
        if text.strip() and status is not None:
            marks.append(TodoMention(one_line(text, TODO_LIMIT_CHARS), status))
    return marks


def read_mentions(text: str) -> list[TodoMention]:
    """Return what a text's checklists and TODO lines say, outside code fences, in order."""
    found = _mentions_in(text) if may_hold_mentions(text) else ()
    marks = [mark for mark in found if normal_form(mark.text) not in _EMPTY]
    # A ✅ makes todos of its own only in a list that has open ones.
    if any(mark.status in OPEN_STATUSES for mark in marks):
        return [replace(mark, only_known=False) for mark in marks]
    return marks


def may_hold_mentions(text: str) -> bool:
    """Return at a glance whether a text can have checklists or TODO lines."""
    return "]" in text or "TODO" in text or "DONE" in text or any(sign in text for sign in _SIGNS)


def _mentions_in(text: str) -> Iterator[TodoMention]:
    is_left = False
    for line in prose_lines(text):
        if box := _BOX.match(line):
            yield TodoMention(_plain(box[2]), _BOXES[box[1]], boxed=not is_left)
        elif line.strip():
            is_left = _SAYS_LEFT.search(line) is not None
            if sign := _SIGN.match(line):
                status = _SIGNS[sign[1]]
                yield TodoMention(_plain(sign[2]), status, boxed=True, only_known=status is _DONE)
            yield from _marked_in(line)


def _marked_in(line: str) -> Iterator[TodoMention]:
    """Yield what stands behind each TODO or DONE of a line, the first at a sentence's beginning."""
    before, *parts = _MARKER.split(_LEAD.sub("", line, count=1))
    if not before.strip() or before.rstrip()[-1] in ".!?;)。！？":
        for word, said in zip(parts[::2], parts[1::2], strict=True):
            status = _DONE if word == "DONE" else _OPEN
            yield TodoMention(_plain(said.strip(" \t*_;")), status)


def _plain(text: str) -> str:
    return one_line(_EMPHASIS.sub("", text), TODO_LIMIT_CHARS)


LISTS = (TodoSource.TODO_WRITE, TodoSource.USER_TODOS)
CLIENT_SOURCES = (*LISTS, TodoSource.TASK)
# Tasks of one subject differ by their number; the newest of them are looked at.
_NAMESAKES = 20
todo_name = lru_cache(maxsize=4096)(normal_form)
"""Returns a todo's text folded for identity; a list has most of the one before."""


class KnownTodos:
    """Todos in the order of their first statement, found by task, statement or text."""

    def __init__(self, todos: Sequence[Todo] = ()) -> None:
        self.todos: list[Todo] = []
        self.by_task: dict[str, int] = {}
        self.by_statement: dict[tuple[str, str], int] = {}
        self.by_text: dict[str, list[int]] = {}
        for todo in todos:
            self.add(todo)

    def add(self, todo: Todo) -> int:
        """Add a todo that is not known yet and return its place."""
        self.todos.append(todo)
        place = len(self.todos) - 1
        self._index(place)
        return place

    def change(self, place: int, todo: Todo) -> None:
        """Put a todo in the place of an earlier statement of it."""
        self.todos[place] = todo
        self._index(place)

    def keep_newest(self, limit: int) -> None:
        """Forget the oldest closed todos above the limit, then the oldest of all."""
        surplus = len(self.todos) - limit
        closed = [place for place, todo in enumerate(self.todos) if not todo.is_open]
        gone = set(closed[: max(0, surplus)])
        kept = [todo for place, todo in enumerate(self.todos) if place not in gone][-limit:]
        self.todos, self.by_task, self.by_statement, self.by_text = [], {}, {}, {}
        for todo in kept:
            self.add(todo)

    def _index(self, place: int) -> None:
        todo = self.todos[place]
        if todo.task_id:
            self.by_task[todo.task_id] = place
        self.by_statement.setdefault((todo.uuid, todo.text), place)
        places = self.by_text.setdefault(todo_name(todo.text), [])
        if place not in places:
            places.append(place)
            del places[:-_NAMESAKES]

    def find(self, todo: Todo) -> int | None:
        """Return where the same piece of work stands: by task, by statement, by text."""
        place = self.by_task.get(todo.task_id) if todo.task_id else None
        if place is not None:
            return place
        place = self.by_statement.get((todo.uuid, todo.text)) if todo.uuid else None
        if place is not None and self._may_be(place, todo):
            return place
        places = self.by_text.get(todo_name(todo.text), []) if todo.text else []
        fitting = [place for place in places if self._may_be(place, todo)]
        return fitting[-1] if fitting else None

    def _may_be(self, place: int, todo: Todo) -> bool:
        known = self.todos[place]
        return todo_name(known.text) == todo_name(todo.text) and (
            not todo.task_id or known.task_id in ("", todo.task_id)
        )

    def release(self, place: int) -> None:
        """Take a task's number off it: the client has given it to another task."""
        todo = self.todos[place]
        self.by_task.pop(todo.task_id, None)
        self.todos[place] = replace(todo, task_id="")

    def join(self, todo: Todo, stated: Set[str]) -> int:
        """Add a later window's todo, or carry its status over to the one that is known.

        `stated` holds the normal forms of all that the window tells of.
        """
        place = self.find(todo)
        if place is not None and is_reused(self.todos[place], todo, stated):
            self.release(place)
            place = self.find(todo)
        if place is None:
            return self.add(todo)
        status = carried_status(self.todos[place], todo)
        self.restate(place, todo, status, parked=todo.parked and status in OPEN_STATUSES)
        return place

    def restate(self, place: int, todo: Todo, status: TodoStatus, *, parked: bool = False) -> None:
        """Join a later statement to the todo it is of: the better words, the stronger source."""
        known = self.todos[place]
        is_clients = todo.source in CLIENT_SOURCES and known.source not in CLIENT_SOURCES
        joined = replace(
            better_worded(known, todo),
            status=status,
            source=todo.source if is_clients else known.source,
            task_id=known.task_id or todo.task_id,
            parked=parked,
            detail=todo.detail or known.detail,
        )
        self.change(place, joined)

    def park(self, listed: set[int]) -> None:
        """Set aside the open entries of lists that a new list does not have."""
        for place, todo in enumerate(self.todos):
            if place not in listed and todo.is_open and todo.source in LISTS:
                self.todos[place] = replace(todo, parked=True)


def merge_todos(old: Sequence[Todo], new: Sequence[Todo]) -> tuple[Todo, ...]:
    """Return the ledger's todos joined with those of one later window; joining twice is as once.

    What was completed or cancelled stays so unless the later window has it in progress or its
    task was reopened. A later list parks the open entries of an older one that it leaves out.
    """
    stated = {todo_name(todo.text) for todo in new}
    fresh = KnownTodos()
    for todo in new:
        fresh.join(todo, stated)
    book = KnownTodos(old)
    touched = {book.join(todo, stated) for todo in fresh.todos}
    if any(todo.source in LISTS for todo in fresh.todos):
        book.park(touched)
    return tuple(book.todos)


def is_reused(known: Todo, todo: Todo, stated: Set[str]) -> bool:
    """Return whether the client gave a task's number again, not the task another subject."""
    if not (known.task_id and known.task_id == todo.task_id and known.text and todo.text):
        return False
    name = todo_name(known.text)
    renamed = name != todo_name(todo.text)
    return renamed and ((not known.is_open and todo.is_open) or name in stated)


def carried_status(known: Todo, todo: Todo) -> TodoStatus:
    """Return the status of a known todo after a later window's statement."""
    if known.status is TodoStatus.COMPLETED and todo.status is TodoStatus.CANCELLED:
        return known.status  # a finished entry that is cleared away was not undone
    reopens = todo.status is TodoStatus.IN_PROGRESS or todo.source is TodoSource.TASK
    return todo.status if known.is_open or reopens or not todo.is_open else known.status


def better_worded(known: Todo, todo: Todo) -> Todo:
    """Return whichever has the words: a task's newer subject, else what was said first."""
    if not known.text:
        return todo
    subject = todo.text and todo.task_id and known.task_id == todo.task_id
    return todo if subject and todo_name(todo.text) != todo_name(known.text) else known


# Far more than a context window can hold of lists (the ledger keeps 400 todos): of more, the
# newest count, so that a hook's time is bounded whatever the transcript.
TODOS_LIMIT = 1_000
_RENAMED_SHARE = 0.5
_DETAIL_CHARS = 200
# Where so many entries went and came, the list is another one, not the same in other words.
_RENAMES_COMPARED = 2_500
_CREATED = re.compile(r"Task #?(\d+) created")
_PLAN_FILE = re.compile(
    r"(?:/plans?/[^/]{1,200}|(?:plan|todos?|tasks|checklist|roadmap)[^/]{0,200})\.md$", re.I
)
# So much text of lists is read of a window, the newest, that a hook's time is bounded.
LISTED_LIMIT_CHARS = 1_000_000
_ENTRY_CHARS = 50


def extract_todos(
    content: WindowContent, task_files: Sequence[JsonObject] = ()
) -> tuple[Todo, ...]:
    """Return the window's todos in the order in which they were first written down.

    Sources: TodoWrite lists, tasks (`task_files` holds the client's task files, parsed; they are
    newer than every line), checklists and TODO lines of the user, the model and plan files, and
    the lists that old clients attach to user entries. A task whose subject the window does not
    tell has an empty text.
    """
    window = content.window
    found = _WindowTodos(content)
    for step in _newest_steps(content.steps):
        found.catch_up(step.offset)
        if step.tool is not None:
            found.read_tool(step, step.tool)
        else:
            found.read_checklist(step, typed_or_said(step))
    found.catch_up(window.end + 1)
    end = TranscriptStep("", window.end, "", window.index)
    for task in task_files:
        found.read_task(end, task)
    found.keep_newest(TODOS_LIMIT)
    return tuple(found.todos)


def _newest_steps(steps: list[TranscriptStep]) -> list[TranscriptStep]:
    """Return the steps without the oldest texts and lists of more than can be read in time."""
    kept: list[TranscriptStep] = []
    chars = 0
    for step in reversed(steps):
        size = _list_chars(step)
        chars += size
        if not size or chars <= LISTED_LIMIT_CHARS:
            kept.append(step)
    return kept[::-1]


def _list_chars(step: TranscriptStep) -> int:
    """Return how much text of lists a step may hold."""
    if step.tool is None:
        return len(step.text) if step.by_user or may_hold_mentions(step.text) else 0
    given = step.tool.input
    entries = len(as_list(given.get("todos"))) + len(as_list(given.get("edits")))
    texts = sum(len(text_in(given, name)) for name in ("content", "new_string", "plan"))
    return entries * _ENTRY_CHARS + texts


class _WindowTodos(KnownTodos):
    """The todos of one window while its steps are read, and the list that it goes by now.

    `listed` has the names on that list; `listed_here` says that this window wrote it. `attached`
    is what entries carry and was not read yet.
    """

    def __init__(self, content: WindowContent) -> None:
        super().__init__()
        self.plan_path = content.window.plan_path
        self.attached = deque(content.noted)
        self.listed: list[str] = []
        self.listed_here = False

    def catch_up(self, offset: int) -> None:
        """Read what entries before this offset have attached: old clients' lists and plans."""
        while self.attached and self.attached[0][0].offset <= offset:
            step, noted = self.attached.popleft()
            marks = read_list(noted.todos) or []
            for mark in marks:
                self.put(step, mark, TodoSource.USER_TODOS)
            if marks and not self.listed_here:
                self.listed = [todo_name(mark.text) for mark in marks]
            for mark in read_mentions(noted.plan):
                self.put(step, mark, TodoSource.CHECKLIST)

    def read_checklist(self, step: TranscriptStep, text: str) -> None:
        """Read a text's checklists and TODO lines."""
        for mark in read_mentions(text):
            # The model's checklists are of features and tests as well: it must say that it is work.
            told = mark.boxed and not step.by_user
            self.put(step, mark, TodoSource.CHECKLIST if told else TodoSource.MARKER)

    def read_tool(self, step: TranscriptStep, tool: ToolUse) -> None:
        """Read a tool use that is not known to have failed."""
        if tool.succeeded is False:
            return
        data = as_object(tool.result.data if tool.result else None)
        if tool.name == "TodoWrite":
            self.learn_list(step, read_list(data.get("oldTodos")) or [])
            self.replace_list(step, read_list(tool.input.get("todos")))
        elif tool.name == "TaskCreate":
            self._create(step, tool, data)
        elif tool.name == "TaskUpdate":
            self._update(step, tool.input, data)
        elif tool.name in ("TaskList", "TaskGet"):
            for task in as_list(data.get("tasks")) or [data.get("task")]:
                self.read_task(step, as_object(task))
        elif tool.name == "ExitPlanMode":
            self.read_checklist(step, text_in(tool.input, "plan"))
        elif tool.name in ("Write", "Edit", "MultiEdit"):
            self._read_plan_file(step, tool.input)

    def _create(self, step: TranscriptStep, tool: ToolUse, data: JsonObject) -> None:
        """Take in a new task; a number that another one had is that one's no longer."""
        told = _CREATED.search(tool.result.text if tool.result else "")
        task_id = _string(as_object(data.get("task")).get("id")) or (told[1] if told else "")
        subject = _string(tool.input.get("subject"))
        known = self.by_task.get(task_id)
        if known is not None and todo_name(self.todos[known].text) != todo_name(subject):
            self.release(known)  # the client began to count anew
        if subject:
            self.put_task(step, task_id, tool.input, TodoStatus.PENDING)

    def _update(self, step: TranscriptStep, given: JsonObject, data: JsonObject) -> None:
        moved = read_todo_status(as_object(data.get("statusChange")).get("to"))
        status = moved or read_todo_status(given.get("status"))
        task_id = _string(given.get("taskId"))
        described = _string(given.get("subject")) or _string(given.get("description"))
        if not task_id or data.get("success") is False or not (status or described):
            return
        known = self.by_task.get(task_id)
        if status is None:
            status = self.todos[known].status if known is not None else TodoStatus.PENDING
        self.put_task(step, task_id, given, status)

    def read_task(self, step: TranscriptStep, task: JsonObject) -> None:
        """Read one of the client's tasks; those that it keeps for itself are left out."""
        is_internal = as_object(task.get("metadata")).get("_internal")
        task_id, subject = _string(task.get("id")), _string(task.get("subject"))
        status = read_todo_status(task.get("status"))
        if task_id and subject and status is not None and not is_internal:
            self.put_task(step, task_id, task, status)

    def _read_plan_file(self, step: TranscriptStep, given: JsonObject) -> None:
        path = text_in(given, "file_path")
        if path != self.plan_path and not _PLAN_FILE.search(path):
            return
        for edit in map(as_object, as_list(given.get("edits")) or [given]):
            text = text_in(edit, "content") or text_in(edit, "new_string")
            self.read_checklist(step, text)

    def put(
        self,
        step: TranscriptStep,
        mark: TodoMention,
        source: TodoSource,
        task_id: str = "",
        detail: str = "",
    ) -> None:
        """Take in one statement: clients' lists always count, words only close what they list."""
        stated = Todo(
            text=mark.text,
            **step.place,
            status=mark.status,
            source=source,
            task_id=task_id,
            detail=detail,
        )
        place = self.find(stated)
        if place is None:
            if not mark.only_known:
                self.add(stated)
            if len(self.todos) > 2 * TODOS_LIMIT:
                self.keep_newest(TODOS_LIMIT)
            return
        known = self.todos[place]
        strong = source in CLIENT_SOURCES or known.source not in CLIENT_SOURCES or step.by_user
        if not strong and (stated.is_open or not known.is_open):
            return
        done = known.status is TodoStatus.COMPLETED and mark.status is TodoStatus.CANCELLED
        status = known.status if done else mark.status
        self.restate(place, stated, status)

    def put_task(
        self, step: TranscriptStep, task_id: str, given: JsonObject, status: TodoStatus
    ) -> None:
        """Take in what is said of one of the client's tasks: its subject and its description."""
        subject, told = _string(given.get("subject")), _string(given.get("description"))
        detail = one_line(told, _DETAIL_CHARS)
        if todo_name(detail) in todo_name(subject):
            detail = ""
        mark = TodoMention(one_line(subject, TODO_LIMIT_CHARS), status)
        self.put(step, mark, TodoSource.TASK, task_id, detail)

    def learn_list(self, step: TranscriptStep, marks: list[TodoMention]) -> None:
        """Learn from the first call what list an earlier window had left."""
        if self.listed or self.listed_here:
            return
        for mark in marks:
            self.put(step, mark, TodoSource.TODO_WRITE)
        self.listed = [todo_name(mark.text) for mark in marks]

    def replace_list(self, step: TranscriptStep, marks: list[TodoMention] | None) -> None:
        """Take in a whole list: what it leaves out of the one before is dropped or set aside."""
        if marks is None:
            return
        names = [todo_name(mark.text) for mark in marks]
        self._rename(marks, set(names))
        kept = set(self.listed) & set(names)
        for name in self.listed:
            place = None if name in kept else self._open_entry(name)
            if place is None:
                continue
            # Left out of a list that otherwise goes on is dropped; of a new one, set aside.
            dropped = self.listed_here and bool(kept)
            status = TodoStatus.CANCELLED if dropped else self.todos[place].status
            self.change(place, replace(self.todos[place], status=status, parked=not dropped))
        for mark in marks:
            self.put(step, mark, TodoSource.TODO_WRITE)
        self.listed, self.listed_here = names, True

    def _open_entry(self, name: str) -> int | None:
        for place in self.by_text.get(name, ()):
            todo = self.todos[place]
            if todo.is_open and not todo.task_id and todo_name(todo.text) == name:
                return place
        return None

    def _rename(self, marks: list[TodoMention], names: set[str]) -> None:
        """Let entries that came back with a few words more or less stay the same todos."""
        known = {*self.listed, *self.by_text}
        fresh = {name: mark for mark in marks if (name := todo_name(mark.text)) not in known}
        gone = [number for number, old in enumerate(self.listed) if old not in names]
        if len(fresh) * len(gone) > _RENAMES_COMPARED:
            return
        for name, mark in fresh.items():
            words = set(name.split())
            for number in gone:
                close = _is_rewording(set(self.listed[number].split()), words)
                place = self._open_entry(self.listed[number]) if close else None
                if place is not None:
                    self.change(place, replace(self.todos[place], text=mark.text))
                    self.listed[number] = name
                    gone.remove(number)
                    break


def _is_rewording(known: set[str], words: set[str]) -> bool:
    """Return whether one is the other with a few words more."""
    smaller, larger = sorted((known, words), key=len)
    return smaller < larger and len(smaller) >= max(2, _RENAMED_SHARE * len(larger))


def _string(value: Any) -> str:
    """Return a string; the client's numbers count as such."""
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
