"""Numbered lists in one line."""

import pytest

from amplihack_compaction.text.enumerated import unfolded
from amplihack_compaction.text.sentences import sentences


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (
            "Migrate the service. Todo: 1. exchange 2. load test (later) 3. docs",
            ["Migrate the service.", "Todo:", "1. exchange", "2. load test (later)", "3. docs"],
        ),
        ("1) tabs 2) no any", ["1) tabs", "2) no any"]),
        ("rules: (1) no any (2) 2 reviewers", ["rules:", "(1) no any", "(2) 2 reviewers"]),
    ],
)
def test_a_list_in_one_line_is_a_line_for_each_item(line: str, lines: list[str]) -> None:
    assert unfolded(line) == lines


@pytest.mark.parametrize(
    "line",
    [
        "",
        "see chapter 1. 2. is wrong",
        "1. only one",
        "we need 2. then 3. of them",
        "bump it to 1.2. and 1.3.",
        "take 1. it is cheaper",
    ],
)
def test_other_numbers_list_nothing(line: str) -> None:
    assert unfolded(line) == [line]


def test_each_item_of_a_list_in_one_line_is_a_sentence() -> None:
    assert sentences("Fix it. Rules: 1. never use any 2. test each change 3. no new packages.") == [
        "Fix it.", "Rules:", "never use any", "test each change", "no new packages.",
    ]  # fmt: skip
