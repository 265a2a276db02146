"""Build the report's page as a tree of elements, so that no text can ever become markup.

Texts of a transcript are made visible first: one line, no control characters, no marks that turn
the direction of writing. Escaping is the serialiser's.
"""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, tostring

from amplihack_compaction.text.words import one_line, printable

TEXT_CHARS = 400
_NUMBER = "number"

Child = Element | str


def visible(text: str, limit: int = TEXT_CHARS) -> str:
    """Return a text as one line of at most `limit` printable characters."""
    return printable(one_line(text, limit))


def element(tag: str, *children: Child, **attributes: str) -> Element:
    """Return an element; `class_` loses its underscore, `aria_label` gets a hyphen."""
    names = (name.rstrip("_").replace("_", "-") for name in attributes)
    made = Element(tag, dict(zip(names, map(printable, attributes.values()), strict=True)))
    for child in children:
        _append(made, child)
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
    body = element("tbody", *(_row(row, numbers) for row in rows))
    head = (
        element("th", text, scope="col", **_number_class(place, numbers))
        for place, text in enumerate(heads)
    )
    made = element(
        "table", element("caption", caption), element("thead", element("tr", *head)), body
    )
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
    made = element("details", element("summary", summary), *children)
    if is_open:
        made.set("open", "open")
    return made


def facts(pairs: Iterable[tuple[str, str]]) -> Element:
    """Return names with their values, as a list of key figures."""
    groups = (element("div", element("dt", name), element("dd", value)) for name, value in pairs)
    return element("dl", *groups, class_="facts")


def _row(cells: Sequence[Child], numbers: frozenset[int]) -> Element:
    first = element("th", cells[0], scope="row", **_number_class(0, numbers))
    others = (
        element("td", cell, **_number_class(place, numbers))
        for place, cell in enumerate(cells[1:], 1)
    )
    return element("tr", first, *others)


def _number_class(place: int, numbers: frozenset[int]) -> dict[str, str]:
    return {"class_": _NUMBER} if place in numbers else {}


def _append(parent: Element, child: Child) -> None:
    if isinstance(child, Element):
        parent.append(child)
        return
    text = printable(child)
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text
