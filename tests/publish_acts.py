"""Learn the weights of `acts` from the labelled sentences, and write them.

    python -m tests.publish_acts

It needs scikit-learn (the extra `train`). The same sentences give the same weights.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from zlib import crc32

from amplihack_compaction.acts.chances import ACTS, BIAS, WEIGHTS_FILE
from amplihack_compaction.acts.features import features_of
from tests.acts.sentences import Sentence, all_sentences

RULES = {"prohibition", "obligation", "rule"}
# What does each act; what may or may not do it, and teaches nothing. The others do not.
DOES = {
    "kept": (RULES | {"decision", "lift"}, {"fact", "objective"}),
    "rule": (RULES, set()),
    "decision": ({"decision"}, {"decoy"}),
    "objective": ({"objective"}, {"decoy"}),
    "lift": ({"lift"}, set()),
    "work": ({"request", "objective"}, {"decoy"}),
}
_FEWEST = 2
# How far weights are kept from what single sentences say (scikit-learn's C), and which are so
# small that they are left out, in hundredths.
_FREEDOM = 1.0
_LEAST = 20


def digest(sentences: Sequence[Sentence]) -> int:
    """Return a number that changes with the sentences learnt from."""
    return crc32("\n".join(f"{s.label}\t{s.text}" for s in sentences).encode())


def learnt_from() -> list[Sentence]:
    """Return the sentences that are not kept apart."""
    return [sentence for sentence in all_sentences() if not sentence.is_apart]


def main() -> None:
    """Learn and write."""
    sentences = learnt_from()
    features = [features_of(sentence.text) for sentence in sentences]
    counts = Counter(feature for each in features for feature in each)
    names = sorted(feature for feature, count in counts.items() if count >= _FEWEST)
    columns = [_learn(act, sentences, features, names) for act in ACTS]
    rows = [
        f"{name}\t{' '.join(str(column[name]) for column in columns)}"
        for name in (BIAS, *names)
        if any(abs(column[name]) >= _LEAST for column in columns)
    ]
    head = f"# {digest(sentences)}: made by python -m tests.publish_acts; {' '.join(ACTS)}"
    WEIGHTS_FILE.write_text("\n".join([head, *rows, ""]), encoding="utf-8")
    sys.stdout.write(f"{len(sentences):,} sentences, {len(rows):,} features\n")


def _learn(
    act: str, sentences: list[Sentence], features: list[set[str]], names: list[str]
) -> dict[str, int]:
    """Return the weight of each feature for one act, in hundredths."""
    from scipy.sparse import csr_matrix
    from sklearn.linear_model import LogisticRegression

    does, unknown = DOES[act]
    places = {name: place for place, name in enumerate(names)}
    taught = [n for n, sentence in enumerate(sentences) if sentence.label not in unknown]
    cells = [(row, places[f]) for row, n in enumerate(taught) for f in features[n] if f in places]
    rows, cols = zip(*cells, strict=True)
    table = csr_matrix(([1.0] * len(cells), (rows, cols)), shape=(len(taught), len(names)))
    model = LogisticRegression(C=_FREEDOM, solver="liblinear", random_state=1)
    model.fit(table, [sentences[n].label in does for n in taught])
    weights = dict(zip(names, model.coef_[0], strict=True))
    weights[BIAS] = model.intercept_[0]
    return {name: round(100 * weight) for name, weight in weights.items()}


if __name__ == "__main__":
    main()
