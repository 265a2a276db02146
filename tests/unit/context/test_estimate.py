import subprocess
import sys

import pytest

from amplihack_compaction.context.estimate import NEWER_LINE, OLDER_LINE, line_for, token_line_for

OLDER = [
    "claude-opus-4-6[1m]",
    "claude-sonnet-4-5-20250929",
    "claude-sonnet-4-20250514",
    "claude-haiku-4-5",
    "claude-3-7-sonnet-20250219",
    "claude-3-opus-20240229",
    "claude-instant-1.2",
    "us.anthropic.claude-opus-4-5-20251101-v1:0",
    "claude-opus-4-1@20250805",
]
NEWER = ["claude-opus-4-7", "claude-sonnet-5", "claude-opus-5-5", "claude-opus-10", "gpt-9", ""]


@pytest.mark.parametrize("model", OLDER)
def test_models_up_to_4_6_count_by_the_older_lines(model: str) -> None:
    assert line_for(model) is OLDER_LINE
    assert (token_line_for(model).base, token_line_for(model).error) == (105, 0.079)


@pytest.mark.parametrize("model", NEWER)
def test_later_and_unknown_models_count_by_the_newer_lines(model: str) -> None:
    assert line_for(model) is NEWER_LINE
    assert (token_line_for(model).base, token_line_for(model).error) == (88, 0.060)


@pytest.mark.parametrize(
    ("model", "slope"),
    [
        ("claude-opus-4-6[1m]", 1.144),
        ("claude-opus-4-5-20251101", 1.117),
        ("claude-sonnet-4-20250514", 1.094),
        ("claude-opus-4-8", 1.587),
        ("claude-sonnet-5", 1.562),
        ("claude-sonnet-5-20261001", 1.562),
        ("claude-opus-5-5", 1.59),
        ("claude-haiku-4-5", 1.145),
        ("claude-3-5-sonnet-20241022", 1.145),
        ("", 1.59),
    ],
)
def test_a_model_with_a_slope_of_its_own_has_it_and_others_their_familys(
    model: str, slope: float
) -> None:
    assert token_line_for(model).slope == slope


def test_a_line_on_characters_counts_wide_ones_as_a_token_each() -> None:
    assert NEWER_LINE.cost("a" * 1000) == 440
    assert NEWER_LINE.cost("字" * 10) == 10
    assert OLDER_LINE.cost("") == 0


def test_the_lines_load_no_tokenizer_and_no_network() -> None:
    code = (
        "import sys; sys.path.insert(0, '.');"
        "import amplihack_compaction.context.estimate;"
        "print([name for name in ('json', 'tiktoken', 'httpx', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
