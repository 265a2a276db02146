import pytest

from amplihack_compaction.compactor.features.feature import tokens_of, wrapping_tokens
from amplihack_compaction.context.tokens import estimate as offline

TEXT = "The refund window is 30 days. " * 40


def test_without_a_tokenizer_tokens_are_estimated_by_characters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    exact = tokens_of(TEXT)
    assert tokens_of("") == 0
    monkeypatch.setattr(offline, "count_cl100k", lambda _: None)
    assert 0.5 * exact < tokens_of(TEXT) < 2 * exact
    assert wrapping_tokens() > 0
