"""Read what a user asks to be reminded of, or puts off for later: open work that no list has."""

from amplihack_compaction.extract.model import TodoStatus
from amplihack_compaction.extract.todos.listings import TODO_LIMIT_CHARS, Mark
from amplihack_compaction.text.phrasings.conversation import put_off
from amplihack_compaction.text.sentences import sentences


def read_reminders(text: str) -> list[Mark]:
    """Return as open todos what the user's own words put off, in their order."""
    found = (put_off(sentence) for sentence in sentences(text))
    return [Mark(what[:TODO_LIMIT_CHARS], TodoStatus.PENDING) for what in found if what]
