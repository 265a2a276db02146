"""Secrets in JSON: by their own look, and by the key that they stand under."""

import json

import pytest

from amplihack_compaction.base.redaction.redact import BARE_HINT, redact_line, redact_value, vendors

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
    hints = {hint for vendor in vendors() for hint in vendor.hints} - {BARE_HINT}
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
