"""Moments as the files hold them: ISO 8601 in UTC, to the second or the millisecond."""

import time


def utc_text(seconds: float | None = None) -> str:
    """Return a moment in seconds since 1970, that of now without one: `2026-11-21T21:04:53Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def exact_utc_text() -> str:
    """Return the moment of now to the millisecond, as the client writes it: `…T21:04:53.338Z`."""
    seconds, rest_ns = divmod(time.time_ns(), 10**9)
    return f"{utc_text(seconds)[:-1]}.{rest_ns // 10**6:03}Z"
