"""Sum up the weights that a sentence's features have in a table.

A table is a text file: a line on itself, with the number of rows, then a row for each feature: the
feature, a tab, and a number for each thing that sentences do, in hundredths. `python -m
tests.publish_acts` makes them.
"""

from collections.abc import Sequence
from math import exp

from amplihack_compaction.acts.features import features_of
from amplihack_compaction.files import read_bytes

BIAS = "(bias)"
_FOLDER = __file__.rpartition("/")[0]
_LIMIT_BYTES = 8 * 1024 * 1024
_PARTS = 100
# What is longer is no sentence; its first words say enough.
_LONGEST_CHARS = 600
_FARTHEST = 50.0


class Table:
    """The weights in a file, read when a sentence is first asked about; `neutral` without them.

    What people type is `mistyped` at times: a word that is not known counts as the one it is like.
    Of a sentence of which less than `known_share` of the words are known, as in a language that
    nothing was learnt from, nothing is told.
    """

    def __init__(
        self, name: str, neutral: Sequence[float], *, mistyped: bool, known_share: float
    ) -> None:
        self.path = f"{_FOLDER}/{name}"
        self._neutral = neutral
        self._mistyped = mistyped
        self._known_share = known_share
        self._rows: dict[str, str] | None = None

    def chances_of(self, sentence: str) -> list[float]:
        """Return how likely a sentence does each of the table's things, from 0 to 1."""
        if self._rows is None:
            self._rows = self._read()
        if not self._rows:
            return list(self._neutral)
        known = self._rows if self._mistyped else ()
        features = features_of(sentence[:_LONGEST_CHARS], known)
        words = [feature for feature in features if feature.isalpha()]
        if sum(word in self._rows for word in words) < self._known_share * len(words):
            return list(self._neutral)
        rows = [row.split() for row in map(self._rows.get, (BIAS, *features)) if row is not None]
        return [_chance(sum(map(int, column)) / _PARTS) for column in zip(*rows, strict=True)]

    def is_whole(self) -> bool:
        """Tell whether the file is there, and not torn: without it the patterns judge alone."""
        return bool(self._read())

    def _read(self) -> dict[str, str]:
        """Return each feature's numbers as they stand in the file: few of them are needed.

        Nothing when the file is missing or torn: what the patterns know is known without it.
        """
        try:
            text = (read_bytes(self.path, _LIMIT_BYTES, follow=True) or b"").decode()
        except UnicodeDecodeError:
            return {}
        head, *cells = text.replace("\n", "\t").split("\t")
        whole = text.endswith("\n") and f" {len(cells) // 2} rows" in head
        return dict(zip(cells[::2], cells[1::2], strict=False)) if whole else {}


def _chance(weight: float) -> float:
    return 1 / (1 + exp(-max(-_FARTHEST, min(_FARTHEST, weight))))
