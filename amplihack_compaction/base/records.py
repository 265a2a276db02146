"""Records read from parsed JSON by the types of their fields.

By hand: hooks read records at every start, and to import pydantic for it would take longer than all
the rest.
"""

from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from math import isfinite
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin

T = TypeVar("T")
_QUOTED_CHARS = 40


def read_record(kind: type[T], value: object) -> T:
    """Return the dataclass that a JSON object stands for.

    Unknown keys are ignored, missing ones have their default. Raises ValueError where a value has
    another type or is missing, and for text that nobody could write: half a character.
    """
    if not isinstance(value, dict):
        raise ValueError(f"a {kind.__name__} is no object")
    given = {}
    for field in fields(kind):  # type: ignore[arg-type] # the callers' kinds are dataclasses
        if field.name in value:
            try:
                given[field.name] = _read(field.type, value[field.name])
            except ValueError as error:
                raise ValueError(f"{field.name}: {error}") from None
    try:
        return kind(**given)
    except TypeError:
        raise ValueError(f"a {kind.__name__} lacks what it needs") from None


def _read(kind: Any, value: Any) -> Any:
    """Return the value of this type that JSON's stands for; raise ValueError where it is none."""
    if is_dataclass(kind):
        return read_record(kind, value)  # type: ignore[arg-type]
    if isinstance(kind, UnionType):
        kinds = get_args(kind)
        return _read(type(value) if type(value) in kinds else kinds[0], value)
    if get_origin(kind) is tuple:
        if not isinstance(value, list):
            raise ValueError("not a list")
        return tuple([_read(get_args(kind)[0], item) for item in value])
    kind = get_origin(kind) or kind
    if kind is date:
        return date.fromisoformat(_read(str, value))
    with suppress(ValueError, OverflowError):  # their words would quote all of the value
        if issubclass(kind, Enum):
            return kind(value)
        if kind is float and type(value) in (int, float) and isfinite(value):
            return float(value)
        if kind is str and type(value) is str:
            value.encode("utf-8", "surrogateescape")  # half characters: bytes of a file's name
        if type(value) is kind and kind is not float:
            return value
    wanted = "number" if kind is float else kind.__name__
    raise ValueError(f"{str(value)[:_QUOTED_CHARS]!r} is no {wanted}")
