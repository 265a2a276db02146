"""Correct the line by the session's own numbers: every response tells what came before it."""

import statistics
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from amplihack_compaction.context.tokens.increments import Increment, increments
from amplihack_compaction.transcript.entries import iterate_entries

LEAST_PAIRS = 20
MOST_PAIRS = 200
LEAST_FACTOR, MOST_FACTOR = 0.5, 2.0
# The newest part of the transcript; 200 pairs of a usual session lie in less.
_READ_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Correction:
    """A factor on the line's estimates, learned from `pairs`; half of them lie within `error`."""

    model: str
    factor: float
    pairs: int
    error: float


def learn(pairs: Iterable[Increment], estimate: Callable[[str, str], float]) -> Correction | None:
    """Return the correction for the newest pair's model, or None with fewer than 20 pairs of it.

    `estimate` takes text and model and returns tokens. The factor is the median of what the API
    counted over what was estimated, between 0.5 and 2, of the model's newest 200 pairs.
    """
    newest: dict[str, deque[Increment]] = {}
    model = ""
    for pair in pairs:
        model = pair.model
        newest.setdefault(model, deque(maxlen=MOST_PAIRS)).append(pair)
    own = newest.get(model, ())
    if len(own) < LEAST_PAIRS:
        return None
    guesses = [(estimate(pair.text, model), pair.tokens) for pair in own]
    ratios = [tokens / guess for guess, tokens in guesses if guess > 0]
    if len(ratios) < LEAST_PAIRS:
        return None
    factor = min(max(statistics.median(ratios), LEAST_FACTOR), MOST_FACTOR)
    error = statistics.median(abs(factor * guess - tokens) / tokens for guess, tokens in guesses)
    return Correction(model, factor, len(ratios), error)


def read_increments(transcript: str | Path) -> Iterable[Increment]:
    """Yield the increments in the last 8 MB of a transcript.

    Raises TranscriptError when it cannot be opened.
    """
    try:
        size = Path(transcript).stat().st_size
    except (OSError, ValueError):
        size = 0  # opening it says what is wrong
    return increments(iterate_entries(transcript, max(0, size - _READ_BYTES)))
