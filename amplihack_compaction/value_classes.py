"""Dataclasses at a tenth of what `dataclass` takes: hooks start anew for every event.

To import `dataclasses` loads `inspect` and with it half a compiler, and `dataclass` writes and
compiles up to six methods for each class. Here shared functions compare, hash and show values by
their fields, and an `__init__` is compiled when its class is first called. For the standard
library (`dataclasses.replace`, `is_dataclass`, pattern matching) the classes are dataclasses: what
it looks for is made when it first looks.

Fields have a type and may have a default; `ClassVar` and `InitVar` are not known here, and methods
name the class that they call `super` with. That nothing is assigned to a value is left to the type
checker, which takes its class for a frozen one.
"""

from operator import attrgetter
from types import MethodType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping
    from dataclasses import field as field
    from dataclasses import replace as replace
    from typing import Any, TypeVar, dataclass_transform

    T = TypeVar("T")
else:

    def dataclass_transform(**_):
        """Return what leaves a function as it is."""
        return lambda function: function

    def field(**options):
        """Return what stands for a field's default, as `dataclasses.field` does; see `Field`."""
        return Field(**options)

    def replace(value, /, **changes):
        """Return the value with other contents of some fields, as `dataclasses.replace` does."""
        return value.__class__(**contents(value) | changes)


class _Mark:
    """A thing that stands for no value, and is shown by its name alone."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


MISSING = _Mark("<missing>")
_NEW = _Mark("<factory>")


class Field:
    """A field of a class: as `dataclasses.Field`, but for what no class here has use for.

    `default` is MISSING where there is none, `default_factory` None. `named` fields are given by
    name alone.
    """

    __slots__ = ("compare", "default", "default_factory", "metadata", "name", "named", "repr",
                 "type")  # fmt: skip
    name: str
    type: "Any"
    named: bool

    def __init__(
        self,
        *,
        default: "Any" = MISSING,
        default_factory: "Callable[[], Any] | None" = None,
        repr: bool = True,  # noqa: A002 the standard library's word
        compare: bool = True,
        metadata: "Mapping[str, Any] | None" = None,
    ) -> None:
        self.default, self.default_factory = default, default_factory
        self.repr, self.compare, self.metadata = repr, compare, metadata or {}


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value_class(cls: "type[T]") -> "type[T]":
    """Return the class with slots, its values equal and hashed by their fields."""
    return _made(cls)


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def named_value_class(cls: "type[T]") -> "type[T]":
    """Return the class as `value_class` does, its fields given by their names alone."""
    return _made(cls, named=True)


@dataclass_transform(field_specifiers=(field,))
def record_class(cls: "type[T]") -> "type[T]":
    """Return the class as `value_class` does, of records that change: they have no hash."""
    return _made(cls, changing=True)


@dataclass_transform(kw_only_default=True, field_specifiers=(field,))
def named_record_class(cls: "type[T]") -> "type[T]":
    """Return the class as `record_class` does, its fields given by their names alone."""
    return _made(cls, named=True, changing=True)


@dataclass_transform(field_specifiers=(field,))
def open_record_class(cls: "type[T]") -> "type[T]":
    """Return the class as `record_class` does, without slots: records take more attributes."""
    return _made(cls, changing=True, slots=False)


def fields(kind: object) -> "Collection[Field]":
    """Return the fields of a class that was made here, or of its value, in their order."""
    return kind.__value_fields__.values()  # type: ignore[attr-defined, no-any-return]


def contents(value: object) -> "dict[str, Any]":
    """Return what a value holds, by the names of its fields."""
    return {each.name: getattr(value, each.name) for each in fields(value)}


def is_value(value: object) -> bool:
    """Tell whether the class of a value was made here."""
    return is_value_class(value.__class__)


def is_value_class(kind: object) -> bool:
    """Tell whether a class was made here."""
    return isinstance(kind, type) and hasattr(kind, "__value_fields__")


def _made(
    cls: "type[T]", *, named: bool = False, changing: bool = False, slots: bool = True
) -> "type[T]":
    """Return the class made anew: slots cannot be added to one that there is."""
    inherited: dict[str, Field] = {}
    for base in cls.__mro__[:0:-1]:
        inherited |= vars(base).get("__value_fields__", {})
    own = {name: _declared(cls, name, named) for name in cls.__annotations__}
    given = {name: value for name, value in vars(cls).items() if name not in own}
    for unwanted in ("__dict__", "__weakref__"):
        given.pop(unwanted, None)
    if slots:
        given["__slots__"] = tuple(name for name in own if name not in inherited)
    else:
        given |= {name: each.default for name, each in own.items() if each.default is not MISSING}
    namespace = _generated(inherited | own, changing) | given | {"__qualname__": cls.__qualname__}
    make: Any = type(cls)
    return make(cls.__name__, cls.__bases__, namespace)  # type: ignore[no-any-return]


def _declared(cls: type, name: str, named: bool) -> Field:
    default = vars(cls).get(name, MISSING)
    each = default if isinstance(default, Field) else Field(default=default)
    if each.default.__class__.__hash__ is None:
        raise ValueError(f"{cls.__qualname__}.{name}: all values would share its default")
    each.name, each.type, each.named = name, cls.__annotations__[name], named
    return each


def _generated(all_fields: "dict[str, Field]", changing: bool) -> "dict[str, Any]":
    """Return what a class of these fields has, unless it says otherwise."""
    fields_of = attrgetter(*(each.name for each in all_fields.values() if each.compare))

    def __eq__(self: object, other: object) -> "Any":  # noqa: N807 as it is called
        is_alike = other.__class__ is self.__class__
        return fields_of(self) == fields_of(other) if is_alike else NotImplemented

    def __hash__(self: object) -> int:  # noqa: N807
        return hash(fields_of(self))

    return {
        "__value_fields__": all_fields,
        "__match_args__": tuple(name for name, each in all_fields.items() if not each.named),
        "__init__": _Init(),
        "__eq__": __eq__,
        "__hash__": None if changing else __hash__,
        "__repr__": _repr,
        "__replace__": replace,
        **_FOR_STANDARD_LIBRARY,
    }


def _repr(self: object) -> str:
    shown = (f"{each.name}={getattr(self, each.name)!r}" for each in fields(self) if each.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


class _Init:
    """The `__init__` of a class until it is looked at: many classes make no value."""

    __slots__ = ("_owner",)

    def __set_name__(self, owner: type, name: str) -> None:
        self._owner = owner

    def __get__(self, instance: object, owner: "type | None" = None) -> "Any":
        made: Any = self._owner
        made.__init__ = _compiled_init(made)
        return made.__init__ if instance is None else MethodType(made.__init__, instance)


def _compiled_init(cls: type) -> "Any":
    by_place = sorted(fields(cls), key=lambda each: each.named)
    parameters = [_parameter(each) for each in by_place]
    if any(each.named for each in by_place):
        parameters.insert(sum(not each.named for each in by_place), "*")
    lines = [f" self.{each.name} = {_content(each)}" for each in by_place]
    if hasattr(cls, "__post_init__"):
        lines.append(" self.__post_init__()")
    source = f"def __init__({', '.join(('self', *parameters))}):\n" + "\n".join(lines)
    scope = {"__name__": cls.__module__, "_NEW": _NEW}
    scope |= {f"_default_{each.name}": each.default for each in by_place}
    scope |= {f"_make_{each.name}": each.default_factory for each in by_place}
    exec(source, scope)  # noqa: S102 it holds nothing but the names of fields
    init: Any = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {each.name: each.type for each in by_place} | {"return": None}
    return init


def _parameter(each: Field) -> str:
    if each.default_factory is not None:
        return f"{each.name}=_NEW"
    return each.name if each.default is MISSING else f"{each.name}=_default_{each.name}"


def _content(each: Field) -> str:
    made = f"_make_{each.name}() if {each.name} is _NEW else "
    return f"{made if each.default_factory is not None else ''}{each.name}"


class _LateAttribute:
    """What the standard library looks for at a dataclass, made when it first looks."""

    __slots__ = ("_name",)

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, instance: object, owner: type) -> "Any":
        cls = next(each for each in owner.__mro__ if "__value_fields__" in vars(each))
        setattr(cls, self._name, getattr(_as_dataclass(cls), self._name))
        return getattr(cls, self._name)


def _as_dataclass(cls: type) -> "Any":
    """Return a dataclass of the same fields, for what the standard library keeps at it."""
    import dataclasses

    def told(each: Field) -> "Any":
        options: dict[str, Any] = {"kw_only": each.named, "metadata": each.metadata}
        if each.default is not MISSING:
            options["default"] = each.default
        if each.default_factory is not None:
            options["default_factory"] = each.default_factory
        return dataclasses.field(repr=each.repr, compare=each.compare, **options)

    about = [(each.name, each.type, told(each)) for each in fields(cls)]
    return dataclasses.make_dataclass(cls.__name__, about, repr=False, eq=False)


_FOR_STANDARD_LIBRARY = {
    "__dataclass_fields__": _LateAttribute(),
    "__dataclass_params__": _LateAttribute(),
}
