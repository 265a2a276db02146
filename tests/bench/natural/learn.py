"""Learn from labelled compactions how much what the model said is needed after one.

    COMPACTION_NATURAL=FOLDER python -m tests.bench.natural.learn [--labels FILE]

A sentence is needed that says something which a reader wrote down as such, but for files, rules and
objectives, which are known otherwise. Prints the weights for `extract/notes.py`, then how many of
the sentences with the highest sums say something needed, each judged by weights learnt from the
other sessions.
"""

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from math import exp, log1p
from pathlib import Path

from amplihack_compaction.cli.sessions import chosen_session, session_states
from amplihack_compaction.extract.notes import marked_sentences
from amplihack_compaction.extract.window_content import read_content
from amplihack_compaction.injection.lines import prompts_since
from tests.bench.natural.labels import (
    HALVES,
    VARIABLE,
    Compaction,
    labelled_folder,
    sessions,
    sessions_in,
    unpacked,
)
from tests.bench.natural.score import plain, says

Row = tuple[str, Mapping[str, float], bool]
"""A session, the marks of a sentence said in it, and whether it is needed."""
AGE = "prompts since"
_LEARNT = ("decision", "failure", "value", "open")
_FOLDS = 8
_ROUNDS = 8
_SHRINK = 3.0


def rows_of(transcript: Path, compactions: Iterable[Compaction]) -> list[Row]:
    """Return a row for each sentence of the windows before labelled compactions."""
    states = list(session_states(chosen_session(str(transcript))))
    rows: list[Row] = []
    for compaction in compactions:
        window, state = states[compaction.number - 1]
        needed = [item for item in compaction.items if item.kind in _LEARNT]
        for step, _, sentence, marks in marked_sentences(read_content(window)):
            age = {AGE: log1p(prompts_since(state, step.offset))}
            told = plain(sentence)
            rows.append((compaction.session, marks | age, any(says(told, item) for item in needed)))
    return rows


def learn(rows: Sequence[Row]) -> dict[str, float]:
    """Return the weights of a logistic sum, by Newton's method, none of them large."""
    names = sorted({name for _, marks, _ in rows for name in marks})
    numbered = [
        ([(n, float(marks[name])) for n, name in enumerate(names) if marks.get(name)], needed)
        for _, marks, needed in rows
    ]
    weights = [0.0] * len(names)
    for _ in range(_ROUNDS):
        slope = [_SHRINK * weight for weight in weights]
        bend = [[_SHRINK * (n == m) for m in range(len(names))] for n in range(len(names))]
        for marks, needed in numbered:
            likely = 1 / (1 + exp(-sum(weights[n] * value for n, value in marks)))
            for n, value in marks:
                slope[n] += (likely - needed) * value
                for m, other in marks:
                    bend[n][m] += likely * (1 - likely) * value * other
        steps = _solved(bend, slope)
        weights = [weight - step for weight, step in zip(weights, steps, strict=True)]
    return dict(zip(names, weights, strict=True))


def _solved(rows: list[list[float]], sums: list[float]) -> list[float]:
    """Return the solution of linear equations, by elimination."""
    table = [[*row, total] for row, total in zip(rows, sums, strict=True)]
    for n, row in enumerate(table):
        row[:] = [value / row[n] for value in row]
        for other in table:
            if other is not row:
                share = other[n]
                other[:] = [a - share * b for a, b in zip(other, row, strict=True)]
    return [row[-1] for row in table]


def chance(weights: Mapping[str, float], marks: Mapping[str, float]) -> float:
    """Return how likely a sentence with these marks is needed."""
    return 1 / (1 + exp(-sum(weights[name] * value for name, value in marks.items())))


def judged_by_others(rows: Sequence[Row]) -> list[tuple[float, bool]]:
    """Return the chance of each row by weights learnt from other sessions, likeliest first."""
    named = sorted({session for session, _, _ in rows})
    judged: list[tuple[float, bool]] = []
    for fold in range(_FOLDS):
        out = set(named[fold::_FOLDS])
        weights = learn([row for row in rows if row[0] not in out])
        judged += [(chance(weights, marks), need) for name, marks, need in rows if name in out]
    return sorted(judged, reverse=True)


def main() -> None:
    """Print the weights, and how good they are."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.natural.learn")
    options.add_argument("--labels", type=Path)
    given = options.parse_args()
    folder = labelled_folder()
    if folder is None:
        options.error(f"{VARIABLE} has to name the folder of labels and transcripts")
    labelled = chain.from_iterable(sessions(folder, half) for half in HALVES)
    more = sessions_in(given.labels) if given.labels else ()
    with unpacked(folder) as transcripts:
        rows = [
            row
            for compactions in chain(labelled, more)
            for row in rows_of(transcripts / compactions[0].transcript, compactions)
        ]
    for name, weight in learn(rows).items():
        sys.stdout.write(f'"{name}": {weight:.2f},\n')
    judged = judged_by_others(rows)
    for most in (100, 300, 600, 1000):
        hits = sum(need for _, need in judged[:most])
        least = judged[most - 1][0]
        sys.stdout.write(f"first {most}: {hits} needed, chance from {least:.2f}\n")


if __name__ == "__main__":
    main()
