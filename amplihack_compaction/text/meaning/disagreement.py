"""How far two sentences contradict each other in the words that they share."""

from amplihack_compaction.text.meaning.markers import OPPOSITES
from amplihack_compaction.text.meaning.stance import Stance
from amplihack_compaction.text.meaning.words import BARE_VERBS, canonical, is_light

_PLAIN_VERBS = BARE_VERBS.union(map(canonical, ("run", "write", "add", "go", "take", "give")))
_REMOVE = canonical("remove")
_TURNING = frozenset(map(canonical, ("disable", "exclude", "omit", "skip")))
"""Words that turn the sign of what they govern, and so their own."""
_PREDICATE_WEIGHT = 2.5
_SAME_PREDICATE_WEIGHT = 4.0
"""What is ruled out in both texts tells more than the words around it."""


def disagreement(item: Stance, other: Stance, shared: dict[str, float]) -> float:
    """Return how far two stances contradict each other, in [-1, 1]; above 0 they do.

    `shared` holds the words that both texts have, and their weights.
    """
    if item == other:
        return -1.0
    against = agreeing = 0.0
    turn = -1 if _removes(other, item) or _removes(item, other) else 1
    for word, weight in shared.items():
        mine, half = _sign(item, other, word)
        theirs, other_half = _sign(other, item, word)
        theirs *= turn
        weight *= 0.5 if half or other_half else 1.0
        is_barred = word == other.predicate and mine > 0 > theirs and not other.guarded
        if (word == item.predicate or is_barred) and word not in BARE_VERBS:
            weight = max(weight, 1.0) * _predicate_weight(word, mine, theirs)
        if mine * theirs < 0:
            against += weight
        elif mine and theirs:
            agreeing += weight
    heavy = 2 * max(against + agreeing, 1.0)
    is_same_choice = any(item.signs.get(word, 0) > 0 for word in other.chosen & item.picked)
    turned = [
        item.bound * other.bound < 0,
        any(item.order[w] * other.order.get(w, 0) < 0 for w in item.order if w in shared),
        _is_swapped(item, other, 1),
        other.lifted and not item.lifted,
        _is_weakened(item, other),
        not is_same_choice and _is_traded(item, other, shared),
        item.exclusive and other.inclusive,
        item.required and other.waives and not item.waives,
        _is_picked_otherwise(item, other),
    ]
    if any(turned):
        against += heavy * sum(map(bool, turned))
    else:
        agreeing += heavy * (bool(item.required & other.required) + is_same_choice)
        agreeing += heavy * (item.bound * other.bound > 0)
        agreeing += heavy * _is_swapped(item, other, -1)
    total = against + agreeing
    return (against - agreeing) / total if total else 0.0


def _predicate_weight(word: str, mine: int, theirs: int) -> float:
    """Return how much more a word tells that is the first to be ruled out in one of the texts."""
    if mine < 0 and theirs < 0:
        return _SAME_PREDICATE_WEIGHT
    return 1.0 if word in _PLAIN_VERBS else _PREDICATE_WEIGHT


def _sign(one: Stance, other: Stance, word: str) -> tuple[int, bool]:
    """Return a word's sign, and whether it is ruled out under a condition in this text only."""
    if word in one.guarded and word not in other.guarded:
        return -1, True
    return one.signs.get(word, 0), False


def _is_traded(item: Stance, other: Stance, shared: dict[str, float]) -> bool:
    """Return whether one text sets aside what the other asks for."""
    return any(
        (word in other.aside and item.signs.get(word, 0) > 0)
        or (word in item.aside and other.signs.get(word, 0) > 0 and word not in other.guarded)
        for word in shared
        if not is_light(word)
    )


def _is_picked_otherwise(item: Stance, other: Stance) -> bool:
    """Return whether the choice fell on what the item sets aside or only mentions."""
    if any(item.signs.get(word, 0) < 0 for word in other.picked - item.picked):
        return True
    named = other.chosen & item.signs.keys()
    return bool(item.chosen and named) and not item.chosen & (named | other.signs.keys())


def _is_swapped(item: Stance, other: Stance, sense: int) -> bool:
    """Return whether a word's opposite has taken its place, in the same sense (1) or not (-1)."""
    for word, sign in item.signs.items():
        opposite = OPPOSITES.get(word, "")
        if opposite in item.signs or opposite not in other.signs or word in other.signs:
            continue
        turned = -1 if _TURNING & {word, opposite} else 1
        if sense * turned * sign * other.signs[opposite] > 0:
            return True
    return False


def _removes(one: Stance, other: Stance) -> bool:
    """Return whether one text takes away what it names, and the other does not speak of that."""
    return one.signs.get(_REMOVE, 0) > 0 and not one.required and _REMOVE not in other.signs


def _is_weakened(item: Stance, other: Stance) -> bool:
    """Return whether what the item demands is merely allowed or suggested."""
    if item.weak or item.permitted or other.exclusive:
        return False
    if not item.strong:
        return other.wish and not item.wish
    return other.permitted or (other.weak and (item.negative or not other.negative))
