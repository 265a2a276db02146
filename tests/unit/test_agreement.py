"""The second reader's labels belong to the sentences that are here."""

import pytest

from tests.acts.agreement import DRAWN, TABLE, drawn, kappa, report


def test_the_table_holds_the_sample_with_its_stored_labels() -> None:
    rows = [line.split("\t") for line in TABLE.read_text(encoding="utf-8").splitlines()]
    stored = [(one.label, one.language, one.folder, one.text) for one in drawn()]
    assert [(label, language, of, text) for label, _, language, of, text in rows] == stored
    assert len(rows) == sum(DRAWN.values()) == 300


def test_the_card_says_what_the_table_shows() -> None:
    lines = [line for line in report() if "agree" in line]
    assert lines == ["typed: 194 of 200 agree, kappa 0.97", "told: 95 of 100 agree, kappa 0.94"]


def test_kappa_is_one_for_the_same_labels_and_none_by_chance() -> None:
    assert kappa([("a", "a"), ("b", "b")]) == 1.0
    assert kappa([("a", "a"), ("a", "b"), ("b", "a"), ("b", "b")]) == pytest.approx(0.0)
