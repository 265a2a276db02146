"""What redaction costs: against splitting the same text into words, and as the text grows.

Ratios only: these are printed, and nothing here fails for being slow on a busy machine.
"""

import time
from collections.abc import Callable

import pytest

from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.base.redaction.user_patterns import usable_patterns, use_patterns
from tests.support.ordinary_texts import make_texts

MEGABYTE = 1_000_000
ROUNDS = 5
# Each is near the limit of what is accepted, on the text that costs it most.
HARDEST = (
    ("[a-z]{1,60}[0-9]{4}!", "a"),
    ("(?:ab|a|b|ba){1,3}!!!!", "ab"),
    ("[ab]{1,16}[ab]{1,12}!!", "ab"),
    ("abab[ab]+", "ab"),
)


def seconds_of(work: Callable[[], object]) -> float:
    """Return the least CPU time of some rounds: the others had to wait for other processes."""
    taken = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        taken.append(time.process_time() - began)
    return min(taken)


def ordinary(megabytes: int) -> str:
    whole = "\n".join(make_texts().values())
    return (whole * (megabytes * MEGABYTE // len(whole) + 1))[: megabytes * MEGABYTE]


def test_redacting_ten_megabytes(report: Callable[[str], None]) -> None:
    text = ordinary(10)
    splitting = seconds_of(text.split)
    cost = seconds_of(lambda: redact(text))
    report(f"redact             10 MB  {cost:5.2f} s  {cost / splitting:5.1f} x split")
    use_patterns(["ACME-[0-9]{6,10}", "(?i)badge no[.] [0-9]{4}", "[a-z]{1,64}@corp[.]example"])
    cost = seconds_of(lambda: redact(text))
    report(f"with own patterns  10 MB  {cost:5.2f} s  {cost / splitting:5.1f} x split")


@pytest.mark.parametrize(("source", "piece"), HARDEST)
def test_the_hardest_patterns_that_are_accepted(
    report: Callable[[str], None], source: str, piece: str
) -> None:
    assert usable_patterns([source])[0] == [source]
    use_patterns([source])
    text = piece * (MEGABYTE // 5 // len(piece)) + " 4!!!! "  # what each needs stands somewhere
    once, twice = seconds_of(lambda: redact(text)), seconds_of(lambda: redact(text * 2))
    nanoseconds = once / len(text) * 1e9
    report(
        f"{source:26} {nanoseconds:6.0f} ns a character, {twice / once:4.1f} x for twice as much"
    )
