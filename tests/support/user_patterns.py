"""The user's patterns of what is a secret, in force in the process that the tests run in."""

import pytest

from amplihack_compaction.base.redaction import redact as redaction
from amplihack_compaction.base.redaction import user_patterns as in_force
from amplihack_compaction.base.redaction.user_patterns import UserPatterns


def forget_patterns(monkeypatch: pytest.MonkeyPatch) -> UserPatterns:
    """Begin without any, as a new process does, and return what then is in force."""
    none_yet = UserPatterns()
    for module in (in_force, redaction):
        monkeypatch.setattr(module, "IN_FORCE", none_yet)
    redaction._redact_short.cache_clear()
    return none_yet
