"""Learn the weights by which a loss is judged, and write them into the package.

    python -m tests.learn_losses [--check]

It needs scikit-learn (the extra `train`).

The rows are those of `tests/bench/losses` that may be developed on: every template of
`frames_learn.txt` and `frames_tune.txt`, and the rows written by hand. Each unit of a row's text is
an example: that which says what became of the item has the row's label, any other has nothing of
it, nor have those of texts about other items. `--check` writes nothing: it learns from four fifths
of the items and judges the others, five times, for wording that was not learnt from.
"""

import argparse
import hashlib
import random
import sys
import zlib
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from amplihack_compaction.text.words import certain_language, normal_form
from amplihack_compaction.validation.losses import Fate
from amplihack_compaction.validation.matching import item_match
from amplihack_compaction.validation.matching.item_match import JUDGED_KINDS, match, sentences_of
from amplihack_compaction.validation.matching.sought_item import candidates, examine, prepare_item
from amplihack_compaction.validation.matching.text_index import TextIndex
from amplihack_compaction.validation.matching.verdicts import (
    LABELS,
    LOST_LABELS,
    WEIGHTS_PATH,
    Features,
    Label,
    Weights,
    decide,
    verdict_features,
)
from tests.bench.losses.frames import Templates, every_row, read_templates
from tests.bench.losses.judges import Verdict
from tests.bench.losses.rows import Row, handwritten, read
from tests.bench.losses.score import Tally, table
from tests.bench.losses.whole import LOST_ITEMS, WAYS, Alarms, alarms_of

DATA = (
    "frames_learn.txt", "frames_tune.txt", "handwritten_tune.txt", "surroundings_learn.txt",
    "surroundings_tune.txt",
)  # fmt: skip
SHARE = {"learn": 1.0, "tune": 0.7, "hand": 5.0}
"""What a row counts for: the rules were fitted to the wording of the tune half."""
PARTLY_SHARE = 1.5
"""How much more a part counts: there are few rows of it, and half a rule does not hold."""
OTHER_SHARE = 0.3
"""What a unit counts for that does not speak of an item."""
ELSEWHERE = 3
"""How many texts about other items are read for an item, of which they have nothing."""
STRENGTH = 0.1
"""The inverse of the penalty on large weights."""
LEAST_GROUPS = 6
"""In how many templates a feature has to stand to be learnt: phrases are many, and most chance."""
ITERATIONS = 500
FOLDS = 5
SUMMARIES = 80
"""Of the templates of each fold."""
DIGITS = 3
LEAST_WEIGHT = 0.03
"""Of the labels' weights the largest; a feature below tells nothing that would be missed."""
_TRUE = {
    "reworded": Label.REWORDED, "completed": Label.REWORDED, "partly": Label.PARTLY,
    "negated": Label.NEGATED, "superseded": Label.SUPERSEDED, "dropped": Label.DROPPED,
}  # fmt: skip
PHRASES = 500
"""How many features of phrases are kept: as good as all 2,600 (`tests/bench/losses/DATA.md`)."""
COMMENT = "# learnt by python -m tests.learn_losses from the rows with the digest "


@dataclass(frozen=True, slots=True)
class Lesson:
    """A row to learn from: its units with their features, and whether they speak of the item.

    `elsewhere` are the features of units about other items.
    """

    row: Row
    source: str
    group: str
    units: tuple[tuple[Features, bool], ...]
    elsewhere: tuple[Features, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A unit with what it makes of an item, what it counts for, and the item's template."""

    features: Features
    label: Label
    share: float
    group: str


def digest() -> str:
    """Return what tells whether the data is that which the weights were learnt from."""
    texts = "\n".join(read(name) for name in DATA)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def lessons() -> list[Lesson]:
    """Return all that there is to learn from."""
    known: list[Lesson] = []
    for half in ("learn", "tune"):
        for row, group in every_row(half):
            known += lesson_of(row, half, f"{half} {group}")
    for row in handwritten("tune"):
        known += lesson_of(row, "hand", row.item)
    return list(with_others(known))


def lesson_of(row: Row, source: str, group: str) -> Iterator[Lesson]:
    """Yield what a row teaches; nothing when its item is not judged by weights."""
    is_english = certain_language(row.item) in ("", "en")
    if row.label not in _TRUE or row.kind not in JUDGED_KINDS or not is_english:
        return
    if len(sentences_of(row.item)) > 1:
        return
    said = [normal_form(line) for line in row.said.splitlines()]
    units = tuple(
        (features, _is_said(unit, said)) for unit, features in _read(row.item, row.text, row.kind)
    )
    yield Lesson(row, source, group, units)


def _read(item: str, text: str, kind: str) -> Iterator[tuple[str, Features]]:
    """Yield the units of a text that may speak of an item, with what tells how they do."""
    text_index = _haystack(text)
    sought = prepare_item(item, text_index)
    for unit in candidates(sought, text_index):
        finding = examine(sought, unit)
        yield finding.text, verdict_features(sought, kind, finding, text_index)


_haystack = lru_cache(maxsize=10_000)(TextIndex)


def with_others(known: list[Lesson]) -> Iterator[Lesson]:
    """Yield the lessons; the first of each item has what texts about other items say, too."""
    begun: set[tuple[str, str]] = set()
    for lesson in known:
        group, item = lesson.group, lesson.row.item
        if (group, item) in begun:
            yield lesson
            continue
        begun.add((group, item))
        others = _others(lesson, known)
        read = (each for text in others for each in _read(item, text, lesson.row.kind))
        yield replace(lesson, elsewhere=tuple(features for _, features in read))


def _others(lesson: Lesson, known: list[Lesson]) -> Iterator[str]:
    """Yield some texts about other items than a lesson's, the same ones each time."""
    rng = random.Random(f"{lesson.group} {lesson.row.item}")
    for _ in range(ELSEWHERE):
        other = rng.choice(known)
        while other.group == lesson.group:
            other = rng.choice(known)
        yield other.row.text


def _is_said(unit: str, said: Iterable[str]) -> bool:
    text = normal_form(unit)
    return bool(text) and any(line and (text in line or line in text) for line in said)


def learn(from_lessons: Iterable[Lesson], phrases: int = PHRASES) -> dict[str, tuple[float, ...]]:
    """Return the weights of every feature, one for each label, with the strongest of the phrases.

    These are chosen by what is learnt with all of them; then all is learnt again.
    """
    examples = [example for lesson in from_lessons for example in _examples(lesson)]
    common = _common(examples)
    told = {name: max(map(abs, row)) for name, row in _fit(examples, common).items()}
    known = sorted(filter(_is_phrase, told), key=lambda name: (-told[name], name))
    return _fit(examples, {n for n in common if not _is_phrase(n)}.union(known[:phrases]))


def _is_phrase(feature: str) -> bool:
    return ": " in feature


def _fit(examples: list[Example], names: Set[str]) -> dict[str, tuple[float, ...]]:
    """Return the weights of these features alone; those that tell next to nothing are left out."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer: Any = DictVectorizer()
    model: Any = LogisticRegression(
        C=STRENGTH, solver="lbfgs", fit_intercept=False, max_iter=ITERATIONS
    )
    model.fit(
        vectorizer.fit_transform(_only(example.features, names) for example in examples),
        [LABELS.index(example.label) for example in examples],
        sample_weight=[example.share for example in examples],
    )
    columns = zip(vectorizer.get_feature_names_out(), model.coef_.T, strict=True)
    rows = {str(name): tuple(round(float(w), DIGITS) for w in column) for name, column in columns}
    return {name: row for name, row in sorted(rows.items()) if max(map(abs, row)) >= LEAST_WEIGHT}


def _examples(lesson: Lesson) -> Iterator[Example]:
    share = SHARE[lesson.source]
    label = _TRUE[lesson.row.label]
    more = PARTLY_SHARE if label is Label.PARTLY else 1.0
    for features, is_said in lesson.units:
        if is_said:
            yield Example(features, label, share * more, lesson.group)
        else:
            yield Example(features, Label.DROPPED, share * OTHER_SHARE, lesson.group)
    for features in lesson.elsewhere:
        yield Example(features, Label.DROPPED, share * OTHER_SHARE, lesson.group)


def _common(examples: Iterable[Example]) -> frozenset[str]:
    """Return the names of the features that stand in enough templates."""
    groups: dict[str, set[str]] = {}
    for example in examples:
        for name in example.features:
            groups.setdefault(name, set()).add(example.group)
    return frozenset(name for name, found in groups.items() if len(found) >= LEAST_GROUPS)


def _only(features: Features, names: Set[str]) -> Features:
    return {name: value for name, value in features.items() if name in names}


def file_text(weights: Weights) -> str:
    """Return the file that has the weights, in thousandths."""
    rows = "".join(
        f"{name}\t{chr(9).join(str(round(1000 * number)) for number in row)}\n"
        for name, row in weights.items()
    )
    return f"{COMMENT}{digest()}\n# feature, then thousandths for {', '.join(LABELS)}\n{rows}"


def check(known: list[Lesson]) -> Iterator[str]:
    """Yield how the rows of each source are judged by weights that did not learn from the item.

    So are whole summaries of the items of a fold, which keep all of them or lack some.
    """
    told: dict[str, Tally] = {source: Tally() for source in SHARE}
    raised: dict[str, Alarms] = {}
    for fold in range(FOLDS):
        learnt = learn(lesson for lesson in known if _fold(lesson.group) != fold)
        for lesson in known:
            if _fold(lesson.group) == fold:
                told[lesson.source].add(lesson.row, *_told(lesson, learnt))
        for name, found in _summaries(fold, learnt):
            raised.setdefault(name, Alarms()).add(found)
    for source, counts in told.items():
        yield from (f"{source}, each item judged by what was learnt from others", *table(counts))
    yield from (f"summaries {name}: {found}" for name, found in raised.items())


def _told(lesson: Lesson, learnt: Weights) -> Verdict:
    units = [features for features, _ in lesson.units]
    label = decide(units, lesson.row.kind, learnt)[1] if units else Label.DROPPED
    return str(label), label in LOST_LABELS[lesson.row.kind]


def _summaries(fold: int, learnt: Weights) -> Iterator[tuple[str, Alarms]]:
    """Yield, by what they keep, the alarms of summaries made of the templates of a fold."""
    templates = read_templates("learn", with_real=False)
    frames = [f for at, f in enumerate(templates.frames) if _fold(f"learn {at}") == fold]
    own = Templates(templates.slots, frames, templates.summaries)
    numbers = range(fold * SUMMARIES, (fold + 1) * SUMMARIES)

    def fate(kind: str, text: str, text_index: TextIndex) -> Fate:
        with patch.object(item_match, "weights", lambda: learnt):
            found = match(text, text_index, kind)
        return Fate(kind, found.label, text, certainty=found.certainty)

    for way, labels in WAYS.items():
        yield f"that keep all, {way}", alarms_of(own, numbers, labels, judged=fate)
    half = WAYS["half of them in other words"]
    for lost in LOST_ITEMS:
        yield f"that lack {lost}", alarms_of(own, numbers, half, lost, fate)


def _fold(group: str) -> int:
    return zlib.crc32(group.encode()) % FOLDS


def main() -> None:
    """Learn, and write the weights or print how well they judge."""
    options = argparse.ArgumentParser(prog="python -m tests.learn_losses")
    options.add_argument("--check", action="store_true")
    known = lessons()
    if options.parse_args().check:
        sys.stdout.writelines(f"{line}\n" for line in check(known))
    else:
        WEIGHTS_PATH.write_text(file_text(learn(known)), encoding="utf-8")


if __name__ == "__main__":
    main()
