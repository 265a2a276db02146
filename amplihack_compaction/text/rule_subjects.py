"""What rules are about, and how two of them compare: covered, repeated, the same, contradicted."""

import re
from dataclasses import dataclass

from amplihack_compaction.text.polarity import read_polarity
from amplihack_compaction.text.word_lists import words_of_all
from amplihack_compaction.text.words import BARE_VERBS, anchors_of, canonical, has_cjk

TONGUES = frozenset(map(canonical, words_of_all("tongue")))
"""Languages, of which a rule names one as it names an amount."""
# What rules are made of, whatever they are about; getters count as "get".
_BARE = BARE_VERBS.union(map(canonical, words_of_all("bare"))) - {"get"}


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement is about; `asked` and `barred` are its words by polarity.

    Those that hang on a condition ("without asking me") are neither. `names` are identifiers,
    numbers, paths, addresses, and single letters: what two of a kind differ by.
    """

    words: frozenset[str]
    asked: frozenset[str]
    barred: frozenset[str]
    names: frozenset[str]


def subject_of(text: str) -> Subject:
    """Return the subject of a rule or of what a retraction speaks of."""
    signs = {
        word: sign
        for word, sign in read_polarity(text).signs.items()
        if word not in _BARE and (len(word) > 1 or word.isdigit() or has_cjk(word))
    }
    return Subject(
        frozenset(signs),
        frozenset(word for word, sign in signs.items() if sign > 0),
        frozenset(word for word, sign in signs.items() if sign < 0),
        frozenset(anchors_of(text)).union(map(str.casefold, _LETTER.findall(text))),
    )


# Everyday verbs and nouns of the trade say little about which rule is meant.
_EVERYDAY = frozenset(map(canonical, words_of_all("everyday")))
_EVERYDAY_WEIGHT = 0.5
# "table a", "plan B": with a word behind it, a letter is an article or a pronoun as a rule.
_LETTER = re.compile(r"(?<![\w'’-])[A-Za-z](?![\w'’-]|\s+\w)")
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*[a-z%]{0,3}")
_MEASURES = frozenset(map(canonical, words_of_all("measure")))
# Shares of the words' weight; chosen on the phrases in the tests.
_TARGET_SHARE = 0.6
_SUPERSEDED_SHARE = 0.34


def shared_weight(target: Subject, rule: Subject) -> float:
    """Return which share of a target's words a rule has.

    Nothing for everyday words alone, nor for a language: many rules say which one to write in;
    but where the target has no other words.
    """
    shared = target.words & rule.words
    tells = shared and (shared == target.words or shared - _EVERYDAY - TONGUES)
    return _weight(shared) / _weight(target.words) if tells else 0.0


def same_claim(old: Subject, new: Subject) -> bool:
    """Return whether two rules say the same of the same things, in whatever order or form.

    One that says more may hold for less ("never delete files", "never delete files in docs"): both
    are needed.
    """
    return bool(old.words) and old == new


def contradicts(new: Subject, old: Subject) -> bool:
    """Return whether a newer rule takes the place of an older one on the same subject."""
    if _differ_by_value(new, old):
        return True
    replaced = new.barred & old.asked
    if replaced and new.asked and replaced == new.barred and not new.asked <= old.asked:
        return _weight(replaced) >= _SUPERSEDED_SHARE * _weight(old.asked)
    if replaced and not new.asked and not old.barred:
        return _are_alike(new.barred, old.asked)
    allowed = new.asked & old.barred
    if not allowed or (new.barred and not replaced):
        return False
    return _are_alike(new.asked, old.barred)


def _differ_by_value(new: Subject, old: Subject) -> bool:
    """Return whether two rules differ in nothing but one amount, version or language.

    A number in what is ruled out tells which thing is meant ("never touch migration 7"), unless
    the words around it make it an amount ("never more than 3 retries").
    """
    if len(new.words) != len(old.words):
        return False
    extra, missing = new.words - old.words, old.words - new.words
    if len(extra) != 1 or len(missing) != 1 or not new.words & old.words:
        return False
    (put,), (gone,) = extra, missing
    if put in TONGUES and gone in TONGUES:
        return bool(new.barred) == bool(old.barred)
    if not (_AMOUNT.fullmatch(put) and _AMOUNT.fullmatch(gone)):
        return False
    if put in new.barred and gone in old.barred:
        return bool(new.words & _MEASURES)
    return put in new.asked and gone in old.asked


def _weight(words: frozenset[str]) -> float:
    return sum(_EVERYDAY_WEIGHT if word in _EVERYDAY else 1.0 for word in words)


def _are_alike(left: frozenset[str], right: frozenset[str]) -> bool:
    return _weight(left & right) >= _TARGET_SHARE * max(_weight(left), _weight(right))
