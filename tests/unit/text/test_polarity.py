import pytest

from amplihack_compaction.text.polarity import (
    disagreement,
    only_reports,
    plain_words,
    read_polarity,
    taken_back,
)
from amplihack_compaction.text.words import canonical, content_words


def signs(text: str) -> dict[str, int]:
    return read_polarity(text).signs


def contradicts(item: str, text: str) -> bool:
    shared = {word: 1.0 for word in content_words(item) if word in set(content_words(text))}
    return disagreement(read_polarity(item), read_polarity(text), shared) > 0


def test_a_negation_reaches_over_its_part_of_the_sentence() -> None:
    found = signs("Use pnpm, not npm, but keep the lockfile.")
    assert found["pnpm"] == 1
    assert found["npm"] == -1
    assert found[canonical("lockfile")] == 1


def test_a_list_is_one_part() -> None:
    assert set(signs("Never log tokens, passwords or cookies.").values()) == {-1}


@pytest.mark.parametrize(
    "text",
    [
        "Never push the branch",
        "Do not push the branch",
        "Don't push the branch",
        "The branch must not be pushed",
        "Pushing the branch is forbidden",
        "Avoid pushing the branch",
        "Under no circumstances push the branch",
        "Never, under any circumstances, push the branch",
    ],
)
def test_prohibitions_in_any_form_rule_out_the_same(text: str) -> None:
    assert signs(text)[canonical("branch")] == -1


def test_what_hangs_on_a_condition_is_neither_asked_for_nor_ruled_out() -> None:
    found = read_polarity("Never deploy without approval")
    assert found.signs[canonical("deploy")] == 0
    assert found.signs[canonical("approval")] == 1
    assert canonical("deploy") in found.guarded


def test_verbs_of_leaving_out_turn_a_sentence_round() -> None:
    assert signs("Skip the tests")[canonical("tests")] == -1
    assert signs("Never skip the tests")[canonical("tests")] == 1
    assert signs("Don't forget the tests")[canonical("tests")] == 1


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("under 30 lines", 1),
        ("no more than 30 lines", 1),
        ("never more than 30 lines", 1),
        ("at least 30 lines", -1),
        ("not below 30 lines", -1),
        ("between over 3 and under 5", 0),
        ("30 lines", 0),
    ],
)
def test_limits_on_numbers_have_a_direction(text: str, bound: int) -> None:
    assert read_polarity(text).bound == bound


@pytest.mark.parametrize(
    ("item", "text"),
    [
        ("Run tests before deploying", "Run tests after deploying"),
        ("Set debug to false", "Set debug to true"),
        ("Use tabs for indents", "Use spaces for indents"),
        ("Only admins may delete", "Anyone may delete, not only admins"),
        ("Always lint the code", "The code may be linted"),
        ("Always lint the code", "Lint the code where possible"),
        ("Always lint the code", "The code no longer needs to be linted"),
        ("Prefer pipes over files", "Prefer files over pipes"),
    ],
)
def test_opposites_weaker_words_and_lifted_rules_contradict(item: str, text: str) -> None:
    assert contradicts(item, text)
    assert not contradicts(item, item)


def test_hostile_text_is_read_in_linear_time() -> None:
    for piece in ("not ", "a,", "no a b c d ", "never without ", "if ", "不要", "prefer "):
        read_polarity(piece * 50_000)


def differ(item: str, text: str) -> float:
    shared = set(content_words(item)) & set(content_words(text))
    return disagreement(read_polarity(item), read_polarity(text), dict.fromkeys(shared, 1.0))


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
    assert only_reports(text)


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
    assert not only_reports(text)


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


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("leave the css alone", "don't change the css"),
        ("leave src/a.py as it is", "don't change src/a.py"),
        ("hands off the parser", "don't change the parser"),
        ("the schema is off-limits", "the schema must not be changed"),
        ("the schema stays untouched", "the schema must not be changed"),
        ("dont push", "don't push"),
        ("nobody but the worker may write", "only the worker may write"),
        ("do not push unless i said so", "do not push without asking"),
        ("take the flag out of the page", "remove the flag from the page"),
        ("leave `a.md` out of it", "omit a.md from it"),
        ("stop adding comments to files", "don't adding comments to files"),
        ("not without my ok", "not without approval"),
        ("unsigned commits", "omitted signed commits"),
    ],
)
def test_a_turn_of_phrase_is_put_plainly(said: str, meant: str) -> None:
    assert " ".join(plain_words(said).split()) == meant


@pytest.mark.parametrize(
    "text", ["the client is unlikely to notice", "leave early", "an update on monday", "", "."]
)
def test_other_words_stay_as_they_are(text: str) -> None:
    assert plain_words(text) == text
