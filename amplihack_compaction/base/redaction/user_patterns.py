"""The user's own patterns of what is a secret (light): which are accepted, and which in force.

The environment and the user's own file each add to the other: a pattern that one place could take
away from another would be a leak. For the same reason one that was in force once in a process stays
so. They are read when the first text is redacted; who runs for long calls
`redact.read_user_patterns`.

Python's matcher goes back to try again, and a hook must never hang. So a pattern is read as its
parse tree, and accepted only where it takes linear time. Two things are held to:

- What repeats without a limit is one character or class at the pattern's end: nothing that could
  fail comes after it, so what it has read is part of a match and is not read again.
- All else is bounded; how many steps an attempt at one place of a text can take, with every way
  back, is summed up and must stay below a limit.

So the time is at most the limit times the length of the text.
"""

import json
import re
from collections.abc import Iterable, Mapping
from re import _parser  # type: ignore[attr-defined] # its tree is the one that the matcher follows
from typing import Any
from warnings import catch_warnings, simplefilter

Span = tuple[int, int, str]
"""Where a secret begins and ends in a text, and its kind."""


IN_FORCE: dict[str, re.Pattern[str]] = {}
"""The patterns in force, by their sources."""


def use_patterns(sources: Iterable[str]) -> None:
    """Put patterns in force that were found acceptable, beside those that are."""
    IN_FORCE.update({each: re.compile(each) for each in sources})


USER_KIND = "user-pattern"


MOST_PATTERNS = 50
LONGEST_CHARS = 400
LEAST_MATCH_CHARS = 4
"""A shorter text is no secret, and would be taken out of ordinary words."""
MOST_STEPS = 500
"""Steps at one place of a text; measured, a step takes up to 10 ns."""
MOST_STEPS_TOGETHER = 2000
_MOST_COUNTED = 100_000
_LITERALS_PER_STEP = 8
_ONE_CHARACTER = frozenset({"LITERAL", "NOT_LITERAL", "ANY", "IN"})
_REPEATS = frozenset({"MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"})
_UNLIMITED = (
    "repeats something without a limit before its end: give it one, as in {1,64}; only a single"
    " character or class may repeat without one, as the last of all"
)
_SLOW = "may take too many steps at each place of a text: smaller limits and fewer of them help"


class _RefusedError(Exception):
    """A pattern cannot be accepted; the message says why."""


def usable_patterns(values: Iterable[object]) -> tuple[list[str], list[str]]:
    """Return the patterns of a list that are accepted, each once, and what is wrong with others.

    Patterns are named by their place and never quoted: one may hold the secret itself.
    """
    usable: dict[str, int] = {}
    problems = []
    for place, value in enumerate(values, 1):
        try:
            usable |= _accepted(value, usable)
        except _RefusedError as refused:
            problems.append(f"pattern {place} {refused}")
    return list(usable), problems


def _accepted(source: object, others: Mapping[str, int]) -> dict[str, int]:
    """Return what a pattern adds to others: itself, with its steps. Raises what refuses it."""
    if not isinstance(source, str):
        raise _RefusedError("must be a text")
    if source in others:
        return {}
    if len(source) > LONGEST_CHARS:
        raise _RefusedError(f"is longer than {LONGEST_CHARS} characters: make several of it")
    steps = count_steps(source)
    if steps > MOST_STEPS:
        raise _RefusedError(_SLOW)
    _tried(re.compile, source)
    if len(others) == MOST_PATTERNS:
        raise _RefusedError(f"is one too many: {MOST_PATTERNS} are allowed")
    if steps + sum(others.values()) > MOST_STEPS_TOGETHER:
        raise _RefusedError("takes too many steps together with those before it")
    return {source: steps}


def parse_patterns(text: str) -> object:
    """Return the patterns that a text on a command line or in a variable stands for.

    That is a JSON list of them, or one pattern as it is.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return value if isinstance(value, list) else [text]


def count_steps(source: str) -> int:
    """Return how many steps a pattern can take at one place of a text. Raises what refuses it."""
    tree = _tried(_parser.parse, source)
    try:
        steps, _ = _count_sequence(tree, is_last=True)
    except RecursionError:
        raise _RefusedError("is nested too deeply") from None
    if tree.getwidth()[0] < LEAST_MATCH_CHARS:
        raise _RefusedError(
            f"can match fewer than {LEAST_MATCH_CHARS} characters: say more of what to look for"
        )
    return steps


def _tried(read: Any, source: str) -> Any:
    try:
        with catch_warnings():
            simplefilter("error")
            return read(source)
    except re.error as error:
        raise _RefusedError(f"does not compile: {error.msg}") from None
    except (FutureWarning, DeprecationWarning) as warning:
        raise _RefusedError(f"is ambiguous: {warning}") from None
    except (OverflowError, RecursionError):
        raise _RefusedError("does not compile: it is too large") from None


def _is_single(parts: Any) -> bool:
    return len(parts) == 1 and str(parts[0][0]) in _ONE_CHARACTER


def _is_optional(part: Any) -> bool:
    """Return whether a part cannot fail: a character that may be missing."""
    name, argument = str(part[0]), part[1]
    return name in _REPEATS and argument[0] == 0 and _is_single(argument[2])


def _count_sequence(parts: Any, *, is_last: bool) -> tuple[int, int]:
    """Return the steps and ways of parts behind each other.

    In how many ways a part matches is how often what follows is tried.
    """
    steps, ways, literals = 0, 1, 0
    final = len(parts) - 1
    while final > 0 and _is_optional(parts[final]):
        final -= 1
    for place, (operation, argument) in enumerate(parts):
        name = str(operation)
        literals = literals + 1 if name == "LITERAL" else 0
        if literals > 1 and literals % _LITERALS_PER_STEP:
            continue  # a run of them is compared at once
        more, factor = _count_part(name, argument, is_last=is_last and place >= final)
        steps += ways * more
        ways *= factor
    return steps, ways


def _count_part(name: str, argument: Any, *, is_last: bool) -> tuple[int, int]:
    if name in _REPEATS:
        return _count_repeat(name, argument, is_last=is_last)
    if name == "SUBPATTERN":
        return _count_sequence(argument[-1], is_last=is_last)
    if name == "BRANCH":
        each = [_count_sequence(inner, is_last=is_last) for inner in argument[1]]
        return sum(one[0] + 1 for one in each), sum(one[1] for one in each)
    if name == "ATOMIC_GROUP":
        return _count_sequence(argument, is_last=is_last)[0], 1
    if name in ("ASSERT", "ASSERT_NOT"):
        return _count_sequence(argument[1], is_last=False)[0] + 1, 1
    if name in _ONE_CHARACTER or name in ("AT", "FAILURE"):
        return 1, 1
    if name.startswith("GROUPREF"):
        raise _RefusedError("refers back to a group: write out what stands there")
    raise _RefusedError(f"has a part that is not known here ({name})")


def _count_repeat(name: str, argument: Any, *, is_last: bool) -> tuple[int, int]:
    least, most, inner = argument
    steps, ways = _count_sequence(inner, is_last=False)
    if most == _parser.MAXREPEAT:
        if not (is_last and _is_single(inner)):
            raise _RefusedError(_UNLIMITED)
        return least + 1, 1
    if inner.getwidth()[0] == 0:
        raise _RefusedError("repeats something that can be empty")
    total, times, matches = 1, 1, int(least == 0)
    for count in range(1, most + 1):
        total += times * steps
        times *= ways
        matches += times if count >= least else 0
        if total > _MOST_COUNTED:
            raise _RefusedError(_SLOW)
    return total, 1 if name == "POSSESSIVE_REPEAT" else matches
