"""Rows are found one by one in a file of which only the order is known."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.text.classifier.rows import Rows, read_rows
from tests.publish_acts import LESSONS, table_text

FEATURES = st.text(st.sampled_from("ab zé不😀-:_'\x7f"), min_size=1).filter(
    lambda text: not text.isspace() and text == text.strip(" ")
)


def rows_of(text: str) -> Rows:
    _, words, rows = text.split("\n", 2)
    return Rows(words, f"\n{rows}".encode())


@given(st.dictionaries(FEATURES, st.lists(st.integers(-999, 999), min_size=1), min_size=1))
def test_each_feature_is_found_and_no_other(numbers: dict[str, list[int]]) -> None:
    rows = rows_of(table_text("1", numbers, "hand"))
    for feature, known in numbers.items():
        assert list(rows.numbers_of(feature)) == known
        for other in (feature[1:], f"{feature}a", f"a{feature}", f"{feature} b"):
            assert list(rows.numbers_of(other)) == numbers.get(other, [])


def test_rows_longer_than_a_block_and_many_short_ones_are_found() -> None:
    numbers = {f"{'long ' * 900}{n}": [n] for n in range(3)} | {f"w{n}": [n] for n in range(2000)}
    rows = rows_of(table_text("1", numbers, "hand"))
    assert all(list(rows.numbers_of(name)) == known for name, known in numbers.items())


def test_what_no_file_can_hold_has_no_row() -> None:
    rows = rows_of(table_text("1", {"keep": [1]}, "hand"))
    assert not any(map(rows.numbers_of, ("\ud800", "", "keep\t1", "zz")))


@pytest.mark.parametrize("name", LESSONS)
def test_every_row_of_the_tables_is_found(name: str) -> None:
    path = LESSONS[name].table.path
    rows = read_rows(path)
    assert rows is not None
    _, words, *lines = Path(path).read_text(encoding="utf-8").splitlines()
    assert rows.words == set(words.split(" "))
    for line in lines:
        feature, _, numbers = line.partition("\t")
        assert " ".join(map(str, rows.numbers_of(feature))) == numbers
