"""One setting: its default, what it is for, which values make sense, and whose file counts.

`setting` is written where a field has its default; `read_table` makes a `Setting` of
each. Checked by hand: hooks read settings, and to import pydantic costs ten bare starts.
"""

from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from math import inf
from typing import Any, TypeVar, cast, get_args, get_origin

_T = TypeVar("_T")
_METADATA = "setting"
_WORDS = {"1": True, "true": True, "yes": True, "on": True,
          "0": False, "false": False, "no": False, "off": False}  # fmt: skip
_NULL = frozenset({"null", "none"})
_SHOWN_CHARS = 60


class Trust(StrEnum):
    """Whose file counts: a project's may have come with somebody else's repository.

    `OWN_FIRST`: what the user's own file says counts over the project's. `OWN_ONLY`: the
    project's file can only go back to the default.
    """

    PROJECT_FIRST = "project first"
    OWN_FIRST = "own first"
    OWN_ONLY = "own only"


@dataclass(frozen=True, slots=True)
class Setting:
    """A setting: `kind` is the type of its values, beside None where it is `optional`.

    `low` and `high` bound numbers, both included. A folder lies below the project. A tuple is of
    patterns: what each place says is added to what the others say, and what is wrong with one
    costs no other.
    """

    name: str
    kind: type[Any]
    default: Any
    what: str
    low: float = -inf
    high: float = inf
    trust: Trust = Trust.PROJECT_FIRST
    optional: bool = False
    is_folder: bool = False

    @property
    def is_added(self) -> bool:
        """Whether places add to each other, instead of one counting over another."""
        return self.kind is tuple

    @property
    def choices(self) -> list[str]:
        """The words that are allowed, where only some are."""
        return [str(each) for each in self.kind] if issubclass(self.kind, StrEnum) else []

    def problem_with(self, value: object) -> str:
        """Return what is wrong with a value as JSON has it; empty for nothing."""
        if value is None and self.optional:
            return ""
        if self.choices:
            return "" if value in self.choices else f"must be one of {', '.join(self.choices)}"
        if self.kind is bool:
            return "" if isinstance(value, bool) else "must be true or false"
        if self.is_added:
            return "; ".join(self.split(value)[1])
        if self.kind is str:
            return self._problem_with_text(value)
        return self._problem_with_number(value)

    def split(self, value: object) -> tuple[list[str], list[str]]:
        """Return what can be used of a list, and what is wrong with the rest of it."""
        if not isinstance(value, list | tuple):
            return [], ["must be a list of patterns"]
        from amplihack_compaction.base.redaction.accepted_patterns import usable_patterns

        return usable_patterns(value)

    def convert(self, value: object) -> Any:
        """Return a value that was found right as the type that the program works with."""
        return None if value is None else self.kind(value)

    def parse(self, text: str) -> object:
        """Return the value that a text stands for in an environment or on a command line.

        A text that stands for none comes back as it is: `problem_with` then says so.
        """
        if self.is_added:
            from amplihack_compaction.base.redaction.accepted_patterns import parse_patterns

            return parse_patterns(text)
        if self.kind is str or self.choices:
            return text
        word = text.strip().lower()
        if self.optional and word in _NULL:
            return None
        if self.kind is bool:
            return _WORDS.get(word, text)
        try:
            return int(word) if self.kind is int else float(word)
        except ValueError:
            return text

    def _problem_with_text(self, value: object) -> str:
        if not isinstance(value, str):
            return "must be a text"
        if self.is_folder and not _is_below(value):
            return "must name a folder below the project"
        return ""

    def _problem_with_number(self, value: object) -> str:
        kinds = (int,) if self.kind is int else (int, float)
        if isinstance(value, bool) or not isinstance(value, kinds):
            return "must be a whole number" if self.kind is int else "must be a number"
        # NaN is in no range.
        in_range = self.low <= value <= self.high
        return "" if in_range else f"must lie between {self.low:.0f} and {self.high:.0f}"


def setting(
    default: _T,
    what: str,
    low: float = -inf,
    high: float = inf,
    *,
    trust: Trust = Trust.PROJECT_FIRST,
    is_folder: bool = False,
) -> _T:
    """Return the field of a setting; see `Setting`."""
    about = {"what": what, "low": low, "high": high, "trust": trust, "is_folder": is_folder}
    return field(default=default, metadata={_METADATA: about})


def read_table(model: Any) -> dict[str, Setting]:
    """Return the settings of a class by name, in its order."""
    return {each.name: _read(each) for each in fields(model)}


def shown(value: object) -> str:
    """Return a value as JSON, on one line, cut where it is long."""
    from json import dumps

    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    text = dumps(value, ensure_ascii=True)
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}..."


def _read(each: "Field[Any]") -> Setting:
    if get_origin(each.type) is tuple:
        return Setting(each.name, tuple, each.default, **each.metadata[_METADATA])
    kinds = [kind for kind in get_args(each.type) if kind is not type(None)] or [each.type]
    optional = type(None) in get_args(each.type)
    about = each.metadata[_METADATA]
    return Setting(each.name, cast("type[Any]", kinds[0]), each.default, optional=optional, **about)


def _is_below(folder: str) -> bool:
    return bool(folder) and not (
        folder.startswith("/") or ".." in folder.split("/") or "\0" in folder
    )
