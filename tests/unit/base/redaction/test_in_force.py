"""The user's own patterns stay in force, whoever adds to them at the same time."""

import re
import threading

import pytest

from amplihack_compaction.base.redaction.user_patterns import UserPatterns

_LONG_SECONDS = 60.0
_SHORT_SECONDS = 0.2


def test_of_two_threads_that_add_at_once_both_have_their_patterns_in_force(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    patterns = UserPatterns()
    other = threading.Thread(target=patterns.add, args=(["second-[0-9]{4}"],))
    compile_it = re.compile

    def compile_while_another_adds(source: str, flags: int = 0) -> "re.Pattern[str]":
        if source.startswith("first") and not other.ident:
            other.start()
            other.join(_SHORT_SECONDS)  # it may have to wait for this thread
        return compile_it(source, flags)

    monkeypatch.setattr(re, "compile", compile_while_another_adds)
    patterns.add(["first-[0-9]{4}"])
    other.join(_LONG_SECONDS)
    assert patterns.count == 2
    assert list(patterns.spans("first-1234 second-5678")) == [(0, 10), (11, 22)]


def test_patterns_that_are_in_force_are_not_added_again() -> None:
    patterns = UserPatterns()
    patterns.add(["key-[0-9]{4}"])
    clean = patterns.clean_texts
    patterns.add(["key-[0-9]{4}"])
    assert (patterns.count, patterns.clean_texts is clean) == (1, True)
