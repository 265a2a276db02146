"""Draw lines over a session's course as SVG, by pygal, for a page without scripts.

Of what pygal draws, the page takes the shapes. Colours are the page's own, which follow the
reader's theme; scripts, styles and dates are left out, so the same numbers give the same bytes.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from xml.etree.ElementTree import Element

from amplihack_compaction.cli.report.markup import element, visible

POINTS_LIMIT = 400
_LABELS_LIMIT_CHARS = 24
_NOT_SHAPES = frozenset(("defs", "title", "desc"))


@dataclass(frozen=True, slots=True)
class Size:
    """A chart's width and height in its own units, and how many times stand below it."""

    name: str
    width: int
    height: int
    times: int


WIDE = Size("wide", 900, 320, 7)
NARROW = Size("narrow", 420, 300, 3)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: points as (place, value, words), None where it is interrupted.

    `style` is the class it gets on the page. `marked` lines show their words under the pointer.
    """

    style: str
    points: Sequence[tuple[float, float, str] | None]
    marked: bool = False
    filled: bool = False


def draw(
    what: str, lines: Sequence[Line], times: Sequence[str], top: float, say: Callable[[float], str]
) -> Element:
    """Return a figure that shows the lines, for wide pages and for narrow ones.

    `what` says it in words for who cannot see it. `times[n]` is the moment of place n, an ISO
    time; `top` the highest value; `say` words a value of the scale.
    """
    return element("figure", *(_draw(what, lines, times, top, say, z) for z in (WIDE, NARROW)))


def thinned(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return at most 400 points: of each stretch its lowest and its highest, in their order."""
    if len(points) <= POINTS_LIMIT:
        return list(points)
    stretches = POINTS_LIMIT // 2
    kept: list[tuple[float, float, str]] = []
    for number in range(stretches):
        first, end = (len(points) * n // stretches for n in (number, number + 1))
        stretch = range(first, end)
        low = min(stretch, key=lambda place: points[place][1])
        high = max(stretch, key=lambda place: points[place][1])
        kept += [points[place] for place in sorted({low, high})]
    return kept


def _draw(
    what: str,
    lines: Sequence[Line],
    times: Sequence[str],
    top: float,
    say: Callable[[float], str],
    size: Size,
) -> Element:
    chart = _load_pygal().XY(
        css=[], js=[], no_prefix=True, show_legend=False, allow_interruptions=True,
        width=size.width, height=size.height, margin=6, max_scale=6, dots_size=5,
        show_dots=False, truncate_label=_LABELS_LIMIT_CHARS,
    )  # fmt: skip
    chart.value_formatter = say
    chart.range = (0, max(top, 1))
    chart.xrange = (0, max(len(times) - 1, 1))
    chart.x_labels = _time_labels(times, size.times)
    for line in lines:
        dots = line.marked and size is WIDE
        values = [point if point is None else point[:2] for point in line.points]
        chart.add(line.style, values, show_dots=dots, fill=line.filled)
    drawn: Element = chart.render_tree()
    _keep_shapes(drawn)
    _take_styles(drawn, lines)
    drawn.attrib.pop("id", None)
    drawn.set("class", f"chart {size.name}")
    drawn.set("role", "img")
    drawn.set("aria-label", visible(what))
    return drawn


def _load_pygal() -> Any:
    import pygal

    # It leaves a finder for plugins there, of a protocol that Python 3.12 no longer has. That of
    # the metadata's backport, which it loads, has to stay: it has replaced the interpreter's own.
    sys.meta_path[:] = [each for each in sys.meta_path if type(each).__module__ != pygal.__name__]
    return pygal


def _time_labels(times: Sequence[str], count: int) -> list[dict[str, Any]]:
    """Return evenly spread places with their clock times, with dates where there are several."""
    if not times:
        return []
    places = sorted({(len(times) - 1) * n // max(count - 1, 1) for n in range(count)})
    days = {times[place][:10] for place in places}
    return [
        {"value": place, "label": visible(clock(times[place], with_day=len(days) > 1))}
        for place in places
    ]


def clock(at: str, *, with_day: bool) -> str:
    """Return the hour and minute of an ISO time, after month and day if wanted."""
    return f"{at[5:10]} {at[11:16]}" if with_day else at[11:16]


def _keep_shapes(parent: Element) -> None:
    """Leave out what is no shape: scripts, styles, comments, descriptions, empty layers."""
    for child in list(parent):
        if not isinstance(child.tag, str) or child.tag in _NOT_SHAPES or _is_tooltip(child):
            parent.remove(child)
        else:
            _keep_shapes(child)


def _is_tooltip(child: Element) -> bool:
    return "text-overlay" in child.get("class", "") or "tooltip-overlay" in child.get("class", "")


def _take_styles(drawn: Element, lines: Sequence[Line]) -> None:
    """Give each series its class of the page, and each dot the words of its point."""
    for group in drawn.iter("g"):
        names = group.get("class", "").split()
        number = next((name[6:] for name in names if name.startswith("serie-")), "")
        if not number:
            continue
        line = lines[int(number)]
        group.set("class", f"series {line.style}")
        dots = list(group.iter("circle"))
        for dot, point in zip(dots, (p for p in line.points if p is not None), strict=False):
            dot.append(element("title", point[2]))
