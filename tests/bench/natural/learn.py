"""Learn from labelled compactions how much what was said before one is needed after it.

    COMPACTION_NATURAL=FOLDER python -m tests.bench.natural.learn [--labels FILE ...]

A sentence is needed that says something critical which a reader wrote down, but for files, rules
and objectives, which are known otherwise; a past prompt, that says anything which the other
sections do not. Prints the weights for `extract/notes.py` and for `injection/work_lines.py`, then
how many of those with the highest sums are needed, each judged by weights learnt from the other
sessions.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import exp, log1p
from pathlib import Path

from amplihack_compaction.cli.sessions import chosen_session, session_states
from amplihack_compaction.extract.notes import marked_sentences
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.extract.window_content import read_content
from amplihack_compaction.injection.lines import SHOWN_FROM, prompts_since
from amplihack_compaction.injection.objective_lines import prompts_above
from amplihack_compaction.injection.render import make_sections
from amplihack_compaction.injection.work_lines import marks_of_past
from amplihack_compaction.text.words import distinct_words, is_quoted
from tests.bench.natural.labels import (
    HALVES,
    VARIABLE,
    Compaction,
    Item,
    labelled_folder,
    sessions,
    sessions_in,
    unpacked,
)
from tests.bench.natural.score import plain, says, summaries_of

Row = tuple[str, Mapping[str, float], float]
"""A session, the marks of a sentence or prompt in it, and how much it is needed: 0 if not."""
AGE = "prompts since"
_LEARNT = ("decision", "failure", "value", "open", "correction")
# What the client's own summary has lost counts so much more: only this text can tell it.
_NOT_SUMMARISED = 4.0
SAID, ASKED = "sentences of the model", "past prompts"
_FOLDS = 8
_ROUNDS = 8
_SHRINK = 3.0


def rows_of(transcript: Path, compactions: Iterable[Compaction]) -> dict[str, list[Row]]:
    """Return rows for the sentences of the windows before compactions, and for the past prompts.

    Of a prompt nothing is needed that the text says in its other sections.
    """
    states = list(session_states(chosen_session(str(transcript))))
    summaries = list(summaries_of(transcript))
    rows: dict[str, list[Row]] = {SAID: [], ASKED: []}
    for compaction in compactions:
        window, state = states[compaction.number - 1]
        summary = plain(summaries[compaction.number - 1])
        needed = [item for item in compaction.items if item.is_critical and item.kind in _LEARNT]
        for step, _, sentence, marks in marked_sentences(read_content(window)):
            age = {AGE: log1p(prompts_since(state, step.offset))}
            weight = _weight_of(sentence, needed, summary)
            rows[SAID].append((compaction.session_id, marks | age, weight))
        parts = (part for part in make_sections(state) if part.noun != "turn")
        others = [line.text for part in parts for line in part.lines if line.need >= SHOWN_FROM]
        told = plain("\n".join(others))
        needed = [item for item in compaction.items if not says(told, item)]
        for prompt, prompt_marks in _marked_prompts(state, others):
            weight = _weight_of(prompt, needed, summary)
            rows[ASKED].append((compaction.session_id, prompt_marks, weight))
    return rows


def _weight_of(text: str, needed: Iterable[Item], summary: str) -> float:
    """Return how much it counts that a text says something needed; 0 for one that says nothing."""
    told = plain(text)
    said = [item for item in needed if says(told, item)]
    return max((1.0 if says(summary, item) else _NOT_SUMMARISED for item in said), default=0.0)


def _marked_prompts(
    state: SessionState, others: list[str]
) -> Iterator[tuple[str, Mapping[str, float]]]:
    told: set[str] = set().union(*map(distinct_words, others))
    for place, prompt in enumerate(state.prompts):
        known = prompt.offset in prompts_above(state) or is_quoted(prompt.text, others)
        if not known and not prompt.pasted:
            yield prompt.text, marks_of_past(state.prompts, place, told)


def learn(rows: Sequence[Row]) -> dict[str, float]:
    """Return the weights of a logistic sum, by Newton's method, none of them large."""
    names = sorted({name for _, marks, _ in rows for name in marks})
    numbered = [
        ([(n, float(marks[name])) for n, name in enumerate(names) if marks.get(name)], weight)
        for _, marks, weight in rows
    ]
    weights = [0.0] * len(names)
    for _ in range(_ROUNDS):
        slope = [_SHRINK * weight for weight in weights]
        bend = [[_SHRINK * (n == m) for m in range(len(names))] for n in range(len(names))]
        for marks, weight in numbered:
            likely = 1 / (1 + exp(-sum(weights[n] * value for n, value in marks)))
            counts = weight or 1.0
            for n, value in marks:
                slope[n] += counts * (likely - bool(weight)) * value
                for m, other in marks:
                    bend[n][m] += counts * likely * (1 - likely) * value * other
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


def judged_by_others(rows: Sequence[Row]) -> list[tuple[float, float]]:
    """Return the chance of each row by weights learnt from other sessions, likeliest first."""
    named = sorted({session for session, _, _ in rows})
    judged: list[tuple[float, float]] = []
    for fold in range(_FOLDS):
        out = set(named[fold::_FOLDS])
        weights = learn([row for row in rows if row[0] not in out])
        judged += [(chance(weights, marks), need) for name, marks, need in rows if name in out]
    return sorted(judged, reverse=True)


def main() -> None:
    """Print the weights, and how good they are."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.natural.learn")
    options.add_argument("--labels", type=Path, nargs="*", default=())
    given = options.parse_args()
    folder = labelled_folder()
    if folder is None:
        options.error(f"{VARIABLE} has to name the folder of labels and transcripts")
    labelled = chain.from_iterable(sessions(folder, half) for half in HALVES)
    more = chain.from_iterable(map(sessions_in, given.labels))
    rows: dict[str, list[Row]] = {SAID: [], ASKED: []}
    with unpacked(folder) as transcripts:
        for compactions in chain(labelled, more):
            found = rows_of(transcripts / compactions[0].transcript, compactions)
            for kind, learnt in rows.items():
                learnt += found[kind]
    for kind, learnt in rows.items():
        needed = sum(weight > 0 for _, _, weight in learnt)
        sys.stdout.write(f"{kind}: {len(learnt)}, {needed} needed\n")
        for name, weight in learn(learnt).items():
            sys.stdout.write(f'"{name}": {weight:.2f},\n')
        judged = judged_by_others(learnt)
        for most in (100, 200, 300, 600, 1000):
            hits = sum(weight > 0 for _, weight in judged[:most])
            least = judged[min(most, len(judged)) - 1][0]
            sys.stdout.write(f"first {most}: {hits} needed, chance from {least:.2f}\n")


if __name__ == "__main__":
    main()
