"""Does what is injected after real compactions help, as readers judged it?

    COMPACTION_NATURAL=FOLDER python -m tests.bench.natural [--half develop|held_out] [--show]
    COMPACTION_NATURAL=FOLDER python -m tests.bench.natural --labels FILE [--show]

Prints for each half of the labelled sessions how much of what a successor has to know is injected,
stands in the client's own summary, or in either, and what the verdicts on the injected lines are,
as far as they are labelled. A session belongs to one half for ever. `--show` lists what is missing
and the wrong lines; it goes with `--half develop` only, so that nothing is developed on the other,
or with `--labels`, other labels of the same transcripts.
"""

import argparse
import sys
from pathlib import Path

from tests.bench.natural.labels import (
    DEVELOP,
    HALVES,
    VARIABLE,
    labelled_folder,
    sessions,
    sessions_in,
)
from tests.bench.natural.losses import loss_table
from tests.bench.natural.measure import measure
from tests.bench.natural.score import table


def main() -> None:
    """Run the benchmark and print its tables."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.natural")
    options.add_argument("--half", choices=HALVES)
    options.add_argument("--show", action="store_true")
    options.add_argument("--labels", type=Path)
    given = options.parse_args()
    if given.show and given.half != DEVELOP and not given.labels:
        options.error(f"--show goes with --half {DEVELOP} or --labels only")
    folder = labelled_folder()
    if folder is None:
        options.error(f"{VARIABLE} has to name the folder of labels and transcripts")
    halves = [given.half] if given.half else HALVES
    groups = {half: sessions(folder, half) for half in halves}
    if given.labels:
        groups = {given.labels.stem: sessions_in(given.labels)}
    for name, score in measure(folder, groups).items():
        _say(
            f"{name}: {score.compactions} compactions", *table(score), *loss_table(score.losses), ""
        )
        if given.show:
            _say("missing", *score.missing, "", "misleading", *score.misleading)


def _say(*lines: str) -> None:
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
