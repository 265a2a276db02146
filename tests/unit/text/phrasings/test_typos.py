"""Slips of the keyboard in keywords, and words that only look like one."""

import re

import pytest

from amplihack_compaction.text.phrasings.markers import markers_for
from amplihack_compaction.text.words import (
    accents_left_out,
    replace_typos,
    without_accents,
)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("nver", "never"), ("alwyas", "always"), ("neever", "never"), ("shoudl", "should")],
)
def test_slips_of_the_pen_are_understood(typed: str, meant: str) -> None:
    assert replace_typos(f"{typed} push", markers_for("en").typos) == f"{meant} push"


@pytest.mark.parametrize("word", ["ever", "very", "void", "refer", "lease", "stick", "only"])
def test_words_of_their_own_are_no_slips(word: str) -> None:
    assert replace_typos(word, markers_for("en").typos) == word


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"\bnão use\b", "nao use"),
        (r"\bréponds?\b", "repond"),
        (r"(?:für|änder\w*)", "fuer"),
        (r"größe", "groesse"),
        (r"(?<!não )señal", "senal"),
    ],
)
def test_a_pattern_is_known_without_accents(source: str, text: str) -> None:
    assert re.search(without_accents(source), text)


@pytest.mark.parametrize(
    "source", ["qué", "où", r"[áé]", r"(?<=é)x", r"(?P<tâche>x)", "any", r"\bmás\b", "только"]
)
def test_what_is_another_word_without_accents_keeps_them(source: str) -> None:
    assert without_accents(source) == source


def test_a_word_is_typed_without_accents() -> None:
    assert accents_left_out("français") == "francais"
    assert accents_left_out("für") == "fuer"
    assert accents_left_out("más") == "más"
