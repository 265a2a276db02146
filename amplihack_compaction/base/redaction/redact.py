"""Take secrets out of text and JSON before they are stored or injected (light).

Keys of vendors, passwords in URLs, private key blocks, bearer headers, assignments to names that
say "secret", and what the user's own patterns match are replaced by `[redacted:KIND]`. What stands
between `<private>` and `</private>` is left out whole.

All of them are looked for in the text as it is, and replaced together: were one after the other
replaced, what is left of a secret that two of them share could be none to the second any more.

JSON is redacted text by text, so that it stays JSON: in the raw line a key that begins a line of
its text would follow the letter of an escape, and a pattern of the user's own could take away what
holds the texts together. Of most lines of a transcript `holds_no_secret` sees that there is none in
less time than parsing takes: what a secret is told by stands in the raw line as it does in the
text, but for escapes, and for letters that are the same without case. What follows a telling word
is looked at more loosely there than in the texts.
"""

import re
from bisect import bisect_left, bisect_right
from functools import cache, lru_cache

from amplihack_compaction.base.paths import project_root
from amplihack_compaction.base.redaction.secret_patterns import (
    IN_FORCE,
    KIND,
    VENDORS,
    Span,
    may_hold_key,
    read_patterns,
    use_patterns,
    vendor_spans,
)

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
    import json

    try:
        hidden: list[Any] = []
        value = json.loads(line, object_pairs_hook=lambda pairs: _object(pairs, hidden))
        clean = redact_value(value)
        if not hidden and clean == value:
            return line
        return json.dumps(clean, separators=(",", ":")) + ("\n" if line.endswith("\n") else "")
    except (ValueError, RecursionError):
        return redact(line)


def _object(pairs: "list[tuple[str, Any]]", hidden: "list[Any]") -> "dict[str, Any]":
    """Return an object of JSON, and add to `hidden` where a key comes twice.

    The last one counts, and nobody would see what the line has before it.
    """
    made = dict(pairs)
    if len(made) < len(pairs):
        hidden.append(made)
    return made


def redact_value(value: "Any") -> "Any":
    """Return a value of JSON without the secrets in its texts and keys."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, dict):
        return {redact(key): _redact_field(key, item) for key, item in value.items()}
    if isinstance(value, list):
        return _redact_list(value)
    if has_own_patterns() and isinstance(value, int | float) and not isinstance(value, bool):
        text = str(value)  # an account's number may be written without quotes
        return value if redact(text) == text else redact(text)
    return value


def _redact_field(key: str, value: "Any") -> "Any":
    """Redact what stands under a key, which may say itself that it is a secret."""
    if not isinstance(value, str):
        return redact_value(value)
    if key in _ID_KEYS and is_client_id(value):
        return value
    clean = redact(value)
    if clean and clean == value and may_name_secret(key):
        assigned = redact(f'"{key}": "{value}"')
        if value not in assigned:
            return ASSIGNED
    return clean


def _redact_list(values: "list[Any]") -> "list[Any]":
    """Redact a list; of a list of texts, also what spans several of them, as lines of a file do."""
    if len(values) > 1 and all(isinstance(value, str) for value in values):
        whole = "\n".join(values)
        clean = redact(whole)
        return values if clean == whole else clean.split("\n")
    return [redact_value(value) for value in values]


# Of the escapes that stand for a sign which a secret may have, the client writes none; of the
# escape character, outputs in colour have many.
_HIDING_ESCAPE = rb"\\(?:u(?!001b)|/)"
# As in the texts, where a sign has up to four bytes, or six as an escape.
_JSON_URL_PASSWORD = rb"://[^\s/:@\"']{0,600}:[^\s/@\"']{1,1200}@"
# Patterns without case take these for letters of ASCII.
_TWINS = (
    ("\u0130".encode(), b"i"),
    ("\u0131".encode(), b"i"),
    ("\u017f".encode(), b"s"),
    ("\u212a".encode(), b"k"),
)
# What may stand between the parts of a secret: blanks, also escaped and outside of ASCII, quotes,
# backslashes, and what is between the texts of a list, which are looked at together.
_GAP = rb"(?:[\x00-\x20\"',\\\x7f-\xff]|(?<=\\)[bfnrt])"
_JSON_BEARER = _GAP + rb"+[a-z0-9_.~+/=-]{20}"
# What begins as "passw" may go on as "password", and with thirty signs more.
_JSON_ASSIGNED = rb"[a-z0-9_]{0,34}+" + _GAP + rb"*+[:=]"
# The client counts tokens in each answer: `"input_tokens":3,`. No text goes on behind a quote that
# is not escaped.
_COUNT = rb"token[a-z0-9_]{0,30}\":\s?(?:[0-9]{1,18}\s?[,}]|\{)"
_NO_WORD = b"#"
_TAGS = ("<private>", "private key")
# A few parts of the telling words are looked for first, and where only their letters are left.
_PARTS = ("private", "pass", "key", "secret", "credential", *BEARER_WORDS)


def _rest_of(word: str) -> bytes:
    """Return a pattern of what may follow a telling word where it tells of a secret."""
    rests = [_JSON_BEARER] if word in BEARER_WORDS else []
    if word in ASSIGNED_WORDS:
        rests.append(_JSON_ASSIGNED)
    return b"|".join(rests)


_LOOKS = {
    part.encode(): tuple(
        (word.encode(), _rest_of(word))
        for word in dict.fromkeys((*_TAGS, *BEARER_WORDS, *ASSIGNED_WORDS))
        if part in word
    )
    for part in _PARTS
}
_LETTERS = bytes(set(b"".join(_LOOKS)))
_OTHERS = bytes(set(range(256)) - set(_LETTERS + _LETTERS.upper()))
_WITHOUT_CASE = bytes(range(256)).lower()


def holds_no_secret(line: bytes) -> bool:
    """Return whether redacting changes neither a line nor any text or key of its JSON.

    True is for sure, also for a line that is no JSON; false is not. With patterns of the user's own
    it is always false.
    """
    if has_own_patterns() or not _is_plain(line):
        return False
    return not (may_hold_key(line) or _may_tell_of_secret(line))


def _is_plain(line: bytes) -> bool:
    """Say whether a line is UTF-8 and escapes no letter, digit or sign that a secret may have."""
    if b"\\u" in line or b"\\/" in line:
        escaped_backslashes_left_out = line.replace(rb"\\", b"")
        if _compiled(_HIDING_ESCAPE).search(escaped_backslashes_left_out):
            return False
    try:
        return line.isascii() or bool(line.decode())
    except UnicodeDecodeError:
        return False


def _may_tell_of_secret(line: bytes) -> bool:
    """Return whether a line may hold what is no vendor's key, and told by the signs around it."""
    if b"@" in line and b"://" in line and _compiled(_JSON_URL_PASSWORD).search(line):
        return True
    if not line.isascii():
        for twin, letter in _TWINS:
            line = line.replace(twin, letter)
    letters = line.translate(_WITHOUT_CASE, _OTHERS)
    parts = [part for part in _LOOKS if part in letters]
    if not parts:
        return False
    folded = line.lower()
    # A number may be a password: in a broken line, `"password_token":1234567,`.
    if b"token" in parts and b"passw" not in folded:
        folded, counts = _compiled(_COUNT).subn(_NO_WORD, folded)
        if counts == letters.count(b"token"):
            parts.remove(b"token")
    return any(_follows(word, rest, folded) for part in parts for word, rest in _LOOKS[part])


def _follows(word: bytes, rest: bytes, folded: bytes) -> bool:
    end = folded.find(word) + len(word)
    while end >= len(word):
        if _compiled(rest).match(folded, end) is not None:
            return True
        end = folded.find(word, end) + len(word)
    return False


@cache
def _compiled(source: bytes) -> "re.Pattern[bytes]":
    """Compile a pattern when a line has what it needs: most never are."""
    return re.compile(source)
