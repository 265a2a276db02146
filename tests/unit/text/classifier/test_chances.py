"""What sentences do is told by weights that belong to the sentences they were learnt from."""

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.text.classifier.chances import Typed, chances_of, chances_told
from tests.acts.sentences import Sentence
from tests.publish_acts import LESSONS, digest

# Of sentences that nothing was learnt from: how much of what does an act is above the chance, and
# how much of what is above the chance does it.
FLOORS = {
    ("typed", "kept"): (0.3, 0.92, 0.80),
    # What nothing is known of counts as a rule here: of it the patterns alone decide.
    ("typed", "rule"): (0.5, 0.66, 0.76),
    ("typed", "decision"): (0.3, 0.6, 0.78),
    ("typed", "objective"): (0.15, 0.8, 0.72),
    ("typed", "lift"): (0.035, 0.89, 0.33),
    ("typed", "work"): (0.5, 0.64, 0.82),
    ("told", "unsolved"): (0.4, 0.74, 0.78),
    ("told", "given_up"): (0.5, 0.54, 0.88),
    ("told", "trouble"): (0.5, 0.8, 0.84),
}


@cache
def apart(name: str) -> list[Sentence]:
    """Return a lesson's sentences that nothing is learnt from."""
    return [sentence for sentence in LESSONS[name].sentences() if sentence.is_apart]


@pytest.mark.parametrize("name", LESSONS)
def test_the_weights_were_learnt_from_the_sentences_that_are_there(name: str) -> None:
    lesson = LESSONS[name]
    head = Path(lesson.table.path).read_text(encoding="utf-8").partition("\n")[0]
    assert head.startswith(f"# {digest(lesson.learnt_from)}, "), "run python -m tests.publish_acts"


@pytest.mark.parametrize("name", LESSONS)
def test_every_act_has_hundreds_of_sentences_that_tell_it(name: str) -> None:
    lesson = LESSONS[name]
    learnt_from = lesson.learnt_from
    for act in lesson.acts.values():
        assert sum(sentence.label in act.does for sentence in learnt_from) > 300
    assert len(apart(name)) > 250


@pytest.mark.parametrize(("name", "act"), FLOORS)
def test_sentences_that_nothing_was_learnt_from_are_told_apart(name: str, act: str) -> None:
    chance, recall, precision = FLOORS[name, act]
    lesson, chances = LESSONS[name], chances_of if name == "typed" else chances_told
    does, unknown = lesson.acts[act]
    asked = [s for s in apart(name) if s.label not in unknown | {"decoy"}]
    shown = [s.label in does for s in asked if getattr(chances(s.text), act) >= chance]
    assert sum(shown) >= recall * sum(sentence.label in does for sentence in asked)
    assert sum(shown) >= precision * len(shown)


@pytest.mark.parametrize(
    ("text", "likeliest"),
    [
        ("the vendor folder is a museum, look and don't touch", lambda c: c.rule),
        ("postgres wins, mongo lost our data twice", lambda c: c.decision),
        ("enough of that, now the importer", lambda c: c.objective),
        ("tabs are fine again in the templates", lambda c: c.lift),
        ("add a test for the empty list", lambda c: c.work),
    ],
)
def test_idioms_are_told(text: str, likeliest: Callable[[Typed], float]) -> None:
    assert likeliest(chances_of(text)) > 0.3


def test_trouble_and_thanks_need_not_be_kept() -> None:
    for text in ("thanks", "it crashes when I open the menu", "ok the tests pass now"):
        assert chances_of(text).kept < 0.3


@given(st.text())
def test_any_text_has_chances(text: str) -> None:
    assert all(0 <= chance <= 1 for chance in (*chances_of(text), *chances_told(text)))


def test_a_long_text_is_judged_by_its_beginning() -> None:
    text = "never touch the billing tables " * 30
    assert chances_of(text) == chances_of(text + "ok " * 10_000)
