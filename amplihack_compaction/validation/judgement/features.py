"""Describe by numbers how a passage of a text answers to an item: what a judgement is made from.

Every number lies between 0 and about 1, so that none outweighs the others by its scale.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import log

from amplihack_compaction.text.polarity import Polarity, disagreement
from amplihack_compaction.text.polarity_wordings import OPPOSITES
from amplihack_compaction.validation.judgement.likeness import Likeness, likeness
from amplihack_compaction.validation.judgement.phrases import phrase_features
from amplihack_compaction.validation.judgement.signs import sign_features
from amplihack_compaction.validation.matching.findings import Finding
from amplihack_compaction.validation.matching.haystack import Haystack
from amplihack_compaction.validation.matching.needle import Needle

Features = dict[str, float]
"""Numbers by name; what is 0 may be left out."""
_STEPS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
_EXTRA_LIMIT = 6
_MISSING_LIMIT = 4.0
_LENGTHS = (1, 2, 3)
_WITH_COVERAGE = (
    "against", "soft against", "with", "soft with", "opposites", "own share", "no extra",
    "signs turned", "anchors kept", "reports", "taken back", "asks nothing", "user takes back",
    "user revokes", "user gives leave", "says leave", "says needless", "says weak", "says ban",
    "says demand", "says unasked", "says versus", "says choice", "says refusal",
)  # fmt: skip
"""What tells the more, the more of the item's words are there."""


def features_of(needle: Needle, kind: str, finding: Finding, haystack: Haystack) -> Features:
    """Return what tells how a unit of the text, examined, answers to the item."""
    unit = finding.units[0]
    like = likeness(needle, unit.words)
    found: Features = {"always": 1.0, f"kind {kind}": 1.0}
    found |= _coverage(needle, finding, like) | _rarity(needle, like, haystack)
    found |= _passage(needle, finding, like) | _anchors(needle, finding, like)
    found |= _parts(needle, finding, like) | _report(finding)
    found |= _agreement(needle, finding, like) | _turns(needle.stance, unit.stance, like)
    found |= sign_features(needle.text, unit.text, unit.heading, kind)
    for name in _WITH_COVERAGE:
        if value := found.get(name):
            found[f"{name} by soft"] = value * found["soft"]
            found[f"{name} by hard"] = value * found["hard"]
    return found | phrase_features(needle, kind, unit.plain, like)


def _coverage(needle: Needle, finding: Finding, like: Likeness) -> Features:
    """Return how much of the item is there: its words alone, and what stands for them too."""
    weights = needle.weights
    total = sum(weights.values())
    soft = sum(weights[word] * worth for word, worth in like.worths.items()) / total
    telling = [word for word in weights if not needle.is_light(word)]
    found = {
        "hard": finding.coverage,
        "soft": soft,
        "missing weight": min(_MISSING_LIMIT, (1 - soft) * total) / _MISSING_LIMIT,
        "nothing missing": float(len(like.worths) == len(weights)),
        "telling": _mean(like.worths.get(word, 0.0) for word in telling) if telling else soft,
        "first word": like.worths.get(next(iter(weights)), 0.0),
    }
    found |= {f"soft {step}": float(soft >= step) for step in _STEPS}
    found |= {f"hard {step}": float(finding.coverage >= step) for step in _STEPS}
    return found | {f"{size} words": float(len(weights) == size) for size in _LENGTHS}


def _rarity(needle: Needle, like: Likeness, haystack: Haystack) -> Features:
    """Return how much of the item is there when words that are rare in the text count for more."""
    rarity = {w: 1 / (1 + log(max(1, len(haystack.units_with(w))))) for w in needle.weights}
    heavy = {word: weight * rarity[word] for word, weight in needle.weights.items()}
    there = sum(heavy[word] * worth for word, worth in like.worths.items())
    same = (rarity[word] for word, worth in like.worths.items() if worth == 1)
    return {"rare": there / sum(heavy.values()), "rarest": max(same, default=0.0)}


def _passage(needle: Needle, finding: Finding, like: Likeness) -> Features:
    """Return how much of the passage is about the item."""
    extra, own = len(like.extra), sum(like.worths.values())
    opposites = {OPPOSITES[word] for word in needle.weights if word in OPPOSITES}
    return {
        "extra": min(_EXTRA_LIMIT, extra) / _EXTRA_LIMIT,
        "no extra": float(not extra),
        "own share": own / (own + extra) if own else 0.0,
        "opposites": float(not opposites.isdisjoint((*like.extra, *like.partners.values()))),
        "left out": float(bool(finding.left_out)),
    }


def _anchors(needle: Needle, finding: Finding, like: Likeness) -> Features:
    """Tell of the item's identifiers and numbers."""
    missing = finding.missing_anchors
    return {
        "anchors missing": len(missing) / max(1, len(needle.anchors)),
        "anchors kept": float(bool(needle.anchors) and not missing),
        "some anchors kept": float(bool(needle.anchors - missing)),
        "number missing": float(any(anchor[:1].isdigit() for anchor in missing)),
        "other number": float(any(word[0].isdigit() for word in like.extra)),
    }


def _parts(needle: Needle, finding: Finding, like: Likeness) -> Features:
    """Return whether a part of the item is gone as a whole: a clause, what is ruled out, `only`."""
    there = like.worths.keys()
    parts = [part - needle.light for part in needle.parts]
    barred = _mean(like.worths.get(word, 0.0) for word in needle.barred)
    negative = finding.units[0].stance.negative
    return {
        "scope missing": float(bool(finding.missing_scope)),
        "exclusion lost": float(finding.exclusive_lost),
        "part missing": float(any(part and not part & there for part in parts)),
        "soft scope missing": float(any(not scope & there for scope in needle.scopes)),
        "barred kept": barred,
        "barred missing": 1 - barred if needle.barred else 0.0,
        "bar gone": float(bool(needle.barred) and not barred and not negative),
        "parts kept": _mean(not part.isdisjoint(there) for part in parts if part),
    }


def _report(finding: Finding) -> Features:
    return {
        "reports": float(finding.reports),
        "taken back": finding.taken_back / 2,
        "taken back for sure": float(finding.taken_back == 2),
    }


def _agreement(needle: Needle, finding: Finding, like: Likeness) -> Features:
    """Return how the passage stands to the words that it shares with the item."""
    item, stance = needle.stance, finding.units[0].stance
    signs = {
        word: stance.signs.get(other, 0) * (-1 if word in like.denied else 1)
        for word, other in like.partners.items()
    }
    weights = {word: needle.weights[word] * worth for word, worth in like.worths.items()}
    softly = disagreement(item, replace(stance, signs=stance.signs | signs), weights)
    same = sum(item.signs.get(word, 0) * sign > 0 for word, sign in signs.items())
    turned = sum(item.signs.get(word, 0) * sign < 0 for word, sign in signs.items())
    return {
        "against": max(0.0, finding.contradiction),
        "with": max(0.0, -finding.contradiction),
        "is against": float(finding.contradiction > 0),
        "soft against": max(0.0, softly),
        "soft with": max(0.0, -softly),
        "is softly against": float(softly > 0),
        "signs turned": turned / max(1, same + turned),
        "signs same": same / max(1, same + turned),
        "denied": float(bool(like.denied)),
    }


def _turns(item: Polarity, other: Polarity, like: Likeness) -> Features:
    """Tell what the passage has of negation, leave, limits and order that the item has not."""
    pairs = like.partners.items()
    order = [item.order[w] * other.order.get(like.partners.get(w, w), 0) for w in item.order]
    turns = {
        "lifted there": other.lifted and not item.lifted,
        "permitted there": other.permitted and not item.permitted,
        "weak there": other.weak and not item.weak,
        "wish there": other.wish and not item.wish,
        "waives there": other.waives and not item.waives,
        "bound turned": item.bound * other.bound < 0,
        "bound same": item.bound * other.bound > 0,
        "order turned": any(place < 0 for place in order),
        "order same": any(place > 0 for place in order),
        "both negative": item.negative and other.negative,
        "neither negative": not item.negative and not other.negative,
        "negative lost": item.negative and not other.negative,
        "negative new": other.negative and not item.negative,
        "exclusive lost": item.exclusive and not other.exclusive,
        "exclusive both": item.exclusive and other.exclusive,
        "required both": bool(item.required and other.required),
        "aside taken": any(w in item.aside and other.signs.get(o, 0) > 0 for w, o in pairs),
        "asked set aside": any(o in other.aside and item.signs.get(w, 0) > 0 for w, o in pairs),
        "something aside": bool(other.aside) and not item.aside,
    }
    return {name: float(turn) for name, turn in turns.items()}


def _mean(values: Iterable[float]) -> float:
    known = list(values)
    return sum(known) / len(known) if known else 0.0
