import pytest

from amplihack_compaction.text.meaning.disagreement import disagreement
from amplihack_compaction.text.meaning.stance import read_stance
from amplihack_compaction.text.meaning.words import canonical, content_words


def signs(text: str) -> dict[str, int]:
    return read_stance(text).signs


def contradicts(item: str, text: str) -> bool:
    shared = {word: 1.0 for word in content_words(item) if word in set(content_words(text))}
    return disagreement(read_stance(item), read_stance(text), shared) > 0


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
    found = read_stance("Never deploy without approval")
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
    assert read_stance(text).bound == bound


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
        read_stance(piece * 50_000)
