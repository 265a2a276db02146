"""Lines over a session's course, as shapes without anything else."""

from collections.abc import Sequence
from xml.etree.ElementTree import Element

import pytest

from amplihack_compaction.cli.report.charts import POINTS_LIMIT, Line, draw, markup, thinned, ticks

TIMES = [f"2026-11-21T21:{minute:02}:00Z" for minute in range(5)]


def drawn(lines: Sequence[Line], times: Sequence[str] = TIMES) -> Element:
    return draw("A chart", lines, times, 100, lambda value: f"{value:.0f}")


def texts(chart: Element) -> list[str]:
    return [text.text or "" for text in chart.iter("text")]


def test_points_have_their_words_under_the_pointer_where_there_is_one() -> None:
    points = [(place, 10.0 * place, f"at {place}") for place in range(5)]
    wide, narrow = drawn([Line("context", points)])
    assert [title.text for title in wide.iter("title")] == [f"at {n}" for n in range(5)]
    assert not list(narrow.iter("circle"))
    assert {"series context"} == {
        group.get("class") for group in wide.iter("g") if "series" in (group.get("class") or "")
    }


def test_times_stand_below_with_their_day() -> None:
    points = [(place, 1.0, "") for place in range(5)]
    minutes = texts(drawn([Line("context", points)])[0])
    assert {"11-21 21:00", "11-21 21:04"} <= set(minutes)
    days = [f"2026-11-2{day}T21:00:00Z" for day in range(5)]
    labels = texts(drawn([Line("context", points)], days)[0])
    assert {"11-20 21:00", "11-24 21:00"} <= set(labels)


def test_the_scale_begins_at_nothing_and_an_interrupted_line_is_several() -> None:
    marks = [(1.0, 0.0, ""), (1.0, 100.0, ""), None, (2.0, 0.0, ""), (2.0, 100.0, ""), None]
    wide = drawn([Line("compactions", marks)])[0]
    assert "0" in texts(wide)
    assert len([path for path in wide.iter("path") if path.get("class") == "line"]) == 2


def test_nothing_but_shapes_is_left() -> None:
    html = markup(drawn([Line("context", [(0, 1.0, "<x>")])]))
    for word in ("<script", "<style", "<!--", "<desc", "pygal.config", 'id="', "style="):
        assert word not in html, word
    assert "&lt;x&gt;" in html


@pytest.mark.parametrize("times", [[], ["odd"], ["2026-11-21T21:00:00Z"]])
def test_a_chart_of_little_is_one_too(times: list[str]) -> None:
    assert len(drawn([Line("context", [(0, 5.0, "")], filled=True)], times)) == 2
    assert len(drawn([Line("context", [])], times)) == 2


def test_a_long_course_keeps_its_highest_points() -> None:
    points = [(float(n), float(n % 7), "") for n in range(10_000)]
    points[5003] = (5003.0, 99.0, "peak")
    kept = thinned(points)
    assert len(kept) <= POINTS_LIMIT
    assert points[5003] in kept
    assert kept == sorted(kept)
    assert thinned(points[:POINTS_LIMIT]) == points[:POINTS_LIMIT]


@pytest.mark.parametrize(
    ("top", "expected"),
    [(0.5, [0]), (1, [0, 1]), (5, [0, 1, 2, 3, 4, 5]), (7, [0, 2, 4, 6]), (23, [0, 5, 10, 15, 20]),
     (175_350, [0, 50_000, 100_000, 150_000])],
)  # fmt: skip
def test_the_scale_has_whole_numbers_in_even_steps(top: float, expected: list[int]) -> None:
    assert ticks(top) == expected


def test_no_time_stands_there_twice() -> None:
    points = [(place, 1.0, "") for place in range(5)]
    seconds = [f"2026-11-21T21:00:0{second}Z" for second in range(5)]
    labels = [text for text in texts(drawn([Line("context", points)], seconds)[0]) if ":" in text]
    assert labels == ["11-21 21:00"]
    same = ["2026-11-21T21:00:00Z"] * 5
    labels = [text for text in texts(drawn([Line("context", points)], same)[0]) if ":" in text]
    assert labels == ["11-21 21:00"]
