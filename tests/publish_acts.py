"""Learn the weights of `acts` from the labelled sentences, and write them.

    python -m tests.publish_acts [--check]

It needs scikit-learn (the extra `train`). The same sentences give the same weights. `--check`
writes nothing: it says how well the weights in the package know the sentences kept apart, and
needs no scikit-learn.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from amplihack_compaction.text.classifier import (
    BIAS,
    MODEL_TABLE,
    USER_TABLE,
    ModelChances,
    Table,
    UserChances,
    features_of,
)
from tests.acts.sentences import Sentence, told_sentences, typed_sentences

RULES = {"prohibition", "obligation", "rule"}


class Act(NamedTuple):
    """The labels of what does something, and of what may do it and so teaches nothing."""

    does: set[str]
    unknown: set[str]


class Lesson(NamedTuple):
    """A table, the sentences that it is learnt from, and what these do."""

    table: Table
    sentences: Callable[[], list[Sentence]]
    acts: Mapping[str, Act]

    @property
    def learnt_from(self) -> list[Sentence]:
        """The sentences that are not kept apart."""
        return [sentence for sentence in self.sentences() if not sentence.is_apart]


LESSONS = {
    "typed": Lesson(
        USER_TABLE,
        typed_sentences,
        {
            "kept": Act(RULES | {"decision", "lift"}, {"fact", "objective"}),
            "rule": Act(RULES, set()),
            "decision": Act({"decision"}, {"decoy"}),
            "objective": Act({"objective"}, {"decoy"}),
            "lift": Act({"lift"}, set()),
            "work": Act({"request", "objective"}, {"decoy"}),
        },
    ),
    "told": Lesson(
        MODEL_TABLE,
        told_sentences,
        {
            "unsolved": Act({"open"}, set()),
            "given_up": Act({"failed"}, set()),
            "trouble": Act({"open", "failed"}, set()),
        },
    ),
}
assert tuple(LESSONS["typed"].acts) == UserChances._fields
assert tuple(LESSONS["told"].acts) == ModelChances._fields
LIKELY = 0.5
"""The chance from which `--check` counts a sentence as found."""
_FEWEST = 2
# How far weights are kept from what single sentences say (scikit-learn's C), and which are so
# small that they are left out, in hundredths.
_FREEDOM = 1.0
_LEAST = 20
# What is in features of several words, of a place or of a stem, behind their first sign.
_NO_WORD = frozenset(" :-")


def digest(sentences: Sequence[Sentence]) -> int:
    """Return a number that changes with the sentences learnt from."""
    return crc32("\n".join(f"{s.label}\t{s.text}" for s in sentences).encode())


def main() -> None:
    """Learn and write the tables, or print how well those that are there do."""
    options = argparse.ArgumentParser(prog="python -m tests.publish_acts")
    options.add_argument("--check", action="store_true")
    if options.parse_args().check:
        sys.stdout.writelines(line for lesson in LESSONS.values() for line in check(lesson))
        return
    for lesson in LESSONS.values():
        _publish(lesson)


def check(lesson: Lesson) -> Iterator[str]:
    """Yield for each act how many of the sentences kept apart are found, and rightly so."""
    apart = [sentence for sentence in lesson.sentences() if sentence.is_apart]
    chances = [lesson.table.chances_of(sentence.text) for sentence in apart]
    for column, (name, act) in enumerate(lesson.acts.items()):
        pairs = [
            (sentence.label in act.does, chance[column] >= LIKELY)
            for sentence, chance in zip(apart, chances, strict=True)
            if sentence.label not in act.unknown
        ]
        right = sum(does and found for does, found in pairs)
        told, true = sum(found for _, found in pairs), sum(does for does, _ in pairs)
        yield f"{name}: {right} of {true} found, {told - right} of {told} finds are none\n"


def _publish(lesson: Lesson) -> None:
    sentences = lesson.learnt_from
    features = [features_of(sentence.text) for sentence in sentences]
    counts = Counter(feature for each in features for feature in each)
    names = sorted(feature for feature, count in counts.items() if count >= _FEWEST)
    columns = [_learn(act, sentences, features, names) for act in lesson.acts.values()]
    rows = {
        name: [column[name] for column in columns]
        for name in (BIAS, *names)
        if any(abs(column[name]) >= _LEAST for column in columns)
    }
    by = f"made by python -m tests.publish_acts; {' '.join(lesson.acts)}"
    text = table_text(str(digest(sentences)), rows, by)
    Path(lesson.table.path).write_text(text, encoding="utf-8")
    sys.stdout.write(
        f"{Path(lesson.table.path).name}: {len(sentences):,} sentences, {len(rows):,} rows\n"
    )


def table_text(of: str, numbers: Mapping[str, Sequence[int]], by: str) -> str:
    """Return a table as `acts.rows` reads it: what it was learnt from, each feature's numbers."""
    names = sorted(numbers, key=str.encode)
    words = " ".join(name for name in names if _NO_WORD.isdisjoint(name[1:]))
    rows = "".join(f"{name}\t{' '.join(map(str, numbers[name]))}\n" for name in names)
    return f"# {of}, {len(rows.encode())} bytes of rows: {by}\n{words}\n{rows}"


def _learn(
    act: Act, sentences: list[Sentence], features: list[set[str]], names: list[str]
) -> dict[str, int]:
    """Return the weight of each feature for one act, in hundredths."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    places = {name: place for place, name in enumerate(names)}
    taught = [n for n, sentence in enumerate(sentences) if sentence.label not in act.unknown]
    cells = [(row, places[f]) for row, n in enumerate(taught) for f in features[n] if f in places]
    rows, cols = zip(*cells, strict=True)
    table = csr_matrix(([1.0] * len(cells), (rows, cols)), shape=(len(taught), len(names)))
    model = LogisticRegression(C=_FREEDOM, solver="liblinear", random_state=1)
    model.fit(table, [sentences[n].label in act.does for n in taught])
    weights = dict(zip(names, model.coef_[0], strict=True))
    weights[BIAS] = model.intercept_[0]
    return {name: round(100 * weight) for name, weight in weights.items()}


if __name__ == "__main__":
    main()
