"""Take secrets out of text and JSON before they are stored or injected (light).

Keys of vendors, what a name, a command or an address tells of, private key blocks, and what the
user's own patterns match are replaced by `[redacted:KIND]`. What stands between `<private>` and
`</private>` is left out whole.

All of them are looked for in the text as it is, and replaced together: were one after the other
replaced, what is left of a secret that two of them share could be none to the second any more.

JSON is redacted text by text, so that it stays JSON: in the raw line a key that begins a line of
its text would follow the letter of an escape, and a pattern of the user's own could take away what
holds the texts together.

A row belongs into `vendor_keys.tsv` when nothing but a key looks like it: hashes, ids and minified
code must not. A pattern is tried only where one of its hints stands, and is compiled when that
happens first; each is linear by the measure of `user_patterns`. The rows below the line of the
table are made from the rules of a scanner by `python -m tests.publish_vendor_keys`; of those a key
has to look drawn.
"""

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from amplihack_compaction.base.files import read_if_there
from amplihack_compaction.base.redaction.named_secrets import (
    ASSIGNED,
    KINDS,
    around_spans,
    may_name_secret,
)
from amplihack_compaction.base.redaction.user_patterns import IN_FORCE, USER_KIND, Span

TABLE_PATH = f"{__file__.rpartition('/')[0]}/vendor_keys.tsv"
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
"""No hint but one is of these alone, as ids, hashes and moments are."""
BARE_HINT = "fc-"
"""That one: all of the key that it begins is of these, and no part of an id is as long."""
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


def vendor_spans(text: str) -> list[Span]:
    """Return where vendors' keys are in a text, hint by hint; they may overlap."""
    # Where there is room for a key, as few words have it.
    words = "\n".join(
        {word for word in _ROOM.findall(text) if word.strip(HINTLESS_CHARS) or BARE_HINT in word}
    )
    if not words:
        return []
    spans = [
        span
        for hint, rows in _by_hint().items()
        if hint in words
        for vendor in rows
        for span in _spans_of(vendor, hint, text)
    ]
    return spans + _marked_spans(text) if _MARKED.search(words) else spans


def _marked_spans(text: str) -> list[Span]:
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
def _by_hint() -> dict[str, list[Vendor]]:
    rows: dict[str, list[Vendor]] = {}
    for vendor in vendors():
        for hint in vendor.hints:
            rows.setdefault(hint, []).append(vendor)
    return rows


def _spans_of(vendor: Vendor, hint: str, text: str) -> Iterator[Span]:
    pattern = re.compile(vendor.source)
    at = text.find(hint)
    while at >= 0:
        start = at - vendor.before
        if start >= 0 and (vendor.is_inside or _EDGE.match(text, start)):
            found = pattern.match(text, start)
            if found is not None:
                if _is_key(vendor, found):
                    begin, end = found.span(pattern.groups)
                    rest = _next_piece(text, end)  # long enough, it may still go on
                    yield begin, rest.end() if rest else end, vendor.kind
                at = max(at, found.end() - 1)
            elif not vendor.before:
                end = _end_of_pieces(pattern, text, start)
                if end:
                    yield start, end, vendor.kind
                    at = end - 1
        at = text.find(hint, at + 1)


def _is_key(vendor: Vendor, found: re.Match[str]) -> bool:
    """Return whether what a pattern matched is no name: behind the mark are more than words."""
    key = found.group(found.re.groups)
    if key.endswith("EXAMPLE"):
        return False  # as the documents of AWS write them
    if not vendor.is_listed:
        return _NOT_PLAIN.search(key) is not None
    drawn = key[len(vendor.hints[0]) :]
    words = sum(map(len, _WORD.findall(drawn)))
    return words * 2 <= len(drawn) and _DIGIT.search(drawn) is not None


def _end_of_pieces(pattern: re.Pattern[str], text: str, start: int) -> int:
    """Return where a key ends whose first piece is too short alone, or 0."""
    first = _RUN.match(text, start)
    rest = _next_piece(text, first.end()) if first else None
    if first is None or rest is None:
        return 0
    found = pattern.match(first.group() + rest.group())
    return rest.end() if found is not None and found.end() > len(first.group()) else 0


def _next_piece(text: str, end: int) -> re.Match[str] | None:
    """Return what follows a break, if it may be a piece of a key, and is no word of its own."""
    joint = _JOINT.match(text, end)
    rest = _RUN.match(text, joint.end()) if joint else None
    if joint is None or rest is None or rest.group().islower():
        return None
    is_long = joint.group()[0] in "\"'\\" or len(rest.group()) >= LEAST_CHARS - 4
    return rest if is_long and any(sign.isdigit() for sign in rest.group()) else None


MARK = re.compile(r"\[(?:redacted|left out):[^\]\n]{0,40}\]")
"""What stands in the place of a secret."""
_KEY_EDGE = re.compile(
    r"-{4,5} ?(BEGIN|END) (?:[A-Za-z0-9]{1,12} ){0,3}"
    r"(?:PRIVATE KEY(?: BLOCK)?|Static key V1) ?-{4,5}"
)
# A line of a key whose beginning is lost, and how PuTTY writes one.
_KEY_LINE = re.compile(r"[ \t+|>]{0,8}[A-Za-z0-9+/=]{1,80}\\?\r?\Z")
_PUTTY = re.compile(r"Private-Lines: [0-9]{1,3}\s{1,2}((?:[A-Za-z0-9+/=]{1,80}\s{0,2}){1,99}+)")
_LEAST_CHARS = 4
# Names of files, commands and times come again and again in a session.
_SHORT_CHARS = 256
_CACHED_TEXTS = 4096
# In backquotes, as a word, it is only spoken of.
_PRIVATE = re.compile(r"`</?private>`|<(/?)private\s{0,3}>", re.ASCII | re.IGNORECASE)
_FENCE = "\n```"
_PRIVATE_KEY = "private-key"


def read_user_patterns() -> None:
    """Put the user's own patterns in force as they are now, beside those that are.

    For who runs so long that they may change. No project's file has any.
    """
    # The settings import a module of this room.
    from amplihack_compaction.base.settings import load_settings

    load_settings("")


_read_once = cache(read_user_patterns)


def redact_again(text: str) -> str:
    """Return a text that was redacted before it was stored without what is a secret by now."""
    return redact(text) if has_user_patterns() else text


def has_user_patterns() -> bool:
    """Return whether patterns of the user's own are in force."""
    _read_once()
    return bool(IN_FORCE)


def redact(text: str) -> str:
    """Return the text without its secrets; without any, the same text."""
    _read_once()
    if len(text) < _LEAST_CHARS:
        return text
    is_short = len(text) <= _SHORT_CHARS
    return _redact_short(text, len(IN_FORCE)) if is_short else _redact(text)


# Colours, and signs that nobody sees: within a secret they would hide it.
_UNSEEN = (
    r"[\0\b\x1b\xad\u034f\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff"
    r"\U000e0000-\U000e01ef]"
)
_MAY_HIDE = re.compile(_UNSEEN)
_HIDING = re.compile(rf"\x1b\[[0-9;:?]{{0,40}}[ -/]?[@-~]|{_UNSEEN}")


def _redact(text: str) -> str:
    """Redact a text; where only what hides a secret kept it from being found, without all that."""
    if _may_hide(text):
        bare = _HIDING.sub("", text)
        if (clean := _redact_plain(bare)) != bare:
            return clean
    return _redact_plain(text)


def _may_hide(text: str) -> bool:
    if text.isascii():  # faster
        return any(sign in text for sign in "\x1b\0\b")
    return _MAY_HIDE.search(text) is not None


def _redact_plain(text: str) -> str:
    folded = text.casefold()
    if "<private" in folded:
        text = _without_private(text)
        folded = text.casefold()
    spans = vendor_spans(text)
    if "PRIVATE KEY" in text or "Static key" in text or "Private-Lines" in text:
        spans += _key_spans(text)
    spans += around_spans(text, folded)
    spans += _user_spans(text)
    return _replaced(text, spans) if spans else text


def _without_private(text: str) -> str:
    """Return the text without what is marked as private; what is not closed reaches to the end.

    In a block of code it reaches to that one's end: the mark may be part of what was pasted.
    """
    parts, position, begin = [], 0, -1
    for tag in _PRIVATE.finditer(text):
        if tag[1] == "" and begin < 0:
            begin = tag.start()
        elif tag[1] and begin >= 0:
            parts += [text[position:begin], "[left out: private]"]
            position, begin = tag.end(), -1
    if begin >= 0:
        parts += [text[position:begin], "[left out: private]"]
        position = _end_of_open(text, begin)
    return "".join(parts) + text[position:]


def _end_of_open(text: str, begin: int) -> int:
    """Return where what nothing closes ends: with the block of code that it stands in."""
    fences = text.count(_FENCE, 0, begin) + text.startswith(_FENCE[1:])
    end = text.find(_FENCE, begin) if fences % 2 else -1
    return end if end >= 0 else len(text)


@lru_cache(maxsize=_CACHED_TEXTS)
def _redact_short(text: str, _patterns: int) -> str:
    """Redact a text that comes often; by how many patterns were in force when that was begun.

    A thread that began before one came into force leaves nothing to who asks after that.
    """
    return _redact(text)


def _user_spans(text: str) -> list[Span]:
    """Return what the user's own patterns match; of a mark they take nothing, or all of it."""
    patterns = list(IN_FORCE.values())  # another thread may add to them
    found = [match.span() for pattern in patterns for match in pattern.finditer(text)]
    if not found:
        return []
    marks = [mark.span() for mark in MARK.finditer(text) if mark.group() in _marks()]
    begins, ends = [begin for begin, _ in marks], [end for _, end in marks]
    spans = []
    for start, end in found:
        met = marks[bisect_right(ends, start) : bisect_left(begins, end)]
        if not (met and met[0][0] <= start and end <= met[0][1]):
            whole = [(start, end), *met[:1], *met[-1:]]
            spans.append((min(whole)[0], max(one[1] for one in whole), USER_KIND))
    return spans


def _replaced(text: str, spans: list[Span]) -> str:
    """Return the text with a mark for each span; those that overlap have one, the first one's."""
    spans.sort(key=lambda span: span[0])
    parts, position = [], 0
    start, end, kind = spans[0]
    for span in spans[1:]:
        if span[0] < end:
            end = max(end, span[1])
        else:
            parts += [text[position:start], f"[redacted:{kind}]"]
            position, (start, end, kind) = end, span
    parts += [text[position:start], f"[redacted:{kind}]", text[end:]]
    return "".join(parts)


@cache
def _marks() -> set[str]:
    kinds = (_PRIVATE_KEY, UNKNOWN, *KINDS, USER_KIND, *(each.kind for each in vendors()))
    return {"[left out: private]", *(f"[redacted:{kind}]" for kind in kinds)}


def _key_spans(text: str) -> Iterator[Span]:
    """Yield key blocks; one that does not end, or not before a quote, reaches to there.

    Of one whose beginning is lost, the lines before its end are taken.
    """
    position, begin = 0, -1
    for edge in _KEY_EDGE.finditer(text):
        if edge.group(1) == "BEGIN":
            if begin < 0:
                begin = edge.start()
        elif begin >= position:
            yield begin, edge.end(), _PRIVATE_KEY
            position, begin = edge.end(), -1
        else:
            yield _start_of_lines(text, position, edge.start()), edge.end(), _PRIVATE_KEY
            position = edge.end()
    if begin >= position:
        quote = text.find('"', begin)
        end = _end_of_open(text, begin)
        yield begin, min(quote, end) if quote >= 0 else end, _PRIVATE_KEY
    for found in _PUTTY.finditer(text):
        yield (*found.span(1), _PRIVATE_KEY)


def _start_of_lines(text: str, position: int, end: int) -> int:
    """Return where the lines of a key begin that end there."""
    start = end
    while start > position:
        line_start = max(text.rfind("\n", position, start - 1) + 1, position)
        if start - line_start > _SHORT_CHARS or not _KEY_LINE.match(text[line_start : start - 1]):
            break
        start = line_start
    return start


# By these the lines of a transcript hang together.
_ID_KEYS = frozenset({"uuid", "parentUuid", "logicalParentUuid", "leafUuid", "sessionId"})
_ID_CHARS = 36
_CLIENT_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def is_client_id(value: object) -> bool:
    """Return whether a value looks like the ids that the client gives to lines and sessions."""
    if not isinstance(value, str) or len(value) != _ID_CHARS:
        return False
    return _CLIENT_ID.fullmatch(value) is not None


def redact_line(line: str) -> str:
    """Return a line of JSON without its secrets, still JSON; other text as `redact` does."""
    hidden: list[Any] = []

    def made_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):  # the last one counts, and nobody would see what came before it
            hidden.append(made)
        return made

    try:
        value = json.loads(line, object_pairs_hook=made_of)
        clean = redact_value(value)
        if not hidden and clean == value:
            return line
        return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")
    except (ValueError, RecursionError):
        return redact(line)


def redact_value(value: Any) -> Any:
    """Return a value of JSON without the secrets in its texts and keys."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(key): _redact_field(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return _redact_list(value)
    if has_user_patterns() and isinstance(value, int | float) and not isinstance(value, bool):
        text = str(value)  # an account's number may be written without quotes
        return value if redact(text) == text else redact(text)
    return value


def _redact_field(key: str, value: Any) -> Any:
    """Redact what stands under a key, which may say itself that it is a secret."""
    if not isinstance(value, str):
        return redact_value(value)
    if key in _ID_KEYS and is_client_id(value):
        return value
    clean = redact(value)
    if clean and clean == value and may_name_secret(key):
        assigned = redact(f'"{key}": "{value}"')
        if value not in assigned:
            return f"[redacted:{ASSIGNED}]"
    return clean


def _redact_list(values: list[Any]) -> list[Any]:
    """Redact a list; of a list of texts, also what spans several of them, as lines of a file do."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        whole = "\n".join(values)
        clean = redact(whole)
        return values if clean == whole else clean.split("\n")
    return [redact_value(value) for value in values]
