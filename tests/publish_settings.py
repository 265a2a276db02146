"""Write what is made from the settings: the JSON schema, and the table of docs/settings.md.

python -m tests.publish_settings

The schema lies in the package, for editors that complete from it; a settings file names it under
"$schema". It is that of a pydantic model made from the one table in `base/settings.py`.
"""

import json
from math import isinf
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, create_model, model_validator
from pydantic.fields import FieldInfo

from amplihack_compaction.base.redaction.user_patterns import LONGEST_CHARS, MOST_PATTERNS
from amplihack_compaction.base.settings import RATIOS, SCHEMA_KEY, SETTINGS, Setting, Trust, shown
from amplihack_compaction.cli.commands.config import SCHEMA_PATH

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
_TITLE = "Settings of amplihack-compaction"
# As JSON schemas have them: ECMAScript's, which knows lookaheads.
_BELOW_PATTERN = r"^(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\u0000]+$"


def make_model() -> type[BaseModel]:
    """Return the pydantic model of a settings file: it accepts what is found right by hand."""

    class File(BaseModel):
        model_config = ConfigDict(extra="forbid", title=_TITLE, use_enum_values=True)

        @model_validator(mode="after")
        def ratios_ascend(self) -> "File":
            numbers = [getattr(self, name) for name in RATIOS]
            if numbers != sorted(set(numbers)):
                raise ValueError("the ratios must ascend")
            return self

    members: dict[str, Any] = {
        "schema_": (str, Field("", alias=SCHEMA_KEY, description="where this schema lies"))
    }
    for name, each in SETTINGS.items():
        members[name] = (_type_of(each), _field_of(each))
    return create_model("CompactionSettings", __base__=File, **members)


def schema_text() -> str:
    """Return the JSON schema, as it is published: a line for each setting."""
    schema = make_model().model_json_schema()
    parts = []
    for name, part in schema.items():
        text = json.dumps(part, ensure_ascii=False)
        if name in ("$defs", "properties"):
            named = ({key: _untitled(about)} for key, about in part.items())
            lines = (json.dumps(each, ensure_ascii=False)[1:-1] for each in named)
            text = "{\n    " + ",\n    ".join(lines) + "\n  }"
        parts.append(f'  "{name}": {text}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _untitled(part: dict[str, Any]) -> dict[str, Any]:
    """Return a part of the schema without the title that pydantic makes of its name."""
    return {name: value for name, value in part.items() if name != "title"}


def _type_of(each: Setting) -> Any:
    kind: Any = list[str] if each.is_added else each.kind
    if each.is_folder or each.is_added:
        kind = Annotated[kind, AfterValidator(_need_sense(each))]
    return kind | None if each.optional else kind


def _need_sense(each: Setting) -> Any:
    def check(value: object) -> object:
        if each.problem_with(value):
            raise ValueError(each.problem_with(value))
        return value

    return check


def _field_of(each: Setting) -> FieldInfo:
    bounds: dict[str, Any] = {} if isinf(each.low) else {"ge": each.low, "le": each.high}
    extra: dict[str, Any] | None = {"pattern": _BELOW_PATTERN} if each.is_folder else None
    if each.is_added:
        items = {"type": "string", "maxLength": LONGEST_CHARS}
        extra = {"items": items, "maxItems": MOST_PATTERNS}
    made: FieldInfo = Field(
        list(each.default) if each.is_added else each.default,
        description=each.what,
        strict=not each.choices,
        allow_inf_nan=False if each.kind is float else None,
        json_schema_extra=extra,
        **bounds,
    )
    return made


BEGIN = "<!-- made from the settings by `python -m tests.publish_settings` -->"
END = "<!-- end of what is made from the settings -->"
_ADDED_MARK = " ²"
_MARKS = {Trust.NEUTRAL: "any", Trust.STRICTER: "stricter", Trust.OWN_ONLY: "–"}


def settings_table() -> str:
    """Return a row for each setting: key, default, what can be set, and what it is for."""
    rows = ["| key | default | values | in a project's file ¹ | what |", "|---|---|---|---|---|"]
    for name, each in SETTINGS.items():
        default = f"`{shown(each.default)}`"
        added, shared = _ADDED_MARK * each.is_added, _MARKS[each.trust]
        rows.append(f"| `{name}`{added} | {default} | {values_of(each)} | {shared} | {each.what} |")
    return "\n".join(rows) + "\n"


def values_of(each: Setting) -> str:
    """Return which values a setting takes, in words."""
    if each.choices:
        return ", ".join(f"`{choice}`" for choice in each.choices)
    if each.kind is bool:
        return "`true`, `false`"
    if each.is_folder:
        return "a folder below the project"
    if each.is_added:
        return "a list of regular expressions"
    bounds = "" if isinf(each.low) else f"{each.low:,.0f} to {each.high:,.0f}"
    null = ", `null`" if each.optional else ""
    return (bounds or "a text") + null


def put_table(text: str) -> str:
    """Return a page with the present table between its marks. Raises ValueError without them."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError("the page has no marks between which the table belongs")
    return f"{before}{BEGIN}\n\n{settings_table()}\n{END}{after}"


def main() -> None:
    """Write both files."""
    SCHEMA_PATH.write_text(schema_text(), encoding="utf-8")
    PAGE.write_text(put_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
