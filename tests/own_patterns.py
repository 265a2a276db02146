"""The user's own patterns of what is a secret, in force in the process that the tests run in."""

import pytest

from amplihack_compaction.patterns import in_force
from amplihack_compaction.patterns.in_force import OwnPatterns
from amplihack_compaction.secrets import redaction


def forget_patterns(monkeypatch: pytest.MonkeyPatch) -> OwnPatterns:
    """Begin without any, as a new process does, and return what then is in force."""
    none_yet = OwnPatterns()
    for module in (in_force, redaction):
        monkeypatch.setattr(module, "IN_FORCE", none_yet)
    redaction._redact_short.cache_clear()
    return none_yet
