"""Compare a passage's wording with an item's: the words in common, cues, and what stands around.

Words pair when they are the same, denied, related, or alike in letters. Cues say how a sentence is
meant: as a demand, a ban, a leave, a report, a change; they are looser than `text.meaning.markers`,
which decide alone: here a cue only counts for or against. What stands between the words of a
matter says what is made of it, and says it alike of any matter (`X may be X`, `no X`): so the
words in common are struck out, and what is left is named word by word and in pairs; of which names
tell something was learnt.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import pairwise

from amplihack_compaction.text.polarity import plain_words
from amplihack_compaction.text.word_lists import patterns
from amplihack_compaction.text.words import (
    canonical,
    content_words,
    fold_case,
    is_empty,
    is_light,
    related_to,
)
from amplihack_compaction.validation.matching.sought_item import RELATED_WORTH, SoughtItem
from amplihack_compaction.validation.matching.text_index import Unit

_ALIKE_WORTH = 0.7
_LEAST_ALIKE = 0.5
# Letters of shorter words agree by chance.
_LEAST_CHARS = 4
_DENYING = ("un", "non", "in", "dis")


@dataclass(frozen=True, slots=True)
class WordPairs:
    """Which words of an item a passage has.

    `worths` holds what finding each word is worth, above 0 to 1; `partners` the passage's word that
    stands for it; `denied` those whose partner says the opposite by its first letters (`untested`).
    `extra` are the passage's words of content that stand for no word of the item.
    """

    worths: dict[str, float]
    partners: dict[str, str]
    denied: frozenset[str]
    extra: tuple[str, ...]


def pair_words(sought: SoughtItem, words: frozenset[str]) -> WordPairs:
    """Pair the item's words with the passage's canonical words, the surest pairs first."""
    partners = {word: same for word in sought.weights if (same := sought.found(word, words))}
    worths = dict.fromkeys(partners, 1.0)
    left = words.difference(partners.values())
    denied: set[str] = set()
    # What is left for a likeness must not be a word that stands for another one already.
    for word in sought.weights:
        if word in partners:
            continue
        if other := _denial(word, left):
            denied.add(word)
            worths[word], partners[word] = 1.0, other
        elif found := _stand_in(word, left) or _stand_in(word, words):
            partners[word], worths[word] = found
    known = set(partners.values()).union(*(related_to(word) for word in sought.weights))
    extra = tuple(sorted(word for word in words - known if not is_light(word)))
    return WordPairs(worths, partners, frozenset(denied), extra)


def replaced_words(sought: SoughtItem, unit: Unit) -> frozenset[str]:
    """Return the words of an item for which a passage that is else the same has others."""
    mine, theirs = content_words(plain_words(fold_case(sought.text))), content_words(unit.plain)
    while theirs and theirs[0] in _OF_WORK.difference(mine):
        del theirs[0]
    # What must be done comes first in an order, and behind what it is done to in a statement.
    if mine and theirs and mine[0] in theirs[1:] and theirs[0] in mine[1:]:
        theirs.remove(mine.pop(0))
    # "In the orders service" may stand at either end.
    turns = range(len(theirs) if len(theirs) == len(mine) else 1)
    words = pairwise(("", *sought.text[1:].split()))
    named = (w for before, w in words if w != w.casefold() or before.casefold() in _ARTICLES)
    names = frozenset(content_words(" ".join(named)))
    found = (_replaced(mine, [*theirs[at:], *theirs[:at]], names) for at in turns)
    return frozenset(next(filter(None, found), ()))


def _replaced(mine: list[str], theirs: list[str], names: frozenset[str]) -> list[str]:
    """Return what is replaced in one place, all else being the same in the same order."""
    codes = SequenceMatcher(None, mine, theirs, autojunk=False).get_opcodes()
    changes = [code for code in codes if code[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace" or changes == codes:
        return []
    _, start, end, place, stop = changes[0]
    gone, new = mine[start:end], theirs[place:stop]
    pairs = [(old, other) for old in gone for other in new]
    # In the middle it is mostly the verb; what is spoken of has an article, or stands at the end.
    is_verb = (end < len(mine) and names.isdisjoint(gone)) and (
        all(map(is_light, gone)) or any(other in related_to(old) for old, other in pairs)
    )
    is_short = max(len(gone), len(new)) <= _REPLACED_WORDS
    is_same = any(alike(old, other) >= _LEAST_ALIKE for old, other in pairs)
    return gone if is_short and not (is_verb or is_same) else []


_ARTICLES = frozenset(("the", "a", "an", "per"))
_OF_WORK = frozenset(map(canonical, "pending open todo next goal user session want".split()))
_REPLACED_WORDS = 2


def _denial(word: str, words: Iterable[str]) -> str:
    """Return the word that is another one with `un` or the like before it, or that without."""
    pairs = ((f"{prefix}{word}", word.removeprefix(prefix)) for prefix in _DENYING)
    forms = {form for pair in pairs for form in pair if form != word}
    return min((other for other in words if other in forms), default="")


def _stand_in(word: str, words: Iterable[str]) -> tuple[str, float] | None:
    """Return the word that may stand for a word, and what that is worth."""
    related = related_to(word)
    best = max(words, key=lambda other: (alike(word, other), other), default="")
    share = alike(word, best) if best else 0.0
    if share >= _LEAST_ALIKE:
        return best, max(_ALIKE_WORTH * share, RELATED_WORTH * (best in related))
    known = min((other for other in words if other in related), default="")
    return (known, RELATED_WORTH) if known else None


def alike(left: str, right: str) -> float:
    """Return the share of letter pairs that two words have in common; 0 for short words.

    This is Dice's coefficient, for words with the same first letter.
    """
    if min(len(left), len(right)) < _LEAST_CHARS or left[0] != right[0]:
        return 0.0
    mine, theirs = _pairs(left), _pairs(right)
    return 2 * (mine & theirs).total() / (mine.total() + theirs.total())


def _pairs(word: str) -> Counter[str]:
    return Counter(word[at : at + 2] for at in range(len(word) - 1))


_CUES = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)") for name, words in patterns("cues").items()}
_DIGIT = re.compile(r"(?<![\w.])\d[\d.,]*")
_COMPARED = (
    "ban", "only", "when", "before", "after", "approval", "every", "more", "less", "versus",
    "number", "leave", "weak", "demand",
)  # fmt: skip
"""The cues whose presence in one of item and passage tells something."""
_BY_KIND = (
    "pending", "done", "goal", "choice", "report", "demand", "ban", "revoked", "back", "user",
    "query", "refusal",
)  # fmt: skip
_ITEM_CUES = ("only", "approval", "when", "wide", "every")
_ANSWERS = (
    "ban", "leave", "needless", "wide", "unasked", "demand", "only", "approval", "straight",
)  # fmt: skip
_USER_CHANGES = {"back": "takes back", "revoked": "revokes", "leave": "gives leave"}
_ASKING = frozenset({"demand", "ban", "leave", "goal", "choice", "pending"})


def cues_in(text: str) -> frozenset[str]:
    """Return the names of the cues that a text has; `number` where there is one."""
    folded = plain_words(fold_case(text))
    found = {name for name, pattern in _CUES.items() if pattern.search(folded) is not None}
    if _DIGIT.search(folded) is not None:
        found.add("number")
    return frozenset(found)


def cue_features(item_text: str, text: str, kind: str) -> dict[str, float]:
    """Return by name which cues a passage has, and which beside or without the item's own."""
    item, passage = cues_in(item_text), cues_in(text)
    names = [f"says {name}" for name in passage]
    names += [f"{mode_of(item)} item, {name}" for name in passage]
    names += [f"{kind} says {name}" for name in _BY_KIND if name in passage]
    names += _changes(item, passage)
    for name in _ITEM_CUES:
        if name in item:
            names += [f"item {name}, {other}" for other in _ANSWERS if other in passage]
    for name in _COMPARED:
        if name in item:
            names.append(f"{name} in both" if name in passage else f"{name} lost")
        elif name in passage:
            names.append(f"{name} new")
    return dict.fromkeys(names, 1.0)


def _changes(item: frozenset[str], passage: frozenset[str]) -> Iterator[str]:
    """Yield what passage and item say together: an approval waived, a change by the user."""
    stands = _approval(passage)
    if _approval(item) > 0:
        yield {1: "approval kept", 0: "approval gone", -1: "approval waived"}[stands]
    if "user" in passage:
        for name, change in _USER_CHANGES.items():
            if name in passage and name not in item:
                yield f"user {change}"
    if passage.isdisjoint(_ASKING):
        yield "asks nothing"
        if "report" in passage:
            yield "only reports"


def mode_of(cues: frozenset[str]) -> str:
    """Return what an item with these cues mainly does: it bans, it demands, or it says."""
    if "ban" in cues:
        return "banning"
    return "demanding" if "demand" in cues or "only" in cues else "plain"


def _approval(cues: frozenset[str]) -> int:
    """Return 1 for a text that asks for an approval, -1 for one that does without."""
    if "unasked" in cues:
        return 1 if "refrain" in cues else -1
    if "approval" not in cues:
        return 0
    return -1 if "needless" in cues else 1


PHRASE_WORTH = 0.3
"""Beside other features' 1: phrases are learnt the more cautiously, for those of one author are not
those of another."""
_TOKEN = re.compile(r"[^\W_]+(?:['’][^\W_]+)*|[,;:.!?()/-]")
_SHARED = "X"
_NUMBER = "9"
_BEGIN, _END = "^", "$"
# A unit has 400 characters at most, and so hardly more words than that.
_TOKENS_LIMIT = 100


def phrase_features(
    sought: SoughtItem, kind: str, passage: str, like: WordPairs
) -> dict[str, float]:
    """Return by name what a passage, folded and made plain, says beside what it shares.

    `like` pairs the item's words with the passage's. The names are those of words and of pairs of
    words, alone and for what the item mainly does.
    """
    said = _around(passage, frozenset(like.partners.values()))
    mode = f"{mode_of(cues_in(sought.text))} {kind}"
    names: list[str] = []
    for phrase in {*said, *map(" ".join, pairwise((_BEGIN, *said, _END)))}:
        names += (f"there: {phrase}", f"{mode}: {phrase}")
    return dict.fromkeys(names, PHRASE_WORTH)


def _around(text: str, shared: Collection[str]) -> list[str]:
    """Return the words and marks of a text, with one sign for each run of shared words."""
    said: list[str] = []
    for token in _TOKEN.findall(text)[:_TOKENS_LIMIT]:
        word = _NUMBER if token[0].isdigit() else token
        if token[0].isalnum() and not is_empty(token) and canonical(token) in shared:
            word = _SHARED
        if word != _SHARED or said[-1:] != [_SHARED]:
            said.append(word)
    return said
