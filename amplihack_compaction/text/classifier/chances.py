"""What a sentence does, by weights that were learnt from thousands of sentences.

Patterns know the common wordings; of the others this says how likely it is that a sentence of the
user's states a rule, makes a choice, sets the work or takes something back, and that one of the
model's tells of something unsolved or given up.
"""

from functools import lru_cache
from typing import NamedTuple

from amplihack_compaction.text.classifier.table import Table

# Without weights the patterns alone tell what is a rule, and what asks for work.
TYPED = Table("typed.tsv", (0.0, 1.0, 0.0, 0.1, 0.0, 0.4), mistyped=True, known_share=0.4)
TOLD = Table("told.tsv", (0.0, 0.0, 0.0), mistyped=False, known_share=0.2)
_CACHED_SENTENCES = 4096


class Typed(NamedTuple):
    """How likely a sentence of the user's does each of these, from 0 to 1; it may do several.

    `kept` says that it must not be lost: it is a rule, a choice, or takes one back. `work` says
    that it asks for some.
    """

    kept: float
    rule: float
    decision: float
    objective: float
    lift: float
    work: float


class Told(NamedTuple):
    """How likely a sentence of the model's tells of a problem that is left, or of a failed attempt.

    `unsolved` and `given_up` were learnt one against the other, `trouble` is either of them.
    """

    unsolved: float
    given_up: float
    trouble: float

    @property
    def of_problem(self) -> float:
        """How likely it tells of a problem that is left, and rather of that; else 0."""
        return self._of_either if self.unsolved >= self.given_up else 0.0

    @property
    def of_attempt(self) -> float:
        """How likely it tells of an attempt that failed, and rather of that; else 0."""
        return self._of_either if self.given_up > self.unsolved else 0.0

    @property
    def _of_either(self) -> float:
        return (self.trouble + min(1.0, self.unsolved + self.given_up)) / 2


@lru_cache(maxsize=_CACHED_SENTENCES)
def chances_of(sentence: str) -> Typed:
    """Return how likely a typed sentence does what."""
    return Typed(*TYPED.chances_of(sentence))


@lru_cache(maxsize=_CACHED_SENTENCES)
def chances_told(sentence: str) -> Told:
    """Return how likely a sentence of the model's tells what."""
    return Told(*TOLD.chances_of(sentence))
