"""Take secrets out of text before it is stored or injected (light).

Keys of vendors, passwords in URLs, private key blocks, bearer headers, assignments to names that
say "secret", and what the user's own patterns match are replaced by `[redacted:KIND]`. What stands
between `<private>` and `</private>` is left out whole.

All of them are looked for in the text as it is, and replaced together: were one after the other
replaced, what is left of a secret that two of them share could be none to the second any more.
"""

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.redaction.own_patterns import (
    IN_FORCE,
    KIND,
    read_patterns,
    use_patterns,
)
from amplihack_compaction.base.redaction.vendors import VENDORS, Span, vendor_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

MARK = re.compile(r"\[(?:redacted|left out):[^\]\n]{0,40}\]")
"""What stands in the place of a secret."""
_KEY_EDGE = re.compile(r"-----(BEGIN|END) (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----")
_URL_PASSWORD = re.compile(r"://[^\s/:@\"'\\]{0,100}:([^\s/@\"'\\]{1,200})(?=@)")
_BEARER = re.compile(r"\b(?:Bearer|Basic|token)\s+([A-Za-z0-9_.~+/=-]{20,})", re.IGNORECASE)
# Only what follows the telling word is matched; what stands before it is looked at afterwards,
# since a pattern that begins with "any name" would try every position of a text many times.
_ASSIGNMENT = re.compile(
    r"((?:passw(?:or)?d|passphrase|secret|token|api_?key|access_?key|account_?key|private_?key|credentials?)"
    r"[A-Za-z0-9_]{0,30}\\{0,3}[\"']?\s{0,3}(?::=|=>|[=:])\s{0,3}\\{0,3}[\"']?)"
    r"([^\s\"'\\,;)}\]]{6,400})",
    re.IGNORECASE,
)
_NAME_CHARS = 60
_NAME_END = re.compile(r"[A-Za-z0-9_]+\Z")
_HARMLESS_VALUE = re.compile(
    r"\[redacted|\$|<|\{|%|process\.env|os\.environ|env\.|none\b|null\b|true\b|false\b"
    r"|str\b|string\b|optional|x{3,}|\*{3,}|\.{3}|your[_-]|example|placeholder|changeme"
    r"|required|undefined",
    re.IGNORECASE,
)
BEARER_WORDS = ("bearer", "basic", "token")
ASSIGNED_WORDS = (
    "passw", "passphrase", "secret", "token", "apikey", "api_key", "accesskey", "access_key",
    "accountkey", "account_key", "privatekey", "private_key", "credential",
)  # fmt: skip
ASSIGNED = "[redacted:assigned]"
_LEAST_CHARS = 4
# Names of files, commands and times come again and again in a session.
_SHORT_CHARS = 256
_CACHED_TEXTS = 4096
_CACHED_NAMES = 1024
_CLEAN_TEXTS = 65_536
_OPEN, _CLOSE = "<private>", "</private>"
_LOOKS_SECRET = re.compile(r"[0-9]")
_KINDS = ("private-key", "password", "bearer", "assigned", KIND, *(each.kind for each in VENDORS))
_MARKS = {"[left out: private]", *(f"[redacted:{kind}]" for kind in _KINDS)}


def use_project(root: str) -> None:
    """Put a project's own patterns in force, beside those that are; read anew each time.

    For whoever works on another project than the process runs in, or for so long that the
    settings may change.
    """
    use_patterns(read_patterns(root))


def redact_again(text: str) -> str:
    """Return a text that was redacted before it was stored without what is a secret by now."""
    return redact(text) if has_own_patterns() else text


def has_own_patterns() -> bool:
    """Return whether patterns of the user's own are in force."""
    if not IN_FORCE.has_asked:
        use_project(project_root())
        IN_FORCE.has_asked = True  # not before: another thread would go on without them
    return not IN_FORCE.is_empty


def may_name_secret(name: str) -> bool:
    """Return whether what is assigned to a name may be a secret by that name."""
    return _names_secret(name) if len(name) <= _SHORT_CHARS else _has_any(name, ASSIGNED_WORDS)


@lru_cache(maxsize=_CACHED_NAMES)
def _names_secret(name: str) -> bool:
    """Return whether a short name is one of a secret; kept, since every line has the same ones."""
    return _has_any(name, ASSIGNED_WORDS)


def _has_any(text: str, words: "tuple[str, ...]") -> bool:
    folded = text.casefold()
    return any(word in folded for word in words)


def redact(text: str) -> str:
    """Return the text without its secrets; without any, the same text."""
    if not IN_FORCE.has_asked:
        has_own_patterns()
    if len(text) < _LEAST_CHARS:
        return text
    return _redact_short(text, IN_FORCE.count) if len(text) <= _SHORT_CHARS else _redact_long(text)


def _redact_long(text: str) -> str:
    """Redact a text that may come again: a window is first read, then copied.

    Of texts without secrets only the hash is kept, so that memory does not grow with them; it has
    64 bits and a seed of the process's own, so that no text can be made to have another's.
    """
    mark, known = hash(text), IN_FORCE.clean_texts
    if mark in known:
        return text
    clean = _redact(text)
    if clean is text and len(known) < _CLEAN_TEXTS:
        known.add(mark)
    return clean


def _redact(text: str) -> str:
    folded = text.casefold()
    if _OPEN in folded:
        text = _without_private(text)
        folded = text.casefold()
    spans = vendor_spans(text)
    spans += _other_spans(text, folded)
    if not IN_FORCE.is_empty:
        spans += _own_spans(text)
    return _replaced(text, spans) if spans else text


@lru_cache(maxsize=_CACHED_TEXTS)
def _redact_short(text: str, _patterns: int) -> str:
    """Redact a text that comes often; by how many patterns were in force when that was begun.

    A thread that began before one came into force leaves nothing to who asks after that.
    """
    return _redact(text)


def _other_spans(text: str, folded: str) -> "Iterator[Span]":
    """Ask each pattern only where a word that it needs is there.

    Plain substring search is tens of times faster than the patterns, and most texts of a session
    have none of the words.
    """
    if "PRIVATE KEY" in text:
        yield from _key_spans(text)
    if "://" in text and "@" in text:
        for url in _URL_PASSWORD.finditer(text):
            yield (*url.span(1), "password")
    for found in _matches_at(_BEARER, BEARER_WORDS, text, folded):
        yield (*found.span(1), "bearer")
    for found in _matches_at(_ASSIGNMENT, ASSIGNED_WORDS, text, folded):
        if _assigns_secret(found):
            yield (*found.span(2), "assigned")


def _own_spans(text: str) -> list[Span]:
    """Return what the user's own patterns match; of a mark they take nothing, or all of it."""
    found = list(IN_FORCE.spans(text))
    if not found:
        return []
    marks = [mark.span() for mark in MARK.finditer(text) if mark.group() in _MARKS]
    begins, ends = [begin for begin, _ in marks], [end for _, end in marks]
    spans = []
    for start, end in found:
        met = marks[bisect_right(ends, start) : bisect_left(begins, end)]
        if not (met and met[0][0] <= start and end <= met[0][1]):
            whole = [(start, end), *met[:1], *met[-1:]]
            spans.append((min(whole)[0], max(one[1] for one in whole), KIND))
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


def _matches_at(
    pattern: "re.Pattern[str]", words: "tuple[str, ...]", text: str, folded: str
) -> "Iterator[re.Match[str]]":
    """Yield what a pattern finds; it is tried only where one of its first words stands.

    `folded` is the text without case.
    """
    for word in words:  # a generator costs as much as the search itself
        if word in folded:
            break
    else:
        return
    if len(folded) != len(text):  # a few letters change their length with their case
        yield from pattern.finditer(text)
        return
    starts: list[int] = []
    for word in words:
        start = folded.find(word)
        while start >= 0:
            starts.append(start)
            start = folded.find(word, start + len(word))
    position = 0
    for start in sorted(starts):
        found = pattern.match(text, start) if start >= position else None
        if found is not None:
            yield found
            position = found.end()


def _without_private(text: str) -> str:
    """Leave out what stands in `<private>` tags; one that is never closed reaches to the end."""
    folded = text.lower()
    if len(folded) != len(text):  # a few letters change their length with their case
        folded = text
    parts, position = [], 0
    while (start := folded.find(_OPEN, position)) >= 0:
        parts.append(text[position:start] + "[left out: private]")
        end = folded.find(_CLOSE, start)
        position = len(text) if end < 0 else end + len(_CLOSE)
    return "".join(parts) + text[position:]


def _key_spans(text: str) -> "Iterator[Span]":
    """Yield key blocks; one that does not end, or not before a quote, reaches to there."""
    position, begin = 0, -1
    for edge in _KEY_EDGE.finditer(text):
        if edge.group(1) == "BEGIN":
            if begin < 0:
                begin = edge.start()
        elif begin >= position:
            yield begin, edge.end(), "private-key"
            position, begin = edge.end(), -1
    if begin >= position:
        quote = text.find('"', begin)
        yield begin, quote if quote >= 0 else len(text), "private-key"


def _assigns_secret(found: re.Match[str]) -> bool:
    """Return whether an assigned value is a secret, and not code, a placeholder or a plain word.

    `password: Optional` and `token = get_token` are no secrets; a password of letters alone is
    taken for one only where the assignment is in the style of an env file.
    """
    name, value = found.group(1), found.group(2)
    counts = value.isdigit() and name[:5].lower() != "passw"  # as in "output_tokens": 12345
    if counts or _HARMLESS_VALUE.match(value) or "(" in value:
        return False
    before = found.string[max(0, found.start() - _NAME_CHARS) : found.start()]
    assigned, equals, _ = (before + name).rpartition("=")
    assigned_name = _NAME_END.search(assigned.rstrip(" :"))
    env_style = bool(equals) and assigned_name is not None and assigned_name.group().isupper()
    return env_style or bool(_LOOKS_SECRET.search(value))
