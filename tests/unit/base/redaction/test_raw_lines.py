"""Lines that are seen to hold no secret before they are parsed, and those that are not."""

import json

import pytest

from amplihack_compaction.base.redaction.patterns_in_force import use_patterns
from amplihack_compaction.base.redaction.raw_lines import holds_no_secret
from amplihack_compaction.base.redaction.redact import ASSIGNED_WORDS, BEARER_WORDS

USAGE = {
    "input_tokens": 3,
    "cache_creation": {"ephemeral_5m_input_tokens": 0},
    "output_tokens_details": {},
}


def line_of(text: object) -> bytes:
    return json.dumps({"message": {"content": text, "usage": USAGE}}, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x = 0  # a line\nx = 1\n",
        "\x1b[31mFAILED\x1b[0m tests/unit/test_a.py",
        "C:\\users\\ann and the pattern \\/",
        "the token counts, a secret nobody keeps, basic rules; pass the key on",
        "write to ann@example.com, see https://example.com/a?b=1",
        "日本語 – “quoted” straße",
        ["passes", "keys", "tokens"],
    ],
)
def test_a_line_of_ordinary_texts_holds_no_secret(text: object) -> None:
    assert holds_no_secret(line_of(text))


@pytest.mark.parametrize(
    "line",
    [
        *(f'{{"{word}":"abc123def456"}}'.encode() for word in ASSIGNED_WORDS),
        *(f'{{"a":"{word.upper()}d = x1y2z3w4"}}'.encode() for word in ASSIGNED_WORDS),
        *(f'{{"a":"{word}\\n{"a1" * 12}"}}'.encode() for word in BEARER_WORDS),
        line_of("ask https://ann:pa55@example.com"),
        line_of(f"ask https://{'é' * 99}:{'日' * 199}@example.com"),
        line_of("-----BEGIN RSA PRIVATE KEY-----"),
        line_of("<Private>mine</Private>"),
        line_of("pa\u017fsword=abc123def456"),
        line_of(["the token", "=abc123def456"]),
        b'{"a":"\\u0074oken=abc123def456"}',
        b'{"a":"https:\\/\\/example.com"}',
        b'{"a":"\xff"}',
        b'{"max_tokens":123456abc',
        b'{"password":1234567,',
        b'{"password_token":1234567,',
        line_of("the token\n\t= abc123def456"),
        line_of("the token" + "x" * 30 + "=abc123def456"),
        line_of(r"{\"token\\\": \"abc123def456"),
        line_of("the token\xa0=abc123def456"),
    ],
)
def test_a_line_that_may_hold_one_is_left_to_who_parses_it(line: bytes) -> None:
    assert not holds_no_secret(line)


def test_with_patterns_of_ones_own_no_line_is_judged_unparsed() -> None:
    line = line_of("nothing to see")
    assert holds_no_secret(line)
    use_patterns(["[0-9]{16}"])
    assert not holds_no_secret(line)
