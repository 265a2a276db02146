"""How a prompt that sets work stands to the work before: takes it up again, or follows it."""

from amplihack_compaction.extract.model import Objective
from amplihack_compaction.text.phrasings.conversation import NODS
from amplihack_compaction.text.phrasings.turning import FOLLOWS, GIVES_UP, RETURNS
from amplihack_compaction.text.strings import has_cjk
from amplihack_compaction.text.telling_words import distinct_words

_NAMED_CHARS = 80


def takes_up(said: str, earlier: str) -> bool:
    """Return whether a text goes back to work that an earlier one set: "back to the search"."""
    found = RETURNS.search(said)
    if found is None or RETURNS.search(earlier):
        return False
    # In Japanese and Korean what one goes back to stands before the verb.
    start = max(0, found.start() - _NAMED_CHARS) if has_cjk(found.group()) else found.end()
    named = distinct_words(said[start : found.end() + _NAMED_CHARS]) - NODS
    return bool(named & distinct_words(earlier))


def follows(said: Objective) -> bool:
    """Return whether a prompt turns to what comes next, and so takes nothing back."""
    return FOLLOWS.match(said.text) is not None and GIVES_UP.search(said.text) is None
