"""What real compactions need, and what they are given: `python -m tests.bench.natural`."""

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.bench.natural.labels import HALVES, VARIABLE, Item, half_of, labelled_folder, sessions
from tests.bench.natural.losses import TOLD, loss_table
from tests.bench.natural.measure import measure
from tests.bench.natural.score import says, statements, table

HALVES_OF_SIX = ["develop", "develop", "held_out", "held_out", "held_out", "develop"]


@pytest.mark.skipif(labelled_folder() is None, reason=f"not run: {VARIABLE} names no folder")
def test_what_real_compactions_need_and_are_given(report: Callable[[str], None]) -> None:
    folder = labelled_folder()
    assert folder is not None
    groups = {half: sessions(folder, half) for half in HALVES}
    losses: Counter[str] = Counter()
    for half, score in measure(folder, groups).items():
        report(f"real compactions, {half}: {score.compactions}")
        for row in (*table(score), *loss_table(score.losses)):
            report(row)
        assert score.compactions
        losses += score.losses
    page = (Path(__file__).parents[2] / "docs/benchmarks.md").read_text()
    ((alarmed, compactions),) = re.findall(r"(\d+) of (\d+) compactions are alarmed", page)
    if losses["compactions"] == int(compactions):  # of other labels the page says nothing
        assert losses[f"{TOLD}alarmed"] == int(alarmed)


def test_a_session_stays_in_its_half() -> None:
    assert [half_of(f"shop/{number}") for number in range(6)] == HALVES_OF_SIX


def test_what_stands_close_together_says_an_item() -> None:
    item = Item("rule", True, "No docker here.", (("docker", "host"), ("container",)))
    assert says("docker runs on the host", item)
    assert says("in a container", item)
    assert not says("docker" + " x" * 300 + " host", item)


def test_statements_stand_below_their_headings() -> None:
    text = "<!-- MARK -->\n# State\n## Todos\nPending Todos: 1\n- [ ] Write\n\n## Phase\n- Test"
    assert list(statements(text)) == [("Todos", "- [ ] Write"), ("Phase", "- Test")]
