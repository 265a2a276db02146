"""Find which of the user's statements a later one replaced.

"Report all times in UTC" is over with "from now on Pacific time".
Both must give a value of one kind (an amount, a duration, a date, a time zone, a person, a branch,
a code, a way to answer), different ones, of the same subject, and the later must say that something
changed.
The project's budget and the trip's are two subjects, whatever their amounts.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from amplihack_compaction.extract.statements import Item, SessionState
from amplihack_compaction.text.word_lists import lists_below, patterns, word_lists
from amplihack_compaction.text.words import STOPWORDS, canonical, words_of

_LONGEST_CHARS = 160
_NEWEST = 200
# A statement of another value in the same words needs no word of change, if they are so many.
_SAME_WORDS = 1
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_KINDS = {
    name: re.compile(source.replace("MONTHS", _MONTHS))
    for name, source in patterns("superseded").items()
}
_CHANGED = _KINDS.pop("changed")
# Of these there is one at a time, so that a new one needs no word of change.
_SINGLE = frozenset(("zone", "way"))
_NO_PERSON = re.compile(rf"\b(?:{_MONTHS}|Pacific|Mountain|Central|Eastern)\b")
_LABEL = re.compile(r"^[A-Z][A-Z ]{2,30}:\s")
_LISTS = word_lists("words")
_SUBJECT_OF = {
    canonical(word): name
    for name, words in lists_below(_LISTS, "subject").items()
    for word in (name, *words)
}
_IDLE = frozenset(map(canonical, _LISTS["idle"]))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A statement: its values by kind, what it is about, and whether it tells of a change."""

    text: str
    values: dict[str, frozenset[str]]
    subject: frozenset[str]
    changes: bool


def superseded_by(texts: Sequence[str]) -> dict[str, str]:
    """Return the later statement for each of the texts, oldest first, that one replaced."""
    over: dict[str, str] = {}
    claims = [claim for text in dict.fromkeys(texts) if (claim := _claim(text)) is not None]
    for number, later in enumerate(claims):
        before = [claim for claim in claims[:number] if claim.text not in over]
        for claim in _replaced(later, before):
            over[claim.text] = later.text
    return over


def _claim(text: str) -> _Claim | None:
    if len(text) > _LONGEST_CHARS:
        return None
    values = {kind: frozenset(found) for kind in _KINDS if (found := _values(kind, text))}
    if not values:
        return None
    bare = _LABEL.sub("", text)
    for kind in values:
        bare = _KINDS[kind].sub(" ", bare)
    words = {canonical(word) for word in words_of(bare) if word not in STOPWORDS}
    subject = frozenset(_SUBJECT_OF.get(word, word) for word in words) - _IDLE
    return _Claim(text, values, subject, _CHANGED.search(text) is not None)


def _values(kind: str, text: str) -> set[str]:
    found = {match.group() for match in _KINDS[kind].finditer(text)}
    if kind == "person":
        # "Only Python", "Pacific Time" and the like are two words with a capital, and nobody.
        found = {name for name in found if not _NO_PERSON.search(name) and _is_name(name)}
    return {value.casefold().rstrip(".,") for value in found}


def _is_name(words: str) -> bool:
    return all(word.casefold() not in STOPWORDS for word in words.split())


def _replaced(later: _Claim, before: Iterable[_Claim]) -> list[_Claim]:
    """Return what a statement replaces: of those of its subject the one that shares most of it."""
    shared: list[tuple[int, _Claim]] = []
    for claim in before:
        kinds = later.values.keys() & claim.values.keys()
        differ = [kind for kind in kinds if not later.values[kind] & claim.values[kind]]
        again = len(later.subject) >= _SAME_WORDS and later.subject == claim.subject
        sure = later.changes or again or _SINGLE.intersection(differ)
        if differ and sure and (common := later.subject & claim.subject):
            shared.append((len(common), claim))
    most = max((count for count, _ in shared), default=0)
    return [claim for count, claim in shared if count == most][-1:]


def without_superseded(state: SessionState) -> tuple[SessionState, dict[str, str]]:
    """Return the state without what later statements replaced, and that with what replaced it."""
    said: list[Item] = [*state.prompts, *state.active_rules, *state.remarks, *state.decisions]
    said.sort(key=lambda item: (item.offset, item.position))
    over = superseded_by([item.text for item in said[-_NEWEST:]])
    if not over:
        return state, over

    def holds(text: str) -> bool:
        return not any(old in text or text in old for old in over)

    objective = state.objective if state.objective and holds(state.objective.text) else None
    changed = replace(
        state,
        rules=tuple(rule for rule in state.rules if holds(rule.text)),
        remarks=tuple(remark for remark in state.remarks if holds(remark.text)),
        values=tuple(value for value in state.values if holds(value.context)),
        decisions=tuple(made for made in state.decisions if holds(made.text)),
        prompts=tuple(prompt for prompt in state.prompts if holds(prompt.text)),
        continues=tuple(step for step in state.continues if holds(step.text)),
        objective=objective,
    )
    return changed, over
