"""Value classes do what frozen dataclasses do, but for refusing an assignment while they run."""

from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace

import pytest

from amplihack_compaction.value_classes import named_value_class, value_class


@value_class
class Place:
    """One field without a default."""

    name: str


@value_class
class Point(Place):
    """Fields of its own behind the inherited one."""

    x: int = 0
    notes: tuple[str, ...] = field(default_factory=tuple)


@named_value_class
class Named:
    """Fields of which one is required."""

    size: int
    unit: str = "m"


@dataclass(frozen=True)
class Frozen:
    """What the others are measured by."""

    name: str
    x: int = 0


def test_values_are_equal_by_their_fields_within_one_class() -> None:
    assert Point("a", 1) == Point("a", x=1)
    assert Point("a", 1) != Point("a", 2)
    assert Place("a") != Point("a")
    assert Place("a").__eq__("a") is NotImplemented
    assert Place("a") == Place("a")


def test_equal_values_count_as_one_in_a_set() -> None:
    assert {Point("a"), Point("a"), Point("b")} == {Point("b"), Point("a")}
    with pytest.raises(TypeError, match="unhashable"):
        hash(Place([]))  # type: ignore[arg-type]


def test_a_value_is_shown_as_it_is_made() -> None:
    shown = "Point(name='a', x=1, notes=())"
    assert repr(Point("a", 1)) == str(Point("a", 1)) == shown
    assert repr(Frozen("a")) == "Frozen(name='a', x=0)"


def test_they_are_dataclasses_with_slots() -> None:
    assert is_dataclass(Point("a"))
    assert [one.name for one in fields(Point)] == ["name", "x", "notes"]
    assert replace(Point("a"), x=3) == Point("a", 3)
    assert not hasattr(Point("a"), "__dict__")


def test_fields_that_are_named_are_given_by_name_alone() -> None:
    assert Named(size=1) == Named(size=1, unit="m")
    with pytest.raises(TypeError, match="positional"):
        Named(1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="size"):
        Named()  # type: ignore[call-arg]


def test_what_a_value_may_not_become_is_told_by_the_type_checker_alone() -> None:
    with pytest.raises(FrozenInstanceError):
        Frozen("a").name = "b"  # type: ignore[misc]
    place = Place("a")
    # mypy fails here once it no longer takes the class for a frozen one: the ignore is unused then.
    place.name = "b"  # type: ignore[misc]
    assert place.name == "b"
