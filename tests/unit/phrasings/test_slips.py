"""Slips of the keyboard in keywords, and words that only look like one."""

import pytest

from amplihack_compaction.phrasings.markers import markers_for
from amplihack_compaction.phrasings.slips import correct_slips


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("nver", "never"), ("alwyas", "always"), ("neever", "never"), ("shoudl", "should")],
)
def test_slips_of_the_pen_are_understood(typed: str, meant: str) -> None:
    assert correct_slips(f"{typed} push", markers_for("en").slips) == f"{meant} push"


@pytest.mark.parametrize("word", ["ever", "very", "void", "refer", "lease", "stick", "only"])
def test_words_of_their_own_are_no_slips(word: str) -> None:
    assert correct_slips(word, markers_for("en").slips) == word
