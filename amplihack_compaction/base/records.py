"""Records read from parsed JSON by the types of their fields.

By hand: hooks read records at every start, and to import pydantic for it would take longer than all
the rest.
"""

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
    if issubclass(kind, Enum):
        return _read_member(kind, value)
    if kind is float:
        return _read_number(value)
    if kind is date:
        return date.fromisoformat(_read(str, value))
    if type(value) is not kind:
        raise _refusal(value, kind.__name__)
    if kind is str:
        value.encode("utf-8", "surrogateescape")  # whose half characters are bytes of a file's name
    return value


def _read_member(kind: type[Enum], value: Any) -> Enum:
    try:
        return kind(value)
    except ValueError:  # it would quote all of the value
        raise _refusal(value, kind.__name__) from None


def _read_number(value: Any) -> float:
    try:
        if type(value) in (int, float) and isfinite(value):
            return float(value)
    except OverflowError:  # JSON's whole numbers have no limit, floats have
        pass
    raise _refusal(value, "number")


def _refusal(value: Any, wanted: str) -> ValueError:
    return ValueError(f"{str(value)[:_QUOTED_CHARS]!r} is no {wanted}")
