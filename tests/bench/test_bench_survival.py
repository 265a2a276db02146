"""A few carriers of the survival benchmark: the whole is `python -m tests.bench.survival`."""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from tests.bench.survival import phrases_blind_3, phrases_blind_4, phrases_held_out, phrases_tune
from tests.bench.survival.measure import measure, table

CARRIERS = 6
LISTS = (phrases_tune, phrases_blind_3, phrases_blind_4, phrases_held_out)
PHRASINGS_AT_LEAST = 30
# Words that state a rule whoever looks for them; at least a third of the rules has none of them.
PLAIN_WORDS = re.compile(r"\b(?:never|always|must|don'?t|do not)\b", re.IGNORECASE)


def test_what_survives_three_compactions(tmp_path: Path, report: Callable[[str], None]) -> None:
    sides = measure(CARRIERS, "held_out", "worst", tmp_path)
    report(f"survival of {CARRIERS} chains of three compactions, summaries that say nothing")
    for row in table(sides):
        report(row)
    kept = [sum(kept) for kept in zip(*sides.ours.kept.values(), strict=True)]
    assert kept[0] >= 0.9 * kept[1]
    assert max(sides.ours.tokens) <= 2000


def test_the_phrasing_files_share_no_wording() -> None:
    for one, other in combinations(LISTS, 2):
        assert wordings(one) & wordings(other) == set()


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-8:])
@pytest.mark.parametrize("kind", ["PROHIBITIONS", "OBLIGATIONS"])
def test_rules_are_phrased_in_many_ways(phrases: ModuleType, kind: str) -> None:
    said = [text for texts in getattr(phrases, kind).values() for text in texts]
    plain = [text for text in said if PLAIN_WORDS.search(re.sub(r"[\[\]]", "", text))]
    assert len(set(said)) >= PHRASINGS_AT_LEAST
    assert len(plain) <= len(said) * 2 / 3


def wordings(phrases: ModuleType) -> set[str]:
    """Return all of a file's wordings, without case, stops and marks."""
    tables = [table for name, table in vars(phrases).items() if name.isupper()]
    return {" ".join(re.findall(r"\w+", text.casefold())) for text in texts_of(tables)}


def texts_of(table: object) -> Iterator[str]:
    """Yield the texts in nested tables."""
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict | list | tuple):
        for part in table.values() if isinstance(table, dict) else table:
            yield from texts_of(part)
