"""Say what a unit of a text makes of an item, by weighing all that tells for and against it.

Every unit that may speak of an English sentence is described by numbers, and weighted sums of
these, one per label, say how likely it is that the unit has the item, a part of it, its opposite,
its withdrawal, or nothing. The numbers lie
between 0 and about 1, so that none outweighs the others by its scale. The weights are the
coefficients of a multinomial logistic regression: `loss_weights.tsv`, with a card beside it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cache
from math import exp, log
from operator import mul
from pathlib import Path

from amplihack_compaction.text.polarity import OPPOSITES, Polarity, disagreement
from amplihack_compaction.validation.matching.sought_item import Finding, SoughtItem
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.wording import (
    WordPairs,
    cue_features,
    pair_words,
    phrase_features,
)

WEIGHTS_PATH = Path(__file__).with_name("loss_weights.tsv")


class Label(StrEnum):
    """What became of an item."""

    KEPT = "kept"
    REWORDED = "reworded"
    PARTLY = "partly"
    CHANGED = "changed"
    NEGATED = "negated"
    SUPERSEDED = "superseded"
    UNKNOWN = "translated_or_unknown"
    DROPPED = "dropped"


LOST_LABELS = {
    "rule": frozenset({Label.DROPPED, Label.CHANGED, Label.NEGATED, Label.PARTLY}),
    "objective": frozenset({Label.DROPPED, Label.CHANGED}),
    "todo": frozenset({Label.DROPPED, Label.CHANGED}),
    "verify": frozenset({Label.DROPPED, Label.CHANGED}),
    "decision": frozenset({Label.DROPPED, Label.CHANGED, Label.NEGATED}),
    "value": frozenset({Label.DROPPED, Label.CHANGED, Label.PARTLY}),
}
"""What counts as lost, by kind: half a todo or command still leads to the work, half a rule does
not hold."""
Features = dict[str, float]
"""Numbers by name; what is 0 may be left out."""
# A weighted sum cannot bend: each step lets it rise or fall from that share on.
_STEPS = (0.2, 0.35, 0.5, 0.65, 0.8, 0.95)
# Above these a passage or an item is simply long: more says nothing more.
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


def verdict_features(
    sought: SoughtItem, kind: str, finding: Finding, text_index: TextIndex
) -> Features:
    """Return what tells how a unit of the text, examined, answers to the item."""
    unit = finding.unit
    like = pair_words(sought, unit.words)
    found: Features = {"always": 1.0, f"kind {kind}": 1.0}
    found |= _coverage(sought, finding, like) | _rarity(sought, like, text_index)
    found |= _passage(sought, finding, like) | _anchors(sought, finding, like)
    found |= _parts(sought, finding, like) | {
        "reports": float(unit.reports),
        "taken back": finding.taken_back / 2,
        "taken back for sure": float(finding.taken_back == 2),
    }
    found |= _agreement(sought, finding, like) | _turns(sought.polarity, unit.polarity, like)
    found |= cue_features(sought.text, unit.text, kind)
    for name in _WITH_COVERAGE:
        if value := found.get(name):
            found[f"{name} by soft"] = value * found["soft"]
            found[f"{name} by hard"] = value * found["hard"]
    return found | phrase_features(sought, kind, unit.plain, like)


def _coverage(sought: SoughtItem, finding: Finding, like: WordPairs) -> Features:
    """Return how much of the item is there: its words alone, and what stands for them too."""
    weights = sought.weights
    total = sum(weights.values())
    soft = sum(weights[word] * worth for word, worth in like.worths.items()) / total
    telling = [word for word in weights if not sought.is_light(word)]
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


def _rarity(sought: SoughtItem, like: WordPairs, text_index: TextIndex) -> Features:
    """Return how much of the item is there when words that are rare in the text count for more."""
    rarity = {w: 1 / (1 + log(max(1, len(text_index.units_with(w))))) for w in sought.weights}
    heavy = {word: weight * rarity[word] for word, weight in sought.weights.items()}
    there = sum(heavy[word] * worth for word, worth in like.worths.items())
    same = (rarity[word] for word, worth in like.worths.items() if worth == 1)
    return {"rare": there / sum(heavy.values()), "rarest": max(same, default=0.0)}


def _passage(sought: SoughtItem, finding: Finding, like: WordPairs) -> Features:
    """Return how much of the passage is about the item."""
    extra, own = len(like.extra), sum(like.worths.values())
    opposites = {other for word in sought.weights for other in OPPOSITES.get(word, ())}
    return {
        "extra": min(_EXTRA_LIMIT, extra) / _EXTRA_LIMIT,
        "no extra": float(not extra),
        "own share": own / (own + extra) if own else 0.0,
        "opposites": float(not opposites.isdisjoint((*like.extra, *like.partners.values()))),
        "left out": float(bool(finding.left_out)),
    }


def _anchors(sought: SoughtItem, finding: Finding, like: WordPairs) -> Features:
    """Return what is missing and what is kept of the item's identifiers and numbers."""
    missing = finding.missing_anchors
    return {
        "anchors missing": len(missing) / max(1, len(sought.anchors)),
        "anchors kept": float(bool(sought.anchors) and not missing),
        "some anchors kept": float(bool(sought.anchors - missing)),
        "number missing": float(any(anchor[:1].isdigit() for anchor in missing)),
        "other number": float(any(word[0].isdigit() for word in like.extra)),
    }


def _parts(sought: SoughtItem, finding: Finding, like: WordPairs) -> Features:
    """Return whether a part of the item is gone as a whole: a clause, what is ruled out, `only`."""
    there = like.worths.keys()
    parts = [part - sought.light for part in sought.parts]
    barred = _mean(like.worths.get(word, 0.0) for word in sought.barred)
    negative = finding.unit.polarity.negative
    return {
        "scope missing": float(bool(finding.missing_scope)),
        "exclusion lost": float(finding.exclusive_lost),
        "part missing": float(any(part and not part & there for part in parts)),
        "soft scope missing": float(any(not scope & there for scope in sought.scopes)),
        "barred kept": barred,
        "barred missing": 1 - barred if sought.barred else 0.0,
        "bar gone": float(bool(sought.barred) and not barred and not negative),
        "parts kept": _mean(not part.isdisjoint(there) for part in parts if part),
    }


def _agreement(sought: SoughtItem, finding: Finding, like: WordPairs) -> Features:
    """Return how the passage stands to the words that it shares with the item."""
    item, polarity = sought.polarity, finding.unit.polarity
    signs = {
        word: polarity.signs.get(other, 0) * (-1 if word in like.denied else 1)
        for word, other in like.partners.items()
    }
    weights = {word: sought.weights[word] * worth for word, worth in like.worths.items()}
    softly = disagreement(item, replace(polarity, signs=polarity.signs | signs), weights)
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


def _turns(item: Polarity, other: Polarity, like: WordPairs) -> Features:
    """Return what the passage has of negation, leave, limits and order that the item has not."""
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


LABELS = (Label.REWORDED, Label.PARTLY, Label.NEGATED, Label.SUPERSEDED, Label.DROPPED)
"""What a unit may do to an item, in the order of the weights."""
LOSS_CHANCE = 0.5
"""From which chance on an item is judged lost."""
Weights = Mapping[str, tuple[float, ...]]
"""By feature, what it tells for each of the labels."""


def decide(units: Sequence[Features], kind: str, table: Weights) -> tuple[int, Label, float]:
    """Return which of the units, one at least, answers to an item, its label and the certainty.

    The label is the likeliest on its side, lost or not; the certainty is that side's chance.
    """
    weighed = [_chances(features, table) for features in units]
    place = min(range(len(weighed)), key=lambda number: weighed[number][Label.DROPPED])
    likely, lost = weighed[place], LOST_LABELS[kind]
    loss = sum(chance for label, chance in likely.items() if label in lost)
    is_lost = loss > LOSS_CHANCE
    side = [label for label in LABELS if (label in lost) == is_lost]
    return place, max(side, key=lambda label: likely[label]), loss if is_lost else 1 - loss


def _chances(features: Features, table: Weights) -> dict[Label, float]:
    """Return how likely each label is for a unit; the chances add up to 1."""
    told = [(value, table[name]) for name, value in features.items() if value and name in table]
    columns = zip(*(row for _, row in told), strict=True)
    values = [value for value, _ in told]
    sums = [sum(map(mul, values, column)) for column in columns] or [0.0] * len(LABELS)
    # Only differences count; without the largest taken off, exp overflows.
    highest = max(sums)
    parts = [exp(total - highest) for total in sums]
    return {label: part / sum(parts) for label, part in zip(LABELS, parts, strict=True)}


@cache
def weights() -> Weights:
    """Return what was learnt, read once, when a text is first judged."""
    return parse_weights(WEIGHTS_PATH.read_text(encoding="utf-8"))


def parse_weights(text: str) -> Weights:
    """Return the weights of a file: below two lines of comment, a feature and its thousandths."""
    rows = (line.split("\t") for line in text.splitlines()[2:])
    return {name: tuple(int(number) / 1000 for number in numbers) for name, *numbers in rows}
