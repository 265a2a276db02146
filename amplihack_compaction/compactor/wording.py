"""How notes are worded in the nine languages, from `wording.toml`: parts of regular expressions."""

import tomllib
from pathlib import Path

_TABLES: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_name("wording.toml").read_text(encoding="utf-8")
)


def words_for(name: str) -> str:
    """Return what stands for one thing in any of the languages, as alternatives of a pattern."""
    return "|".join(_TABLES[name].values())


def month_numbers() -> dict[str, int]:
    """Return the number of each month by its names, in small letters."""
    months = enumerate(_TABLES["months"].values(), 1)
    return {name: number for number, names in months for name in names.split()}
