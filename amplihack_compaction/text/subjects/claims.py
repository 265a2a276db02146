"""Compare rules by what they are about: covered, repeated, the same, or contradicted."""

import re

from amplihack_compaction.text.subjects.kin import Kin
from amplihack_compaction.text.subjects.subjects import TONGUES, Subject, stem

# Everyday verbs and nouns of the trade say little about which rule is meant.
_LIGHT = frozenset(
    "add new file files code change edit touch write run run do work set create remove delete "
    "modify update project repo thing part line"
    " lines function functions name names ask check tell wait hinzufügen ändern schreiben "
    "machen agregar cambiar escribir tocar mexer alterar adicionar toucher"
    " modifier ajouter écrire push commit"
    " what which like as said says say told first last too also just again same one two"
    " other als más".split()
)
_LIGHT_STEMS = frozenset(stem(word) for word in _LIGHT) | _LIGHT
_LIGHT_WEIGHT = 0.5
_AMOUNT = re.compile(r"\d+(?:[.,]\d+)*[a-z%]{0,3}")
_MEASURES = frozenset(
    stem(word)
    for word in "than most least exceed longer shorter larger smaller higher lower limit maximum"
    " minimum max min mehr als más que menos plus moins больше чем".split()
)
# Shares of the words' weight; chosen on the phrases in the tests.
_TARGET_SHARE = 0.6
_RULE_SHARE = 0.75
_SAME_SHARE = 0.75
_SUPERSEDED_SHARE = 0.34


def covers(target: Subject, rule: Subject, kin: Kin) -> bool:
    """Return whether what a retraction speaks of is what the rule is about."""
    if not target.words or not rule.words:
        return False
    named = target.anchors - {anchor for anchor in target.anchors if anchor.isalpha()}
    if (
        named
        and rule.anchors
        and not named & rule.anchors
        and _paths(named)
        and _paths(rule.anchors)
    ):
        return False
    shared = _shared(target.words, rule.words, kin)
    if not shared:
        return False
    weight = _weight(shared)
    if not shared - _LIGHT and target.words - _LIGHT and rule.words - _LIGHT:
        return False
    return weight >= _TARGET_SHARE * _weight(target.words) or weight >= _RULE_SHARE * _weight(
        rule.words
    )


def shared_weight(target: Subject, rule: Subject, kin: Kin) -> float:
    """Return which share of a target's words a rule has.

    Nothing for everyday words alone, nor for a language: many rules say which one to write in.
    """
    shared = _shared(target.words, rule.words, kin)
    telling = shared - _LIGHT_STEMS - TONGUES
    return _weight(shared) / _weight(target.words) if telling else 0.0


def repeats(target: Subject, rule: Subject, kin: Kin) -> bool:
    """Return whether a rule has all words of a target, and these are more than everyday ones."""
    shared = _shared(target.words, rule.words, kin)
    return shared == target.words and len(shared - _LIGHT_STEMS) > 1


def same_claim(old: Subject, new: Subject) -> bool:
    """Return whether two rules say the same, one perhaps more of it."""
    if not old.words or not new.words:
        return old.words == new.words and old.anchors == new.anchors
    if bool(old.barred) != bool(new.barred):
        return False
    less, more = (old, new) if len(old.words) <= len(new.words) else (new, old)
    if not (less.asked <= more.asked and less.barred <= more.barred):
        return False
    if _numbers(old) != _numbers(new):
        return False
    return _weight(less.words) >= _SAME_SHARE * _weight(more.words)


def contradicts(new: Subject, old: Subject, kin: Kin) -> bool:
    """Return whether a newer rule takes the place of an older one on the same subject."""
    if _differ_by_value(new, old):
        return True
    replaced = _shared(new.barred, old.asked, kin)
    if replaced and new.asked and replaced == new.barred and not new.asked <= old.asked:
        return _weight(replaced) >= _SUPERSEDED_SHARE * _weight(old.asked)
    if replaced and not new.asked and not old.barred:
        return _alike(new.barred, old.asked, kin)
    allowed = _shared(new.asked, old.barred, kin)
    if not allowed or (new.barred and not replaced):
        return False
    return _alike(new.asked, old.barred, kin)


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


def _shared(left: frozenset[str], right: frozenset[str], kin: Kin) -> frozenset[str]:
    """Return the words of `left` that `right` has too, inflected otherwise perhaps."""
    same = left & right
    near = {word for word in (left - same) & kin.keys() if not kin[word].isdisjoint(right)}
    return same | near


def _weight(words: frozenset[str]) -> float:
    return sum(_LIGHT_WEIGHT if word in _LIGHT_STEMS else 1.0 for word in words)


def _alike(left: frozenset[str], right: frozenset[str], kin: Kin) -> bool:
    shared = _weight(_shared(left, right, kin))
    return shared >= _TARGET_SHARE * max(_weight(left), _weight(right))


def _numbers(subject: Subject) -> set[str]:
    return {word for word in subject.words if word[:1].isdigit()}


def _paths(anchors: frozenset[str]) -> bool:
    return any("/" in anchor or "." in anchor for anchor in anchors)
