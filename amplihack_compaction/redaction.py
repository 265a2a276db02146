"""Take secrets out of text before it is stored or injected (light).

Keys of vendors, passwords in URLs, private key blocks, bearer headers and assignments to names that
say "secret" are replaced by `[redacted:KIND]`. What stands between `<private>` and `</private>`
is left out whole.

All of them are looked for in the text as it is, and replaced together: were one after the other
replaced, what is left of a secret that two of them share could be none to the second any more.
"""

import re
from functools import lru_cache

from amplihack_compaction.vendors import Span, vendor_spans

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

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
_BEARER_WORDS = ("bearer", "basic", "token")
_ASSIGNED_WORDS = (
    "passw", "passphrase", "secret", "token", "apikey", "api_key", "accesskey", "access_key",
    "accountkey", "account_key", "privatekey", "private_key", "credential",
)  # fmt: skip
_LEAST_CHARS = 4
# Names of files, commands and times come again and again in a session.
_SHORT_CHARS = 256
_CACHED_TEXTS = 4096
_OPEN, _CLOSE = "<private>", "</private>"
_LOOKS_SECRET = re.compile(r"[0-9]")


def redact(text: str) -> str:
    """Return the text without its secrets; without any, the same text."""
    if len(text) < _LEAST_CHARS:
        return text
    return _redact_short(text) if len(text) <= _SHORT_CHARS else _redact(text)


def _redact(text: str) -> str:
    folded = text.casefold()
    if _OPEN in folded:
        text = _without_private(text)
        folded = text.casefold()
    spans = [*vendor_spans(text), *_other_spans(text, folded)]
    return _replaced(text, spans) if spans else text


_redact_short = lru_cache(maxsize=_CACHED_TEXTS)(_redact)


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
    for found in _matches_at(_BEARER, _BEARER_WORDS, text, folded):
        yield (*found.span(1), "bearer")
    for found in _matches_at(_ASSIGNMENT, _ASSIGNED_WORDS, text, folded):
        if _assigns_secret(found):
            yield (*found.span(2), "assigned")


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


def redact_line(line: str) -> str:
    """Return a line of JSON without its secrets, still JSON; of other text, the same as `redact`.

    The line is taken apart: in raw JSON a key that begins a line of its text follows the letter
    of an escape, and a block of lines is a list of texts.
    """
    import json

    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return redact(line)
    clean = redact_value(value)
    if clean == value:
        return line
    return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")


def redact_value(value: "Any") -> "Any":
    """Return a value of JSON without the secrets in its texts and keys."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, list):
        return _redact_list(value)
    if isinstance(value, dict):
        return {redact(key): redact_value(item) for key, item in value.items()}
    return value


def _redact_list(values: "list[Any]") -> "list[Any]":
    """Redact a list; of a list of texts, also what spans several of them, as lines of a file do."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        whole = "\n".join(values)
        clean = redact(whole)
        return values if clean == whole else clean.split("\n")
    return [redact_value(value) for value in values]


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
    """Tell whether an assigned value is a secret, and not code, a placeholder or a plain word.

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
