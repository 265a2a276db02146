"""What Stop says of a record that is not to be relied on."""

from types import SimpleNamespace
from typing import Any

from amplihack_compaction.hook.stop import _amiss


def test_a_refused_or_stale_record_is_told_as_such() -> None:
    refused: Any = SimpleNamespace(has_security_violation=True, is_stale=False)
    assert _amiss(refused) == [
        "Its recorded transcript was refused: the path leads outside the project."
    ]
    stale: Any = SimpleNamespace(has_security_violation=False, is_stale=True, age_hours=30.2)
    assert _amiss(stale) == ["That compaction was 30 hours ago: some may be settled."]
