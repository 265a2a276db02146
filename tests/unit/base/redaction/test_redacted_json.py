"""Secrets in JSON: by their own look, and by the key that they stand under."""

import json

import pytest

from amplihack_compaction.base.redaction.redact import (
    ASSIGNED_WORDS,
    BEARER_WORDS,
    holds_no_secret,
    redact_line,
    redact_value,
)
from amplihack_compaction.base.redaction.secret_patterns import VENDORS, use_patterns

ASSIGNED = "[redacted:assigned]"


@pytest.mark.parametrize(
    ("key", "value", "is_secret"),
    [
        ("password", "hunter2-x9Q", True),
        ("api_key", "abc123def456ghi", True),
        ("DB_PASSWORD", "hunter2-x9Q", True),
        ("token_count", "12345", False),
        ("max_tokens", "4096", False),
        ("secretary", "Anna", False),
        ("note", "hunter2-x9Q", False),
        ("a_very_long_name_" * 20 + "password", "hunter2-x9Q", True),
        ("password", "", False),
    ],
)
def test_a_key_may_tell_that_its_value_is_a_secret(key: str, value: str, is_secret: bool) -> None:
    clean = redact_value({"deep": [{key: value}]})
    assert clean == {"deep": [{key: ASSIGNED if is_secret else value}]}


def test_what_is_redacted_already_keeps_its_mark() -> None:
    value = {"password": ASSIGNED, "token": "[redacted:jwt]"}
    assert redact_value(value) == value


def test_a_line_nested_beyond_all_bounds_is_redacted_as_text() -> None:
    line = '{"a":' + "[" * 900 + '"password: hunter2-x9Q"' + "]" * 900 + "}"
    assert "hunter2" not in redact_line(line)


def test_no_vendors_mark_stands_in_an_id_of_the_clients() -> None:
    hints = [hint for vendor in VENDORS for hint in vendor.hints]
    assert not [hint for hint in hints if set(hint) <= set("0123456789abcdef-")]


@pytest.mark.parametrize(
    "value",
    [
        {"password": "hunter2-x9Q"},
        {"a": [{"b": "token=abc123def456"}]},
        {"token=abc123def456": 1},
        ["-----BEGIN RSA PRIVATE KEY-----", "abc", "-----END RSA PRIVATE KEY-----"],
        "token=abc123def456",
    ],
)
def test_a_secret_is_seen_wherever_it_stands_among_what_was_clean(value: object) -> None:
    plain = {"type": "user", "uuid": "0" * 8, "text": "as it was"}
    for number in range(3):
        assert redact_line(json.dumps({**plain, "n": number})) == json.dumps({**plain, "n": number})
        line = json.dumps({**plain, "value": value})
        assert json.loads(redact_line(line)) == redact_value(json.loads(line)) != json.loads(line)


def test_a_line_without_secrets_stays_as_it_is() -> None:
    line = json.dumps({"a": [1, 2.5, None, True, "text"]}, indent=1) + "\n"
    assert redact_line(line) is line


@pytest.mark.parametrize("inside", ['{"a": %s, "a": "x"}', '[{"b": {"a": %s, "a": 1}}]'])
def test_a_secret_behind_a_key_that_comes_twice_is_not_kept(inside: str) -> None:
    secret = "ghp_" + "a1" * 18
    line = inside % json.dumps(secret) + "\n"
    clean = redact_line(line)
    assert secret not in clean
    assert clean.endswith("\n")
    assert json.loads(clean) == json.loads(line)


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
