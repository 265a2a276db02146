"""Regular expressions that cost little: compiled when first used, tried where they can match.

A hook is a process of its own, and compiling is much of what a short one does: `lazily` puts it
off until a text is looked at, which for most patterns never comes.

A search tries every alternative at every place of a text; to look for a few strings first costs
a hundredth of that. The strings are read off the pattern itself, so that they never say less. To
read them takes longer than to compile: `needed_strings.KNOWN` has those of the package's own.
"""

import re
from collections.abc import Iterable, Iterator
from typing import cast
from zlib import crc32

from amplihack_compaction.patterns.needed_strings import KNOWN

_ZERO_OR_ONE_PLACE = frozenset("bBAZdDsSwW")
_MAYBE_NONE = frozenset("?*{")
_QUANTIFIERS = frozenset("?*+{")
_COUNTED = re.compile(r"\{(?=[\d,])\d{0,9}(?:,\d{0,9})?\}")


def lazily(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used."""
    return cast("re.Pattern[str]", _Lazy(source, flags))


class _Lazy:
    """Stands for a compiled pattern; each method, once looked up, is the compiled one's own."""

    def __init__(self, source: str, flags: int) -> None:
        self._given = source, flags

    def __getattr__(self, name: str) -> object:
        value: object = getattr(re.compile(*self._given), name)
        setattr(self, name, value)
        return value


class OneOf:
    """Patterns of which one is looked for; each is tried where a string that it needs stands.

    Compiling is most of the time that few texts take: each is compiled when it is first tried.
    """

    __slots__ = ("_always", "_by_string", "_compiled", "_flags", "_sources")

    def __init__(self, sources: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> None:
        self._sources = list(sources)
        self._flags = flags
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._always = []
        self._by_string: dict[str, list[int]] = {}
        for number, source in enumerate(self._sources):
            strings = KNOWN.get(key_of(source))
            if strings is None:
                strings = needed_strings(source)
            for string in strings:
                self._by_string.setdefault(self._folded(string), []).append(number)
            if not strings:
                self._always.append(number)

    def among(self, text: str) -> Iterator[re.Pattern[str]]:
        """Yield the patterns that may match somewhere in a text, in their order."""
        folded = self._folded(text)
        worth_it = set(self._always)
        for string, numbers in self._by_string.items():
            if string in folded:
                worth_it.update(numbers)
        for number in sorted(worth_it):
            pattern = self._compiled.get(number)
            if pattern is None:
                pattern = re.compile(self._sources[number], self._flags)
                self._compiled[number] = pattern
            yield pattern

    def search(self, text: str) -> re.Match[str] | None:
        """Return the match of the first of the patterns that a text has anywhere."""
        return next(filter(None, (pattern.search(text) for pattern in self.among(text))), None)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match of the first of the patterns that a text begins with."""
        return next(filter(None, (pattern.match(text) for pattern in self.among(text))), None)

    def _folded(self, text: str) -> str:
        return text.casefold() if self._flags & re.IGNORECASE else text


def key_of(source: str) -> int:
    """Return the number by which a pattern stands in `KNOWN`."""
    return crc32(source.encode())


def needed_strings(source: str) -> tuple[str, ...]:
    """Return strings of which one stands in all that a pattern matches, the shortest first.

    Empty where none can be told: for a pattern that matches without any, or with flags, back
    references or escapes of characters in it.
    """
    try:
        found, end = _alternatives(source, 0)
    except (_NotUnderstoodError, ValueError, IndexError):  # a brace may stand for itself
        return ()
    return tuple(sorted(found, key=lambda s: (len(s), s))) if end == len(source) else ()


class _NotUnderstoodError(Exception):
    """A part of a pattern that nothing is known of."""


def _alternatives(source: str, at: int) -> tuple[frozenset[str], int]:
    """Return the strings of a pattern up to a closing bracket or its end, and where that is."""
    strings: set[str] = set()
    any_without = False
    while True:
        found, at = _sequence(source, at)
        strings |= found
        any_without |= not found
        if source[at : at + 1] != "|":
            return frozenset() if any_without else frozenset(strings), at
        at += 1


def _sequence(source: str, at: int) -> tuple[frozenset[str], int]:
    best: frozenset[str] = frozenset()
    run = ""
    while at < len(source) and source[at] not in "|)":
        sign, strings, at = _part(source, at)
        after = source[at : at + 1]
        if after in _MAYBE_NONE and after:
            sign, strings = "", frozenset()
        if sign:
            run += sign
        if not sign or after == "+":
            best, run = _better(best, _of_one(run)), ""
        best = _better(best, strings)
        at = _behind_quantifier(source, at)
    return _better(best, _of_one(run)), at


def _part(source: str, at: int) -> tuple[str, frozenset[str], int]:
    """Return one part of a sequence: the sign it is, or the strings it needs, and its end."""
    sign = source[at]
    if sign == "(":
        return "", *_group(source, at)
    if sign == "[":
        return "", frozenset(), _behind_class(source, at)
    if sign == "\\":
        escaped = source[at + 1]
        if escaped in _ZERO_OR_ONE_PLACE:
            return "", frozenset(), at + 2
        if escaped.isalnum():
            raise _NotUnderstoodError
        return escaped, frozenset(), at + 2
    return ("" if sign in ".^$" else sign), frozenset(), at + 1


def _group(source: str, at: int) -> tuple[frozenset[str], int]:
    inner, is_around = at + 1, False
    if source.startswith("(?:", at):
        inner = at + 3
    elif source.startswith(("(?=", "(?!"), at):
        inner, is_around = at + 3, True
    elif source.startswith(("(?<=", "(?<!"), at):
        inner, is_around = at + 4, True
    elif source.startswith("(?P<", at):
        inner = source.index(">", at) + 1
    elif source.startswith("(?", at):
        raise _NotUnderstoodError
    strings, end = _alternatives(source, inner)
    return (frozenset() if is_around else strings), end + 1


def _behind_class(source: str, at: int) -> int:
    at += 2 if source[at + 1] == "^" else 1
    at += source[at] == "]"
    while source[at] != "]":
        at += 2 if source[at] == "\\" else 1
    return at + 1


def _behind_quantifier(source: str, at: int) -> int:
    while at < len(source) and source[at] in _QUANTIFIERS:
        found = _COUNTED.match(source, at)
        if source[at] == "{" and found is None:
            raise _NotUnderstoodError  # it stands for itself
        at = found.end() if found is not None else at + 1
    return at


def _of_one(run: str) -> frozenset[str]:
    return frozenset({run}) if run else frozenset()


def _better(one: frozenset[str], other: frozenset[str]) -> frozenset[str]:
    """Return those that fewer texts will have: the longer, then the fewer."""

    def rank(strings: frozenset[str]) -> tuple[int, int]:
        return (min(map(len, strings)), -len(strings)) if strings else (0, 0)

    return max(one, other, key=rank)
