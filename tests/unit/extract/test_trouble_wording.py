"""What tells of trouble or calls it solved, in any language, and of what it speaks."""

import pytest

from amplihack_compaction.extract.issues import extract_issues, with_referent
from tests.support.transcripts import Transcript
from tests.unit.conftest import Read

# What does not work, what is called solved of it, and what is solved of something else.


def test_an_answer_that_knows_nothing_is_no_issue(read: Read) -> None:
    transcript = Transcript()
    transcript.user("Кто это написал?")
    transcript.assistant("Не знаю.")
    assert extract_issues(read(transcript)) == ()


LONG = "The importer drops rows. " * 20


@pytest.mark.parametrize(
    ("said", "number", "told"),
    [
        (["It leaks.", "No idea why."], 1, "It leaks. No idea why."),
        (["No idea why.", "It leaks."], 0, "No idea why. It leaks."),
        (["Das ist behoben."], 0, "Das ist behoben."),
        (["It leaks.", "The importer drops many rows."], 1, "The importer drops many rows."),
    ],
)
def test_what_names_nothing_is_told_with_what_stands_beside_it(
    said: list[str], number: int, told: str
) -> None:
    assert with_referent(said, number) == told


def test_only_what_is_spoken_of_is_cut() -> None:
    told = with_referent([LONG, "No idea why."], 1)
    assert told.endswith("… No idea why.")
    assert len(told) <= 200


def test_a_sentence_that_leaves_no_room_stands_alone() -> None:
    sentence = "I still have no idea why, " + "and it fails again " * 9
    assert with_referent([LONG, sentence], 1) == sentence
