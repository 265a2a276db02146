"""Texts made to be slow are taken in one go: they cost what their length does."""

import pytest

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.compactor.archive.selection import DatedText
from amplihack_compaction.compactor.condense.condense import condense_texts
from tests.support.prunable import TODAY

HOSTILE = {
    "spaces": " " * 25_000, "letters": "a" * 25_000, "backticks": "`" * 25_000,
    "fences": "```\n" * 5_000, "open fences": "```a\n" * 5_000, "headings": "# h\n" * 5_000,
    "labels": "Bash output:\n" * 2_500, "sessions": "=== test session starts ===\n" * 5_000,
    "hunks": "@@ -1,9999999 +1,9999999 @@\n" * 5_000, "errors": "ERROR x\n" * 5_000,
    "blank": "\n" * 25_000, "returns": "\r" * 25_000, "short": "a\n" * 3_750,
    "paragraphs": ("word " * 30 + "\n\n") * 1_000, "digits": "1.1," * 7_500,
    "quotes": '"' * 25_000, "brackets": "[compacted: 1 characters " * 5_000,
    "passes": ("PASSED " + "a_" * 200 + "error\n") * 250, "we": "we " * 3_750,
    "almost blobs": ("a" * 399 + " ") * 250, "setext": "a\n===\n" * 2_500,
    "wide": "字" * 25_000, "decisions": "ADR-1 " * 5_000, "nul": "\x00" * 25_000,
    "surrogates": "\ud800" * 2_500, "boxes": "- [ ] x\n" * 3_750,
}  # fmt: skip


@pytest.mark.parametrize("name", ["a.md", "a.log"])
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_taken_in_one_go(text: str, name: str) -> None:
    made = condense_texts({name: text}, lambda piece: len(piece) // 4)
    assert len(made.texts[name]) <= len(text)
    assert condense_texts(made.texts, lambda piece: len(piece) // 4).items == []


@pytest.mark.parametrize(
    "line",
    [
        "- x\n", "```\n", "<!-- x\n", "|\n", "# 2026-01-05\n", "> ", "\n", "- ```\n",
        "2026-01-05 x\n", "x\n---\n", "---------",
    ],
)  # fmt: skip
def test_any_repetition_is_read_in_linear_time(line: str) -> None:
    text = line * 20_000
    assert "".join(each.text for each in DatedText("a.rst", text, TODAY).blocks) == text


def test_redaction_is_linear_on_hostile_text() -> None:
    for piece in ("a", "token=", "<private>", "://", "-----BEGIN PRIVATE KEY-----", "eyJ", "eyJ-",
                  "dp.st.-", "SG.", " token"):  # fmt: skip
        redact(piece * (60_000 // len(piece)))
