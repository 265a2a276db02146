"""A matcher that goes back as Python's own does, and counts its steps.

It follows the same parse tree, part by part, without any of the shortcuts that make the real one
quicker. So what it counts is no less than what the real one does.
"""

import re
from collections.abc import Iterator
from re import _parser  # type: ignore[attr-defined] # the tree is the point
from typing import Any

_CLASSES = {
    "CATEGORY_DIGIT": str.isdigit,
    "CATEGORY_WORD": lambda sign: sign.isalnum() or sign == "_",
    "CATEGORY_SPACE": str.isspace,
}


class TooManyError(Exception):
    """More steps were taken than are wanted."""


class Matcher:
    """Finds all matches of a pattern in a text; `steps` is what that took."""

    def __init__(self, source: str, most_steps: int) -> None:
        self.steps = 0
        self._most = most_steps
        self._tree = _parser.parse(source)

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return what `re.finditer` finds. Raises TooManyError."""
        found, start = [], 0
        while start <= len(text):
            end = next(self._sequence(list(self._tree), 0, text, start), None)
            if end is not None and end > start:
                found.append((start, end))
            start = end if end is not None and end > start else start + 1
        return found

    def _sequence(self, parts: list[Any], at: int, text: str, place: int) -> Iterator[int]:
        if at == len(parts):
            yield place
            return
        for behind in self._part(parts[at], text, place):
            yield from self._sequence(parts, at + 1, text, behind)

    def _part(self, part: Any, text: str, place: int) -> Iterator[int]:
        self.steps += 1
        if self.steps > self._most:
            raise TooManyError
        name, argument = str(part[0]), part[1]
        if name == "SUBPATTERN":
            yield from self._sequence(list(argument[3]), 0, text, place)
        elif name == "BRANCH":
            for inner in argument[1]:
                yield from self._sequence(list(inner), 0, text, place)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            yield from self._repeat(name, argument, text, place)
        elif name == "ATOMIC_GROUP":
            yield from self._once(list(argument), text, place)
        else:
            yield from self._small(name, argument, text, place)

    def _small(self, name: str, argument: Any, text: str, place: int) -> Iterator[int]:
        if name in ("ASSERT", "ASSERT_NOT"):
            yield from self._around(name, argument, text, place)
        elif name == "AT":
            if _stands_at(str(argument), text, place):
                yield place
        elif place < len(text) and _fits(name, argument, text[place]):
            yield place + 1

    def _once(self, parts: list[Any], text: str, place: int) -> Iterator[int]:
        end = next(self._sequence(parts, 0, text, place), None)
        if end is not None:
            yield end

    def _around(self, name: str, argument: Any, text: str, place: int) -> Iterator[int]:
        direction, inner = argument
        start = place if direction > 0 else place - inner.getwidth()[0]
        there = start >= 0 and next(self._sequence(list(inner), 0, text, start), None) is not None
        if there is (name == "ASSERT"):
            yield place

    def _repeat(self, name: str, argument: Any, text: str, place: int) -> Iterator[int]:
        least, most, inner = argument
        parts = list(inner)
        if name == "POSSESSIVE_REPEAT":
            count = 0
            while count < most and (ends := list(self._once(parts, text, place))):
                count, place = count + 1, ends[0]
            if count >= least:
                yield place
        else:
            yield from self._again(parts, least, most, text, place, is_lazy=name[:3] == "MIN")

    def _again(
        self, parts: list[Any], least: int, most: int, text: str, place: int, *, is_lazy: bool
    ) -> Iterator[int]:
        if is_lazy and least <= 0:
            yield place
        if most > 0:
            for behind in self._sequence(parts, 0, text, place):
                if behind > place:
                    yield from self._again(
                        parts, least - 1, most - 1, text, behind, is_lazy=is_lazy
                    )
        if not is_lazy and least <= 0:
            yield place


def _fits(name: str, argument: Any, sign: str) -> bool:
    if name == "ANY":
        return sign != "\n"
    if name in ("LITERAL", "NOT_LITERAL"):
        return (ord(sign) == argument) is (name == "LITERAL")
    assert name == "IN", name
    items = [(str(kind), value) for kind, value in argument]
    is_negated = items[0][0] == "NEGATE"
    return any(_is_in(kind, value, sign) for kind, value in items) is not is_negated


def _is_in(kind: str, value: Any, sign: str) -> bool:
    if kind == "RANGE":
        return bool(value[0] <= ord(sign) <= value[1])
    if kind == "CATEGORY":
        return bool(_CLASSES[str(value)](sign))
    return kind == "LITERAL" and ord(sign) == value


def _stands_at(where: str, text: str, place: int) -> bool:
    pattern = {"AT_BOUNDARY": r"\b", "AT_BEGINNING": r"\A", "AT_END": r"\Z|(?=\n\Z)"}[where]
    return re.compile(pattern).match(text, place) is not None
