"""The keys that vendors mark (light): what is in `vendor_keys.tsv`.

A row belongs there when nothing but a key looks like it: hashes, ids and minified code must not.
A pattern is tried only where one of its hints stands, and is compiled when that happens first; each
is linear by the measure of `user_patterns`. The rows below the line of the table are made from the
rules of a scanner by `python -m tests.publish_vendor_keys`; of those a key has to look drawn.
"""

import re
from functools import cache

from amplihack_compaction.base.files import read_if_there

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from amplihack_compaction.base.redaction.user_patterns import Span

TABLE_PATH = __file__[: -len(".py")] + ".tsv"
INSIDE = "inside"
_TABLE_LIMIT_BYTES = 1_000_000


class Vendor:
    """A key's kind, the strings of which one is in each, and its pattern.

    The pattern begins so many characters `before` the hint; what its group holds is the secret,
    without a group all of it. `is_inside` says that any character may stand before it, `is_listed`
    that the row is a scanner's.
    """

    __slots__ = ("before", "hints", "is_inside", "is_listed", "kind", "source")

    def __init__(self, row: str, *, is_listed: bool) -> None:
        self.kind, hints, before, self.source = row.split("\t")
        self.hints = tuple(hints.split(" "))
        self.is_inside = before == INSIDE
        self.before = 0 if self.is_inside else int(before)
        self.is_listed = is_listed


@cache
def vendors() -> tuple[Vendor, ...]:
    """Return the rows of the table."""
    lines = (read_if_there(TABLE_PATH, _TABLE_LIMIT_BYTES) or b"").decode().splitlines()
    line = lines.index(LISTED)
    rows = enumerate(lines)
    return tuple(Vendor(row, is_listed=at > line) for at, row in rows if row[:1] not in ("", "#"))


LISTED = "# Made from the rules of a scanner"
"""The line of the table below which nothing is written by hand."""
LEAST_CHARS = 20
"""No key is shorter."""
KEY_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789$%+,-./:=_~"
"""Of these each key is, with what its pattern takes before and behind it."""
HINTLESS_CHARS = "0123456789abcdef-:.TZ"
"""No hint is of these alone, as ids, hashes and moments are."""
_ROOM = re.compile(rf"[{re.escape(KEY_CHARS)}]{{{LEAST_CHARS},}}")
# What stands before a key is no letter of the same word; but escapes end with letters too.
_EDGE = re.compile(
    r"(?<![A-Za-z0-9])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2})"
    r"|(?<=[\[;][0-9]m)|(?<=[\[;][0-9]{2}m)"
)
_NOT_PLAIN = re.compile(r"[A-Z0-9]")
_DIGIT, _UPPER, _LOWER = re.compile(r"[0-9]"), re.compile(r"[A-Z]"), re.compile(r"[a-z]")
# The keys of all other vendors: they mark them alike since scanners look for that.
UNKNOWN = "marked-key"
_MARKED = re.compile(
    r"(?<![A-Za-z0-9_/+.-])[a-z][a-z0-9]{1,11}_(?:[a-z0-9]{2,8}_){0,2}([A-Za-z0-9_-]{32,400}+)(?![/+.=])"
)
_WORD = re.compile(r"(?<![A-Za-z0-9])(?:[A-Z]?[a-z]+|[A-Z]+)(?![A-Za-z0-9])|(?:[A-Z][a-z]{3,}){2,}")
# How a key goes on where it is broken: as texts that are put together, or on the next line.
_JOINT = re.compile(r"[\"']\s{0,3}\+?\s{1,40}[\"']|\\?\r?\n[ \t+]{0,12}")
_RUN = re.compile(r"[A-Za-z0-9_+/=.-]{8,400}")


def vendor_spans(text: str) -> "list[Span]":
    """Return where vendors' keys are in a text, hint by hint; they may overlap."""
    found = _hints_in(text)
    # Of hints that hold each other the longest one was found.
    hints = {hint: None for longer in found - {UNKNOWN} for hint in _hints_within(longer)}
    spans = [
        span
        for hint in hints
        for vendor in _by_hint()[hint]
        for span in _spans_of(vendor, hint, text)
    ]
    return spans + _marked_spans(text) if UNKNOWN in found else spans


def _marked_spans(text: str) -> "list[Span]":
    """Return what has a mark as keys have it, and more behind it than ids have."""
    return [
        (found.start(), found.end(), UNKNOWN)
        for found in _MARKED.finditer(text)
        if len(_DIGIT.findall(found.group(1))) > 2
        and len(_UPPER.findall(found.group(1))) > 4
        and len(_LOWER.findall(found.group(1))) > 4
        and sum(map(len, _WORD.findall(found.group(1)))) * 3 <= len(found.group(1))
    ]


@cache
def _hints_within(longer: str) -> list[str]:
    return [hint for hint in _by_hint() if hint in longer]


@cache
def _by_hint() -> dict[str, list[Vendor]]:
    rows: dict[str, list[Vendor]] = {}
    for vendor in vendors():
        for hint in vendor.hints:
            rows.setdefault(hint, []).append(vendor)
    return rows


def _hints_in(text: str) -> set[str]:
    """Return the hints that stand where there is room for a key, as few words have it."""
    words = "\n".join({word for word in _ROOM.findall(text) if word.strip(HINTLESS_CHARS)})
    if not words:
        return set()
    found = set()
    hint = _any_hint().search(words)
    while hint is not None:  # they may overlap: `\\napi_` is the end of a line, or of another one
        found.add(hint.group())
        hint = _any_hint().search(words, hint.start() + 1)
    if _MARKED.search(words):
        found.add(UNKNOWN)
    return found


@cache
def _any_hint() -> "re.Pattern[str]":
    """Return a pattern for all hints."""
    return re.compile(_any_of(list(_by_hint())))


def _spans_of(vendor: Vendor, hint: str, text: str) -> "Iterator[Span]":
    pattern = re.compile(vendor.source)
    at = text.find(hint)
    while at >= 0:
        start = at - vendor.before
        if start >= 0 and (vendor.is_inside or _EDGE.match(text, start)):
            found = pattern.match(text, start)
            if found is not None:
                if _is_key(vendor, found):
                    begin, end = found.span(pattern.groups)
                    yield begin, _end_of_broken(text, end), vendor.kind
                at = max(at, found.end() - 1)
            elif not vendor.before:
                end = _end_of_pieces(pattern, text, start)
                if end:
                    yield start, end, vendor.kind
                    at = end - 1
        at = text.find(hint, at + 1)


def _is_key(vendor: Vendor, found: "re.Match[str]") -> bool:
    """Return whether what a pattern matched is no name: behind the mark are more than words."""
    key = found.group(found.re.groups)
    if key.endswith("EXAMPLE"):
        return False  # as the documents of AWS write them
    if not vendor.is_listed:
        return _NOT_PLAIN.search(key) is not None
    drawn = key[len(vendor.hints[0]) :]
    words = sum(map(len, _WORD.findall(drawn)))
    return words * 2 <= len(drawn) and _DIGIT.search(drawn) is not None


def _end_of_broken(text: str, end: int) -> int:
    """Return where a key ends that is long enough, and may go on behind a break of the line."""
    rest = _next_piece(text, end)
    return rest.end() if rest else end


def _end_of_pieces(pattern: "re.Pattern[str]", text: str, start: int) -> int:
    """Return where a key ends whose first piece is too short alone, or 0."""
    first = _RUN.match(text, start)
    rest = _next_piece(text, first.end()) if first else None
    if first is None or rest is None:
        return 0
    found = pattern.match(first.group() + rest.group())
    return rest.end() if found is not None and found.end() > len(first.group()) else 0


def _next_piece(text: str, end: int) -> "re.Match[str] | None":
    """Return what follows a break, if it may be a piece of a key, and is no word of its own."""
    joint = _JOINT.match(text, end)
    rest = _RUN.match(text, joint.end()) if joint else None
    if joint is None or rest is None or rest.group().islower():
        return None
    is_long = joint.group()[0] in "\"'\\" or len(rest.group()) >= LEAST_CHARS - 4
    return rest if is_long and any(sign.isdigit() for sign in rest.group()) else None


def _any_of(words: list[str]) -> str:
    """Return a pattern for any of several words: what begins alike is tried once."""
    rests: dict[str, list[str]] = {}
    for word in words:
        rests.setdefault(word[:1], []).append(word[1:])
    parts = [re.escape(first) + (_any_of(rest) if first else "") for first, rest in rests.items()]
    # The longer ones first: where a word goes on as another one, both have to be told.
    parts.sort(key=len, reverse=True)
    return parts[0] if len(parts) == 1 else f"(?:{'|'.join(parts)})"
