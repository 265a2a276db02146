"""What a checkup finds: a row for each thing looked at, with what to do about it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Grade(StrEnum):
    """How a row turned out, the worst last."""

    PASS = "pass"  # noqa: S105 - no word to get in by
    WARNING = "warning"
    FAILURE = "failure"


@dataclass(frozen=True, slots=True)
class Repair:
    """Something safe that `--fix` does: `what` says it in the past tense."""

    what: str
    run: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that was looked at; `remedy` says what to do, and is empty for nothing."""

    grade: Grade
    text: str
    remedy: str = ""
    details: tuple[str, ...] = ()
    repair: Repair | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the row as JSON values."""
        return {
            "result": str(self.grade),
            "text": self.text,
            "remedy": self.remedy or None,
            "details": list(self.details),
            "fixable": self.repair is not None,
        }


def passed(text: str) -> Row:
    """Return a row on what is in order."""
    return Row(Grade.PASS, text)


def warned(text: str, remedy: str = "", *details: str, repair: Repair | None = None) -> Row:
    """Return a row on what is wrong, and does not keep hooks from working."""
    return Row(Grade.WARNING, text, remedy, details, repair)


def failed(text: str, remedy: str = "", *details: str, repair: Repair | None = None) -> Row:
    """Return a row on what keeps hooks from working."""
    return Row(Grade.FAILURE, text, remedy, details, repair)


def worst(rows: Iterable[Row]) -> Grade:
    """Return the worst grade among rows; pass where there are none."""
    grades = list(Grade)
    return grades[max((grades.index(row.grade) for row in rows), default=0)]


def do_each(paths: Iterable[str], act: Callable[[str], None]) -> None:
    """Do it to all that are still there; raises the first OSError when all were tried."""
    refused = None
    for path in paths:
        try:
            act(path)
        except FileNotFoundError:
            continue  # gone since it was listed
        except OSError as error:
            refused = refused or error
    if refused is not None:
        raise refused
