"""Take secrets out of JSON, text by text, so that it stays JSON (light).

In raw JSON a key that begins a line of its text would follow the letter of an escape, and a pattern
of the user's own could take away what holds the texts together.

Of most lines of a transcript `holds_no_secret` sees that there is none in less time than parsing
takes: what a secret is told by stands in the raw line as it does in the text, but for escapes, and
for letters that are the same without case. What follows a telling word is looked at more loosely
there than in the texts.
"""

import re
from functools import cache

from amplihack_compaction.base.redaction.redact import (
    ASSIGNED,
    ASSIGNED_WORDS,
    BEARER_WORDS,
    has_own_patterns,
    may_name_secret,
    redact,
)
from amplihack_compaction.base.redaction.vendors import may_hold_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

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
_URL_PASSWORD = rb"://[^\s/:@\"']{0,600}:[^\s/@\"']{1,1200}@"
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
_BEARER = _GAP + rb"+[a-z0-9_.~+/=-]{20}"
# What begins as "passw" may go on as "password", and with thirty signs more.
_ASSIGNED = rb"[a-z0-9_]{0,34}+" + _GAP + rb"*+[:=]"
# The client counts tokens in each answer: `"input_tokens":3,`. No text goes on behind a quote that
# is not escaped.
_COUNT = rb"token[a-z0-9_]{0,30}\":\s?(?:[0-9]{1,18}\s?[,}]|\{)"
_NO_WORD = b"#"
_TAGS = ("<private>", "private key")
# A few parts of the telling words are looked for first, and where only their letters are left.
_PARTS = ("private", "pass", "key", "secret", "credential", *BEARER_WORDS)


def _rest_of(word: str) -> bytes:
    """Return a pattern of what may follow a telling word where it tells of a secret."""
    rests = [_BEARER] if word in BEARER_WORDS else []
    if word in ASSIGNED_WORDS:
        rests.append(_ASSIGNED)
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
    if b"@" in line and b"://" in line and _compiled(_URL_PASSWORD).search(line):
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
