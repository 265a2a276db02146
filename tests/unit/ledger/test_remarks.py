"""What may be a rule or a choice is quoted, though nothing in its wording tells which."""

from pathlib import Path

import pytest

from amplihack_compaction.ledger.extract import extract_window
from amplihack_compaction.ledger.merge import merge_window
from amplihack_compaction.ledger.remarks import REMARKS_LIMIT, extract_remarks, weight_of
from amplihack_compaction.ledger.render import render_state
from amplihack_compaction.speech.decisions import extract_decisions
from amplihack_compaction.state.model import SessionState
from amplihack_compaction.transcript.boundaries import Window
from tests.unit.speech.windows import window_saying


def remarks(window: Window) -> list[str]:
    return [remark.text for remark in extract_remarks(window, extract_decisions(window))]


def merged(*windows: Window) -> SessionState:
    state = SessionState()
    for window in windows:
        state = merge_window(state, extract_window(window))
    return state


@pytest.mark.parametrize(
    "said",
    [
        "our lawyers say no gpl code near billing",
        "a change in billing is not done until the docs say so too",
        "billing is for humans only, you can read it",
        "we'll do it the redis way because mongo confused everybody",
        "the certs don't get copied anywhere",
        "a la tabla ni tocarla por favor",
        "ce sera redis, mongo coûte trop cher",
        "代码里先别出现 billing 这个词",
    ],
)
def test_what_denies_demands_or_chooses_is_a_remark(tmp_path: Path, said: str) -> None:
    window = window_saying(tmp_path, "Build the login page.", said)
    assert remarks(window) == [said] or extract_window(window).rules or extract_decisions(window)
    assert weight_of(said) > 0


@pytest.mark.parametrize(
    "said",
    [
        "fix the typo in the header",
        "the tests fail on my machine",
        "why is this not cached?",
        "thanks",
        "add more tests please, all of them",
        "somebody commented “we always deploy billing on mondays”, who was that",
        "each word " * 40,
    ],
)
def test_work_trouble_questions_and_quotations_are_none(tmp_path: Path, said: str) -> None:
    assert remarks(window_saying(tmp_path, said)) == []


def test_what_is_understood_is_no_remark(tmp_path: Path) -> None:
    window = window_saying(
        tmp_path, "Never push to main.", "Let's go with redis because it is small.",
        "You may push to main again.",
    )  # fmt: skip
    assert remarks(window) == []


def test_of_too_many_remarks_the_newest_are_kept(tmp_path: Path) -> None:
    said = [f"our lawyers say no to library {n}" for n in range(REMARKS_LIMIT + 5)]
    window = window_saying(tmp_path, *said)
    assert remarks(window) == said[5:]
    assert len(merged(window).remarks) == REMARKS_LIMIT


def test_remarks_are_shown_in_their_own_words_the_weightiest_first(tmp_path: Path) -> None:
    light = "the certs don't get copied anywhere"
    weighty = "our lawyers say no gpl code near billing, only mit"
    work = "Now build the importer of the shop."
    shown = render_state(
        merged(window_saying(tmp_path, "Begin the shop.", weighty, light, work))
    ).text
    section = shown[shown.index("## Also said (the user's words)") :]
    assert section.index(f'- "{weighty}"') < section.index(f'- "{light}"')


def test_a_remark_that_is_taken_back_is_no_longer_shown(tmp_path: Path) -> None:
    remark, lift = "our lawyers say no gpl code near billing", "gpl code near billing is fine again"
    said = merged(window_saying(tmp_path / "said", "Build the shop.", remark))
    assert [item.text for item in said.remarks] == [remark]
    window = window_saying(tmp_path / "lifted", "Build the shop.", remark, lift)
    assert merged(window).remarks == ()
    assert merged(window, window).remarks == ()
