import pytest

from amplihack_compaction.text.meaning.disagreement import disagreement
from amplihack_compaction.text.meaning.stance import read_stance
from amplihack_compaction.text.meaning.telling import reports, taken_back
from amplihack_compaction.text.meaning.words import content_words


def differ(item: str, text: str) -> float:
    shared = set(content_words(item)) & set(content_words(text))
    return disagreement(read_stance(item), read_stance(text), dict.fromkeys(shared, 1.0))


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Run the tests before committing", "Commit without running the tests"),
        ("Never deploy without approval", "No approval is needed to deploy"),
        ("Ask before deleting rows", "Deleting rows is up to the assistant, no asking needed"),
        ("Use vitest, not jest", "jest was chosen over vitest"),
        ("We go with redis", "redis was not picked"),
        ("Every button has a label", "Remove the label of the button"),
        ("Use absolute imports", "Use relative imports"),
        ("Test on staging", "Testing on staging would be nice"),
        ("Only admins may delete posts", "Both admins and guests may delete posts"),
    ],
)
def test_what_is_waived_removed_or_chosen_otherwise_contradicts(item: str, text: str) -> None:
    assert differ(item, text) > 0


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Never deploy without approval", "Deploys require approval"),
        ("Ask before deleting rows", "Rows may only be deleted after asking"),
        ("Use vitest, not jest", "vitest was chosen over jest"),
        ("No relative imports", "Imports must be absolute"),
        ("Keep functions below 30 lines", "No more than 30 lines may be in functions"),
        ("Don't mock the database in tests", "Tests run on a real database; do not mock it"),
        ("Don't remove the tests", "Tests must not be removed"),
    ],
)
def test_the_same_said_the_other_way_round_agrees(item: str, text: str) -> None:
    assert differ(item, text) <= 0


@pytest.mark.parametrize(
    "text",
    [
        "the folder was read and has 14 files",
        "created two modules",
        "the user asked what the file is for",
        "the script took two minutes",
    ],
)
def test_a_report_asks_for_nothing(text: str) -> None:
    assert reports(text)


@pytest.mark.parametrize(
    "text",
    [
        "the tests must be run",
        "pushing was forbidden by the user",
        "the user asked to keep it short",
        "errors are logged",
        "it was decided to use redis",
    ],
)
def test_what_asks_for_something_is_no_report(text: str) -> None:
    assert not reports(text)


@pytest.mark.parametrize(
    ("text", "surely"),
    [
        ("the user changed their mind about tabs", 2),
        ("the user withdrew the rule", 2),
        ("at first the user wanted tabs, then spaces", 2),
        ("the user said that it may be edited now", 1),
        ("it may be edited now", 0),
        ("the rule was withdrawn", 0),
    ],
)
def test_only_the_user_takes_back(text: str, surely: int) -> None:
    assert taken_back(text) == surely
