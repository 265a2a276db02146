"""Tell what a sentence does, by weights that were learnt from thousands of sentences.

Patterns know the common wordings; of the others this says how likely it is that a sentence states
a rule, makes a choice, sets the work or takes something back. `weights.tsv` has, behind a line on
itself, a line for each feature: the feature, a tab, a number for each of `ACTS` in hundredths.
`python -m tests.publish_acts` makes it.
"""

from functools import lru_cache
from math import exp
from pathlib import Path
from typing import NamedTuple

from amplihack_compaction.acts.features import features_of

ACTS = ("kept", "rule", "decision", "objective", "lift", "work")
WEIGHTS_FILE = Path(__file__).with_name("weights.tsv")
BIAS = "(bias)"
_PARTS = 100
_CACHED_SENTENCES = 4096
# What is longer is no sentence; its first words say enough.
_LONGEST_CHARS = 600
_FARTHEST = 50.0


class Chances(NamedTuple):
    """How likely a sentence does each of `ACTS`, from 0 to 1; it may do several.

    `kept` says that it must not be lost: it is a rule, a choice, or takes one back. `work` says
    that it asks for some.
    """

    kept: float
    rule: float
    decision: float
    objective: float
    lift: float
    work: float


@lru_cache(maxsize=_CACHED_SENTENCES)
def chances_of(sentence: str) -> Chances:
    """Return how likely a typed sentence does what."""
    weights = _weights()
    sums = [0] * len(ACTS)
    for feature in (BIAS, *features_of(sentence[:_LONGEST_CHARS], weights)):
        row = weights.get(feature)
        if row is not None:
            sums = [total + int(weight) for total, weight in zip(sums, row.split(), strict=True)]
    return Chances(*(_chance(total / _PARTS) for total in sums))


def _chance(weight: float) -> float:
    return 1 / (1 + exp(-max(-_FARTHEST, min(_FARTHEST, weight))))


@lru_cache(maxsize=1)
def _weights() -> dict[str, str]:
    """Return each feature's numbers as they stand in the file: few of them are needed."""
    cells = WEIGHTS_FILE.read_text(encoding="utf-8").replace("\n", "\t").split("\t")[1:]
    return dict(zip(cells[::2], cells[1::2], strict=False))
