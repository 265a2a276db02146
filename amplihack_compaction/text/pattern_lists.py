"""Several patterns that stand for one thing, tried in their order."""

import re
from collections.abc import Iterable

PatternList = tuple[re.Pattern[str], ...]


def compile_all(sources: Iterable[str], flags: int = 0) -> PatternList:
    """Return the patterns, compiled."""
    return tuple([re.compile(source, flags) for source in sources])


def search_any(patterns: PatternList, text: str) -> re.Match[str] | None:
    """Return the match of the first of the patterns that a text has anywhere."""
    return next(filter(None, (pattern.search(text) for pattern in patterns)), None)


def match_any(patterns: PatternList, text: str) -> re.Match[str] | None:
    """Return the match of the first of the patterns that a text begins with."""
    return next(filter(None, (pattern.match(text) for pattern in patterns)), None)
