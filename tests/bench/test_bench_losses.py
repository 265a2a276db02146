"""What the loss detection reached on held-out rows: the whole is `python -m tests.bench.losses`.

The floors are a little below what was measured.
"""

from collections.abc import Callable

import pytest

from tests.bench.losses.frames import generated, read_templates, shared_wording
from tests.bench.losses.judges import overlap_judge, package
from tests.bench.losses.rows import LABELS, handwritten
from tests.bench.losses.score import table, tally
from tests.bench.losses.whole import WAYS, false_alarms

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


def test_a_summary_that_keeps_all_word_for_word_raises_no_alarm() -> None:
    alarms, rows = false_alarms("held_out", SUMMARIES, WAYS["word for word"])
    assert not alarms, rows


def test_the_held_out_half_shares_no_wording() -> None:
    tune, held_out = read_templates("tune"), read_templates("held_out")
    assert not shared_wording(tune.frames, held_out.frames)
    rows = {half: list(handwritten(half)) for half in ("tune", "held_out")}
    for attribute in ("item", "said"):
        left, right = ({getattr(row, attribute) for row in rows[half]} for half in rows)
        assert not left & right
    assert sum(map(len, rows.values())) >= 400


@pytest.mark.parametrize("half", ["tune", "held_out"])
def test_every_label_has_rows_in_both_sorts(half: str) -> None:
    assert {row.label for row in handwritten(half)} == set(LABELS)
    assert {row.label for row in generated(half, 300)} == set(LABELS)


def test_the_same_rows_are_made_every_time() -> None:
    assert list(generated("tune", 50)) == list(generated("tune", 50))
