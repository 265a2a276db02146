"""What the model says it did away with."""

import pytest

from amplihack_compaction.extract.replies.undoing import undone_in


@pytest.mark.parametrize(
    ("text", "undone"),
    [
        ("I removed littlefs and wrote a ring over the last two pages.", ["littlefs"]),
        ("Replaced the sandbox client; tests use the other one.", ["the sandbox client"]),
        ("Done. I switched the store from mysql to postgres.", ["mysql"]),
        ("Replaced moment with luxon everywhere.", ["moment"]),
        ("I've now dropped the ORM, the queries are plain SQL.", ["the ORM"]),
        ("All green, and I took out the cache.", ["the cache"]),
    ],
)
def test_what_was_removed_or_replaced_is_named(text: str, undone: list[str]) -> None:
    assert undone_in(text) == undone


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Nothing was removed.",
        "The cache can be removed later.",
        "Shall I switch from mysql to postgres?",
        "The user removed his account.",
    ],
)
def test_what_stays_is_not_undone(text: str) -> None:
    assert undone_in(text) == []
