import pytest

from amplihack_compaction.validation.judgement.signs import sign_features, signs_of


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
    assert signs <= signs_of(text)


def test_words_that_only_hold_a_sign_have_none() -> None:
    assert not signs_of("Cannery bantam mustard") & {"leave", "ban", "demand"}


@pytest.mark.parametrize(
    ("passage", "name"),
    [
        ("Ask before pushing.", "approval kept"),
        ("There is no need to ask before pushing.", "approval waived"),
        ("Pushing is done at night.", "approval gone"),
    ],
)
def test_an_approval_is_kept_waived_or_gone(passage: str, name: str) -> None:
    assert name in sign_features("Never push without asking me.", passage, "", "rule")


def test_a_heading_tells_whether_work_is_open() -> None:
    assert "under pending" in sign_features("Write docs", "docs", "Pending tasks:", "todo")
    assert "under pending" not in sign_features("Write docs", "docs", "", "todo")


def test_a_sign_in_one_of_both_is_told_from_one_in_both() -> None:
    found = sign_features("Only the owner may push.", "The owner may push.", "", "rule")
    assert {"only lost", "leave in both"} <= found.keys()
    assert "only in both" not in found
