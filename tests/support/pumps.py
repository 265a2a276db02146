"""Texts that a regular expression would be slow on, made from its own parse tree.

What makes a backtracking search slow is a repetition that can be entered at many places or gone
through in many ways. So for each repetition there are texts that lead up to it, repeat what it
repeats thousands of times, and then do not go on as the pattern wants.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from re import _constants as codes  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Nodes = list[tuple[Any, Any]]

_LONG = 24
"""A repetition of fewer rounds than this is no danger by itself."""
_VARIANTS = 3
_ENDS = ("\0", "\n!x")
_PLAIN = (
    " ", "\n", "a", "a ", "A", "7", ".", "-", "/", "\t \n", '"', "`", "(", ",", "é", "中", "a.",
    "a-", "a/", "# ", "- a\n", "**", "<a>", "a=b ", "http://a", "ab12",
)  # fmt: skip
_REPEATS = (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT)
_CANDIDATES = "a7 -_.A\n/\t\"'`#*(<>:;,é中\0"


def pumped_texts(pattern: "re.Pattern[str]", length: int) -> Iterator[str]:
    """Yield texts of about `length` characters that may cost a pattern much."""
    seen: set[tuple[str, str, str]] = set()
    for before, body, after in _pumps(pattern):
        for end in (*_ENDS, after):
            if body and (before, body, end) not in seen:
                seen.add((before, body, end))
                yield before + body * max(1, length // len(body)) + end
    for body in _PLAIN:
        yield body * (length // len(body)) + "\0"


def has_long_repetition(pattern: "re.Pattern[str]") -> bool:
    """Tell whether a pattern repeats anything many times; else each place costs little."""
    return bool(_pumps(pattern))


@lru_cache(maxsize=1)  # asked for every length of one pattern's texts, then for the next one's
def _pumps(pattern: "re.Pattern[str]") -> list[tuple[str, str, str]]:
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.DEBUG)
    return list(_in_sequence(list(tree), "", ""))


def _in_sequence(nodes: Nodes, before: str, after: str) -> Iterator[tuple[str, str, str]]:
    """Yield what leads to each long repetition, what it repeats, and what would go on."""
    for place, (code, value) in enumerate(nodes):
        here = before + _sample(nodes[:place])
        rest = _sample(nodes[place + 1 :]) + after
        if code in _REPEATS:
            _, most, body = value
            if most >= _LONG:
                for variant in range(_VARIANTS):
                    yield here, _sample(list(body), variant), rest
                    yield "", _sample(list(body), variant), rest
                yield "", here, ""  # many places to enter it at, and none to end at
            yield from _in_sequence(list(body), here, rest)
        elif code is codes.SUBPATTERN:
            yield from _in_sequence(list(value[-1]), here, rest)
        elif code is codes.ATOMIC_GROUP:
            yield from _in_sequence(list(value), here, rest)
        elif code is codes.BRANCH:
            for branch in value[1]:
                yield from _in_sequence(list(branch), here, rest)
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            yield from _in_sequence(list(value[1]), here, rest)


def _sample(nodes: Nodes, variant: int = 0) -> str:
    return "".join(_one(code, value, variant) for code, value in nodes)


def _one(code: Any, value: Any, variant: int) -> str:
    """Return a text that one node matches; another one for another variant, where it can."""
    if code is codes.LITERAL:
        return chr(int(value))
    if code is codes.NOT_LITERAL:
        return next(c for c in _CANDIDATES[variant:] if ord(c) != value)
    if code is codes.ANY:
        return "a -7"[variant % 4]
    if code is codes.IN:
        return _member(value, variant)
    if code in _REPEATS:
        least, most, body = value
        return _sample(list(body), variant) * max(int(least), min(1, int(most)))
    if code is codes.SUBPATTERN:
        return _sample(list(value[-1]), variant)
    if code is codes.ATOMIC_GROUP:
        return _sample(list(value), variant)
    if code is codes.BRANCH:
        branches = value[1]
        return _sample(list(branches[variant % len(branches)]), variant)
    return ""  # a place, a look around or a reference takes no text of its own


def _member(items: Nodes, variant: int) -> str:
    found = [c for c in _CANDIDATES if _is_member(items, c)]
    found += [chr(v if code is codes.LITERAL else v[0]) for code, v in items
              if code in (codes.LITERAL, codes.RANGE)]  # fmt: skip
    return found[variant % len(found)] if found else "a"


def _is_member(items: Nodes, character: str) -> bool:
    negated, hit = False, False
    for code, value in items:
        if code is codes.NEGATE:
            negated = True
        elif code is codes.LITERAL:
            hit |= ord(character) == value
        elif code is codes.RANGE:
            hit |= value[0] <= ord(character) <= value[1]
        elif code is codes.CATEGORY:
            hit |= _in_category(value, character)
    return hit is not negated


def _in_category(category: Any, character: str) -> bool:
    name = str(category)
    kinds = {"SPACE": str.isspace, "DIGIT": str.isdecimal}
    test = next((test for end, test in kinds.items() if name.endswith(end)), None)
    inside = test(character) if test else character.isalnum() or character == "_"
    return bool(inside) is not ("NOT_" in name)
