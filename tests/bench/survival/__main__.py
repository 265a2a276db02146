"""Does what matters reach the model after the first, second and third compaction?

    python -m tests.bench.survival [--carriers N] [--phrases FILE] [--summaries KIND|all]

Each carrier (generated; with COMPACTION_CORPUS also the real structures in that folder) is a
session of three windows. Every kind of item is planted once a window, and the text that is injected
after each of the three compactions is judged. `--misses` lists what was not kept; never use it with
`--phrases held_out`, so that nothing is developed on those.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.survival.measure import measure, table
from tests.bench.survival.summaries import KINDS, WORST

# The blind ones were measured once before anything was developed on them.
_LISTS = (
    "tune",
    "blind_3",
    "blind_4",
    "blind_5",
    "blind_6",
    "blind_7",
    "blind_8",
    "blind_9",
    "blind_10",
    "blind_11",
    "blind_12",
    "held_out",
)


def main() -> None:
    """Run the benchmark and print its table."""
    options = argparse.ArgumentParser(prog="python -m tests.bench.survival")
    options.add_argument("--carriers", type=int, default=40)
    options.add_argument("--phrases", choices=_LISTS, default="held_out")
    options.add_argument("--summaries", choices=(*KINDS, "all"), default=WORST)
    options.add_argument("--misses", action="store_true")
    given = options.parse_args()
    for kind in KINDS if given.summaries == "all" else (given.summaries,):
        with TemporaryDirectory() as folder:
            sides = measure(given.carriers, given.phrases, kind, Path(folder))
        sys.stdout.write("\n".join([f"summary: {kind}", *table(sides), ""]) + "\n")
        if given.misses:
            for what, found in (("missed", sides.ours.missed), ("wrong", sides.ours.wrong)):
                for name, compaction, plant in found:
                    sys.stdout.write(f"{what} {plant.kind} w{plant.window} c{compaction}"
                                     f" {name}: {plant.text!r}\n")  # fmt: skip


if __name__ == "__main__":
    main()
