"""Build the report's page as a tree of elements, so that no text can ever become markup.

Texts of a transcript are made visible first: one line, no control characters, no marks that turn
the direction of writing. Escaping is the serialiser's. Lines over a session's course are drawn as
SVG, for a page without scripts.

Colours are the page's own, which follow the reader's theme. The same numbers give the same bytes.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, groupby
from xml.etree.ElementTree import Element, tostring

from amplihack_compaction.text.words import one_line, printable

TEXT_CHARS = 400
POINTS_LIMIT = 400
_TICKS = 6
_LABEL_CHARS = 24
_LEFT, _RIGHT, _ABOVE, _BELOW = 58, 12, 10, 26
# A chart's width and height in its own units, and how many times stand below it.
_SIZES = {"wide": (900, 320, 7), "narrow": (420, 300, 3)}

Child = Element | str
Say = Callable[[float], str]


def visible(text: str, limit: int = TEXT_CHARS) -> str:
    """Return a text as one line of at most `limit` printable characters."""
    return printable(one_line(text, limit))


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """Return an element; `class_` loses its underscore, `aria_label` gets a hyphen."""
    names = (name.rstrip("_").replace("_", "-") for name in attributes)
    made = Element(tag, dict(zip(names, map(printable, attributes.values()), strict=True)))
    for child in children:
        if isinstance(child, Element):
            made.append(child)
        elif len(made):
            made[-1].tail = (made[-1].tail or "") + printable(child)
        else:
            made.text = (made.text or "") + printable(child)
    return made


def markup(made: Element) -> str:
    """Return an element as HTML."""
    return tostring(made, encoding="unicode", method="html")


def size_of(made: Element) -> int:
    """Return how many bytes of UTF-8 an element takes."""
    return len(markup(made).encode())


def table(
    caption: str,
    heads: Sequence[str],
    rows: Iterable[Sequence[Child]],
    numbers: frozenset[int] = frozenset(),
) -> Element:
    """Return a table that can be scrolled by keyboard where the screen is too narrow for it.

    The first cell of a row is its head; `numbers` are the columns that stand to the right.
    """

    def cell(tag: str, place: int, child: Child, **more: str) -> Element:
        return element(tag, child, **more, **({"class_": "number"} if place in numbers else {}))

    head = element("tr", *(cell("th", n, text, scope="col") for n, text in enumerate(heads)))
    body = element("tbody")
    for first, *others in rows:
        cells = (cell("td", place, child) for place, child in enumerate(others, 1))
        body.append(element("tr", cell("th", 0, first, scope="row"), *cells))
    made = element("table", element("caption", caption), element("thead", head), body)
    return element(
        "div", made, class_="scroll", role="region", tabindex="0", aria_label=visible(caption)
    )


def bar(share: float) -> Element:
    """Return a bar as long as a share (0 to 1) of its cell; what it shows stands beside it."""
    width = f"{100 * min(max(share, 0.0), 1.0):.1f}%"
    inside = element("rect", width=width, height="10", rx="2")
    return element("svg", inside, class_="bar", height="10", aria_hidden="true")


def details(summary: str, *children: Child, is_open: bool = False) -> Element:
    """Return a part that can be folded."""
    opened = {"open": "open"} if is_open else {}
    return element("details", element("summary", summary), *children, **opened)


def facts(pairs: Iterable[tuple[str, str]]) -> Element:
    """Return names with their values, as a list of key figures."""
    groups = (element("div", element("dt", name), element("dd", value)) for name, value in pairs)
    return element("dl", *groups, class_="facts")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a chart: points as (place, value, words), None where it is interrupted.

    `style` is the class it gets on the page. The words stand under the pointer.
    """

    style: str
    points: Sequence[tuple[float, float, str] | None]
    filled: bool = False


def draw(what: str, lines: Sequence[Line], times: Sequence[str], top: float, say: Say) -> Element:
    """Return a figure that shows the lines, for wide pages and for narrow ones.

    `what` says it in words for who cannot see it. `times[n]` is the moment of place n, an ISO
    time; `top` the highest value; `say` words a value of the scale.
    """
    return element("figure", *(_draw(what, lines, times, top, say, name) for name in _SIZES))


def thinned(points: Sequence[tuple[float, float, str]]) -> list[tuple[float, float, str]]:
    """Return at most 400 points: of each stretch the highest."""
    step = -(-len(points) // POINTS_LIMIT) or 1
    starts = range(0, len(points), step)
    return [max(points[n : n + step], key=lambda point: point[1]) for n in starts]


def ticks(top: float) -> list[int]:
    """Return whole numbers from 0 up to `top`, evenly spread, six at most: steps of 1, 2 or 5."""
    steps = (first * 10**zeros for zeros in count() for first in (1, 2, 5))
    step = next(step for step in steps if top / step < _TICKS)
    return list(range(0, int(top) + 1, step))


def _draw(
    what: str, lines: Sequence[Line], times: Sequence[str], top: float, say: Say, name: str
) -> Element:
    whole_width, whole_height, most_times = _SIZES[name]
    width, height = whole_width - _LEFT - _RIGHT, whole_height - _ABOVE - _BELOW
    last, highest = max(len(times) - 1, 1), max(top, 1)

    def x(place: float) -> str:
        return f"{_LEFT + width * place / last:.1f}"

    def y(value: float) -> str:
        return f"{_ABOVE + height * (1 - min(value, highest) / highest):.1f}"

    parts = []
    for tick in ticks(highest):
        guide = element("path", d=f"M{x(0)} {y(tick)}H{x(last)}", class_="guide")
        parts += [guide, element("text", say(tick), x=f"{_LEFT - 8}", y=y(tick), class_="y")]
    labels = list(_time_labels(times, most_times))
    for number, (moment, label) in enumerate(labels):
        side = ("first", "last")[number > 0] if number in (0, len(labels) - 1) else "between"
        below = f"{whole_height - 6}"
        parts.append(element("text", label, x=x(moment), y=below, class_=side))
    for line in lines:
        group = element("g", class_=f"series {line.style}")
        for is_drawn, part in groupby(line.points, bool):
            if not is_drawn:  # here the line is interrupted
                continue
            stretch = list(filter(None, part))
            path = "L".join(f"{x(place)} {y(value)}" for place, value, _ in stretch)
            if line.filled:
                ends = f"L{x(stretch[-1][0])} {y(0)}L{x(stretch[0][0])} {y(0)}Z"
                group.append(element("path", d=f"M{path}{ends}", class_="area"))
            group.append(element("path", d=f"M{path}", class_="line"))
            for place, value, words in [each for each in stretch if each[2] and name == "wide"]:
                told = element("title", words)
                dot = element("circle", told, cx=x(place), cy=y(value), r="5", class_="dot")
                group.append(dot)
        parts.append(group)
    return element(
        "svg", *parts, viewBox=f"0 0 {whole_width} {whole_height}", class_=f"chart {name}",
        role="img", aria_label=visible(what),
    )  # fmt: skip


def _time_labels(times: Sequence[str], most: int) -> Iterator[tuple[int, str]]:
    """Yield evenly spread places with their day and clock time, each of these once."""
    places = {(len(times) - 1) * n // max(most - 1, 1) for n in range(most)} if times else ()
    before = ""
    for place in sorted(places):
        label = f"{times[place][5:10]} {times[place][11:16]}"
        if label != before:
            yield place, visible(label, _LABEL_CHARS)
        before = label
