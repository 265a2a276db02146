"""Draw sentences for a second reader to label, and count how far he agrees with the stored labels.

    python -m tests.acts.agreement --draw   the sentences alone, numbered
    python -m tests.acts.agreement          agreement and kappa of `agreement.tsv`

`agreement.tsv` has a line a sentence: stored label, second label, language, folder, sentence. The
second reader saw folder and sentence only.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
TABLE = FOLDER / "agreement.tsv"
SEED = 300
# Of three sentences two are typed, as in the lists.
DRAWN = {"typed": 200, "told": 100}
# The first lines of each list were seen with their labels before the sample was labelled.
SEEN_LINES = 5


class Drawn(NamedTuple):
    """A sentence of the sample, with its label as it is stored."""

    folder: str
    label: str
    language: str
    text: str


def drawn() -> list[Drawn]:
    """Return the sample, the same one every time."""
    rng = random.Random(SEED)
    sample: list[Drawn] = []
    for folder, count in DRAWN.items():
        known: dict[str, Drawn] = {}
        for path in sorted((FOLDER / folder).glob("*.tsv")):
            for line in path.read_text(encoding="utf-8").splitlines()[SEEN_LINES:]:
                label, language, text = line.split("\t")
                known.setdefault(text, Drawn(folder, label, language, text))
        sample += rng.sample(list(known.values()), count)
    return sample


def kappa(pairs: list[tuple[str, str]]) -> float:
    """Return Cohen's kappa of two readers: agreement beyond what their habits give by chance."""
    first, second = (Counter(column) for column in zip(*pairs, strict=True))
    agreed = sum(left == right for left, right in pairs) / len(pairs)
    chance = sum(first[label] * second[label] for label in first) / len(pairs) ** 2
    return (agreed - chance) / (1 - chance)


def report() -> Iterator[str]:
    """Yield what `agreement.tsv` shows, by folder."""
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    for folder in DRAWN:
        pairs = [(stored, second) for stored, second, _, of, _ in rows if of == folder]
        agreed = sum(stored == second for stored, second in pairs)
        yield f"{folder}: {agreed} of {len(pairs)} agree, kappa {kappa(pairs):.2f}"
        differing = Counter(pair for pair in pairs if pair[0] != pair[1])
        for (stored, second), count in differing.most_common():
            yield f"  stored {stored}, second {second}: {count}"


def main() -> None:
    """Print the sample without its labels, or what the second labels say of the stored ones."""
    options = argparse.ArgumentParser(prog="python -m tests.acts.agreement")
    options.add_argument("--draw", action="store_true")
    if options.parse_args().draw:
        texts = [f"{one.folder}\t{one.text}" for one in drawn()]
        lines = [f"{number}\t{text}" for number, text in enumerate(texts, 1)]
    else:
        lines = list(report())
    sys.stdout.writelines(f"{line}\n" for line in lines)


if __name__ == "__main__":
    main()
