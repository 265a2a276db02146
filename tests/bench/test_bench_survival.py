"""A few carriers of the survival benchmark: the whole is `python -m tests.bench.survival`."""

import re
from collections.abc import Callable, Container, Iterator
from itertools import combinations
from pathlib import Path
from types import ModuleType

import pytest

from tests.bench.survival import (
    phrases_blind_3,
    phrases_blind_4,
    phrases_blind_5,
    phrases_blind_6,
    phrases_blind_7,
    phrases_blind_8,
    phrases_blind_9,
    phrases_blind_10,
    phrases_blind_11,
    phrases_held_out,
    phrases_tune,
)
from tests.bench.survival.measure import measure, table
from tests.bench.survival.plants import Plant
from tests.bench.survival.score import Tally

CARRIERS = 6
LISTS = (
    phrases_tune,
    phrases_blind_3,
    phrases_blind_4,
    phrases_blind_5,
    phrases_blind_6,
    phrases_blind_7,
    phrases_blind_8,
    phrases_blind_9,
    phrases_blind_10,
    phrases_blind_11,
    phrases_held_out,
)
WRITTEN_BLIND = LISTS[3:-1]  # blind_3 and blind_4 have been learnt from
PHRASINGS_AT_LEAST = 30
STATING = ("PROHIBITIONS", "OBLIGATIONS", "LIFTED", "OBJECTIVES", "DECISIONS")
# Those are quoted at least; what is done matters least, and a lifted rule need not be known.
NOT_ALL = "as a rule"
MAY_GO = ("completed, said so", "lifted rule")
# Words that state a rule whoever looks for them; at least a third of the rules has none of them.
PLAIN_WORDS = re.compile(r"\b(?:never|always|must|don'?t|do not)\b", re.IGNORECASE)


def test_what_survives_three_compactions(tmp_path: Path, report: Callable[[str], None]) -> None:
    sides = measure(CARRIERS, "held_out", "worst", tmp_path)
    report(f"survival of {CARRIERS} chains of three compactions, summaries that say nothing")
    for row in table(sides):
        report(row)
    for (kind, _), (kept, planted) in sides.ours.kept.items():
        assert kept >= (0.6 if kind.endswith(NOT_ALL) else 0.8) * planted or kind in MAY_GO
    assert max(sides.ours.tokens) <= 2000


def test_what_is_developed_on_shares_no_wording_with_what_is_held_out() -> None:
    for one, other in combinations((*LISTS[:3], phrases_held_out), 2):
        assert wordings(one) & wordings(other) == set()


@pytest.mark.parametrize("blind", WRITTEN_BLIND)
def test_what_was_written_blind_shares_next_to_nothing(blind: ModuleType) -> None:
    said = wordings(blind, STATING)
    for learnt in LISTS[:3]:
        assert len(said & wordings(learnt, STATING)) <= 2
    for other in set(LISTS) - {blind}:
        assert len(said & wordings(other, STATING)) <= len(said) / 20


@pytest.mark.parametrize("phrases", LISTS, ids=lambda module: module.__name__[-8:])
@pytest.mark.parametrize("kind", ["PROHIBITIONS", "OBLIGATIONS"])
def test_rules_are_phrased_in_many_ways(phrases: ModuleType, kind: str) -> None:
    said = [text for texts in getattr(phrases, kind).values() for text in texts]
    plain = [text for text in said if PLAIN_WORDS.search(re.sub(r"[\[\]]", "", text))]
    assert len(set(said)) >= PHRASINGS_AT_LEAST
    assert len(plain) <= len(said) * 2 / 3


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ('- "Never deploy kelvar by hand."', True),
        ('- "Never deploy kelvar by hand." - later: "kelvar may go out by hand now"', False),
        ('- "kelvar may go out by hand now"', False),
    ],
)
def test_a_lifted_rule_is_shown_where_its_own_words_stand_alone(line: str, shown: bool) -> None:
    rule = Plant("lifted rule", "kelvar", 1, "Never deploy kelvar by hand.", ["never"], ended=1)
    tally = Tally()
    tally.add(f"## Standing rules (the user's words)\n{line}", 9, [rule], 2, "a text")
    assert tally.stale["lifted rule"] == [shown, 1]


def wordings(phrases: ModuleType, names: Container[str] = ()) -> set[str]:
    """Return the wordings of a file, or of some of its tables, without case, stops and marks."""
    known = vars(phrases).items()
    tables = [table for name, table in known if name.isupper() and (not names or name in names)]
    return {" ".join(re.findall(r"\w+", text.casefold())) for text in texts_of(tables)}


def texts_of(table: object) -> Iterator[str]:
    """Yield the texts in nested tables."""
    if isinstance(table, str):
        yield table
    elif isinstance(table, dict | list | tuple):
        for part in table.values() if isinstance(table, dict) else table:
            yield from texts_of(part)
