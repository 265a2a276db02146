"""The user's patterns of what is a secret, in force in the process that the tests run in."""

import re

import pytest

from amplihack_compaction.base.redaction import redact as redaction
from amplihack_compaction.base.redaction import user_patterns as in_force


def forget_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin without any, as a new process does."""
    none_yet: dict[str, re.Pattern[str]] = {}
    for module in (in_force, redaction):
        monkeypatch.setattr(module, "IN_FORCE", none_yet)
    redaction._read_once.cache_clear()
    redaction._redact_short.cache_clear()
