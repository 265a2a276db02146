from datetime import date

import pytest

from amplihack_compaction.compactor.archive.selection import date_at_start, dates_in, is_only_a_date

DAY = date(2026, 1, 31)


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31", "2026-01-31T10:00:00Z", "[2026-01-31]", "v1.2 (2026-01-31)", "31.01.2026",
        "31. 1. 2026", "2026/1/31", "Jan 31, 2026", "January 31st, 2026", "JAN. 31 2026",
        "31 January 2026", "31st of January, 2026", "31. Januar 2026", "le 31 janvier 2026",
        "31 de enero de 2026", "31 de janeiro de 2026", "31 января 2026", "2026年1月31日",
        "2026년 1월 31일", "Sat Jan 31 10:00:00 2026", "31/Jan/2026:10:00:00", "31-Jan-2026",
        "2026-01-31_login", "Deploy 2026-01-31 to production",
    ],
)  # fmt: skip
def test_a_date_is_read_in_each_of_its_forms(text: str) -> None:
    assert dates_in(text) == [DAY]


@pytest.mark.parametrize(
    "text",
    [
        "03/04/2026", "31/01/2026", "2026-02-30", "2026-13-01", "30 February 2026", "Jan 31",
        "January 2026", "ADR-2026-01-31", "12026-01-31", "2026-01-310", "2026-01-31-07",
        "1.2.3.2026", "31.13.2026", "２０２６-01-31", "aprıl 5, 2026", "version 2026.1", "",
    ],
)  # fmt: skip
def test_what_can_be_read_in_two_ways_or_in_none_is_no_date(text: str) -> None:
    assert dates_in(text) == []
    assert date_at_start(text) == (None, text)
    assert not is_only_a_date(text)


def test_dates_far_into_a_line_do_not_count() -> None:
    assert dates_in("2025-01-01 to 2026-01-31") == [date(2025, 1, 1), DAY]
    assert dates_in("x" * 300 + " 2026-01-31") == []


@pytest.mark.parametrize(
    ("line", "rest"),
    [
        ("2026-01-31 10:00:00,123 INFO x", " INFO x"), ("2026-01-31T10:00:00+01:00 x", " x"),
        ("- 2026-01-31: x", ": x"), ("  * [x] 2026-01-31 x", " x"), ("1. 2026-01-31 x", " x"),
        ("- 31. Januar 2026: x", ": x"), ("**Sat, 31 Jan 2026** x", "** x"),
        ("[2026-01-31] x", "] x"), ("> 2026-01-31 x", " x"), ("On 2026-01-31 we x", " we x"),
    ],
)  # fmt: skip
def test_a_line_begins_with_a_date(line: str, rest: str) -> None:
    assert date_at_start(line) == (DAY, rest)


@pytest.mark.parametrize("line", ["We did x on 2026-01-31", "v1.2 2026-01-31", "| 31 Jan, x 2026"])
def test_a_date_inside_a_line_is_not_the_lines(line: str) -> None:
    assert date_at_start(line)[0] is None


@pytest.mark.parametrize(
    "line",
    [
        "2026-01-31", "**2026-01-31**", "=== 31.01.2026 ===", "Sat, 31 Jan 2026 10:30:",
        "31. Januar 2026",
    ],
)  # fmt: skip
def test_a_line_can_be_only_a_date(line: str) -> None:
    assert is_only_a_date(line)


@pytest.mark.parametrize(
    "line", ["- 2026-01-31", "1. 2026-01-31", "2026-01-31 x", "x" * 200, "a 2026-01-31"]
)
def test_an_item_or_a_sentence_is_not_only_a_date(line: str) -> None:
    assert not is_only_a_date(line)
