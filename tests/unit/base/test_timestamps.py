"""Moments as the files hold them."""

import time

import pytest

from amplihack_compaction.base.timestamps import exact_utc_text, next_stamp, utc_text
from tests.support.clocks import clock_in


def test_a_moment_is_told_in_utc() -> None:
    assert utc_text(1_763_759_093.9) == "2025-11-21T21:04:53Z"
    assert utc_text(0) == "1970-01-01T00:00:00Z"


@pytest.mark.parametrize(
    ("rest_ns", "said"),
    [(0, ".000Z"), (999_999, ".000Z"), (45_600_000, ".045Z"), (10**9 - 1, ".999Z")],
)
def test_an_exact_one_has_three_digits_more_and_is_never_ahead(
    monkeypatch: pytest.MonkeyPatch, rest_ns: int, said: str
) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_763_759_093 * 10**9 + rest_ns)
    assert exact_utc_text() == f"2025-11-21T21:04:53{said}"


def test_without_a_moment_it_is_the_one_of_now() -> None:
    before = utc_text(time.time() - 0.1)  # the clock of `gmtime` may be a tick behind
    assert before <= utc_text() <= utc_text(time.time() + 1)
    assert before <= exact_utc_text()[:-5] + "Z"


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
    ],
)
def test_a_stamp_is_later_than_every_name(names: list[str], stamp: str) -> None:
    with clock_in(2026):
        assert next_stamp(names) == stamp
