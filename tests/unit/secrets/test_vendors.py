import json
import re
import sysconfig
import uuid
from pathlib import Path
from urllib.parse import quote

import pytest

from amplihack_compaction.patterns.limits import count_steps
from amplihack_compaction.secrets.redacted_json import redact_line
from amplihack_compaction.secrets.redaction import redact
from amplihack_compaction.secrets.vendors import LEAST_CHARS, VENDORS, vendor_spans
from tests.ordinary_texts import make_texts
from tests.vendor_samples import make_samples

SAMPLES = make_samples()
STEPS_OF_A_KEY = 2100  # a token's first part alone may have 2,000 characters
FRAMES = (
    "{}", "the key {} is for the deploy", "{} begins it", "it ends with {}",
    "https://example.com/v1/{}/x?y=1", "https://example.com/?token={}&y=1", "KEY={}",
    "export API_KEY='{}'", "X-Key: {};", "({})", "`{}`", "<{}>", "a,{},b", "key_{}", "a\n{}\nb",
    "\x1b[31m{}\x1b[0m", '"a\\n{}"', "日本{}語",
)  # fmt: skip


def secret_part(kind: str, sample: str) -> str:
    """Return what nobody may see of a sample: of an address only its end."""
    ends = {"slack-webhook": "/", "discord-webhook": "/", "signature": "sig=",
            "telegram-bot-token": ":"}  # fmt: skip
    return sample.rpartition(ends[kind])[2] if kind in ends else sample


@pytest.mark.parametrize(("kind", "sample"), SAMPLES, ids=[kind for kind, _ in SAMPLES])
def test_a_vendors_key_is_taken_out_wherever_it_stands(kind: str, sample: str) -> None:
    secret = secret_part(kind, sample)
    assert redact(f"say {sample}.").count(f"[redacted:{kind}]") == 1
    for frame in FRAMES:
        text = frame.format(sample)
        assert secret not in redact(text), frame
        line = json.dumps({"content": [{"text": text}], "n": 1})
        clean = redact_line(line)
        assert secret not in clean
        assert json.loads(clean)["n"] == 1
        assert secret not in redact(line)
    for edge in ("%20", "%3D"):
        assert secret not in redact(f"https://example.com/?q={edge}{sample}")


def test_a_key_in_an_encoded_address_is_taken_out() -> None:
    for kind, sample in SAMPLES:
        encoded = quote(f"x={sample}", safe="")
        if quote(sample, safe="") == sample:
            assert secret_part(kind, sample) not in redact(f"https://example.com/?next={encoded}")


def test_two_keys_side_by_side_are_both_taken_out() -> None:
    for between in (" ", ",", "\n", "|", '","'):
        text = between.join(sample for _, sample in SAMPLES)
        clean = redact(text)
        assert not [kind for kind, sample in SAMPLES if secret_part(kind, sample) in clean]


def test_every_row_of_the_table_has_a_sample() -> None:
    for vendor in VENDORS:
        for hint in vendor.hints:
            found = [
                sample for kind, sample in SAMPLES
                if kind == vendor.kind and hint in sample and vendor.pattern.search(sample)
            ]  # fmt: skip
            assert found, f"{vendor.kind}: {hint}"


@pytest.mark.parametrize("vendor", VENDORS, ids=lambda vendor: vendor.hints[0])
def test_every_row_of_the_table_is_linear_and_long_enough(vendor: object) -> None:
    source = getattr(vendor, "source", "")
    assert 0 < count_steps(source, STEPS_OF_A_KEY) <= STEPS_OF_A_KEY
    blanks = [sign for sign in " \t\n\r\x1c\x85\xa0\u2028" if re.compile(source).search(sign * 99)]
    assert blanks == []
    assert all(len(sample) >= LEAST_CHARS for _, sample in SAMPLES)
    shortest = re._parser.parse(source).getwidth()[0]  # type: ignore[attr-defined]
    assert shortest >= LEAST_CHARS


@pytest.mark.parametrize("name", make_texts())
def test_ordinary_text_keeps_every_character(name: str) -> None:
    text = make_texts()[name]
    assert len(text) > 1000
    assert redact(text) == text
    assert redact_line(json.dumps({"content": text})) == json.dumps({"content": text})


def test_the_standard_library_holds_no_keys() -> None:
    files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
    assert len(files) > 100
    found = [
        (path.name, kind)
        for path in files
        for _, _, kind in vendor_spans(path.read_text(encoding="utf-8", errors="replace"))
    ]
    assert found == []


def test_a_part_of_a_longer_word_is_no_key() -> None:
    for kind, sample in SAMPLES:
        if kind not in ("signature", "slack-webhook", "discord-webhook", "telegram-bot-token"):
            assert f"[redacted:{kind}]" not in redact(f"x{uuid.UUID(int=7).hex}{sample}")


def test_names_of_style_classes_are_no_keys() -> None:
    for text in ("sk-fading-circle-container-inner", ".sk-spinner_three-bounce_child-element"):
        assert redact(text) == text
