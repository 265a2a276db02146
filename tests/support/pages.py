"""Take a page of the report apart, as strictly as its own rules are."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset({"meta", "input"})
TAGS = VOID | frozenset(
    "html head title style body header h1 h2 h3 h4 main section article p a fieldset legend label"
    " dl div dt dd table caption thead tbody tr th td ul li span code details summary figure"
    " svg g path rect text circle".split()
)
ATTRIBUTES = frozenset(
    "lang charset content http-equiv name href id class type checked role tabindex aria-label"
    " aria-labelledby aria-hidden scope open viewbox xmlns d x y rx ry width height cx cy r"
    " transform".split()
)


@dataclass
class Page(HTMLParser):
    """A page's tags and attributes, and the text of its elements; wrong nesting is a failure."""

    tags: list[tuple[str, dict[str, str | None]]] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    policy: str = ""
    style: str = ""
    links: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        names = [name for name, _ in attrs]
        assert set(names) <= ATTRIBUTES, names
        assert len(set(names)) == len(names)
        self.tags.append((tag, dict(attrs)))
        if tag == "meta" and ("http-equiv", "Content-Security-Policy") in attrs:
            self.policy = dict(attrs)["content"] or ""
        if tag == "a":
            self.links.append(dict(attrs)["href"] or "")
        if tag not in VOID:
            self.inside.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.inside.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.inside and self.inside[-1] == "style":
            self.style += data
        elif data.strip():
            self.texts.append(data)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data}")

    @property
    def ids(self) -> list[str]:
        """The ids of the page's elements."""
        return [attributes["id"] or "" for _, attributes in self.tags if "id" in attributes]

    @property
    def text(self) -> str:
        """All that can be read on the page."""
        return "\n".join(self.texts)


def read_page(html: str) -> Page:
    """Return the page; raise AssertionError when it is not what a report may be."""
    page = Page()
    page.feed(html)
    page.close()
    assert html.startswith("<!DOCTYPE html>\n<html")
    assert not page.inside, page.inside
    assert len(set(page.ids)) == len(page.ids)
    for link in page.links:
        assert link.startswith("#")
        assert link[1:] in page.ids, link
    assert all(text.replace("\n", "").isprintable() for text in page.texts)
    return page
