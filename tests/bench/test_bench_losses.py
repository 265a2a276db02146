"""What the loss detection reached on held-out rows: the whole is `python -m tests.bench.losses`.

The floors are a little below what was measured.
"""

from collections.abc import Callable

import pytest

from tests.bench.losses.frames import every_row, generated, read_templates, shared_wording
from tests.bench.losses.judges import overlap_judge, package
from tests.bench.losses.rows import BLIND, HALVES, LABELS, handwritten
from tests.bench.losses.score import table, tally
from tests.bench.losses.whole import WAYS, alarms

ROWS = 600
SUMMARIES = 40


def test_losses_in_rows_written_by_hand(report: Callable[[str], None]) -> None:
    counts = tally(handwritten("held_out"), package)
    report("losses, rows written by hand, held out")
    for row in table(counts):
        report(row)
    assert counts.lost.precision >= 0.8
    assert counts.lost.recall >= 0.9
    assert counts.negation_recall >= 0.8


def test_losses_in_generated_rows(report: Callable[[str], None]) -> None:
    counts = tally(generated("held_out", ROWS), package)
    by_overlap = tally(generated("held_out", ROWS), overlap_judge(handwritten("tune")))
    report(f"losses, {ROWS} generated rows, held out")
    for row in table(counts):
        report(row)
    assert counts.lost.f1 >= 0.9
    assert counts.negation_recall >= 0.85
    assert by_overlap.lost.f1 <= counts.lost.f1 - 0.15, "counting shared words would do as well"


@pytest.mark.parametrize("way", WAYS)
def test_a_summary_that_keeps_all_raises_no_alarm(way: str) -> None:
    found = alarms("held_out", SUMMARIES, WAYS[way])
    assert not found.raised, found.rows


@pytest.mark.parametrize(("lost", "least"), [(1, 0.5), (3, 0.9)])
def test_a_summary_that_lacks_items_raises_an_alarm(lost: int, least: float) -> None:
    found = alarms("held_out", SUMMARIES, WAYS["half of them in other words"], lost)
    assert found.raised >= least * SUMMARIES


@pytest.mark.parametrize("half", BLIND)
def test_rows_that_nothing_was_developed_on(half: str, report: Callable[[str], None]) -> None:
    counts = tally(handwritten(half), package)
    report(f"losses, rows written by hand, {half}")
    for row in table(counts):
        report(row)
    assert counts.lost.f1 >= 0.8


@pytest.mark.parametrize("known", ["tune", "learn"])
def test_the_held_out_half_shares_no_wording(known: str) -> None:
    frames = read_templates(known).frames
    assert not shared_wording(frames, read_templates("held_out").frames)


def test_rows_written_by_hand_share_no_wording_with_those_developed_on() -> None:
    rows = {half: list(handwritten(half)) for half in HALVES}
    for attribute in ("item", "said"):
        known = {getattr(row, attribute) for row in rows["tune"]}
        for half in ("held_out", *BLIND):
            assert not known & {getattr(row, attribute) for row in rows[half]}
    assert sum(map(len, rows.values())) >= 500


def test_what_is_learnt_from_shares_no_item_with_blind_rows() -> None:
    learnt = {row.item.casefold() for row, _ in every_row("learn")}
    for half in BLIND:
        assert not learnt & {row.item.casefold() for row in handwritten(half)}


@pytest.mark.parametrize("half", ["tune", "held_out"])
def test_every_label_has_rows_in_both_sorts(half: str) -> None:
    assert {row.label for row in handwritten(half)} == set(LABELS)
    assert {row.label for row in generated(half, 300)} == set(LABELS)


def test_the_same_rows_are_made_every_time() -> None:
    assert list(generated("tune", 50)) == list(generated("tune", 50))
