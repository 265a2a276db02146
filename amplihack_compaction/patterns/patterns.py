"""Regular expressions that cost little: compiled when first used, tried where they can match.

A hook is a process of its own, and compiling is much of what a short one does: `lazily` puts it
off until a text is looked at that holds what the pattern needs, which for most never comes.

A search tries every alternative at every place of a text; to look for a few strings first costs
a hundredth of that. The strings are read off the pattern itself, so that they never say less. To
read them takes longer than to compile: `needed_strings.KNOWN` has those of the package's own.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, cast
from zlib import crc32

from amplihack_compaction.patterns.compiled import compiled
from amplihack_compaction.patterns.needed_strings import ALSO, KNOWN

_ZERO_OR_ONE_PLACE = frozenset("bBAZdDsSwW")
_MAYBE_NONE = frozenset("?*{")
_QUANTIFIERS = frozenset("?*+{")
# As a plain number: a flag of the enumeration is asked in a hundred times the time.
_IGNORECASE = int(re.IGNORECASE)


def lazily(source: str, flags: int = 0) -> re.Pattern[str]:
    """Return a pattern that is compiled when it is first used on a text that it may match."""
    return cast("re.Pattern[str]", Lazy(source, flags))


class Lazy:
    """Stands for a compiled pattern, until a text holds one of the strings that the pattern needs.

    From then on each method, as any other attribute from the first, is the compiled one's own.
    """

    def __init__(self, source: str, flags: int) -> None:
        self.given = source, int(flags)
        self._needed: list[list[str]] | None = None
        self._pattern: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._compiled(), name)
        setattr(self, name, value)
        return value

    def search(self, string: str, *place: int) -> re.Match[str] | None:
        """Search as a compiled pattern does; the other methods, too, do what theirs do."""
        return self._compiled().search(string, *place) if self._may_match(string) else None

    def match(self, string: str, *place: int) -> re.Match[str] | None:  # noqa: D102
        return self._compiled().match(string, *place) if self._may_match(string) else None

    def fullmatch(self, string: str, *place: int) -> re.Match[str] | None:  # noqa: D102
        return self._compiled().fullmatch(string, *place) if self._may_match(string) else None

    def finditer(self, string: str, *place: int) -> Iterator[re.Match[str]]:  # noqa: D102
        return self._compiled().finditer(string, *place) if self._may_match(string) else iter(())

    def findall(self, string: str, *place: int) -> list[Any]:  # noqa: D102
        return self._compiled().findall(string, *place) if self._may_match(string) else []

    def split(self, string: str, maxsplit: int = 0) -> list[Any]:  # noqa: D102
        return self._compiled().split(string, maxsplit) if self._may_match(string) else [string]

    def sub(self, repl: Any, string: str, count: int = 0) -> str:  # noqa: D102
        return self._compiled().sub(repl, string, count) if self._may_match(string) else string

    def _may_match(self, text: str) -> bool:
        source, flags = self.given
        if self._needed is None:
            self._needed = _known_of(source, flags)
        return _has_each(_folded(text, flags), self._needed)

    def _compiled(self) -> re.Pattern[str]:
        if self._pattern is None:
            self._pattern = compiled(*self.given)
            for name in _METHODS:
                setattr(self, name, getattr(self._pattern, name))
        return self._pattern


_COUNTED = lazily(r"\{(?=[\d,])\d{0,9}(?:,\d{0,9})?\}")
_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "split", "sub")


def _known_of(source: str, flags: int) -> list[list[str]]:
    """Return what is written down of a pattern: lists of strings, of each of which it needs one."""
    key = key_of(source)
    each = (KNOWN.get(key), ALSO.get(key))
    return [[_folded(string, flags) for string in strings] for strings in each if strings]


def _has_each(folded: str, needed: list[list[str]]) -> bool:
    """Tell whether a text has a string of each list."""
    for strings in needed:  # generators cost as much as the search itself
        for string in strings:
            if string in folded:
                break
        else:
            return False
    return True


def _folded(text: str, flags: int) -> str:
    """Return a text in which what a pattern takes for the same letters is the same."""
    if not flags & _IGNORECASE:
        return text
    folded = text.casefold()
    # What Turkish has two letters for, patterns take for one; casefolding does not.
    return folded if folded.isascii() else folded.replace("i\u0307", "i").replace("ı", "i")


class OneOf:
    """Patterns of which one is looked for; each is tried where a string that it needs stands.

    Compiling is most of the time that few texts take: each is compiled when it is first tried.
    """

    __slots__ = ("_always", "_by_string", "_compiled", "_flags", "_rest", "_sources")

    def __init__(self, sources: Iterable[str], flags: re.RegexFlag = re.NOFLAG) -> None:
        self._sources = list(sources)
        self._flags = int(flags)
        self._compiled: dict[int, re.Pattern[str]] = {}
        self._rest: dict[int, list[list[str]]] = {}
        self._always = []
        self._by_string: dict[str, list[int]] = {}
        for number, source in enumerate(self._sources):
            strings = KNOWN.get(key_of(source))
            if strings is None:
                strings = needed_strings(source)
            for string in strings:
                self._by_string.setdefault(_folded(string, self._flags), []).append(number)
            if not strings:
                self._always.append(number)

    def among(self, text: str) -> Iterator[re.Pattern[str]]:
        """Yield the patterns that may match somewhere in a text, in their order."""
        folded = _folded(text, self._flags)
        worth_it = set(self._always)
        for string, numbers in self._by_string.items():
            if string in folded:
                worth_it.update(numbers)
        for number in sorted(worth_it):
            pattern = self._compiled.get(number)
            if pattern is None and not self._has_rest(number, folded):
                continue
            if pattern is None:
                pattern = compiled(self._sources[number], self._flags)
                self._compiled[number] = pattern
            yield pattern

    def _has_rest(self, number: int, folded: str) -> bool:
        """Tell whether a text has what a pattern needs beside what it is looked for by."""
        rest = self._rest.get(number)
        if rest is None:
            also = ALSO.get(key_of(self._sources[number]))
            rest = [[_folded(string, self._flags) for string in also]] if also else []
            self._rest[number] = rest
        return _has_each(folded, rest)

    def search(self, text: str) -> re.Match[str] | None:
        """Return the match of the first of the patterns that a text has anywhere."""
        return next(filter(None, (pattern.search(text) for pattern in self.among(text))), None)

    def match(self, text: str) -> re.Match[str] | None:
        """Return the match of the first of the patterns that a text begins with."""
        return next(filter(None, (pattern.match(text) for pattern in self.among(text))), None)


def key_of(source: str) -> int:
    """Return the number by which a pattern stands in `KNOWN`."""
    return crc32(source.encode())


def needed_strings(source: str) -> tuple[str, ...]:
    """Return strings of which one stands in all that a pattern matches, the shortest first.

    Empty where none can be told: for a pattern that matches without any, or with flags, back
    references or escapes of characters in it.
    """
    branches = _read(source)
    return _in_order(_any_of_all(branches))


def also_needed_strings(source: str) -> tuple[str, ...]:
    """Return further strings of which one stands in all that a pattern matches.

    Empty where there are none that tell much: for a choice, and for what has one telling part only.
    """
    branches = _read(source)
    if len(branches) != 1:
        return ()
    first = _best(branches[0])
    rest = [strings for strings in branches[0] if strings != first and min(map(len, strings)) > 1]
    return _in_order(_best(rest))


def _read(source: str) -> list[list[frozenset[str]]]:
    """Return for each choice of a pattern the strings of its parts; nothing if not understood."""
    try:
        branches, end = _branches(source, 0)
    except (_NotUnderstoodError, ValueError, IndexError):  # a brace may stand for itself
        return []
    return branches if end == len(source) else []


def _in_order(strings: frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(strings, key=lambda s: (len(s), s)))


class _NotUnderstoodError(Exception):
    """A part of a pattern that nothing is known of."""


def _alternatives(source: str, at: int) -> tuple[frozenset[str], int]:
    """Return the strings of a pattern up to a closing bracket or its end, and where that is."""
    branches, at = _branches(source, at)
    return _any_of_all(branches), at


def _any_of_all(branches: list[list[frozenset[str]]]) -> frozenset[str]:
    """Return strings of which every choice needs one; none where a choice needs none."""
    found = [_best(parts) for parts in branches]
    return frozenset().union(*found) if all(found) else frozenset()


def _branches(source: str, at: int) -> tuple[list[list[frozenset[str]]], int]:
    branches = []
    while True:
        parts, at = _sequence(source, at)
        branches.append(parts)
        if source[at : at + 1] != "|":
            return branches, at
        at += 1


def _sequence(source: str, at: int) -> tuple[list[frozenset[str]], int]:
    """Return the strings of each part of a sequence that needs some, and the sequence's end."""
    parts: list[frozenset[str]] = []
    run = ""
    while at < len(source) and source[at] not in "|)":
        sign, strings, at = _part(source, at)
        after = source[at : at + 1]
        if after in _MAYBE_NONE and after:
            sign, strings = "", frozenset()
        if sign:
            run += sign
        if not sign or after == "+":
            parts, run = [*parts, _of_one(run)], ""
        parts.append(strings)
        at = _behind_quantifier(source, at)
    return [strings for strings in (*parts, _of_one(run)) if strings], at


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


def _best(parts: list[frozenset[str]]) -> frozenset[str]:
    """Return those that the fewest texts will have: the longest, then the fewest."""

    def rank(strings: frozenset[str]) -> tuple[int, int]:
        return min(map(len, strings)), -len(strings)

    return max(parts, key=rank, default=frozenset())
