"""Learn the weights of `authors` from labelled prompts, and write them.

    python -m tests.publish_authors [--check]

It needs scikit-learn (the extra `train`), of which it uses SciPy. The same prompts give the same
weights, as long as lines are marked and described as they are: learn anew where that changes.
`--check` writes nothing: it says how well prompts are known that were left out of the learning, an
eighth at a time.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import exp, log1p
from pathlib import Path
from typing import NamedTuple
from zlib import crc32

from amplihack_compaction.extract.window_content import shaped_lines
from amplihack_compaction.text.classifier import BIAS, key_of
from amplihack_compaction.text.pasted import (
    AUTHORS_TABLE,
    FOREIGN,
    MARKED,
    OWN,
    START,
    features_of_lines,
    likeliest,
    lines_with_gaps,
    transition,
)
from tests.publish_acts import table_bytes
from tests.voices.authored import learnt_from
from tests.voices.prompt import Prompt

# In how many lines a feature stands at least, what weighs too little to be kept, how far weights
# may go with single lines, and what fills a number of a table: only which sum is larger counts.
_FEWEST = 3
_LEAST = 0.03
_BOUND = 3.0
_SCALE = 40
_MOST = 127
# A rule of somebody else's that is held does more harm than one of the user's that is only quoted.
_LEANS = 0.5
_ROUNDS = 120
_FOLDS = 8
_NEVER = -1e9


class Line(NamedTuple):
    """A line that may be anybody's: its features, what stands above, and who wrote it."""

    features: frozenset[str]
    above: str
    author: str


class Lesson(NamedTuple):
    """A prompt's lines with their marks, and its runs of lines between those that are marked."""

    lines: list[str]
    marks: list[bool]
    authors: list[str]
    runs: list[list[Line]]


def lesson_of(prompt: Prompt) -> Lesson:
    """Return what is learnt from a prompt."""
    lines, marks, _ = shaped_lines(prompt.text)
    authors = prompt.authors_of(lines)
    features = features_of_lines(lines, marks)
    runs: list[list[Line]] = [[]]
    before = START
    for number, above in lines_with_gaps(lines):
        if number not in features:
            runs.append([])
            before = MARKED
            continue
        begins = [transition(before, above)] if not runs[-1] else []
        found = frozenset(chain(begins, *features[number]))
        runs[-1].append(Line(found, above, authors[number]))
    return Lesson(lines, marks, authors, [run for run in runs if run])


def learn(lessons: Sequence[Lesson]) -> dict[str, float]:
    """Return the weights with which the prompts' authors are most likely (a chain of CRF)."""
    import numpy as np
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    runs = [run for lesson in lessons for run in lesson.runs]
    counts = Counter(name for run in runs for line in run for name in line.features)
    steps = [transition(state, above) for state in (OWN, FOREIGN) for above in ("line", "gap")]
    names = sorted(name for name, count in counts.items() if count >= _FEWEST and name not in steps)
    places = {name: place for place, name in enumerate([*names, *steps])}
    rows = [
        sorted(places[name] for name in line.features if name in places)
        for run in runs
        for line in run
    ]
    ends = np.cumsum([0, *map(len, rows)])
    table = csr_matrix(
        (np.ones(ends[-1]), np.array(list(chain.from_iterable(rows))), ends),
        shape=(len(rows), len(places)),
    )

    def loss(weights):  # type: ignore[no-untyped-def]
        scores = (table @ weights).tolist()
        slope = np.zeros(len(rows))
        of_steps = dict.fromkeys(steps, 0.0)
        total, first = 0.0, 0
        for run in runs:
            score = scores[first : first + len(run)]
            step = [
                [weights[places[transition(s, line.above)]] for s in (OWN, FOREIGN)] for line in run
            ]
            for known, sign in ((True, 1.0), (False, -1.0)):
                likely, pairs = _chances(run, score, step, known=known)
                total += sign * likely
                for number, pair in enumerate(pairs):
                    slope[first + number] += sign * sum(pair)
                    for state, chance in zip((OWN, FOREIGN), pair, strict=True):
                        if number:
                            of_steps[transition(state, run[number].above)] += sign * chance
            first += len(run)
        gradient = table.T @ slope
        for name, chance in of_steps.items():
            gradient[places[name]] += chance
        return _BOUND / 2 * (weights @ weights) - total, _BOUND * weights - gradient

    found = minimize(
        loss, np.zeros(len(places)), jac=True, method="L-BFGS-B", options={"maxiter": _ROUNDS}
    )
    weights = dict(zip(places, found.x.tolist(), strict=True))
    return {**weights, BIAS: weights[BIAS] + _LEANS}


def _chances(
    run: list[Line], scores: list[float], steps: list[list[float]], *, known: bool
) -> tuple[float, list[list[float]]]:
    """Return how likely a run is, and for each line how likely it is foreign behind either author.

    Where the authors are `known`, only rows of authors that agree with them count.
    """
    own = [_NEVER if known and line.author == FOREIGN else 0.0 for line in run]
    foreign = [
        _NEVER if known and line.author == OWN else score
        for line, score in zip(run, scores, strict=True)
    ]
    upto = [(own[0], foreign[0])]
    for number in range(1, len(run)):
        a, b = upto[-1]
        step = steps[number]
        upto.append(
            (own[number] + _either(a, b), foreign[number] + _either(a + step[0], b + step[1]))
        )
    total = _either(*upto[-1])
    behind = (0.0, 0.0)
    pairs: list[list[float]] = [[] for _ in run]
    for number in range(len(run) - 1, 0, -1):
        a, b = upto[number - 1]
        x, y = own[number] + behind[0], foreign[number] + behind[1]
        step = steps[number]
        pairs[number] = [exp(min(0, a + step[0] + y - total)), exp(min(0, b + step[1] + y - total))]
        behind = _either(x, y + step[0]), _either(x, y + step[1])
    pairs[0] = [exp(min(0, foreign[0] + behind[1] - total)), 0.0]
    return total, pairs


def _either(one: float, two: float) -> float:
    larger, less = max(one, two), min(one, two)
    return larger + log1p(exp(max(less - larger, -50)))


def check() -> Iterator[str]:
    """Yield how many of the lines are given to the wrong author, of prompts not learnt from."""
    prompts = learnt_from()
    lessons = [lesson_of(prompt) for prompt in prompts]
    wrong, count = Counter[str](), Counter[str]()
    for fold in range(_FOLDS):
        apart = [number for number in range(len(lessons)) if number % _FOLDS == fold]
        weights = learn([one for number, one in enumerate(lessons) if number not in set(apart)])

        def sum_of(features: Iterable[str], of: dict[str, float] = weights) -> float:
            return sum(of.get(name, 0.0) for name in features)

        for number in apart:
            lesson = lessons[number]
            marks = likeliest(lesson.lines, lesson.marks, sum_of)
            for author, by_shape, mark in zip(lesson.authors, lesson.marks, marks, strict=True):
                if author and not by_shape:
                    count[author] += 1
                    wrong[author] += mark != (author == FOREIGN)
    for author in (OWN, FOREIGN):
        yield f"{author}: {wrong[author]} of {count[author]} lines are given to another\n"


def main() -> None:
    """Learn and write the table, or print how well prompts are known that were left out."""
    options = argparse.ArgumentParser(prog="python -m tests.publish_authors")
    options.add_argument("--check", action="store_true")
    if options.parse_args().check:
        sys.stdout.writelines(check())
        return
    prompts = learnt_from()
    weights = learn([lesson_of(prompt) for prompt in prompts])
    numbers = {
        key_of(name): [max(-_MOST, min(_MOST, round(_SCALE * weight)))]
        for name, weight in weights.items()
        if abs(weight) >= _LEAST
    }
    content = table_bytes(digest_of(prompts), numbers, "made by python -m tests.publish_authors")
    Path(AUTHORS_TABLE.path).write_bytes(content)
    sys.stdout.write(f"{len(prompts)} prompts, {len(numbers):,} rows, {len(content):,} bytes\n")


def digest_of(prompts: Sequence[Prompt]) -> int:
    """Return a number that changes with the prompts learnt from."""
    return crc32("\n".join(map(str, prompts)).encode())


if __name__ == "__main__":
    main()
