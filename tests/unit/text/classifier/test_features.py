"""A sentence's features are its words in their order; names, slips and endings say nothing."""

import pytest

from amplihack_compaction.text.classifier.features import features_of


def test_words_pairs_triples_and_pairs_around_a_word_are_features() -> None:
    found = features_of("Keep it small!")
    assert {"keep", "it", "small", "!", "^ keep", "keep it", "it small !", "keep _ small"} <= found
    assert {"! $", "2:it", "3:small", "n:1"} <= found
    assert not {"^", "$", "Keep"} & found


@pytest.mark.parametrize("name", ["src/app.py", "`src/app.py`", "8080", "camelCase", "API"])
def test_code_paths_and_numbers_are_one_word(name: str) -> None:
    assert features_of(f"leave {name} alone") == features_of("leave v2 alone")


def test_long_words_are_known_by_their_beginning_too() -> None:
    assert "migr-" in features_of("no migrations") & features_of("he migrated it")
    assert not any(feature.endswith("-") for feature in features_of("no tabs"))


def test_signs_are_words_of_their_own() -> None:
    assert {"别", "动", "别 动", "n:0"} <= features_of("别动")
    assert {"먼", "저", "물 어"} <= features_of("먼저 물어")


@pytest.mark.parametrize("slip", ["pelase", "pleease", "pleas", "plase"])
def test_a_slip_is_taken_for_the_word_that_is_known(slip: str) -> None:
    known = {"please", "wait"}
    assert features_of(f"{slip} wait", known) == features_of("please wait", known)
    assert slip in features_of(f"{slip} wait")


def test_only_a_words_begin_counts_of_what_is_endless() -> None:
    assert features_of("word " * 60) | {"word $", "word word $", "word _ $"} == features_of(
        "word " * 100_000
    ) | {"word $", "word word $", "word _ $"}


def test_nothing_has_only_its_length() -> None:
    assert features_of("") == {"n:0", "^ $"}
