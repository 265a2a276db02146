"""How large a feature's texts are, measured against what the settings allow."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from amplihack_compaction.base.settings.settings import Settings
from amplihack_compaction.compactor.features.feature import open_feature
from amplihack_compaction.context.levels import (
    level_of_rung,
    next_threshold,
    recommendation,
    rung_of,
)
from amplihack_compaction.context.readings import ContextStatus

if TYPE_CHECKING:
    from amplihack_compaction.context.tokens.counter import TokenCounter

_SOURCE = "feature_tokens of the settings"


def feature_context(root: str, name: str = "") -> ContextStatus:
    """Return how full a feature is, without a name the active one.

    Raises FeatureError when there is none.
    """
    with open_feature(root, name) as feature, counting(feature.settings) as counter:
        tokens = sum(count_each(feature.texts, counter).values())
        return status_of_tokens(tokens, feature.settings)


def status_of_tokens(tokens: int, settings: Settings) -> ContextStatus:
    """Return the status of a feature with so many tokens."""
    ratio = tokens / settings.feature_tokens
    rung = rung_of(ratio, settings.ratios)
    level = level_of_rung(rung)
    return ContextStatus(
        current_tokens=tokens,
        max_tokens=settings.feature_tokens,
        usage_percentage=round(100 * ratio, 2),
        level=level,
        recommendation=recommendation(level),
        can_continue=tokens < settings.feature_tokens,
        source=_SOURCE,
        next_threshold=next_threshold(rung, settings.ratios),
    )


@contextmanager
def counting(settings: Settings) -> Iterator["TokenCounter"]:
    """Make a token counter as the settings want it, and close it afterwards."""
    from amplihack_compaction.context.tokens.counter import TokenCounter

    counter = TokenCounter(api=settings.token_api)
    try:
        yield counter
    finally:
        counter.close()


def count_each(texts: Mapping[str, str], counter: "TokenCounter") -> dict[str, int]:
    """Return the tokens of each text."""
    return {path: counter.count(text).count for path, text in texts.items()}


def tokens_of(text: str) -> int:
    """Return the tokens of a piece of text, offline and without what wraps a whole one."""
    return _offline(text) - _offline("") if text else 0


def wrapping_tokens() -> int:
    """Return what a text costs beside its own tokens: the message or tool result around it."""
    return _offline("")


def _offline(text: str) -> int:
    from amplihack_compaction.context.tokens.estimate import line_for, token_line_for
    from amplihack_compaction.context.tokens.exact import count_cl100k

    counted = count_cl100k(text)
    if counted is None:
        by_characters = line_for("")
        return round(by_characters.base + by_characters.cost(text))
    line = token_line_for("")
    return round(line.base + line.slope * counted)


def precision_of(texts: Mapping[str, str], counter: "TokenCounter") -> float:
    """Return the lowest precision among the counts of texts; 1 where nothing was counted."""
    return min((counter.count(text).precision for text in texts.values()), default=1.0)
