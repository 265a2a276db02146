"""Write a state as JSON, and read it back: one object, keys as in `state.model`.

Read by hand: a ledger is read at every compaction but the first, and to import pydantic for it took
longer than all the rest.
"""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from types import UnionType
from typing import Any, get_args, get_origin

from amplihack_compaction.base.errors import NewerVersionError, SnapshotError
from amplihack_compaction.base.field_values import field_values
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.extract.model import STATE_VERSION, SessionState

Read = Callable[[Any], Any]

_QUOTED_CHARS = 40


def dump_state(state: SessionState) -> bytes:
    """Return the state as JSON.

    A lone surrogate, which JSON cannot carry faithfully, becomes a question mark.
    """
    text = json.dumps(state, default=_plain, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace")


def parse_state(data: bytes) -> SessionState:
    """Return the state that JSON holds; unknown keys are ignored, missing ones have their default.

    Raises SnapshotError when it is torn, or of a version that this package does not know.
    """
    return state_of(parse_object(data))


def state_of(content: object) -> SessionState:
    """Return the state that parsed JSON holds; otherwise as `parse_state`."""
    if _version_in(content) > STATE_VERSION:
        raise NewerVersionError(
            f"the state has version {_version_in(content)}; update amplihack-compaction"
        )
    try:
        return _reader(SessionState)(content)  # type: ignore[no-any-return]
    except (ValueError, RecursionError) as error:
        raise SnapshotError(f"the state cannot be read: {error}") from error


def version_of(data: bytes) -> int:
    """Return the version of a stored state; 0 where none can be told."""
    return _version_in(parse_object(data))


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return field_values(value)
    raise TypeError(f"cannot store {type(value).__name__}")


def _version_in(content: object) -> int:
    version = content.get("version") if isinstance(content, dict) else None
    return version if isinstance(version, int) else 0


@cache
def _reader(kind: Any) -> Read:
    """Return what makes a value of this type of JSON's; it raises ValueError where it cannot."""
    if is_dataclass(kind):
        return _record_reader(kind)
    if isinstance(kind, UnionType):
        return _optional_reader(get_args(kind)[0])  # the model has no other unions
    if get_origin(kind) is tuple:
        return _tuple_reader(get_args(kind)[0])
    if issubclass(kind, Enum):
        return _choice_reader(kind)
    if kind is float:
        return _number_reader
    return _text_reader if kind is str else _plain_reader(kind)


def _record_reader(kind: Any) -> Read:
    types: dict[str, Any] = {field.name: field.type for field in fields(kind)}
    readers = {name: _reader(type_) for name, type_ in types.items()}

    def read(value: Any) -> Any:
        if not isinstance(value, dict):
            raise ValueError(f"a {kind.__name__} is no object")
        given = {}
        for name, read_one in readers.items():
            if name in value:
                try:
                    given[name] = read_one(value[name])
                except ValueError as error:
                    raise ValueError(f"{name}: {error}") from None
        try:
            return kind(**given)
        except TypeError:
            raise ValueError(f"a {kind.__name__} lacks what it needs") from None

    return read


def _optional_reader(kind: Any) -> Read:
    read_one = _reader(kind)
    return lambda value: None if value is None else read_one(value)


def _tuple_reader(kind: Any) -> Read:
    read_one = _reader(kind)

    def read(value: Any) -> Any:
        if not isinstance(value, list):
            raise ValueError("not a list")
        return tuple(map(read_one, value))

    return read


def _choice_reader(kind: type[Enum]) -> Read:
    def read(value: Any) -> Any:
        try:
            return kind(value)
        except ValueError:  # it would quote all of the value
            raise _refusal(value, kind.__name__) from None

    return read


def _plain_reader(kind: type) -> Read:
    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise _refusal(value, kind.__name__)
        return value

    return read


def _text_reader(value: Any) -> str:
    """Return a text; one with a lone surrogate could be written nowhere later."""
    if not isinstance(value, str):
        raise _refusal(value, "str")
    if not value.isascii():
        value.encode()
    return value


def _number_reader(value: Any) -> float:
    try:
        if type(value) in (int, float) and isfinite(value):
            return float(value)
    except OverflowError:  # JSON's whole numbers have no limit, floats have
        pass
    raise _refusal(value, "number")


def _refusal(value: Any, wanted: str) -> ValueError:
    return ValueError(f"{str(value)[:_QUOTED_CHARS]!r} is no {wanted}")
