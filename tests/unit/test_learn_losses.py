"""The learnt weights belong to the data, and judge it as well as they did when they were made."""

from amplihack_compaction.judgement.weights import DIGEST, WEIGHTS
from tests.bench.losses.frames import every_row
from tests.bench.losses.judges import package
from tests.bench.losses.score import tally
from tests.learn_losses import DATA, digest, module_text

EVERY = 5


def test_the_weights_were_learnt_from_the_data_that_is_here() -> None:
    assert digest() == DIGEST, "run python -m tests.learn_losses"


def test_the_held_out_rows_are_not_learnt_from() -> None:
    assert not [name for name in DATA if "held_out" in name or "blind" in name]


def test_the_module_is_as_it_is_written() -> None:
    text = module_text(WEIGHTS)
    names: dict[str, object] = {}
    exec(compile(text, "weights", "exec"), names)
    assert names["WEIGHTS"] == WEIGHTS
    assert names["DIGEST"] == DIGEST


def test_the_rows_learnt_from_are_judged_well() -> None:
    rows = [row for row, _ in every_row("learn")][::EVERY]
    counts = tally(rows, package)
    assert len(rows) > 150
    assert counts.lost.f1 >= 0.88
    assert counts.negation_recall >= 0.8
