"""Write docs/api.md, the reference of the public names, from their docstrings.

python -m tests.publish_api
"""

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

import amplihack_compaction
from amplihack_compaction.base import errors

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
HEAD = """# Library

Made from the docstrings by `python -m tests.publish_api`. `from amplihack_compaction import NAME`
loads the module behind a name when it is first used. Every error that is raised on purpose is a
`CompactionError`.
"""


def reference() -> str:
    """Return the whole page."""
    names = sorted(name for name in amplihack_compaction.__all__ if not name.startswith("_"))
    parts = [HEAD]
    for name in names:
        parts += _describe(name, getattr(amplihack_compaction, name))
    parts.append("## Errors\n")
    found = inspect.getmembers(errors, inspect.isclass)
    for name, error in sorted(found, key=lambda each: (each[1].__mro__[::-1][3:], each[0])[1]):
        above = error.__mro__[1].__name__
        parts.append(f"- `{name}` ({above}): {_summary(error)}")
    return "\n".join(parts).rstrip("\n") + "\n"


def _describe(name: str, value: object) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"## class `{name}`\n\n{_text(value)}\n"
        if is_dataclass(value):
            fields = ", ".join(f"`{each}`" for each in value.__dataclass_fields__)
            yield f"Fields: {fields}.\n"
        if issubclass(value, Enum):
            yield f"Values: {', '.join(f'`{each.value}`' for each in value)}.\n"
        yield from _members(value)
    elif callable(value):
        yield f"## `{name}{_signature(value)}`\n\n{_text(value)}\n"
    else:
        yield f"## `{name}`\n\nA `{type(value).__name__}`, ready to use.\n"


def _members(owner: type) -> Iterator[str]:
    for name, member in vars(owner).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"### `{owner.__name__}.{name}`\n\n{_text(member.fget)}\n"
        elif isinstance(member, staticmethod | classmethod) or inspect.isfunction(member):
            function = getattr(owner, name)
            yield f"### `{owner.__name__}.{name}{_signature(function)}`\n\n{_text(function)}\n"


def _signature(function: object) -> str:
    assert callable(function)
    parameters = list(inspect.signature(function).parameters.values())
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name != "self"]
    return str(inspect.Signature(shown))


def _text(value: object) -> str:
    text = inspect.getdoc(value) or ""
    assert text, f"{value!r} has no docstring"
    return text


def _summary(value: object) -> str:
    return " ".join(_text(value).split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
