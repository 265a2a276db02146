"""Stamps sort as what they name came, whatever the clock did."""

import pytest

from amplihack_compaction.base.sortable_names import next_stamp
from tests.support.clocks import clock_in


@pytest.mark.parametrize(
    ("names", "stamp"),
    [
        ([], "20260101-000000"),
        (["20251231-235959-ffff.json"], "20260101-000000"),
        (["20260101-000000-0001.json", "20250101-000000-ffff.json"], "20260101-000001"),
        (["20260131-235959-0001"], "20260201-000000"),
        (["20311231-235959"], "20320101-000000"),
        (["notes.txt", "2026-01-31", "20990101-000000x", "x20990101-000000-1"], "20260101-000000"),
        (["20991399-996199-ffff"], "20260101-000000"),
        (["99991231-235959-ffff"], "20260101-000000"),
    ],
)
def test_a_stamp_is_later_than_every_name(names: list[str], stamp: str) -> None:
    with clock_in(2026):
        assert next_stamp(names) == stamp
