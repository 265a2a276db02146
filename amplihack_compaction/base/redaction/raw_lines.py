"""Tell of a line of JSON, without parsing it, that nothing in it is a secret (light).

Of most lines of a transcript this is seen in less time than parsing takes: what a secret is told by
stands in the raw line as it does in the text, but for escapes, and for letters that are the same
without case. What follows a telling word is looked at more loosely here than in the texts.
"""

import re
from functools import cache

from amplihack_compaction.base.redaction.redact import (
    ASSIGNED_WORDS,
    BEARER_WORDS,
    has_own_patterns,
)
from amplihack_compaction.base.redaction.vendors import may_hold_key

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
