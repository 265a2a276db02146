"""Value classes are dataclasses to everybody, but for refusing an assignment while they run."""

import copy
import dataclasses
import inspect
import pickle
import re
from dataclasses import FrozenInstanceError, asdict, astuple, dataclass, is_dataclass
from pathlib import Path
from pprint import pformat
from typing import Any

import pytest

from amplihack_compaction.value_classes import (
    MISSING,
    contents,
    field,
    fields,
    is_value,
    is_value_class,
    named_record_class,
    named_value_class,
    open_record_class,
    record_class,
    replace,
    value_class,
)

# The first of them has its `__init__` compiled, the others are made by that.
USES = 12
PACKAGE = Path(__file__).parents[2] / "amplihack_compaction"


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
    """Fields of which one is required, behind one that is not."""

    unit: str = "m"
    size: int


@named_value_class
class Renamed(Named):
    """A field that gets another default."""

    unit: str = "km"


@value_class
class Mixed(Named):
    """A field that is given by its place, behind some that are not."""

    place: str


@record_class
class Record:
    """What changes, with a field that says nothing of it."""

    name: str
    seen: list[str] = field(default_factory=list)
    memory: int | None = field(default=None, repr=False, compare=False)


@named_record_class
class NamedRecord:
    """A record whose field is given by its name."""

    name: str


@open_record_class
class Open:
    """A public record, which derives one field from another."""

    name: str = "none"
    size: int = 0
    seen: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Derive the size."""
        self.size = self.size or len(self.name)


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
    assert repr(Point("a", 1)) == str(Point("a", 1)) == pformat(Point("a", 1)) == shown
    assert repr(Frozen("a")) == "Frozen(name='a', x=0)"


def test_they_have_slots_and_each_field_one() -> None:
    assert not hasattr(Point("a"), "__dict__")
    assert Point.__slots__ == ("x", "notes")  # type: ignore[attr-defined]
    assert Renamed.__slots__ == ()  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        Record("a").other = 1  # type: ignore[attr-defined]


def test_a_field_may_get_another_default() -> None:
    assert Renamed(size=1).unit == "km"
    assert Named(size=1).unit == "m"
    assert [each.name for each in fields(Renamed)] == ["unit", "size"]


def test_fields_that_are_named_are_given_by_name_alone() -> None:
    assert Named(size=1) == Named(size=1, unit="m")
    with pytest.raises(TypeError, match=r"Named\.__init__\(\) takes 1 positional"):
        Named(1)  # type: ignore[call-arg, arg-type]
    with pytest.raises(TypeError, match="size"):
        Named()  # type: ignore[call-arg]
    assert Mixed("a", size=1).place == "a"


def test_a_class_makes_its_first_values_as_all_others() -> None:
    @named_record_class
    class Base:
        """Fields that are named, one of them called as no parameter may be."""

        self_: int = 1
        value: list[str] = field(default_factory=list)

    @open_record_class
    class Fresh(Base):
        """Fields that are not, and one that is derived."""

        cls: str
        size: int = 0

        def __post_init__(self) -> None:
            self.size += len(self.cls)

    values = [Fresh("ab", 3, value=["x"]) for _ in range(USES)]
    assert [vars(each) | contents(each) for each in values] == [
        {"self_": 1, "value": ["x"], "cls": "ab", "size": 5}
    ] * USES
    others = [Fresh(cls="") for _ in range(USES)]
    assert len({id(each.value) for each in others}) == USES


def test_what_no_value_is_made_of_is_refused_by_the_first_as_by_the_last() -> None:
    @value_class
    class Fresh(Point):
        """Not called before."""

    made: Any = Fresh
    for _ in range(USES):
        with pytest.raises(TypeError, match=r"Fresh\.__init__\(\) missing 1 .* 'name'"):
            made(x=1)
        with pytest.raises(TypeError, match="unexpected keyword argument 'y'"):
            made("a", y=1)
        with pytest.raises(TypeError, match="multiple values for argument 'name'"):
            made("a", name="b")
        with pytest.raises(TypeError, match="takes from 2 to 4 positional arguments but 5"):
            made("a", 1, (), 2)


def test_a_default_that_all_values_would_share_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Shared\.seen"):

        @value_class
        class Shared:
            seen: list[str] = []  # noqa: RUF012


def test_what_a_value_may_not_become_is_told_by_the_type_checker_alone() -> None:
    with pytest.raises(FrozenInstanceError):
        Frozen("a").name = "b"  # type: ignore[misc]
    place = Place("a")
    # mypy fails here once it no longer takes the class for a frozen one: the ignore is unused then.
    place.name = "b"  # type: ignore[misc]
    assert place.name == "b"


def test_a_record_changes_and_has_no_hash() -> None:
    record, other = Record("a"), Record("a")
    record.seen.append("b")
    assert other.seen == []
    other.seen, other.memory = ["b"], 2
    assert record == other
    assert repr(other) == "Record(name='a', seen=['b'])"
    with pytest.raises(TypeError, match="unhashable"):
        hash(record)


def test_a_record_may_take_its_fields_by_name_alone() -> None:
    record = NamedRecord(name="a")
    record.name = "b"
    assert record == NamedRecord(name="b")
    with pytest.raises(TypeError, match="positional"):
        NamedRecord("a")  # type: ignore[call-arg]


def test_an_open_record_is_as_a_plain_dataclass() -> None:
    record = Open("four")
    record.other = 1  # type: ignore[attr-defined]
    assert vars(record) == {"name": "four", "size": 4, "seen": [], "other": 1}
    assert (Open.name, hasattr(Open, "seen")) == ("none", False)
    assert record == Open("four", 4)


def test_a_value_is_replaced_by_one_with_other_contents() -> None:
    point = Point("a", 1, ("b",))
    assert replace(point, x=3) == Point("a", 3, ("b",))
    assert point.__replace__(x=3) == Point("a", 3, ("b",))  # type: ignore[attr-defined]
    assert replace(Named(size=1), unit="km") == Named(size=1, unit="km")
    with pytest.raises(TypeError, match="'y'"):
        replace(point, y=3)  # type: ignore[call-arg]


def test_its_fields_are_told_without_the_standard_library() -> None:
    x = list(fields(Point("a")))[1]
    assert (x.name, x.type, x.default, x.default_factory, x.named) == ("x", int, 0, None, False)
    assert next(iter(fields(Point))).default is MISSING
    assert contents(Point("a")) == {"name": "a", "x": 0, "notes": ()}
    assert is_value(Point("a"))
    assert is_value_class(Point)
    assert not any(map(is_value, (Point, Frozen("a"), "a")))
    assert not any(map(is_value_class, (Point("a"), Frozen, None, tuple[str, ...])))


def test_the_standard_library_takes_them_for_dataclasses() -> None:
    point = Point("a")
    assert [each.name for each in dataclasses.fields(Point)] == ["name", "x", "notes"]
    assert dataclasses.replace(point, x=3) == Point("a", 3)
    assert asdict(point) == {"name": "a", "x": 0, "notes": ()}
    assert astuple(point) == ("a", 0, ())
    size = dataclasses.fields(Mixed)[1]
    assert (size.name, size.type, size.kw_only) == ("size", int, True)
    assert size.default is dataclasses.MISSING
    memory = dataclasses.fields(Record)[2]
    assert (memory.default, memory.repr, memory.compare) == (None, False, False)
    assert dataclasses.fields(Record)[1].default_factory is list
    assert is_dataclass(point)
    assert is_dataclass(Point)


def test_a_dataclass_may_inherit_from_one() -> None:
    @dataclass
    class Marked(Open):
        """A user's own."""

        mark: str = "!"

    assert Marked("four", mark="?") == Marked("four", 4, [], "?")
    assert [each.name for each in dataclasses.fields(Marked)] == ["name", "size", "seen", "mark"]


def test_a_plain_class_may_inherit_from_one() -> None:
    class Longer(Point):
        """A user's own, with an `__init__` of its own."""

        def __init__(self, name: str) -> None:
            super().__init__(name * 2)

    assert Longer("a").name == "aa"
    assert [each.name for each in dataclasses.fields(Longer)] == ["name", "x", "notes"]
    assert Longer("a") != Point("aa")


def test_a_value_is_matched_by_the_places_of_its_fields() -> None:
    match Point("a", 7):
        case Point("a", x):
            assert x == 7
        case _:
            pytest.fail("no match")
    assert Mixed.__match_args__ == ("place",)


@pytest.mark.parametrize("value", [Point("a", 1), Named(size=1), Record("a"), Open("a")])
def test_a_value_is_copied_and_pickled(value: object) -> None:
    assert copy.copy(value) == copy.deepcopy(value) == value
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(value, protocol)) == value


def test_a_class_tells_what_it_is_made_of() -> None:
    @value_class
    class Fresh(Point):
        """Not called before."""

    assert str(inspect.signature(Fresh)) == (
        "(name: str, x: int = 0, notes: tuple[str, ...] = <factory>) -> None"
    )
    signature = inspect.signature(Mixed)
    assert str(signature) == "(place: str, *, unit: str = 'm', size: int) -> None"
    # So later versions of the interpreter ask for it.
    late = vars(value_class(type("Late", (Point,), {})))["__init__"].__get__(Point, type)
    assert str(inspect.signature(late)) == str(inspect.signature(Point))
    assert Fresh.__qualname__.endswith(".Fresh")
    assert (Fresh.__module__, Fresh.__doc__) == (__name__, "Not called before.")


def test_every_field_of_the_package_is_declared_by_its_own_means() -> None:
    """A `dataclasses.field` would be taken for the default itself."""
    for path in set(PACKAGE.rglob("*.py")) - {PACKAGE / "value_classes.py"}:
        assert not re.search(r"from dataclasses import .*\bfield\b", path.read_text("utf-8")), path
