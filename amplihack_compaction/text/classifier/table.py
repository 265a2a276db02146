"""Sum up the weights that a sentence's features have in a table."""

from collections.abc import Sequence
from math import exp

from amplihack_compaction.text.classifier.features import features_of
from amplihack_compaction.text.classifier.rows import Rows, read_rows

BIAS = "(bias)"
_FOLDER = __file__.rpartition("/")[0]
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
        self._rows: Rows | None = None
        self._was_read = False

    def chances_of(self, sentence: str) -> list[float]:
        """Return how likely a sentence does each of the table's things, from 0 to 1."""
        if not self._was_read:
            self._rows, self._was_read = read_rows(self.path), True
        if self._rows is None:
            return list(self._neutral)
        known = self._rows.words
        features = features_of(sentence[:_LONGEST_CHARS], known if self._mistyped else ())
        words = [feature for feature in features if feature.isalpha()]
        if sum(word in known for word in words) < self._known_share * len(words):
            return list(self._neutral)
        rows = filter(None, map(self._rows.numbers_of, (BIAS, *features)))
        return [_chance(sum(column) / _PARTS) for column in zip(*rows, strict=True)]

    def is_whole(self) -> bool:
        """Return whether the file is there, and not torn: without it the patterns judge alone."""
        return read_rows(self.path) is not None


def _chance(weight: float) -> float:
    return 1 / (1 + exp(-max(-_FARTHEST, min(_FARTHEST, weight))))
