"""Learn the weights by which a loss is judged, and write them into the package.

    python -m tests.learn_losses [--check]

It needs scikit-learn (the extra `train`).

The rows are those of `tests/bench/losses` that may be developed on: every template of
`frames_learn.txt` and `frames_tune.txt`, and the rows written by hand. Each unit of a row's text is
an example: that which says what became of the item has the row's label, any other has nothing of
it. `--check` writes nothing: it learns from four fifths of the items and judges the others, five
times, for wording that was not learnt from.
"""

import argparse
import hashlib
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import amplihack_compaction.judgement
from amplihack_compaction.judgement.features import Features
from amplihack_compaction.judgement.verdicts import (
    JUDGED_KINDS,
    LABELS,
    LOST_LABELS,
    Weights,
    decide,
    readings,
)
from amplihack_compaction.language.text import normal_form
from amplihack_compaction.meaning.languages import language_of
from amplihack_compaction.wording.haystack import Haystack
from amplihack_compaction.wording.matching import Label, sentences_of
from amplihack_compaction.wording.needle import prepare
from tests.bench.losses.frames import every_row
from tests.bench.losses.judges import Verdict
from tests.bench.losses.rows import Row, handwritten, read
from tests.bench.losses.score import Tally, table

MODULE = Path(amplihack_compaction.judgement.__file__).with_name("weights.py")
DATA = (
    "frames_learn.txt", "frames_tune.txt", "handwritten_tune.txt", "surroundings_learn.txt",
    "surroundings_tune.txt",
)  # fmt: skip
SHARE = {"learn": 1.0, "tune": 0.4, "hand": 2.0}
"""What a row counts for: the rules were fitted to the wording of the tune half."""
PARTLY_SHARE = 1.5
"""How much more a part counts: there are few rows of it, and half a rule does not hold."""
OTHER_SHARE = 0.3
OTHERS = 2
"""Of the units that do not speak of an item, how many are examples, and what each counts for."""
STRENGTH = 0.2
"""The inverse of the penalty on large weights."""
FOLDS = 5
DIGITS = 3
_TRUE = {
    "reworded": Label.REWORDED, "completed": Label.REWORDED, "partly": Label.PARTLY,
    "negated": Label.NEGATED, "superseded": Label.SUPERSEDED, "dropped": Label.DROPPED,
}  # fmt: skip
HEAD = '''"""What each feature tells for a label: see `verdicts`, whose LABELS give the columns.

Made by `python -m tests.learn_losses` from the rows with this digest.
"""

# fmt: off
DIGEST = "{digest}"
WEIGHTS: dict[str, tuple[float, ...]] = {{
'''


@dataclass(frozen=True, slots=True)
class Lesson:
    """A row to learn from: its units with their features, and whether they speak of the item."""

    row: Row
    source: str
    group: str
    units: tuple[tuple[Features, bool], ...]


def digest() -> str:
    """Return what tells whether the data is that which the weights were learnt from."""
    texts = "\n".join(read(name) for name in DATA)
    return hashlib.sha256(texts.encode()).hexdigest()[:16]


def lessons() -> Iterator[Lesson]:
    """Yield all that there is to learn from."""
    for half in ("learn", "tune"):
        for row, group in every_row(half):
            yield from _lesson(row, half, f"{half} {group}")
    for row in handwritten("tune"):
        yield from _lesson(row, "hand", row.item)


def _lesson(row: Row, source: str, group: str) -> Iterator[Lesson]:
    is_english = language_of(row.item) in ("", "en")
    if row.label not in _TRUE or row.kind not in JUDGED_KINDS or not is_english:
        return
    if len(sentences_of(row.item)) > 1:
        return
    haystack = Haystack(row.text)
    needle = prepare(row.item, haystack.variants)
    said = [normal_form(line) for line in row.said.splitlines()]
    units = tuple(
        (reading.features, _is_said(reading.finding.text, said))
        for reading in readings(needle, haystack, row.kind)
    )
    yield Lesson(row, source, group, units)


def _is_said(unit: str, said: Iterable[str]) -> bool:
    text = normal_form(unit)
    return bool(text) and any(line and (text in line or line in text) for line in said)


def learn(from_lessons: Iterable[Lesson]) -> dict[str, tuple[float, ...]]:
    """Return the weights of every feature, one for each label."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    features: list[Features] = []
    labels: list[int] = []
    shares: list[float] = []
    for given, label, share in _examples(from_lessons):
        features.append(given)
        labels.append(LABELS.index(label))
        shares.append(share)
    vectorizer: Any = DictVectorizer(sparse=False)
    model: Any = LogisticRegression(
        C=STRENGTH, solver="newton-cholesky", fit_intercept=False, max_iter=100
    )
    model.fit(vectorizer.fit_transform(features), labels, sample_weight=shares)
    columns = zip(vectorizer.get_feature_names_out(), model.coef_.T, strict=True)
    rows = {str(name): tuple(round(float(w), DIGITS) for w in column) for name, column in columns}
    return {name: row for name, row in sorted(rows.items()) if any(row)}


def _examples(from_lessons: Iterable[Lesson]) -> Iterator[tuple[Features, Label, float]]:
    for lesson in from_lessons:
        share = SHARE[lesson.source]
        others = [features for features, is_said in lesson.units if not is_said]
        label = _TRUE[lesson.row.label]
        more = PARTLY_SHARE if label is Label.PARTLY else 1.0
        yield from ((features, label, share * more) for features, said in lesson.units if said)
        yield from ((features, Label.DROPPED, share * OTHER_SHARE) for features in others[:OTHERS])


def module_text(weights: dict[str, tuple[float, ...]]) -> str:
    """Return the module that has the weights."""
    rows = "".join(f"    {name!r}: {row!r},\n".replace("'", '"') for name, row in weights.items())
    return f"{HEAD.format(digest=digest())}{rows}}}\n"


def check(known: list[Lesson]) -> Iterator[str]:
    """Yield how the rows of each source are judged by weights that did not learn from the item."""
    told: dict[str, Tally] = {source: Tally() for source in SHARE}
    for fold in range(FOLDS):
        learnt = learn(lesson for lesson in known if _fold(lesson) != fold)
        for lesson in known:
            if _fold(lesson) == fold:
                told[lesson.source].add(lesson.row, *_told(lesson, learnt))
    for source, counts in told.items():
        yield from (f"{source}, each item judged by what was learnt from others", *table(counts))


def _told(lesson: Lesson, learnt: Weights) -> Verdict:
    units = [features for features, _ in lesson.units]
    label = decide(units, lesson.row.kind, learnt)[1] if units else Label.DROPPED
    return str(label), label in LOST_LABELS[lesson.row.kind]


def _fold(lesson: Lesson) -> int:
    return zlib.crc32(lesson.group.encode()) % FOLDS


def main() -> None:
    """Learn, and write the module or print how well it judges."""
    options = argparse.ArgumentParser(prog="python -m tests.learn_losses")
    options.add_argument("--check", action="store_true")
    known = list(lessons())
    if options.parse_args().check:
        sys.stdout.writelines(f"{line}\n" for line in check(known))
    else:
        MODULE.write_text(module_text(learn(known)), encoding="utf-8")


if __name__ == "__main__":
    main()
