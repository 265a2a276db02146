import json
import re
import sysconfig
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from amplihack_compaction.base.redaction.redact import (
    BARE_HINT,
    HINTLESS_CHARS,
    KEY_CHARS,
    LEAST_CHARS,
    redact,
    redact_line,
    vendor_spans,
    vendors,
)
from amplihack_compaction.base.redaction.user_patterns import count_steps
from tests.support.ordinary_texts import make_texts
from tests.support.vendor_samples import make_samples

SAMPLES = make_samples()
VENDORS = vendors()
STEPS_OF_A_KEY = 2100  # a token's first part alone may have 2,000 characters
ADDRESSES = ("slack-webhook", "discord-webhook", "teams-webhook", "zapier-webhook")
FRAMES = (
    "{}", "the key {} is for the deploy", "{} begins it", "it ends with {}",
    "https://example.com/v1/{}/x?y=1", "https://example.com/?token={}&y=1", "KEY={}",
    "export API_KEY='{}'", "X-Key: {};", "({})", "`{}`", "<{}>", "a,{},b", "key_{}", "a\n{}\nb",
    "\x1b[31m{}\x1b[0m", '"a\\n{}"', "日本{}語",
)  # fmt: skip


def secret_part(kind: str, sample: str) -> str:
    """Return what nobody may see of a sample: of an address only its end."""
    ends = {"slack-webhook": "/", "discord-webhook": "/", "signature": "sig=",
            "telegram-bot-token": ":", "teams-webhook": "/", "zapier-webhook": "/"}  # fmt: skip
    return sample.rpartition(ends[kind])[2] if kind in ends else sample


def test_a_vendors_key_is_taken_out_wherever_it_stands() -> None:
    kept = [f"{kind}: {text}" for kind, sample in SAMPLES for text in kept_of(kind, sample)]
    assert kept == []


def kept_of(kind: str, sample: str) -> Iterator[str]:
    """Yield the texts in which a sample's secret is left."""
    secret = secret_part(kind, sample)
    if redact(f"say {sample}.").count(f"[redacted:{kind}]") != 1:
        yield f"say {sample}."
    for frame in FRAMES:
        text = frame.format(sample)
        line = json.dumps({"content": [{"text": text}], "n": 1})
        clean = redact_line(line)
        yield from (each for each in (redact(text), clean, redact(line)) if secret in each)
        if json.loads(clean)["n"] != 1:
            yield clean
    urls = (f"https://example.com/?q={edge}{sample}" for edge in ("%20", "%3D"))
    yield from (url for url in urls if secret in redact(url))


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


def test_every_row_that_is_written_by_hand_has_a_sample() -> None:
    for vendor in VENDORS:
        if vendor.is_listed:
            continue
        for hint in vendor.hints:
            found = [
                sample for kind, sample in SAMPLES
                if kind == vendor.kind and hint in sample and re.search(vendor.source, sample)
            ]  # fmt: skip
            assert found, f"{vendor.kind}: {hint}"


def test_every_row_of_the_table_is_linear_and_long_enough() -> None:
    wrong = []
    for vendor in VENDORS:
        shortest = re._parser.parse(vendor.source).getwidth()[0]  # type: ignore[attr-defined]
        steps, found = count_steps(vendor.source), re.compile(vendor.source)
        blanks = [sign for sign in " \t\n\r\x1c\x85\xa0\u2028" if found.search(sign * 99)]
        if not 0 < steps <= STEPS_OF_A_KEY or blanks or shortest < LEAST_CHARS:
            wrong.append((vendor.hints, steps, blanks, shortest))
    assert wrong == []
    assert all(len(sample) >= LEAST_CHARS for _, sample in SAMPLES)


def cues_in(tree: Any) -> Iterator[str]:
    """Yield all signs that a parsed pattern matches; what it only looks at is not among them."""
    for kind, what in tree:
        name = str(kind)
        if name == "LITERAL":
            yield chr(what)
        elif name == "RANGE":
            yield from map(chr, range(what[0], what[1] + 1))
        elif name == "IN":
            yield from cues_in(what)
        elif name == "BRANCH":
            for branch in what[1]:
                yield from cues_in(branch)
        elif name in ("MAX_REPEAT", "POSSESSIVE_REPEAT", "SUBPATTERN"):
            yield from cues_in(what[-1])
        else:
            assert name in ("ASSERT", "ASSERT_NOT"), name


def test_keys_are_looked_for_among_all_signs_that_they_have() -> None:
    wrong = []
    for vendor in VENDORS:
        tree = re._parser.parse(vendor.source)  # type: ignore[attr-defined]
        others = {*cues_in(tree), *"".join(vendor.hints)} - set(KEY_CHARS)
        hints = {*vendor.hints} - {BARE_HINT}
        bare = [hint for hint in hints if set(hint) <= set(HINTLESS_CHARS)]
        wrong += [(vendor.hints, others, bare)] if others or bare else []
    assert wrong == []


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
        if kind not in (*ADDRESSES, "signature", "telegram-bot-token"):
            assert f"[redacted:{kind}]" not in redact(f"x{uuid.UUID(int=7).hex}{sample}")


def test_names_of_style_classes_are_no_keys() -> None:
    for text in ("sk-fading-circle-container-inner", ".sk-spinner_three-bounce_child-element"):
        assert redact(text) == text
