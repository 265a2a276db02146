import pytest

from amplihack_compaction.text.words import canonical, content_words, related_to
from amplihack_compaction.validation.judgement.likeness import alike, likeness
from amplihack_compaction.validation.matching.needle import prepare


def pairs(item: str, passage: str) -> dict[str, float]:
    needle = prepare(item, lambda word: ())
    found = likeness(needle, frozenset(content_words(passage)))
    assert found.partners.keys() == found.worths.keys() <= needle.weights.keys()
    return found.worths


def test_the_same_word_is_worth_more_than_a_related_one() -> None:
    found = pairs("Reply in Spanish.", "The conversation is in Spanish.")
    assert found[canonical("spanish")] == 1.0
    assert 0 < found[canonical("reply")] < 1.0


def test_a_slip_of_the_keys_is_found_by_its_letters() -> None:
    assert pairs("Keep the sidebar.", "The sidebra stays.")[canonical("sidebar")] > 0


def test_a_word_denied_by_its_first_letters_is_told() -> None:
    needle = prepare("Only official images.", lambda word: ())
    found = likeness(needle, frozenset(content_words("Unofficial images are banned.")))
    assert found.denied == {canonical("official")}
    assert canonical("image") not in found.denied


def test_what_the_item_does_not_speak_of_is_extra() -> None:
    needle = prepare("Never push to main.", lambda word: ())
    found = likeness(needle, frozenset(content_words("Pushing to main broke the calendar.")))
    assert canonical("calendar") in found.extra
    assert canonical("push") not in found.extra


def test_nothing_is_found_in_an_empty_passage() -> None:
    needle = prepare("Never push to main.", lambda word: ())
    found = likeness(needle, frozenset())
    assert (found.worths, found.extra) == ({}, ())


@pytest.mark.parametrize(("left", "right"), [("cat", "cats"), ("push", "rush"), ("", "word")])
def test_short_words_and_other_beginnings_are_not_alike(left: str, right: str) -> None:
    assert alike(left, right) == 0.0


def test_alike_is_the_same_both_ways_and_whole_for_the_same() -> None:
    assert alike("duration", "durable") == alike("durable", "duration") < 1.0
    assert alike("duration", "duration") == 1.0


def test_related_words_are_related_both_ways_and_never_to_themselves() -> None:
    reply, language = canonical("reply"), canonical("language")
    assert language in related_to(reply)
    assert reply in related_to(language)
    assert reply not in related_to(reply)
    assert related_to("nosuchword") == frozenset()
