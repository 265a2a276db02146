"""Edit a JSON text in place: insert and remove members while every other byte stays.

Positions are indexes into the text. Values are skipped with the standard decoder, so what this
module takes for JSON is what `json.loads` takes for it. A container is laid out in lines when a
line break follows its bracket; new content takes the layout and the line breaks of what is there.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = json.JSONDecoder()
_DEFAULT_INDENT = "  "


@dataclass(frozen=True, slots=True)
class Part:
    """A member of an object or an item of an array.

    `start` is where its key (or the item) begins, `value_start` and `end` bound its value.
    `key` is None for items.
    """

    key: str | None
    start: int
    value_start: int
    end: int
    value: Any


@dataclass(frozen=True, slots=True)
class Container:
    """An object or array in a text: `start` at its opening bracket, `end` behind the closing."""

    start: int
    end: int
    parts: Sequence[Part]

    def member(self, key: str) -> Part | None:
        """Return the member of a key: the last one, which is the one that counts."""
        return next((part for part in reversed(self.parts) if part.key == key), None)


def read_container(text: str, position: int = 0) -> Container:
    """Return the object or array that begins at `position`, white space before it skipped.

    Raises ValueError when there is none, and RecursionError when it is nested too deeply.
    """
    start = _skip(text, position)
    opening = text[start : start + 1]
    if opening not in ("{", "["):
        raise ValueError(f"no object or array at character {start}")
    closing = "}" if opening == "{" else "]"
    parts: list[Part] = []
    position = _skip(text, start + 1)
    while text[position] != closing:
        part = _read_part(text, position, opening == "{")
        parts.append(part)
        position = _skip(text, part.end)
        if text[position] == ",":
            position = _skip(text, position + 1)
    return Container(start, position + 1, parts)


Way = tuple[str | int, ...]
"""The keys and places that lead from the root to a value."""


def parts_along(text: str, way: Way) -> list[tuple[Container, Part]]:
    """Return the containers that a way leads through, each with the part of it."""
    found: list[tuple[Container, Part]] = []
    for step in way:
        container = read_container(text, found[-1][1].value_start if found else 0)
        part = container.parts[step] if isinstance(step, int) else container.member(step)
        if part is None:
            raise KeyError(step)
        found.append((container, part))
    return found


def insert_part(text: str, container: Container, key: str | None, value: Any) -> str:
    """Return the text with a member (or, with key None, an item) added as the container's last."""
    root = read_container(text)
    head = _leading(text, root)
    in_lines = "\n" in head
    first = root.parts[0] if root.parts else None
    is_tight = first is not None and not in_lines and text[first.value_start - 1] == ":"
    separators = (",", ":") if is_tight else (", ", ": ")
    label = "" if key is None else _dump(key) + separators[1]
    gap = _leading(text, container)
    is_one_line = first is not None and "\n" not in text[root.start : root.end]
    if "\n" not in gap and (container.parts or is_one_line):
        comma = separators[0] if container.parts else ""
        new = comma + label + _dump(value, separators=separators)
        return _put_last(text, container, new, "")
    unit = (head.rpartition("\n")[2] if first and in_lines else "") or _DEFAULT_INDENT
    newline = "\r\n" if text.partition("\n")[0].endswith("\r") else "\n"
    line = text[: container.start].rpartition("\n")[2]
    outer = line[: len(line) - len(line.lstrip(" \t"))]
    indent = gap.rpartition("\n")[2] if container.parts else outer + unit
    comma = "," if container.parts else ""
    lines = _dump(value, indent=unit).split("\n")
    new = f"{comma}{newline}{indent}{label}{(newline + indent).join(lines)}"
    return _put_last(text, container, new, newline + outer)


def remove_part(text: str, container: Container, part: Part) -> str:
    """Return the text without one part; a container that is left empty becomes `{}` or `[]`."""
    place = container.parts.index(part)
    if place > 0:
        return text[: container.parts[place - 1].end] + text[part.end :]
    if len(container.parts) > 1:
        return text[: part.start] + text[container.parts[1].start :]
    return text[: container.start + 1] + text[container.end - 1 :]


def replace_value(text: str, part: Part, value: Any) -> str:
    """Return the text with another value in the place of a part's."""
    return text[: part.value_start] + _dump(value) + text[part.end :]


def _put_last(text: str, container: Container, new: str, closing: str) -> str:
    """Put text behind the last part, or in place of an empty container's white space."""
    if container.parts:
        at = container.parts[-1].end
        return text[:at] + new + text[at:]
    return text[: container.start + 1] + new + closing + text[container.end - 1 :]


def _read_part(text: str, position: int, is_member: bool) -> Part:
    start, key = position, None
    if is_member:
        if text[position] != '"':
            raise ValueError(f"no key at character {position}")
        key, position = _DECODER.raw_decode(text, position)
        position = _skip(text, _skip(text, position) + 1)  # over the colon
    value, end = _DECODER.raw_decode(text, position)
    return Part(key, start, position, end, value)


def _skip(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return match.end() if match else position


def _leading(text: str, container: Container) -> str:
    """Return the white space between the opening bracket and the first part."""
    return text[container.start + 1 : _skip(text, container.start + 1)]


def _dump(value: Any, **layout: Any) -> str:
    return json.dumps(value, ensure_ascii=False, **layout)
