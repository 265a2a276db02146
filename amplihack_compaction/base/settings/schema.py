"""The settings as a pydantic model, and the JSON schema that editors complete from.

`compaction.schema.json` lies in the package; a settings file names it under "$schema". Model and
schema are made from the one table in `settings`.
"""

import json
from math import isinf
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from amplihack_compaction.base.redaction.accepted_patterns import LONGEST_CHARS, MOST_PATTERNS
from amplihack_compaction.base.settings.scopes import SCHEMA_KEY
from amplihack_compaction.base.settings.settings import RATIOS, SETTINGS
from amplihack_compaction.base.settings.values import Setting

if TYPE_CHECKING:
    from pydantic import BaseModel
    from pydantic.fields import FieldInfo

SCHEMA_PATH = Path(__file__).with_name("compaction.schema.json")
_TITLE = "Settings of amplihack-compaction"
# As JSON schemas have them: ECMAScript's, which knows lookaheads.
_BELOW_PATTERN = r"^(?!/)(?!(?:.*/)?\.\.(?:/|$))[^\u0000]+$"


def make_model() -> "type[BaseModel]":
    """Return the pydantic model of a settings file: it accepts what is found right by hand."""
    from pydantic import BaseModel, ConfigDict, Field, create_model, model_validator

    class File(BaseModel):
        model_config = ConfigDict(extra="forbid", title=_TITLE, use_enum_values=True)

        @model_validator(mode="after")
        def ratios_ascend(self) -> "File":
            numbers = [getattr(self, name) for name in RATIOS]
            if numbers != sorted(set(numbers)):
                raise ValueError("the ratios must ascend")
            return self

    members: dict[str, Any] = {
        "schema_": (str, Field("", alias=SCHEMA_KEY, description="where this schema lies")),
    }
    for name, each in SETTINGS.items():
        members[name] = (_type_of(each), _field_of(each))
    return create_model("CompactionSettings", __base__=File, **members)


def schema_text() -> str:
    """Return the JSON schema, as it is published."""
    schema = make_model().model_json_schema()
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _type_of(each: Setting) -> Any:
    from pydantic import AfterValidator

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


def _field_of(each: Setting) -> "FieldInfo":
    from pydantic import Field

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
