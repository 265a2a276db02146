"""Keep todos in the order of their first statement, each once, and join those of windows."""

from collections.abc import Callable, Sequence, Set
from dataclasses import replace
from functools import lru_cache

from amplihack_compaction.extract.model import OPEN_STATUSES, Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.todo_wording import Target, finishes, names_todo
from amplihack_compaction.text.strings import normal_form

LISTS = (TodoSource.TODO_WRITE, TodoSource.USER_TODOS)
CLIENT_SOURCES = (*LISTS, TodoSource.TASK)
# Tasks of one subject differ by their number; the newest of them are looked at.
_NAMESAKES = 20
_CACHED_NAMES = 4096


@lru_cache(maxsize=_CACHED_NAMES)
def name_of(text: str) -> str:
    """Return a todo's text folded for identity."""
    return normal_form(text)


class TodoBook:
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
        places = self.by_text.setdefault(name_of(todo.text), [])
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
        places = self.by_text.get(name_of(todo.text), []) if todo.text else []
        fitting = [place for place in places if self._may_be(place, todo)]
        return fitting[-1] if fitting else None

    def _may_be(self, place: int, todo: Todo) -> bool:
        known = self.todos[place]
        return name_of(known.text) == name_of(todo.text) and (
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
        )
        self.change(place, joined)

    def cancel(self, target: Target, skipped: Set[int]) -> bool:
        """Cancel the one open todo that is clearly meant; none when several could be."""

        def is_meant(todo: Todo) -> bool:
            if target.task_id:
                return todo.task_id == target.task_id
            return names_todo(target, todo.text)

        return self._close(is_meant, TodoStatus.CANCELLED, skipped)

    def has_open_words(self) -> bool:
        """Return whether an open todo is told in words alone."""
        return any(todo.is_open and todo.source not in CLIENT_SOURCES for todo in self.todos)

    def finish(self, name: str, skipped: Set[int]) -> bool:
        """Complete the one open todo, told in words alone, that was called done by this name."""

        def is_meant(todo: Todo) -> bool:
            return todo.source not in CLIENT_SOURCES and finishes(name, todo.text)

        return self._close(is_meant, TodoStatus.COMPLETED, skipped)

    def _close(
        self, is_meant: Callable[[Todo], bool], status: TodoStatus, skipped: Set[int]
    ) -> bool:
        """Close the one open todo that is meant; of several none. Tell whether any could be."""
        meant = [
            place
            for place, todo in enumerate(self.todos)
            if todo.is_open and place not in skipped and is_meant(todo)
        ]
        if len(meant) == 1:
            self.change(meant[0], replace(self.todos[meant[0]], status=status, parked=False))
        return len(meant) > 0

    def park(self, listed: set[int]) -> None:
        """Mark the open entries of lists that a new list does not have."""
        for place, todo in enumerate(self.todos):
            if place not in listed and todo.is_open and todo.source in LISTS:
                self.todos[place] = replace(todo, parked=True)


def merge_todos(old: Sequence[Todo], new: Sequence[Todo]) -> tuple[Todo, ...]:
    """Return the ledger's todos joined with those of one later window; joining twice is as once.

    What was completed or cancelled stays so unless the later window has it in progress or its
    task was reopened. A later list parks the open entries of an older one that it leaves out.
    """
    stated = {normal_form(todo.text) for todo in new}
    fresh = TodoBook()
    for todo in new:
        if not _is_notice(todo):
            fresh.join(todo, stated)
    book = TodoBook([todo for todo in old if not _is_notice(todo)])
    touched = {book.join(todo, stated) for todo in fresh.todos}
    for todo in new:
        if _is_notice(todo) and todo.status is TodoStatus.COMPLETED:
            book.finish(todo.text, touched)
        elif _is_notice(todo):
            book.cancel(Target(todo.text, True, todo.task_id), touched)
    if any(todo.source in LISTS for todo in fresh.todos):
        book.park(touched)
    return tuple(book.todos)


def _is_notice(todo: Todo) -> bool:
    """Return whether it only says that a todo of an earlier window was dropped or is done."""
    return todo.parked and not todo.is_open


def is_reused(known: Todo, todo: Todo, stated: Set[str]) -> bool:
    """Tell a task's number that the client gave again from a task that got another subject."""
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
