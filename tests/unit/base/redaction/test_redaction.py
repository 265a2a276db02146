import json
import re

import pytest

from amplihack_compaction.base.redaction import named_secrets
from amplihack_compaction.base.redaction.redact import redact, redact_line

# Put together here, so that no scanner takes the test file itself for a leak.
SECRETS = [
    "sk-" + "ant-api03-" + "A1b2C3d4" * 6,
    "sk-" + "proj-" + "A1b2C3d4" * 5,
    "gh" + "p_" + "A1b2C3d4E5f6" * 3,
    "github" + "_pat_" + "A1b2C3d4E5f6" * 3,
    "gl" + "pat-" + "A1b2C3d4E5f6G7h8i9",
    "xo" + "xb-" + "123456789012-abcdefABCDEF",
    "AK" + "IA" + "ABCDEFGHIJKLMNOP",
    "AI" + "za" + "A1b2C3d4E5" * 4,
    "np" + "m_" + "A1b2C3d4E5f6" * 3,
    "hf" + "_" + "A1b2C3d4E5f6G7h8" * 2,
    "sk" + "_live_" + "A1b2C3d4E5f6G7h8",
    "ey" + "J" + "hbGciOiJIUzI1NiJ9" + ".ey" + "J" + "zdWIiOiIxMjM0NTY3" + ".abcDEF123456_-x",
]


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("postgres://app:hunter2pass@db.example.com/x", "hunter2pass"),
        ("Authorization: Bearer abcdefghijklmnopqrstuvwxyz012345", "abcdefghijklmnop"),
        ("DB_PASSWORD=correcthorsebattery", "correcthorsebattery"),
        ("debug=on\nDB_PASSWORD=correcthorsebattery\n", "correcthorsebattery"),
        ("AccountName=shop;AccountKey=A1b2C3d4E5f6G7h8==;", "A1b2C3d4E5f6G7h8"),
        ("export\tDB_PASSWORD := correcthorsebattery", "correcthorsebattery"),
        ("/etc/DB_PASSWORD=correcthorsebattery/x", "correcthorsebattery"),
        ("api_key: 'a1b2c3d4e5f6'", "a1b2c3d4e5f6"),
        ('"client_secret": "Zx9-Zx9-Zx9"', "Zx9-Zx9-Zx9"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "MIIE"),
        ("keep <private>my own words</private> out", "my own words"),
        ("never closed <private>my own words", "my own words"),
    ],
)
def test_other_secrets_are_taken_out(text: str, secret: str) -> None:
    assert secret not in redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "The token count is 2000.",
        "password: Optional[str] = None",
        "token = get_token(request)",
        "secret: <your-secret-here>",
        "API_KEY=$API_KEY",
        "https://example.com:8443/path?x=1",
        "commit 3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3",
        "Never use tabs; max_tokens: 4096",
        "the tokenizer: fast",
    ],
)
def test_what_is_no_secret_stays(text: str) -> None:
    assert redact(text) == text


def test_a_redacted_line_of_json_stays_json() -> None:
    key = "-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----"
    for secret in (*SECRETS, key, "PASSWORD=abc123xyz", "https://u:p4ss@h/"):
        line = json.dumps({"content": f'say "{secret}" \\ {secret}', "n": 1})
        content = json.loads(redact(line))["content"]
        assert secret not in content


@pytest.mark.parametrize("text", [" " * 70 + "= password: abc123456", "= token: abc123456", "="])
def test_odd_blanks_before_an_assignment_break_nothing(text: str) -> None:
    assert "abc123456" not in redact(text)


@pytest.mark.parametrize("secret", SECRETS)
def test_a_key_that_begins_a_line_is_taken_out_of_a_line_of_json(secret: str) -> None:
    for frame in ("a\n{}", "\t{}", "x\r\nBearer {}", 'curl -d "{{"token": "{}"}}"'):
        line = json.dumps({"content": [{"text": frame.format(secret)}]}) + "\n"
        assert secret not in redact_line(line)
        assert json.loads(redact_line(line))["content"][0]["text"] != ""


@pytest.mark.parametrize(
    "text",
    [
        'curl -d "{\\"password\\": \\"s3cretpw9\\"}"',
        'secret := "s3cretpw9"',
        "secret => 's3cretpw9'",
    ],
)
def test_assignments_in_other_tongues_are_redacted(text: str) -> None:
    assert "s3cretpw9" not in redact(text)


def test_a_private_key_that_does_not_end_is_taken_out_to_the_end() -> None:
    begin = "-----BEGIN OPENSSH PRIVATE KEY-----"
    assert redact(f"key: {begin}\nb3Blbn...") == "key: [redacted:private-key]"
    assert redact(f'"{begin}\nb3Blbn" and "more"') == '"[redacted:private-key]" and "more"'
    lines = [f"+{begin}", "+b3BlbnNzaA", "+-----END OPENSSH PRIVATE KEY-----", "+after"]
    clean = json.loads(redact_line(json.dumps({"lines": lines})))["lines"]
    assert clean == ["+[redacted:private-key]", "+after"]


def test_a_private_tag_takes_its_own_text_and_no_other() -> None:
    line = json.dumps({"a": ["x <private>mine", {"b": 1}], "c": "stays"}) + "\n"
    assert json.loads(redact_line(line)) == {"a": ["x [left out: private]", {"b": 1}], "c": "stays"}
    assert redact_line(line).endswith("}\n")
    assert "mine" not in redact_line('{"torn": "<private>mine')


@pytest.mark.parametrize("quote", ['"', '\\"'])
@pytest.mark.parametrize("gap", ["", " "])
def test_a_value_beside_its_name_in_json_goes(gap: str, quote: str) -> None:
    line = f'{{"name":{gap}"DB_PASSWORD",{gap}"value":{gap}"Tr0ub4dor-9xKq"}}'.replace('"', quote)
    assert "Tr0ub4dor" not in redact(line)
    limit = line.replace("DB_PASSWORD", "MAX_TOKENS").replace("Tr0ub4dor-9xKq", "4096")
    assert redact(limit) == limit


def test_a_value_in_escaped_quotes_ends_with_them() -> None:
    left = '{\\"password\\":\\"[redacted:assigned]\\"} and more'
    assert redact(left.replace("[redacted:assigned]", "Tr0ub4dor-9xKq")) == left
    assert redact('password = "Tr0ub4\\"dor-9xKq" and more').endswith('" and more')


def test_private_words_go_and_a_mark_that_is_only_spoken_of_stays() -> None:
    left_out = "[left out: private]"
    assert redact("a <private>b</private> c <PRIVATE>d") == f"a {left_out} c {left_out}"
    assert (
        redact("a <private>b <private>c</private> d</private> e") == f"a {left_out} d</private> e"
    )
    assert redact("a\n```\n<private>b\n```\nc") == f"a\n```\n{left_out}\n```\nc"
    assert redact("a <private>b\n```\nc\n```\nd") == f"a {left_out}"
    assert redact("`<private>b</private>` c") == f"`{left_out}` c"
    spoken = "fix `<private>` in it, never deploy"
    assert redact(spoken) == spoken


@pytest.mark.parametrize("piece", ["pw=", "PASSWORD=", "pw=1", "auth=", "curl -u a:", "keykeykey"])
def test_a_text_of_telling_names_alone_is_matched_at_few_of_them(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A repository can have such a file, which is read at each compaction."""
    tried = 0
    span_of = named_secrets._span_of

    def counted(found: "re.Match[str]", text: str) -> object:
        nonlocal tried
        tried += 1
        return span_of(found, text)

    monkeypatch.setattr(named_secrets, "_span_of", counted)
    redact(piece * (60_000 // len(piece)))
    assert tried <= 5_000


def test_a_secret_behind_many_telling_names_goes() -> None:
    query = "&".join(f"key{n}=on" for n in range(30))
    secret = "hunter2-Zx9Qp4Lm7Rt2Vb8N"
    assert secret not in redact(f"https://example.com/?{query}&token={secret}")
    assert secret not in redact(f"{'curl x; ' * 60}curl -u admin:{secret} https://example.com")


@pytest.mark.parametrize(
    "hidden",
    [
        "\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K{rest}",
        "ghp_\x1b[32m{rest}\x1b[0m",
        "ghp_\u200b{rest}",
        "g\u00adhp_{rest}",
        "ghp_\0{rest}",
        "ghp_\ufe0f{rest}",
    ],
)
def test_what_nobody_sees_hides_no_secret(hidden: str) -> None:
    rest = "Ab3dEf6hIj9lMn2pQr5tUv8xYz1A4C7E0G2I"  # apart, so that no scanner takes it for a leak
    said = redact(f"it answers {hidden.format(rest=rest)} here")
    assert said == "it answers [redacted:github-token] here"


def test_a_private_mark_may_have_a_blank() -> None:
    assert redact("a <private >pin 1234</private > is here") == "a [left out: private] is here"


def test_colours_stay_where_they_hide_nothing() -> None:
    text = "\x1b[1mall 20 tests\x1b[0m passed in 3.2 s\u200b, no error"
    assert redact(text) == text
    named = "\x1b[36mDB_PASSWORD\x1b[0m=\x1b[33mTr0ub4dor3xQ\x1b[0m"
    assert redact(named) == "DB_PASSWORD=[redacted:assigned]"


@pytest.mark.parametrize(
    "form",
    [
        "**Password:** `{}`", "**Password**: `{}`", "__Password:__ {}", "*Password:* {}",
        "* **API key:** `{}`", "<b>Token:</b> {}", "Password → {}",
    ],
)  # fmt: skip
def test_emphasis_and_arrows_hide_no_value(form: str) -> None:
    assert redact(form.format("Z8gbX9yH1AVCw16b6OVN")) == form.format("[redacted:assigned]")


def test_what_is_emphasised_and_no_secret_stays() -> None:
    for text in ("**Token:** used for the login", "**Password:** at least 12 characters"):
        assert redact(text) == text
