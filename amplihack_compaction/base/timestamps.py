"""Moments as texts: ISO 8601 in UTC, and names that begin with a moment and sort by it.

Such names sort as what they name came, whatever the clock did in between.
"""

import re
import time
from collections.abc import Iterable

_FORMAT = "%Y%m%d-%H%M%S"
_STAMP = re.compile(r"\d{8}-\d{6}(?=-|$)", re.ASCII)


def utc_text(seconds: float | None = None) -> str:
    """Return a moment in seconds since 1970, that of now without one: `2026-11-21T21:04:53Z`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def exact_utc_text(milliseconds: int | None = None) -> str:
    """Return a moment in milliseconds since 1970, that of now without one: `…T21:04:53.338Z`."""
    exact = time.time_ns() // 10**6 if milliseconds is None else milliseconds
    seconds, rest = divmod(exact, 1000)
    return f"{utc_text(seconds)[:-1]}.{rest:03}Z"


def stamp_of(seconds: float) -> str:
    """Return `YYYYMMDD-HHMMSS` (UTC) of a moment in seconds since 1970."""
    return time.strftime(_FORMAT, time.gmtime(seconds))


def next_stamp(names: Iterable[str]) -> str:
    """Return `YYYYMMDD-HHMMSS` for now (UTC), or for one second after the newest of the names.

    The latter where a name has this second or a later one: two came in the same second, or the
    clock was set back. Names that begin with no such time do not count.
    """
    now = stamp_of(time.time())
    newest = max((found[0] for name in names if (found := _STAMP.match(name))), default="")
    if newest < now:
        return now
    try:
        import calendar  # only where two names meet in a second

        return stamp_of(calendar.timegm(time.strptime(newest, _FORMAT)) + 1)
    except ValueError:  # digits that are no date
        return now
