"""Without its weights, or with half of them, a sentence is judged by the patterns alone."""

from pathlib import Path

import pytest

from amplihack_compaction.text.classifier.chances import TOLD
from amplihack_compaction.text.classifier.table import Table
from tests.publish_acts import table_text

NEUTRAL = (0.5, 0.25)


def table_of(path: Path, content: bytes | None) -> Table:
    if content is not None:
        path.write_bytes(content)
    table = Table(path.name, NEUTRAL, mistyped=False, known_share=0.2)
    table.path = str(path)
    return table


def test_what_features_weigh_is_summed_up(tmp_path: Path) -> None:
    text = table_text("1", {"(bias)": [0, -100], "keep": [100, 100]}, "hand")
    low, even = table_of(tmp_path / "t.tsv", text.encode()).chances_of("keep")
    assert (round(low, 2), round(even, 2)) == (0.73, 0.5)


def test_of_a_sentence_whose_words_are_not_known_nothing_is_said(tmp_path: Path) -> None:
    text = table_text("1", {"(bias)": [900, 900], "keep": [100, 100]}, "hand")
    table = table_of(tmp_path / "t.tsv", text.encode())
    strange = "zonder mijn toestemming wordt niets verwijderd"
    assert table.chances_of(strange) == list(NEUTRAL)
    assert table.chances_of(f"keep {strange}") == list(NEUTRAL)
    assert table.chances_of("keep it") != list(NEUTRAL)


@pytest.mark.parametrize("share", [0, 0.3, 0.5, 0.99, None])
def test_a_torn_or_missing_table_says_nothing(tmp_path: Path, share: float | None) -> None:
    whole = Path(TOLD.path).read_bytes()
    content = None if share is None else whole[: int(len(whole) * share)]
    assert table_of(tmp_path / "t.tsv", content).chances_of("keep it") == list(NEUTRAL)


def test_a_table_that_is_no_text_says_nothing(tmp_path: Path) -> None:
    assert table_of(tmp_path / "t.tsv", b"\xff\xfe").chances_of("keep it") == list(NEUTRAL)
