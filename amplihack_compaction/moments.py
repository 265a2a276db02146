"""Moments as the files hold them: ISO 8601, UTC, to the second."""

import time


def utc_text(seconds: float | None = None) -> str:
    """Return a moment in seconds since 1970, that of now without one: `2026-11-21T21:04:53Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
