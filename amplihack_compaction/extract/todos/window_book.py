"""Take in what a window states of its todos: single statements, whole lists, tasks, droppings."""

from dataclasses import replace

from amplihack_compaction.extract.model import Todo, TodoSource, TodoStatus
from amplihack_compaction.extract.todos.listings import TODO_LIMIT_CHARS, Mark, Target
from amplihack_compaction.extract.todos.todo_book import CLIENT_SOURCES, TodoBook, name_of
from amplihack_compaction.text.strings import normal_form, one_line
from amplihack_compaction.text.telling_words import distinct_words
from amplihack_compaction.transcript.steps import Step

# Far more than a context window can hold of lists (the ledger keeps 400 todos): of more, the
# newest count, so that a hook's time is bounded whatever the transcript.
TODOS_LIMIT = 1_000
_RENAMED_SHARE = 0.5
# Where so many entries went and came, the list is another one, not the same in other words.
_RENAMES_COMPARED = 2_500


class WindowBook(TodoBook):
    """The todos of one window while its steps are read, and the list that it goes by now.

    `listed` has the names on that list; `listed_here` says that this window wrote it.
    """

    def __init__(self) -> None:
        super().__init__()
        self.listed: list[str] = []
        self.listed_here = False

    def put(self, step: Step, mark: Mark, source: TodoSource, task_id: str = "") -> None:
        """Take in one statement: clients' lists always count, words only close what they list."""
        stated = Todo(
            text=mark.text,
            **step.place,
            status=mark.status,
            source=source,
            task_id=task_id,
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

    def put_task(self, step: Step, task_id: str, subject: str, status: TodoStatus) -> None:
        """Take in what is said of one of the client's tasks."""
        mark = Mark(one_line(subject, TODO_LIMIT_CHARS), status)
        self.put(step, mark, TodoSource.TASK, task_id)

    def create_task(self, step: Step, task_id: str, subject: str) -> None:
        """Take in a new task; a number that another one had is that one's no longer."""
        known = self.by_task.get(task_id)
        if known is not None and normal_form(self.todos[known].text) != normal_form(subject):
            self.release(known)  # the client began to count anew
        if subject:
            self.put_task(step, task_id, subject, TodoStatus.PENDING)

    def drop(self, step: Step, target: Target) -> None:
        """Cancel what the user drops; of an earlier window's todo, a notice is kept."""
        if self.cancel(target, set()) or not target.named:
            return
        words = " ".join(sorted(distinct_words(target.text))) or target.text
        self._notice(step, words, TodoStatus.CANCELLED, target.task_id)

    def call_done(self, step: Step, name: str) -> None:
        """Complete what is called done in words; of an earlier window's todo, a notice is kept."""
        if not self.finish(name, set()) and step.window > 0:
            self._notice(step, name, TodoStatus.COMPLETED)

    def _notice(self, step: Step, text: str, status: TodoStatus, task_id: str = "") -> None:
        notice = Todo(text=text, **step.place, status=status, task_id=task_id, parked=True)
        self.todos.append(notice)

    def learn_list(self, step: Step, marks: list[Mark]) -> None:
        """Learn from the first call what list an earlier window had left."""
        if self.listed or self.listed_here:
            return
        for mark in marks:
            self.put(step, mark, TodoSource.TODO_WRITE)
        self.listed = [normal_form(mark.text) for mark in marks]

    def replace_list(self, step: Step, marks: list[Mark] | None) -> None:
        """Take in a whole list: what it leaves out of the one before is dropped or set aside."""
        if marks is None:
            return
        names = [name_of(mark.text) for mark in marks]
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
            if todo.is_open and not todo.task_id and name_of(todo.text) == name:
                return place
        return None

    def _rename(self, marks: list[Mark], names: set[str]) -> None:
        """Let entries that came back with a few words more or less stay the same todos."""
        known = {*self.listed, *self.by_text}
        fresh = {name_of(mark.text): mark for mark in reversed(marks)}
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
