"""What a compaction's summary says of the plants: nothing, a gist, what is usual, the opposite."""

import random
from collections.abc import Sequence

from tests.bench.survival.plants import Plant

WORST, GIST, TYPICAL, ADVERSARIAL = KINDS = ("worst", "gist", "typical", "adversarial")
# Kept by the stock client's summary of the same window (581 real compactions).
KEPT_RATES = {
    "prohibition": 0.83, "obligation": 0.83, "lifted rule": 0.83, "decision, answered": 0.84,
    "decision, said": 0.84, "open todo": 0.91, "task, status": 0.91, "completed todo": 0.91,
    "exact value": 0.46, "verify command": 0.36, "file and why": 0.89, "branch": 0.31,
    "failure": 0.5, "objective": 0.92, "decoy": 0.5,
}  # fmt: skip
# And of what was said before the window.
KEPT_OF_OLDER = 0.2


def summary(kind: str, plants: Sequence[Plant], window: int, rng: random.Random) -> str:
    """Return a summary after `window` of what was planted up to then."""
    if kind == GIST:
        return "1. Primary Request: work on the project.\n2. Several files were changed and tested."
    if kind == TYPICAL:
        return "\n".join(["1. What was said:", *_usual(plants, window, rng)])
    if kind == ADVERSARIAL:
        return "\n".join(["1. What was said:", *(_opposite(plant) for plant in plants)])
    return "The user and the assistant talked about the project."


def _usual(plants: Sequence[Plant], window: int, rng: random.Random) -> list[str]:
    rates = ((p, KEPT_RATES[p.kind] if p.window == window else KEPT_OF_OLDER) for p in plants)
    return [f"- {plant.text}" for plant, rate in rates if rng.random() < rate]


def _opposite(plant: Plant) -> str:
    if plant.kind in ("open todo", "task, status", "failure"):
        return f"- [x] {plant.text} (done)"
    if plant.kind == "completed todo":
        return f"- [ ] {plant.text}"
    if plant.kind in ("prohibition", "obligation"):
        return f"- The user took back: {plant.text}"
    if plant.kind in ("lifted rule", "decoy"):
        return f"- The user insists: {plant.text}"
    return f"- No longer true: {plant.text}"
