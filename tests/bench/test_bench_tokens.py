"""What counting tokens costs, and how far the estimates are off on real request pairs.

Nothing is asserted in seconds. The second part needs real transcripts: COMPACTION_CORPUS names
a folder of them. Where their words were replaced by made-up ones, cl100k counts more tokens than
the real words had, so there only the characters' line can be judged.
"""

import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from amplihack_compaction.context.estimate import OLDER_LINE, count_cl100k, estimate, line_for
from tests.support.increments import Increment, read_increments

Report = Callable[[str], None]
SOURCE = "".join(
    f"def handler_{n}(request: Request) -> Response:\n    return respond(request.body, {n})\n\n"
    for n in range(500)
)[:40_000]
START = """
import sys, time
sys.path.insert(0, ".")
start = time.perf_counter()
from amplihack_compaction.context.estimate import load_encoding
assert load_encoding() is not None
print(time.perf_counter() - start)
"""
# The corpus' long texts are cut in the middle, so that their length is not the model's.
CUT = re.compile(r"\[\.\.\. \d+ \w+ \w+ \.\.\.\]")


def milliseconds(action: Callable[[], object], rounds: int = 50) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        action()
        times.append(time.perf_counter() - start)
    return 1000 * statistics.median(times)


def test_offline_count_of_40_kb(benchmark: BenchmarkFixture, report: Report) -> None:
    estimate("load")
    benchmark(estimate, SOURCE, "claude-opus-4-6")
    took = milliseconds(lambda: estimate(SOURCE, "claude-opus-4-6"))
    report(f"tokens: 40 kB offline, loaded       {took:7.2f} ms (limit 50)")


def test_loading_the_ranks(report: Report) -> None:
    argv = [sys.executable, "-I", "-c", START]
    times = [float(subprocess.check_output(argv)) for _ in range(5)]
    report(f"tokens: tokenizer from nothing      {1000 * statistics.median(times):7.0f} ms")


def real_pairs() -> dict[str, list[list[Increment]]]:
    """Return each session's pairs, by family."""
    folder = os.environ.get("COMPACTION_CORPUS")
    if not folder:
        pytest.skip("COMPACTION_CORPUS names no folder of real transcripts")
    found: dict[str, list[list[Increment]]] = {"up to 4.6": [], "since 4.7": []}
    for path in sorted(Path(folder).glob("*.jsonl")):
        pairs = [pair for pair in read_increments(path) if not CUT.search(pair.text)]
        for older in (True, False):
            own = [pair for pair in pairs if (line_for(pair.model) is OLDER_LINE) is older]
            if own:
                found["up to 4.6" if older else "since 4.7"].append(own)
    return found


def spread(errors: list[float]) -> str:
    ordered = sorted(abs(error) for error in errors)
    p50, p90 = (ordered[int(part * len(ordered))] for part in (0.5, 0.9))
    signed = statistics.median(errors)
    return f"median {signed:+6.1%}, p50 {p50:6.1%}, p90 {p90:6.1%}, n {len(errors)}"


def error_by(guess: Callable[[Increment], float], sessions: list[list[Increment]]) -> list[float]:
    return [guess(pair) / pair.tokens - 1 for pairs in sessions for pair in pairs]


@pytest.mark.parametrize("family", ["up to 4.6", "since 4.7"])
def test_error_of_increments_on_real_pairs(family: str, report: Report) -> None:
    sessions = real_pairs()[family]

    def by_characters(pair: Increment) -> float:
        line = line_for(pair.model)
        return line.base + line.cost(pair.text)

    rows: dict[str, Callable[[Increment], float]] = {
        "characters / 4": lambda pair: len(pair.text) / 4,
        "0.92 x cl100k": lambda pair: 0.92 * (count_cl100k(pair.text) or 0),
        "characters' line": by_characters,
        "cl100k's line": lambda pair: estimate(pair.text, pair.model).tokens,
    }
    for name, guess in rows.items():
        report(f"tokens: {family}, {name:18} {spread(error_by(guess, sessions))}")
