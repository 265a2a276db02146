"""Read what a user asks to be reminded of, or puts off for later: open work that no list has."""

import re

from amplihack_compaction.language.sentences import sentences
from amplihack_compaction.patterns.patterns import lazily
from amplihack_compaction.state.model import TodoStatus
from amplihack_compaction.todos.listings import TODO_LIMIT_CHARS, Mark

_HINTS = (
    "remind", "forget", "later", "todo", "to-do", "to do", "note to self", "follow", "backlog",
    "task list", "rappelle", "recu", "lembr", "erinner", "später", "plus tard", "提醒", "待办",
    "以后再",
)  # fmt: skip
_SENTENCE_CHARS = 300
_LEAD = r"\W*(?:(?:and|also|oh|ok|okay|so|then|but|please|pls|btw|by the way)[, ]+){0,3}"
_REMIND = lazily(
    rf"{_LEAD}(?:(?:remind (?:me|us)|don'?t let (?:me|us) forget)(?: later| then| tomorrow)?"
    r"(?: to| about| of| that)?|rappelle[- ]moi(?: de| que)?|recu[ée]rdame(?: que| de)?"
    r"|(?:me lembr[ae]|lembr[ae][- ]me)(?: de| que)?|erinner[en]? mich(?: daran| an)?,?)\s"
    r"(?P<what>\S.+)|.{0,8}提醒我[，,]?(?P<east>.{3,})",
    re.IGNORECASE,
)
_LATER = lazily(
    rf"{_LEAD}(?:note to self|(?:todo|to-do|to do|reminder|something)? ?(?:for )?(?:later|tomorrow"
    r"|next week)|todo|to-do|to do|reminder|follow[- ]?ups?|backlog|für später|später|pour plus"
    r" tard|plus tard|para depois|para después|para luego|待办|以后再做)\s{0,3}(?:[:：]\s{0,3}"
    r"|[–—-]\s)(?P<what>\S.+)",
    re.IGNORECASE,
)
_LISTED = lazily(
    rf"{_LEAD}(?:put|add|write) (?P<what>.{{3,120}}?) (?:on|to|onto|in) (?:the|your|our|my)"
    r" (?:todos?|to-dos?|task|backlog|todo list|to-do list|task list)\b",
    re.IGNORECASE,
)
# "Remind me what the port was" asks, and does not put anything off.
_ASKS = lazily(
    r"(?:what|how|why|where|who|which|when|whether|if|again|comment|pourquoi|où|qué|cómo|por qué"
    r"|dónde|o que|como|onde|was|wie|warum|wo)\b|.{0,300}[?？]\s*$|什么|怎么|哪",
    re.IGNORECASE,
)


def read_reminders(text: str) -> list[Mark]:
    """Return as open todos what the user's own words put off, in their order."""
    low = text.casefold()
    if not any(hint in low for hint in _HINTS):
        return []
    found = (_put_off(sentence) for sentence in sentences(text))
    return [Mark(what[:TODO_LIMIT_CHARS], TodoStatus.PENDING) for what in found if what]


def _put_off(sentence: str) -> str:
    if len(sentence) > _SENTENCE_CHARS:
        return ""
    words = sentence.replace("’", "'")
    found = _REMIND.match(words) or _LATER.match(words) or _LISTED.match(words)
    what = next(filter(None, found.groups()), "").strip(" .!。！") if found is not None else ""
    return "" if _ASKS.match(what) else what
