"""Every client's `tail` brings what the hot path asks for."""

import inspect

import pytest

from amplihack_compaction.clients import tail_of
from amplihack_compaction.clients.client_tail import ClientTail

NAMES = [*ClientTail.__annotations__, *(n for n in vars(ClientTail) if not n.startswith("_"))]


@pytest.mark.parametrize("path", ["/home/a/5.jsonl", "/home/a/sessions/rollout-2026-5.jsonl"])
def test_a_clients_tail_has_all_names(path: str) -> None:
    tail = tail_of(path)
    assert {"MARKER", "find_boundaries", "newest_usage", "estimate_tokens"} < set(NAMES)
    assert [name for name in NAMES if not hasattr(tail, name)] == []
    for name in ("find_boundaries", "newest_usage", "estimate_tokens"):
        asked = list(inspect.signature(getattr(ClientTail, name)).parameters)[1:]
        assert list(inspect.signature(getattr(tail, name)).parameters) == asked
