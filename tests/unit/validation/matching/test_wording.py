import pytest

from amplihack_compaction.text.words import canonical, content_words, related_to
from amplihack_compaction.validation.matching.sought_item import prepare_item
from amplihack_compaction.validation.matching.text_index import TextIndex, Unit
from amplihack_compaction.validation.matching.wording import (
    PHRASE_WORTH,
    alike,
    cue_features,
    cues_in,
    pair_words,
    phrase_features,
)


def pairs(item: str, passage: str) -> dict[str, float]:
    sought = prepare_item(item, TextIndex(""))
    found = pair_words(sought, frozenset(content_words(passage)))
    assert found.partners.keys() == found.worths.keys() <= sought.weights.keys()
    return found.worths


def test_the_same_word_is_worth_more_than_a_related_one() -> None:
    found = pairs("Reply in Spanish.", "The conversation is in Spanish.")
    assert found[canonical("spanish")] == 1.0
    assert 0 < found[canonical("reply")] < 1.0


def test_a_slip_of_the_keys_is_found_by_its_letters() -> None:
    assert pairs("Keep the sidebar.", "The sidebra stays.")[canonical("sidebar")] > 0


def test_a_word_denied_by_its_first_letters_is_told() -> None:
    sought = prepare_item("Only official images.", TextIndex(""))
    found = pair_words(sought, frozenset(content_words("Unofficial images are banned.")))
    assert found.denied == {canonical("official")}
    assert canonical("image") not in found.denied


def test_what_the_item_does_not_speak_of_is_extra() -> None:
    sought = prepare_item("Never push to main.", TextIndex(""))
    found = pair_words(sought, frozenset(content_words("Pushing to main broke the calendar.")))
    assert canonical("calendar") in found.extra
    assert canonical("push") not in found.extra


def test_nothing_is_found_in_an_empty_passage() -> None:
    sought = prepare_item("Never push to main.", TextIndex(""))
    found = pair_words(sought, frozenset())
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


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("You must never do that.", {"demand", "ban", "refrain"}),
        ("It may be done freely.", {"leave", "straight"}),
        ("There is no need to ask.", {"needless", "approval"}),
        ("The user lifted the rule later.", {"user", "revoked", "back"}),
        ("Pending: at most 5 lines", {"pending", "less", "number"}),
        ("Changes are made without asking.", {"unasked"}),
    ],
)
def test_a_text_has_its_signs(text: str, signs: set[str]) -> None:
    assert signs <= cues_in(text)


def test_words_that_only_hold_a_sign_have_none() -> None:
    assert not cues_in("Cannery bantam mustard") & {"leave", "ban", "demand"}


@pytest.mark.parametrize(
    ("passage", "name"),
    [
        ("Ask before pushing.", "approval kept"),
        ("There is no need to ask before pushing.", "approval waived"),
        ("Pushing is done at night.", "approval gone"),
    ],
)
def test_an_approval_is_kept_waived_or_gone(passage: str, name: str) -> None:
    assert name in cue_features("Never push without asking me.", passage, "rule")


def test_a_sign_in_one_of_both_is_told_from_one_in_both() -> None:
    found = cue_features("Only the owner may push.", "The owner may push.", "rule")
    assert {"only lost", "leave in both"} <= found.keys()
    assert "only in both" not in found


def names(item: str, passage: str, kind: str = "rule") -> set[str]:
    sought = prepare_item(item, TextIndex(""))
    unit = Unit(passage)
    found = phrase_features(sought, kind, unit.plain, pair_words(sought, unit.words))
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
