"""Learn the weights of `acts` from the labelled sentences, and write them.

    python -m tests.publish_acts [--check] [--only typed|east|remarks]

It needs scikit-learn (the extra `train`). The same sentences give the same weights. `--check`
writes nothing: it says how well the weights in the package know the sentences kept apart, and
needs no scikit-learn.
"""

import argparse
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, chain, pairwise
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple
from zlib import crc32

from amplihack_compaction.text.classifier import (
    BIAS,
    EAST_TABLE,
    PARTS,
    SHAPE,
    USER_TABLE,
    Table,
    UserChances,
    features_of,
    key_of,
)
from amplihack_compaction.text.pasted import REMARKS_TABLE, RemarkChances
from amplihack_compaction.text.words import has_cjk
from tests.acts.sentences import (
    Sentence,
    east_sentences,
    remark_sentences,
    told_sentences,
    typed_sentences,
)

RULES = {"prohibition", "obligation", "rule"}
LABELS = RULES | set(
    "decision objective lift request question report fact quoted chat fragment decoy".split()
)


class Act(NamedTuple):
    """The labels of what does something, and of what may do it and so teaches nothing."""

    does: set[str]
    unknown: set[str]


class Lesson(NamedTuple):
    """A table, the sentences that it is learnt from, and what these do.

    The `strangers` do none of the acts that are named `told_apart`: prose that nobody typed. Rows
    whose largest weight is `least` are learnt once more, without the others. All sentences teach;
    the table has the features of those alone that it is `asked_of`. By `lean` an act counts as
    likelier than learnt.
    """

    table: Table
    sentences: Callable[[], list[Sentence]]
    acts: Mapping[str, Act]
    strangers: Callable[[], list[Sentence]] = list
    told_apart: frozenset[str] = frozenset()
    least: float = 0.3
    asked_of: Callable[[str], bool] = bool
    lean: Mapping[str, float] = MappingProxyType({})

    @property
    def learnt_from(self) -> list[Sentence]:
        """The sentences that are not kept apart."""
        return [sentence for sentence in self.sentences() if not sentence.is_apart]

    @property
    def kept_apart(self) -> list[Sentence]:
        """The others, of those that the table is asked of."""
        return [s for s in self.sentences() if s.is_apart and self.asked_of(s.text)]


_TYPED_ACTS = {
    "kept": Act(RULES | {"decision", "lift"}, {"fact", "objective"}),
    "rule": Act(RULES, set()),
    "forbids": Act({"prohibition"}, LABELS - {"prohibition", "obligation"}),
    "fragment": Act({"fragment", "quoted"}, set()),
    "decision": Act({"decision"}, {"decoy"}),
    "objective": Act({"objective"}, {"decoy"}),
    "lift": Act({"lift"}, set()),
    "work": Act({"request", "objective"}, {"decoy"}),
}
_TOLD_APART = frozenset(("rule", "lift"))
LESSONS = {
    "typed": Lesson(
        USER_TABLE,
        typed_sentences,
        _TYPED_ACTS,
        told_sentences,
        _TOLD_APART,
        asked_of=lambda text: not has_cjk(text),
    ),
    "east": Lesson(
        EAST_TABLE,
        east_sentences,
        _TYPED_ACTS,
        told_sentences,
        _TOLD_APART,
        asked_of=has_cjk,
        least=0.4,
        lean={"rule": 0.6, "objective": 1.0},
    ),
    "remarks": Lesson(
        REMARKS_TABLE,
        remark_sentences,
        {"text": Act({"text"}, set()), "output": Act({"output"}, set())},
        least=0.2,
    ),
}
assert tuple(LESSONS["remarks"].acts) == RemarkChances._fields
assert tuple(LESSONS["typed"].acts) == UserChances._fields
LIKELY = 0.5
"""The chance from which `--check` counts a sentence as found."""
# In how many sentences a feature stands at least.
_FEWEST = 3
# How far weights may go with single sentences (scikit-learn's C).
_FREEDOM = 2.0
_MOST = 127
# How often a sentence of a stranger's counts.
_STRANGERS_COUNT = 0.1


def digest(sentences: Sequence[Sentence]) -> int:
    """Return a number that changes with the sentences learnt from."""
    return crc32("\n".join(f"{s.label}\t{s.counts}\t{s.text}" for s in sentences).encode())


def main() -> None:
    """Learn and write the tables, or print how well those that are there do."""
    options = argparse.ArgumentParser(prog="python -m tests.publish_acts")
    options.add_argument("--check", action="store_true")
    options.add_argument("--only", choices=LESSONS)
    given = options.parse_args()
    lessons = [LESSONS[given.only]] if given.only else [*LESSONS.values()]
    if given.check:
        sys.stdout.writelines(line for lesson in lessons for line in check(lesson))
        return
    for lesson in lessons:
        _publish(lesson)


def check(lesson: Lesson) -> Iterator[str]:
    """Yield for each act how many of the sentences kept apart are found, and rightly so."""
    apart = lesson.kept_apart
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
    counts = Counter(key for sentence in sentences for key in _keys_of(sentence))
    keys = sorted(key for key, count in counts.items() if count >= _FEWEST)
    columns = [_learn(name, lesson, sentences, keys) for name in lesson.acts]
    keys = [key for key in keys if any(abs(column[key]) >= lesson.least for column in columns)]
    columns = [_learn(name, lesson, sentences, keys) for name in lesson.acts]
    asked = (sentence for sentence in sentences if lesson.asked_of(sentence.text))
    known = set().union(*map(_keys_of, asked))
    keys = [key for key in keys if key in known]
    rows = {key: [_in_parts(column[key]) for column in columns] for key in (key_of(BIAS), *keys)}
    by = f"made by python -m tests.publish_acts; {' '.join(lesson.acts)}"
    content = table_bytes(digest(sentences), rows, by)
    Path(lesson.table.path).write_bytes(content)
    sys.stdout.write(
        f"{Path(lesson.table.path).name}: {len(sentences):,} sentences, {len(rows):,} rows, "
        f"{len(content):,} bytes\n"
    )


def _keys_of(sentence: Sentence) -> set[int]:
    return {key_of(feature) for feature in features_of(sentence.text)}


def _in_parts(weight: float) -> int:
    return max(-_MOST, min(_MOST, round(PARTS * weight)))


def table_bytes(of: int, numbers: Mapping[int, Sequence[int]], by: str) -> bytes:
    """Return a table as `classifier` reads it: what it was learnt from, numbers by their keys."""
    rows = sorted(numbers.items())
    keys = [key for key, _ in rows]
    steps = array("I", [key - before for before, key in pairwise((0, *keys))])
    if sys.byteorder == "big":
        steps.byteswap()
    flat = array("b", chain.from_iterable(zip(*(row for _, row in rows), strict=True)))
    shape = f"{len(rows)} rows of {len(rows[0][1])}, {SHAPE}"
    head = f"# {of}, {shape}: {by}\n".encode()
    return head + b"".join(bytes(steps)[place::4] for place in range(4)) + bytes(flat)


def _learn(
    name: str, lesson: Lesson, sentences: list[Sentence], keys: list[int]
) -> dict[int, float]:
    """Return the weight of each feature for one act, by its key."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    act = lesson.acts[name]
    taught = [sentence for sentence in sentences if sentence.label not in act.unknown]
    if name in lesson.told_apart:
        strange = (s for s in lesson.strangers() if not s.is_apart)
        taught += [Sentence("", s.text, _STRANGERS_COUNT) for s in strange]
    places = {key: place for place, key in enumerate(keys)}
    found = [sorted(places[key] for key in _keys_of(s) if key in places) for s in taught]
    ends = [0, *accumulate(map(len, found))]
    table = csr_matrix(
        ([1.0] * ends[-1], list(chain.from_iterable(found)), ends), shape=(len(taught), len(keys))
    )
    model = LogisticRegression(C=_FREEDOM, solver="liblinear", random_state=1)
    does = [sentence.label in act.does for sentence in taught]
    model.fit(table, does, sample_weight=[sentence.counts for sentence in taught])
    weights: dict[int, float] = dict(zip(keys, model.coef_[0], strict=True))
    weights[key_of(BIAS)] = model.intercept_[0] + lesson.lean.get(name, 0.0)
    return weights


if __name__ == "__main__":
    main()
