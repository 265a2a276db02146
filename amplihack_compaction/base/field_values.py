"""A dataclass value as a dict of its fields, one level deep."""

from dataclasses import fields
from typing import Any


def field_values(value: Any) -> dict[str, Any]:
    """Return what a dataclass value holds, by the names of its fields.

    Unlike `dataclasses.asdict` it neither copies nor goes into what the fields hold.
    """
    return {each.name: getattr(value, each.name) for each in fields(value)}
