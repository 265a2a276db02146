"""Sum up the weights that a sentence's features have in a table.

A table is a text file: behind a line on itself a line for each feature, which is the feature, a
tab, and a number for each thing that sentences do, in hundredths. `python -m tests.publish_acts`
makes them.
"""

from math import exp
from pathlib import Path

from amplihack_compaction.acts.features import features_of

BIAS = "(bias)"
_PARTS = 100
# What is longer is no sentence; its first words say enough.
_LONGEST_CHARS = 600
_FARTHEST = 50.0


class Table:
    """The weights in a file, read when a sentence is first asked about.

    What people type is `mistyped` at times: a word that is not known counts as the one it is like.
    """

    def __init__(self, name: str, *, mistyped: bool) -> None:
        self.path = Path(__file__).with_name(name)
        self._mistyped = mistyped
        self._rows: dict[str, str] = {}

    def chances_of(self, sentence: str) -> list[float]:
        """Return how likely a sentence does each of the table's things, from 0 to 1."""
        if not self._rows:
            self._rows = self._read()
        known = self._rows if self._mistyped else ()
        features = (BIAS, *features_of(sentence[:_LONGEST_CHARS], known))
        rows = [row.split() for row in map(self._rows.get, features) if row is not None]
        return [_chance(sum(map(int, column)) / _PARTS) for column in zip(*rows, strict=True)]

    def _read(self) -> dict[str, str]:
        """Return each feature's numbers as they stand in the file: few of them are needed."""
        cells = self.path.read_text(encoding="utf-8").replace("\n", "\t").split("\t")[1:]
        return dict(zip(cells[::2], cells[1::2], strict=False))


def _chance(weight: float) -> float:
    return 1 / (1 + exp(-max(-_FARTHEST, min(_FARTHEST, weight))))
