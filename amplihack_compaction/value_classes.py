"""Classes of values that never change once they are made, at half of what `dataclass` takes.

A frozen dataclass has six methods written and compiled for it, at every start of every program: for
the seventy classes of a compaction that was an eighth of it. Here only `__init__` is compiled; by
the class's fields go functions that compare, hash and show any value. That nothing is assigned to
it is left to the type checker, which takes these classes for frozen ones.
"""

from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(cls: type[T]) -> type[T]:
    """Return the class as a dataclass with slots, its values equal and hashed by their fields."""
    return _by_fields(dataclass(slots=True, repr=False, eq=False)(cls))


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def named_value_class(cls: type[T]) -> type[T]:
    """Return the class as `value_class` does, its fields given by their names alone."""
    return _by_fields(dataclass(slots=True, repr=False, eq=False, kw_only=True)(cls))


def _by_fields(made: type[T]) -> type[T]:
    cls: Any = made
    names = tuple(cls.__dataclass_fields__)
    fields_of = attrgetter(*names)

    def equals(self: T, other: object) -> Any:
        is_alike = other.__class__ is self.__class__
        return fields_of(self) == fields_of(other) if is_alike else NotImplemented

    def hashed(self: T) -> int:
        return hash(fields_of(self))

    def shown(self: T) -> str:
        fields = (f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({', '.join(fields)})"

    cls.__eq__, cls.__hash__, cls.__repr__ = equals, hashed, shown
    return made
