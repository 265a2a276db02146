"""A line that is taken for clean unparsed: redacting changes nothing of it, whatever it holds."""

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from amplihack_compaction.base.redaction.redact import (
    ASSIGNED_WORDS,
    BEARER_WORDS,
    holds_no_secret,
    redact,
    redact_line,
    redact_value,
)
from tests.support.vendor_samples import make_samples

KEYS = [sample for _, sample in make_samples()]
WORDS = [*ASSIGNED_WORDS, *BEARER_WORDS, "Password", "API_KEY", "input_tokens", "max_tokens",
         "to\u212aen", "pa\u017f\u017fword", "credent\u0131al", "bas\u0130c",
         "pa\u00dfword"]  # fmt: skip
SIGNS = ["=", ":", ":=", "=>", " ", "\n", "\t", "\xa0", "\u2028", "\x1c", "\x0b", "\x08", '"', "'",
         "\\", "/", ",", ";", "{", "}", "\x1b[31m", "%20", "_", "s", "\u00e9", "\u65e5", "\ufb01",
         "\u00df", "\U0001f600", "\ud83d"]  # fmt: skip
VALUES = ["hunter2-x9Q", "a1" * 12, "ABCDEFGHIJ" * 3, "abcdef", "1234567", "12", "null", "${x}",
          "(x)", "https://", "ann:pa55@host", "://", "@", "-----BEGIN PRIVATE KEY-----",
          "-----END PRIVATE KEY-----", "<private>", "</private>", "<PRIVATE>"]  # fmt: skip
HALVES = [half for key in KEYS for half in (key[: len(key) // 2], key[len(key) // 2 :])]
PIECES = st.one_of(*map(st.sampled_from, (KEYS, HALVES, WORDS, SIGNS, SIGNS, VALUES, VALUES)))
TEXTS = st.lists(PIECES, max_size=6).map("".join)
NAMES = st.sampled_from(["type", "text", "usage", *WORDS]) | TEXTS
LEAVES = st.one_of(TEXTS, TEXTS, st.none(), st.booleans(), st.integers(), st.floats())
JSON_VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.dictionaries(NAMES, inner), max_leaves=8
)
PLAIN, UNICODE, LONG, SLASH = "as it is", "not ASCII", "each sign", "a slash"


def escaped(sign: str, how: str) -> str:
    """Return a sign of a text as JSON may have it."""
    if how == SLASH and sign == "/":
        return "\\/"
    if how == LONG and sign < "\uffff":
        return f"\\u{ord(sign):04x}"
    surrogate = "\ud800" <= sign <= "\udfff"
    return json.dumps(sign, ensure_ascii=how == UNICODE or surrogate)[1:-1]


def written(value: Any, how: Any, gap: str) -> str:
    """Return a value as JSON in which each sign is escaped in one way or another."""
    if isinstance(value, str):
        return '"' + "".join(escaped(sign, how()) for sign in value) + '"'
    if isinstance(value, dict):
        items = (
            f"{written(k, how, gap)}{gap}:{gap}{written(v, how, gap)}" for k, v in value.items()
        )
        return "{" + f"{gap},{gap}".join(items) + "}"
    if isinstance(value, list):
        return "[" + f"{gap},{gap}".join(written(item, how, gap) for item in value) + "]"
    return json.dumps(value)


@st.composite
def lines(draw: st.DrawFn) -> bytes:
    """Draw a line of JSON with one of these ways to escape in all of it, or a few signs."""
    ways = st.sampled_from([PLAIN] * 30 + [UNICODE, LONG, SLASH])
    each = draw(st.none() | st.sampled_from([PLAIN, PLAIN, UNICODE, LONG, SLASH]))
    how = (lambda: draw(ways)) if each is None else (lambda: each)
    gap = draw(st.sampled_from(["", "", "", " ", "\n  "]))
    return (written(draw(JSON_VALUES), how, gap) + "\n").encode()


@st.composite
def broken_lines(draw: st.DrawFn) -> bytes:
    """Draw a line of which a part is lost, or in which a byte or more is put."""
    line = draw(lines())
    start, end = sorted(draw(st.tuples(*[st.integers(0, len(line))] * 2)))
    return (
        line[:start] + draw(st.sampled_from([b"", b'"', b"\\", b"\xff", b"=", b"1"])) + line[end:]
    )


def assert_unchanged_if_clean(line: bytes) -> None:
    if holds_no_secret(line):
        text = line.decode()
        assert redact(text) == text
        assert redact_line(text) == text
        try:
            value = json.loads(text)
        except ValueError:
            return
        assert repr(redact_value(value)) == repr(value)


@given(lines())
@example(b'["the token","=abc123def456"]\n')
@example(b'["Bearer","","' + b"a1" * 12 + b'"]\n')
@example(b'{"token":"abc123def456"}\n')
@example('{"a":"to\u212aen=abc123def456"}\n'.encode())
@example(b'{"a":"t\\u006fken=abc123def456"}\n')
@example(b'{"a":"https:\\/\\/ann:pa55@host"}\n')
@example(b'{"a":"C:\\\\n\\nsig=' + b"a1" * 24 + b'"}\n')
@example(b'{"input_tokens":3,"input_tokens" : 123456abc}\n')
def test_a_line_that_is_taken_for_clean_is_not_changed_by_redacting(line: bytes) -> None:
    assert_unchanged_if_clean(line)


@given(broken_lines())
def test_a_broken_line_that_is_taken_for_clean_is_not_changed_by_redacting(line: bytes) -> None:
    assert_unchanged_if_clean(line)
