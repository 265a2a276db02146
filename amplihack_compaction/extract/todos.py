"""Collect a window's todos from all places they are written down in, and join those of windows."""

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from amplihack_compaction.extract.statements import OPEN_STATUSES, Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.window_content import WindowContent, split_typed
from amplihack_compaction.text.words import normal_form, one_line
from amplihack_compaction.transcript.session import (
    JsonObject,
    Node,
    ToolUse,
    TranscriptStep,
    Window,
    prose_lines,
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
    is_left = False
    for line in prose_lines(text):
        box = _BOX.match(line)
        if box is not None:
            _add(marks, box.group(2), _BOXES[box.group(1)], boxed=not is_left)
        elif line.strip():
            is_left = _SAYS_LEFT.search(line) is not None
            _add_signs(marks, line)
            _add_markers(marks, line)
    return _settle_signs(marks)


def may_hold_mentions(text: str) -> bool:
    """Return at a glance whether a text can have checklists or TODO lines."""
    return "]" in text or "TODO" in text or "DONE" in text or any(sign in text for sign in _SIGNS)


def _add(
    marks: list[TodoMention],
    text: str,
    status: TodoStatus,
    boxed: bool = False,
    only_known: bool = False,
) -> None:
    text = one_line(_EMPHASIS.sub("", text), TODO_LIMIT_CHARS)
    if normal_form(text) not in _EMPTY:
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


LISTS = (TodoSource.TODO_WRITE, TodoSource.USER_TODOS)
CLIENT_SOURCES = (*LISTS, TodoSource.TASK)
# Tasks of one subject differ by their number; the newest of them are looked at.
_NAMESAKES = 20
_CACHED_NAMES = 4096


@lru_cache(maxsize=_CACHED_NAMES)
def todo_name(text: str) -> str:
    """Return a todo's text folded for identity."""
    return normal_form(text)


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
        joined = replace(
            better_worded(known, todo),
            status=status,
            source=stronger_source(known.source, todo.source),
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
    stated = {normal_form(todo.text) for todo in new}
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
    name = normal_form(known.text)
    renamed = name != normal_form(todo.text)
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
    return todo if subject and normal_form(todo.text) != normal_form(known.text) else known


def stronger_source(known: TodoSource, new: TodoSource) -> TodoSource:
    """Return the source that decides on the todo: a list or task of the client's, once on one."""
    return new if new in CLIENT_SOURCES and known not in CLIENT_SOURCES else known


# Far more than a context window can hold of lists (the ledger keeps 400 todos): of more, the
# newest count, so that a hook's time is bounded whatever the transcript.
TODOS_LIMIT = 1_000
_RENAMED_SHARE = 0.5
_DETAIL_CHARS = 200
# Where so many entries went and came, the list is another one, not the same in other words.
_RENAMES_COMPARED = 2_500


class WindowTodos(KnownTodos):
    """The todos of one window while its steps are read, and the list that it goes by now.

    `listed` has the names on that list; `listed_here` says that this window wrote it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []
        self.listed_here = False

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
        if normal_form(detail) in normal_form(subject):
            detail = ""
        mark = TodoMention(one_line(subject, TODO_LIMIT_CHARS), status)
        self.put(step, mark, TodoSource.TASK, task_id, detail)

    def create_task(self, step: TranscriptStep, task_id: str, given: JsonObject) -> None:
        """Take in a new task; a number that another one had is that one's no longer."""
        subject = _string(given.get("subject"))
        known = self.by_task.get(task_id)
        if known is not None and normal_form(self.todos[known].text) != normal_form(subject):
            self.release(known)  # the client began to count anew
        if subject:
            self.put_task(step, task_id, given, TodoStatus.PENDING)

    def learn_list(self, step: TranscriptStep, marks: list[TodoMention]) -> None:
        """Learn from the first call what list an earlier window had left."""
        if self.listed or self.listed_here:
            return
        for mark in marks:
            self.put(step, mark, TodoSource.TODO_WRITE)
        self.listed = [normal_form(mark.text) for mark in marks]

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
        fresh = {todo_name(mark.text): mark for mark in reversed(marks)}
        fresh = {name: mark for name, mark in reversed(fresh.items()) if name not in known}
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
    reader = _Reader(window)
    for step in _newest_steps(content.steps):
        reader.catch_up(step.offset)
        if step.tool is not None:
            reader.read_tool(step, step.tool)
        else:
            reader.read_text(step)
    reader.catch_up(window.end + 1)
    end = TranscriptStep("", window.end, "", window.index)
    for task in task_files:
        reader.read_task(end, task)
    reader.book.keep_newest(TODOS_LIMIT)
    return tuple(reader.book.todos)


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
    todos, edits = step.tool.input.get("todos"), step.tool.input.get("edits")
    entries = sum(len(part) for part in (todos, edits) if isinstance(part, list))
    texts = (step.tool.input.get(name) for name in ("content", "new_string", "plan"))
    return entries * _ENTRY_CHARS + sum(len(text) for text in texts if isinstance(text, str))


class _Reader:
    """Reads the steps of one window into its book."""

    def __init__(self, window: Window) -> None:
        self.book = WindowTodos()
        self.window = window
        self.attached = [node for node in window.chain if any(_attached(node))]

    def catch_up(self, offset: int) -> None:
        """Read what entries before this offset have attached: old clients' lists and plans."""
        while self.attached and self.attached[0].offset <= offset:
            node = self.attached.pop(0)
            step = TranscriptStep(node.uuid, node.offset, node.timestamp, self.window.index)
            todos, plan = _attached(node)
            marks = read_list(todos) or []
            for mark in marks:
                self.book.put(step, mark, TodoSource.USER_TODOS)
            if marks and not self.book.listed_here:
                self.book.listed = [normal_form(mark.text) for mark in marks]
            for mark in read_mentions(plan):
                self.book.put(step, mark, TodoSource.CHECKLIST)

    def read_text(self, step: TranscriptStep) -> None:
        """Read a text's checklists and TODO lines."""
        text = split_typed(step.text).typed if step.by_user else step.text
        self.read_checklist(step, text)

    def read_checklist(self, step: TranscriptStep, text: str) -> None:
        """Read a text's checklists and TODO lines."""
        for mark in read_mentions(text):
            # The model's checklists are of features and tests as well: it must say that it is work.
            told = mark.boxed and not step.by_user
            self.book.put(step, mark, TodoSource.CHECKLIST if told else TodoSource.MARKER)

    def read_tool(self, step: TranscriptStep, tool: ToolUse) -> None:
        """Read a tool use that is not known to have failed."""
        if tool.succeeded is False:
            return
        data = tool.result.data if tool.result and isinstance(tool.result.data, dict) else {}
        if tool.name == "TodoWrite":
            self.book.learn_list(step, read_list(data.get("oldTodos")) or [])
            self.book.replace_list(step, read_list(tool.input.get("todos")))
        elif tool.name == "TaskCreate":
            self._create(step, tool, data)
        elif tool.name == "TaskUpdate":
            self._update(step, tool.input, data)
        elif tool.name in ("TaskList", "TaskGet"):
            self._learn_tasks(step, tool, data)
        elif tool.name == "ExitPlanMode":
            self.read_checklist(step, _string(tool.input.get("plan")))
        elif tool.name in ("Write", "Edit", "MultiEdit"):
            self._read_plan_file(step, tool.input)

    def _create(self, step: TranscriptStep, tool: ToolUse, data: JsonObject) -> None:
        made = data.get("task")
        task_id = _string(made.get("id")) if isinstance(made, dict) else ""
        if not task_id and tool.result is not None:
            told = _CREATED.search(tool.result.text)
            task_id = told.group(1) if told else ""
        self.book.create_task(step, task_id, tool.input)

    def _update(self, step: TranscriptStep, given: JsonObject, data: JsonObject) -> None:
        change = data.get("statusChange")
        moved = read_todo_status(change.get("to")) if isinstance(change, dict) else None
        status = moved or read_todo_status(given.get("status"))
        task_id, subject = _string(given.get("taskId")), _string(given.get("subject"))
        described = subject or _string(given.get("description"))
        if not task_id or data.get("success") is False or not (status or described):
            return
        known = self.book.by_task.get(task_id)
        if status is None:
            status = self.book.todos[known].status if known is not None else TodoStatus.PENDING
        self.book.put_task(step, task_id, given, status)

    def _learn_tasks(self, step: TranscriptStep, tool: ToolUse, data: JsonObject) -> None:
        tasks = data.get("tasks") if tool.name == "TaskList" else [data.get("task")]
        if isinstance(tasks, list):
            for task in tasks:
                self.read_task(step, task)

    def read_task(self, step: TranscriptStep, task: Any) -> None:
        """Read one of the client's tasks; those that it keeps for itself are left out."""
        if not isinstance(task, dict):
            return
        metadata = task.get("metadata")
        if isinstance(metadata, dict) and metadata.get("_internal"):
            return
        task_id, subject = _string(task.get("id")), _string(task.get("subject"))
        status = read_todo_status(task.get("status"))
        if task_id and subject and status is not None:
            self.book.put_task(step, task_id, task, status)

    def _read_plan_file(self, step: TranscriptStep, given: JsonObject) -> None:
        path = _string(given.get("file_path"))
        if path != self.window.plan_path and not _PLAN_FILE.search(path):
            return
        edits = given.get("edits")
        for edit in edits if isinstance(edits, list) else [given]:
            if isinstance(edit, dict):
                text = edit.get("content") or edit.get("new_string")
                self.read_checklist(step, _string(text))


def _attached(node: Node) -> tuple[Any, str]:
    """Return the todo list and the plan that an entry carries, where it does."""
    return (node.noted.todos, node.noted.plan) if node.noted else (None, "")


def _string(value: Any) -> str:
    """Return a string; the client's numbers count as such."""
    return str(value) if isinstance(value, (str, int)) and not isinstance(value, bool) else ""
