"""What a later statement replaced: a value of the same thing, or another way to do it.

A question, a report, somebody else's words and the value of another thing replace nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from amplihack_compaction.base.hook_log import attempted
from amplihack_compaction.extract.rules import kind_of_rule
from amplihack_compaction.extract.statements import Item, SessionState
from amplihack_compaction.extract.values import values_in, with_corrections
from amplihack_compaction.ledger.merge import where_said
from amplihack_compaction.ledger.overruled import with_overruled
from amplihack_compaction.text.sentences import sentences
from amplihack_compaction.text.word_lists import lists_below, patterns, word_lists
from amplihack_compaction.text.words import STOPWORDS, asks, canonical, opens_question, words_of

I = TypeVar("I", bound=Item)  # noqa: E741 - an item

_LONGEST_CHARS = 160
_NEWEST = 200
# A statement of another value in the same words needs no word of change, if they are so many.
_SAME_WORDS = 1
# What may part a sentence, and how many words name what the value behind it is of.
_AND = re.compile(r";\s+|,?\s(?:and|und|et|y|e|и)\s")
_NAMING_WORDS = 2
_GONE = "…"
_MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
_KINDS = {
    name: re.compile(source.replace("MONTHS", _MONTHS))
    for name, source in patterns("superseded").items()
}
_CHANGED = _KINDS.pop("changed")
_COUNT = _KINDS.pop("number")
_BARE_NUMBER = re.compile(r"(?P<lead>)(?<![\w.,:/#$€£-])(?P<number>\d{2,5})(?![\w/:-]|\.\w)")
# Of these there is one at a time, so that a new one needs no word of change.
_SINGLE = frozenset(("zone", "way"))
# What many things have at once, so that all that the one names has to be named by the other.
_OF_ONE_NAME = frozenset(("number", "host", "tongue", "time"))
_WORKED_ON = _OF_ONE_NAME | {"branch"}
# A log's or somebody's words, and no short value that is put in quotation marks.
_TOLD_BY_OTHERS = re.compile(r"[\"“][^\"“”\s]{1,80}(?:\s[^\"“”\s]{1,80}){2,40}[\"”]")
# "9443, not 8443"
_NOT_SO = re.compile(
    r"\b(?:not|instead of|rather than|nicht|(?:an)?statt|pas|au lieu de|en vez de|em vez de) [`\"]?"
    r"\d\S*",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\w{2,10}://\S{1,300}")
_NAMED_FIRST = re.compile(
    r"(?:the|our|my|der|die|das|le|la|el|os?|as?)\s"
    r"|\w+(?:\s\w+)?:(?!//)|\w+ (?:теперь )?на "
    r"|(?:\w+ ){1,3}(?:now )?(?:is|are|has|have|uses?|runs?|lives?|takes?)\b",
    re.IGNORECASE,
)
_NOUNS_FIRST = re.compile(r"\W*\w+ \w+(?:\s(?:is|are|was|ist|est|es)\b|:(?!//))")
_ASKS_TO_CHANGE = re.compile(
    r"\W*(?:(?:can|could|will|would) (?:you|we)|kannst du|könntest du|peux-tu|puedes|pod[ée]s)\b",
    re.IGNORECASE,
)
_SETS = re.compile(r".{3,60}\b(?:is|are) now [^,;.!?]{1,30}\.?")
_ON_CONDITION = re.compile(r"\W*(?:if|unless|falls|si) [^,]{1,80},", re.IGNORECASE)
_PORT = re.compile(
    r"(?<!^)\bports?\b|^port\b(?= is|:| \d)|\bpuerto\b|\bporta\b|\bпорт|端口|ポート|포트", re.I
)
# "Release 1 is on Friday": the number is its name.
_NUMBERED = re.compile(
    r"\W*(?:\w+ ){1,3}#?\d+(?:\.\d+)* (?:is|are|was|has|must|should|runs?|uses?|ist|est|es)\b"
)
# "The timeout of the API" is "the API timeout".
_OF = re.compile(
    r"\b(\w+) (?:of|for|für|von|vom|pour|para|de|du|del|da|do) "
    r"(?:(?:the|our|my|die|den|das|der|la|le|el|os?|as?) )?(\w+)",
    re.IGNORECASE,
)
_STILL = re.compile(r"\b(?:still|immer noch|noch immer|todavía|ainda)\b", re.IGNORECASE)
# A change by so much names no value, and what is not to be replaces none.
_BY = re.compile(
    r"\b(?:rais|lower|increas|reduc|postpon|mov)\w{0,5}\b.{1,60}\bby [$€£]?\d", re.IGNORECASE
)
_BARS = re.compile(
    r"\W*(?:\w+:?\s){0,2}(?:(?:not|never|nicht|nie|nunca|jamais)\b|\w+n['’]t\b)", re.IGNORECASE
)
# Who tells what is wrong has not said how it is to be.
_COMPLAINS = re.compile(
    r"\b(?:fails?|breaks?|broken|log says|that(?:['’]s| is| was) wrong)\b", re.IGNORECASE
)
# "Now fix 5 bugs" changes nothing of an order before it, and "use 5 workers instead" does.
_SURELY = re.compile(
    r"\b(?:from now on|instead|switch(?:ed)?|moved?|changed?|rather|sorry|correction|actually"
    r"|no longer|stattdessen|ab jetzt|ab sofort|raised?|lower(?:ed)?|increased?|reduced?"
    r"|postponed?|désormais)\b",
    re.IGNORECASE,
)
_OPENING = re.compile(
    r"\W*(?:(?:now|then|please|jetzt|maintenant|ahora|agora|always)\s+)*(\w*)", re.IGNORECASE
)
_TAG = re.compile(r",\s|\s[-–—]\s|\s¿")  # "the port is 9090 now, ok?"
_NO_PERSON = re.compile(rf"\b(?:{_MONTHS}|Pacific|Mountain|Central|Eastern)\b")
_LABEL = re.compile(r"^[A-Z][A-Z ]{2,30}:\s")
_LISTS = word_lists("words")
_PORT_WORD = canonical("port")
_SUBJECT_OF = {
    canonical(word): name
    for name, words in lists_below(_LISTS, "subject").items()
    for word in (name, *words)
}
_IDLE = frozenset(map(canonical, _LISTS["idle"]))
_VAGUE = frozenset(map(canonical, _LISTS["vague"]))


@dataclass(frozen=True, slots=True)
class _Claim:
    """A statement of what was `said`: its values by kind, what it is about, and whether it changes.

    One sentence can make several, of which the others stand when one is replaced.
    """

    text: str
    said: str
    values: dict[str, frozenset[str]]
    subject: frozenset[str]
    changes: bool
    words: tuple[str, ...]
    """The words of the subject in their order; empty ones for those that say nothing of it."""

    @property
    def is_order(self) -> bool:
        """Whether it begins with a verb, and not with what the value is of."""
        return not _NAMED_FIRST.match(self.text) and not _NOUNS_FIRST.match(self.text)

    def opening_verb(self) -> str:
        """Return the word of the subject that an order begins with; nothing for a statement."""
        found = _OPENING.match(self.text) if self.is_order else None
        return _subject_word(found[1].casefold()) if found else ""

    def named_with(self, word: str) -> set[str]:
        """Return the words before a word: none for a verb that opens the text, "start redis"."""
        pairs = [*pairwise(("", *self.words))]
        if self.is_order and pairs[1:]:
            pairs[1] = ("", pairs[1][1])
        return {before for before, each in pairs if each == word}


def superseded_by(texts: Sequence[str]) -> dict[str, str]:
    """Return for each statement of the texts, oldest first, what was said later and replaced it."""
    over: dict[str, str] = {}
    claims: dict[str, _Claim] = {}
    for said in reversed(dict.fromkeys(reversed(texts))):  # each where it was said last
        # A rule is said in a prompt, with what it does not replace.
        before = [c for c in claims.values() if c.text not in over and said not in c.said]
        made = [claim for part in _parts(said) if (claim := _claim(part, said)) is not None]
        for later in made:
            if _only_supposes(later.text):
                continue
            for claim in _replaced(later, before):
                over[claim.text] = said
            claims.setdefault(later.text, later)
    return over


def _only_supposes(text: str) -> bool:
    """Return whether a text asks how it is, or tells how it may be: on a condition.

    Who asks to change it says how it is to be.
    """
    still = _STILL.search(text)
    if _ON_CONDITION.match(text) or (still and not _CHANGED.search(text[: still.start()])):
        return True
    if _BY.search(text) or _COMPLAINS.search(text):
        return True
    if not asks(text) or _ASKS_TO_CHANGE.match(text):
        return False
    *stated, last = _TAG.split(text)
    return not stated or opens_question(text) or opens_question(last)


def _parts(said: str) -> list[str]:
    """Return the sentences of what was said; of one with several values, its parts."""
    if len(said) > _LONGEST_CHARS:
        return []
    told = sentences(said)
    if not all(sentence in said for sentence in told):
        return [said]
    return [part for sentence in told for part in _clauses(sentence)]


def _clauses(sentence: str) -> Iterator[str]:
    """Yield the parts of a sentence, cut only before one that names what its value is of."""
    start = 0
    for cut in _AND.finditer(sentence):
        before, behind = sentence[start : cut.start()], sentence[cut.end() :]
        values = values_in(behind)
        named = words_of(behind[: values[0][2]]) if values else []
        if values_in(before) and len(named) >= _NAMING_WORDS:
            yield before
            start = cut.end()
    yield sentence[start:]


def _claim(text: str, said: str) -> _Claim | None:
    own = _NOT_SO.sub(" ", _TOLD_BY_OTHERS.sub(" ", text))
    values = {kind: frozenset(found) for kind in _KINDS if (found := _values(kind, own))}
    bare = _without_values(_LABEL.sub("", text), values)
    kind, pattern = ("port", _BARE_NUMBER) if _PORT.search(text) else ("number", _COUNT)
    numbers = [found["number"] for found in pattern.finditer(_without_values(own, values))]
    if numbers and not _NUMBERED.match(bare):
        values[kind] = frozenset(numbers)
        bare = pattern.sub(r"\g<lead> ", bare)
    if not values:
        return None
    told = words_of(_OF.sub(r"\2 \1", _ADDRESS.sub(" ", bare)))
    words = tuple(map(_subject_word, told))
    subject = frozenset(words) - {""} or _VAGUE.intersection(map(canonical, told))
    if "zone" in values:
        subject |= {"time"}
    changes = _CHANGED.search(said) is not None
    return _Claim(text, said, values, subject, changes, words)


def _without_values(text: str, kinds: Iterable[str]) -> str:
    for kind in kinds:
        text = _KINDS[kind].sub(" ", text)
    return text


def _subject_word(word: str) -> str:
    """Return the word of a subject that a word stands for; nothing for one that names none."""
    name = "" if word in STOPWORDS else canonical(word)
    if name in _SUBJECT_OF:
        return _SUBJECT_OF[name]
    return "" if name in _IDLE | _VAGUE or _CHANGED.fullmatch(word) else name


def _values(kind: str, text: str) -> set[str]:
    found = {match.group() for match in _KINDS[kind].finditer(text)}
    if kind == "person":
        # "Only Python", "Pacific Time" and the like are two words with a capital, and nobody.
        named = (name for name in found if not _NO_PERSON.search(name))
        found = {name for name in named if STOPWORDS.isdisjoint(name.casefold().split())}
    return {value.casefold().rstrip(".,") for value in found}


def _replaced(later: _Claim, before: Iterable[_Claim]) -> list[_Claim]:
    """Return what a statement replaces: of those of its subject the one that shares most of it."""
    if _BARS.match(later.text):
        before = (claim for claim in before if _BARS.match(claim.text))
    shared = [(len(later.subject & one.subject), one) for one in before if _replaces(later, one)]
    most = max((count for count, _ in shared), default=0)
    return [claim for count, claim in shared if count == most][-1:]


def _replaces(later: _Claim, claim: _Claim) -> bool:
    """Return whether a statement gives another value of what an earlier one is about."""
    kinds = later.values.keys() & claim.values.keys()
    differ = [kind for kind in kinds if not later.values[kind] & claim.values[kind]]
    common = later.subject & claim.subject
    again = len(later.subject) >= _SAME_WORDS and later.subject == claim.subject
    if not (differ and common and (later.changes or again or _SINGLE.intersection(differ))):
        return False
    is_part = later.subject <= claim.subject or later.subject >= claim.subject
    changes = _CHANGED.search(later.text) is not None
    if _OF_ONE_NAME.issuperset(differ) and not (is_part and changes):
        return False
    verbs = {later.opening_verb(), claim.opening_verb()}
    if _WORKED_ON.issuperset(differ) and "" not in verbs and not _SURELY.search(later.text):
        return False
    if differ == ["version"] and not is_part and common <= verbs:
        return False
    return again or not _is_of_another(later, claim, common)


def _is_of_another(later: _Claim, claim: _Claim, common: Iterable[str]) -> bool:
    """Return whether two claims are of two things: "staging port", "production port".

    Or begin with two: "the frontend runs on port 3000", "the backend runs on port 4000".
    """
    names = {tuple(filter(str.isdigit, one.words)) for one in (later, claim)} - {()}
    if len(names) > 1:
        return True
    if _NAMED_FIRST.match(later.text) and _NAMED_FIRST.match(claim.text):
        # An empty word names nothing, as if both began with it.
        first, was_first = (next(filter(None, one.words), "") for one in (later, claim))
        if first not in claim.subject | {""} and was_first not in later.subject | {""}:
            return True
    extra = later.subject - claim.subject, claim.subject - later.subject
    if all(extra) and all(_PORT.fullmatch(word) or word == _PORT_WORD for word in common):
        return True  # "the API runs on port 8000", "start the docs on port 8001 now"
    for word in common:
        mine, theirs = later.named_with(word), claim.named_with(word)
        if "" not in mine | theirs and mine.isdisjoint(theirs | claim.subject):
            return True
    return False


def without_superseded(state: SessionState) -> tuple[SessionState, dict[str, str]]:
    """Return the state without what later statements replaced, and that with what replaced it."""
    state = replace(
        state,
        values=with_corrections(state.values),
        decisions=attempted(
            "overruled", lambda: with_overruled(state.decisions, state.prompts), state.decisions
        ),
    )
    said: list[Item] = [*state.prompts, *state.active_rules, *state.remarks, *state.decisions]
    said.sort(key=where_said)
    texts = [item.text for item in said[-_NEWEST:]]
    over: dict[str, str] = attempted("replaced since", lambda: superseded_by(texts), {})
    # Who tells how long it takes, or how much, has not said how it is to be.
    ruled = [rule.text for rule in state.active_rules]
    over = {
        old: new
        for old, new in over.items()
        if not (_KINDS["measure"].search(new) and _KINDS["measure"].search(old))
        or kind_of_rule(new)
        or _SETS.fullmatch(new)
        or not any(old in text for text in ruled)
    }
    if not over:
        return state, over

    aims = (state.objective,) if state.objective else ()
    changed = replace(
        state,
        rules=_standing(state.rules, over),
        remarks=_standing(state.remarks, over),
        values=tuple(
            # An ellipsis in front tells of a line too long to have been typed.
            replace(value, context=context.removeprefix(_GONE).lstrip(" ,"))
            for value in state.values
            if value.text in (context := _without(value.context, over))
        ),
        decisions=_standing(state.decisions, over),
        prompts=_standing(state.prompts, over),
        continues=_standing(state.continues, over),
        objective=next(iter(_standing(aims, over)), None),
    )
    return changed, over


def _standing(items: tuple[I, ...], over: Iterable[str]) -> tuple[I, ...]:
    """Return items without what was replaced; those of which nothing else is left are gone."""
    told = ((item, _without(item.text, over)) for item in items)
    return tuple(replace(item, text=left) for item, left in told if left)


def _without(text: str, over: Iterable[str]) -> str:
    """Return a text without statements that were replaced; empty where nothing is left."""
    for old in over:
        if text in old:
            return ""
        text = text.replace(old, _GONE)
    return text if words_of(text) else ""
