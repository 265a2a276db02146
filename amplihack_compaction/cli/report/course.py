"""Show how a session went: how full its context was, and how its todos came and went."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element

from amplihack_compaction.cli.report.charts import Line, draw, thinned
from amplihack_compaction.cli.report.markup import details, element, moment, table
from amplihack_compaction.cli.report.measures import ContextPoint, TodoPoint
from amplihack_compaction.cli.report.session import SessionReport
from amplihack_compaction.text.strings import counted

_SAMPLED_ROWS = 40
_MARKS_LIMIT = 300
_HEADROOM = 1.05


def show_context(report: SessionReport) -> Element:
    """Return the context's tokens after each response, with levels and compactions."""
    points = report.measures.context
    title = element("h3", "Context over time")
    if not points:
        return element("section", title, element("p", "No response told its numbers."))
    places = _boundary_places(report)
    limit = report.status.max_tokens if report.status is not None else 0
    top = _HEADROOM * max(limit, report.peak_tokens)
    told = [(n, p.tokens, f"{moment(p.at)}: {p.tokens:,} tokens") for n, p in enumerate(points)]
    marks = [
        mark
        for place in places[-_MARKS_LIMIT:]
        for mark in ((place, 0.0, ""), (place, top, ""), None)
    ]
    lines = [Line("context", thinned(told), marked=True, filled=True), Line("compactions", marks)]
    key = [("context", "tokens after each response")]
    key += [("compactions", counted(len(places), "compaction"))] if places else []
    for style, name, tokens in _levels(report, limit):
        end = max(len(points) - 1, 1)
        lines.append(Line(style, [(0, tokens, ""), (end, tokens, "")]))
        key.append((style, f"{name} {tokens:,.0f}"))
    what = (
        f"Line chart of the context's tokens over {counted(len(points), 'response')}: at most"
        f" {report.peak_tokens:,}, {points[-1].tokens:,} at the end;"
        f" {counted(len(places), 'compaction')}. The numbers are in the table below."
    )
    figure = draw(what, lines, [point.at for point in points], top, _thousands)
    return element("section", title, figure, _key(key), _context_table(points, places))


def _levels(report: SessionReport, limit_tokens: int) -> Iterator[tuple[str, str, float]]:
    """Yield style, name and tokens of what the hooks tell, and of the limit, where it is known."""
    if limit_tokens:
        for each in report.levels:
            yield f"level-{each.level}", f"level {each.level} from", each.threshold * limit_tokens
        yield "limit", "limit", limit_tokens


def _boundary_places(report: SessionReport) -> list[float]:
    """Return where compactions lie between the responses: half way to the next one."""
    offsets = [point.offset for point in report.measures.context]
    compactions = report.diagnosis.compactions
    before = (bisect_left(offsets, each.boundary.offset) for each in compactions)
    return [max(count - 0.5, 0) for count in before]


def _context_table(points: Sequence[ContextPoint], places: Sequence[float]) -> Element:
    """Return the numbers behind the chart: around compactions, and evenly spread between."""
    step = max(1, len(points) // _SAMPLED_ROWS)
    around = {int(place) + more for place in places[-_SAMPLED_ROWS:] for more in (0, 1)}
    chosen = sorted(
        {*range(0, len(points), step), len(points) - 1, *around} & set(range(len(points)))
    )
    rows = [(f"{n + 1:,}", f"{points[n].tokens:,}", moment(points[n].at)) for n in chosen]
    caption = f"The context after {len(rows)} of {counted(len(points), 'response')}"
    heads = ("Response", "Tokens", "At")
    return details("The numbers as a table", table(caption, heads, rows, frozenset({0, 1})))


def show_todos(report: SessionReport) -> Element:
    """Return the client's todos after each change, and all recorded ones at each compaction."""
    section = element("section", element("h3", "Todos over time"))
    points = report.measures.todos
    if points:
        section.extend(_todo_chart(points, [point.at for point in report.measures.context]))
    else:
        section.append(element("p", "The client kept no list of todos or tasks in this session."))
    compactions = report.diagnosis.compactions[-_SAMPLED_ROWS:]
    states = [(f"Compaction {each.number}", each.state) for each in compactions]
    rows = [
        (name, f"{len(state.open_todos)}", f"{sum(not todo.is_open for todo in state.todos)}")
        for name, state in [*states, ("Now", report.diagnosis.state)]
    ]
    caption = "All todos that were recorded, checklists and TODO lines included"
    section.append(table(caption, ("When", "Open", "Closed"), rows, frozenset({1, 2})))
    return section


def _todo_chart(points: Sequence[TodoPoint], times: Sequence[str]) -> Iterator[Element]:
    places = [max(point.responses - 1, 0) for point in points]
    spans = list(zip(points, places, [*places[1:], max(len(times) - 1, 0)], strict=True))
    lines = [
        Line("open", _steps([(first, last, point.open) for point, first, last in spans])),
        Line("done", _steps([(first, last, point.done) for point, first, last in spans])),
    ]
    what = (
        f"Line chart of the client's todos: {points[-1].open} open and {points[-1].done} done at"
        " the end. The numbers are in the table below."
    )
    most = max(max(point.open, point.done) for point in points)
    yield draw(what, lines, times or [points[0].at], most + 1, lambda value: f"{value:,.0f}")
    yield _key([("open", "open"), ("done", "done")])
    rows = [(moment(p.at), f"{p.open}", f"{p.done}") for p in points[-_SAMPLED_ROWS:]]
    caption = "The client's todos after their last changes"
    made = table(caption, ("At", "Open", "Done"), rows, frozenset({1, 2}))
    yield details("The numbers as a table", made)


def _steps(values: Sequence[tuple[int, int, int]]) -> list[tuple[float, float, str]]:
    """Return a level line for each value, from its first response to its last."""
    corners = [
        (float(place), float(value), "") for first, last, value in values for place in (first, last)
    ]
    return thinned(corners)


def _key(entries: Sequence[tuple[str, str]]) -> Element:
    return element("ul", *(_key_entry(*entry) for entry in entries), class_="key")


def _key_entry(style: str, text: str) -> Element:
    line = element("path", d="M0 5H32", class_="line")
    group = element("g", line, class_=style)
    sample = element(
        "svg", group, viewBox="0 0 32 10", class_="chart-key chart", aria_hidden="true"
    )
    return element("li", sample, text)


def _thousands(value: float) -> str:
    if value >= 1_000_000:
        return f"{value / 1e6:.1f}M"
    return f"{value / 1000:,.0f}k" if value >= 1000 else f"{value:,.0f}"
