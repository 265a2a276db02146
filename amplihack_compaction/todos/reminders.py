"""Read what a user asks to be reminded of, or puts off for later: open work that no list has."""

from amplihack_compaction.asides.putting_off import may_put_off, put_off
from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.state.model import TodoStatus
from amplihack_compaction.todos.listings import TODO_LIMIT_CHARS, Mark


def read_reminders(text: str) -> list[Mark]:
    """Return as open todos what the user's own words put off, in their order."""
    if not may_put_off(text):
        return []
    found = (put_off(sentence) for sentence in sentences(text))
    return [Mark(what[:TODO_LIMIT_CHARS], TodoStatus.PENDING) for what in found if what]
