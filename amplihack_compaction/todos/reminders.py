"""Read what a user asks to be reminded of, or puts off for later: open work that no list has."""

from amplihack_compaction.language.putting_off import put_off
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.state.model import TodoStatus
from amplihack_compaction.todos.listings import TODO_LIMIT_CHARS, Mark

_HINTS = (
    "remind", "forget", "later", "todo", "to-do", "to do", "note to self", "follow", "backlog",
    "task list", "rappelle", "recu", "lembr", "erinner", "später", "plus tard", "提醒", "待办",
    "以后再", "depois", "después", "luego", "tomorrow", "next week",
    "напомн", "思い出させて", "リマインド", "상기시켜", "리마인드",
)  # fmt: skip


def read_reminders(text: str) -> list[Mark]:
    """Return as open todos what the user's own words put off, in their order."""
    low = text.casefold()
    if not any(hint in low for hint in _HINTS):
        return []
    found = (put_off(sentence) for sentence in sentences(text))
    return [Mark(what[:TODO_LIMIT_CHARS], TodoStatus.PENDING) for what in found if what]
