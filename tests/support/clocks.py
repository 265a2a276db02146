"""A clock that shows another year."""

import calendar
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch


@contextmanager
def clock_in(year: int) -> Iterator[None]:
    """Have this process's clock begin that year for as long as the block lasts."""
    moment = float(calendar.timegm((year, 1, 1, 0, 0, 0)))
    real = time.gmtime
    with (
        patch.object(time, "gmtime", lambda seconds=moment: real(seconds)),
        patch.object(time, "time", lambda: moment),
        patch.object(time, "time_ns", lambda: int(moment) * 10**9),
    ):
        yield
