"""A sentence that names nothing is told with the one that does."""

import pytest

from amplihack_compaction.extract.failures.referents import with_referent

LONG = "The importer drops rows. " * 20


@pytest.mark.parametrize(
    ("said", "number", "language", "told"),
    [
        (["重複します。", "原因は分かりません。"], 1, "ja", "重複します。原因は分かりません。"),
        (["It leaks.", "No idea why."], 1, "en", "It leaks. No idea why."),
        (["No idea why.", "It leaks."], 0, "en", "No idea why. It leaks."),
        (["Das ist behoben."], 0, "de", "Das ist behoben."),
        (["It leaks.", "The importer drops rows."], 1, "en", "The importer drops rows."),
    ],
)
def test_what_names_nothing_is_told_with_what_stands_beside_it(
    said: list[str], number: int, language: str, told: str
) -> None:
    assert with_referent(said, number, language) == told


def test_only_what_is_spoken_of_is_cut() -> None:
    told = with_referent([LONG, "No idea why."], 1, "en")
    assert told.endswith("… No idea why.")
    assert len(told) <= 200


def test_a_sentence_that_leaves_no_room_stands_alone() -> None:
    sentence = "I still have no idea why, " + "and it fails again " * 9
    assert with_referent([LONG, sentence], 1, "en") == sentence
