"""Load the certificates once: a client of its own for each test would take them in anew."""

import ssl
from functools import cache

import pytest

_context_of = cache(ssl.create_default_context)


@pytest.fixture(autouse=True)
def certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every client have the same certificates; no test speaks to more than loopback."""
    monkeypatch.setattr(ssl, "create_default_context", _context_of)
