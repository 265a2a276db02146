import pytest

from amplihack_compaction.validation.judgement.likeness import likeness
from amplihack_compaction.validation.judgement.phrases import PHRASE_WORTH, phrase_features
from amplihack_compaction.validation.matching.needle import prepare
from amplihack_compaction.validation.matching.units import Unit


def names(item: str, passage: str, kind: str = "rule") -> set[str]:
    needle = prepare(item, lambda word: ())
    unit = Unit(passage)
    found = phrase_features(needle, kind, unit.plain, likeness(needle, unit.words))
    assert set(found.values()) == {PHRASE_WORTH}
    return set(found)


def test_what_is_said_of_a_matter_is_named_alike_whatever_the_matter() -> None:
    archive = names("Never upload the archive.", "Archives may be uploaded.")
    colour = names("Never paint the fence.", "Fences may be painted.")
    assert archive == colour
    assert {"there: X may", "there: be X"} <= archive


def test_a_run_of_shared_words_is_one() -> None:
    found = names("Never upload old archives.", "Upload old archives.")
    assert "there: ^ X" in found
    assert "there: X X" not in found


def test_the_phrases_stand_for_what_the_item_mainly_does_too() -> None:
    passage = "Uploads are fine."
    assert "banning rule: are fine" in names("Never upload.", passage)
    assert "demanding todo: are fine" in names("You must upload.", passage, "todo")


def test_numbers_are_alike_and_a_number_in_a_list_is_none() -> None:
    assert names("Say it in 5 lines.", "1. 30 words") == names("Say it in 5 lines.", "7) 80 words")


@pytest.mark.parametrize("passage", ["", "。", "    "])
def test_a_passage_without_words_has_its_edges_only(passage: str) -> None:
    assert names("Never upload.", passage) == {"there: ^ $", "banning rule: ^ $"}


def test_of_a_long_passage_the_beginning_is_named() -> None:
    found = names("Never upload.", " ".join(f"word{number}a" for number in range(500)))
    assert "there: word0a" in found
    assert "there: word499a" not in found
    assert len(found) < 500
