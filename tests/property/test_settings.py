"""Settings files of any content, and edits of files of any layout."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.settings import (
    RATIOS,
    SCHEMA_KEY,
    SETTINGS,
    USER,
    Settings,
    layer_of_text,
    load_settings,
    resolve_layers,
)
from amplihack_compaction.cli.commands.config import set_value, unset_value
from tests.publish_settings import make_model

MODEL = make_model()
NUMBERS = st.sampled_from(
    [-1, 0, 1, 20, 0.5, 200, 1000, 1e300, 10**400, float("nan"), float("inf")]
)
VALUES = st.one_of(
    st.none(), st.booleans(), NUMBERS, st.integers(), st.floats(), st.text(max_size=8),
    st.sampled_from(["continue", "inject", "off", "a/../b", "..", "/etc", "a/b", "a\0b", "5"]),
    st.lists(st.integers(), max_size=2),
    st.lists(st.sampled_from(["aaaa+", "a+b", ""])),
    st.dictionaries(st.text(max_size=3), st.none()),
)  # fmt: skip
FILES = st.dictionaries(st.sampled_from([*SETTINGS, "unknown"]), VALUES, max_size=6)


@given(FILES)
@example({"compact_ratio": 1})
@example({"features_folder": "."})
@example({name: 0.1 * place for place, name in enumerate(RATIOS)})
@example({"on_loss": 3})
def test_what_is_found_right_by_hand_is_what_the_model_accepts(values: dict[str, Any]) -> None:
    layer = layer_of_text(USER, "file", json.dumps(values).encode())
    problems = resolve_layers([layer]).problems
    try:
        MODEL.model_validate(values)
    except ValidationError:
        assert problems
    else:
        assert problems == []


@given(st.binary(max_size=200))
def test_any_bytes_leave_settings_that_can_be_used(data: bytes) -> None:
    layer = layer_of_text(USER, "file", data)
    resolved = resolve_layers([layer])
    Settings(**resolved.values)
    assert all(str(problem).startswith("file: ") for problem in resolved.problems)


@given(FILES, st.sampled_from([None, 1, 4, "\t"]), st.booleans())
def test_a_value_that_is_set_and_unset_leaves_the_file_as_it_was(
    values: dict[str, Any], indent: int | str | None, crlf: bool
) -> None:
    values.pop("ledger_items", None)
    text = json.dumps({SCHEMA_KEY: "x", **values}, indent=indent)
    data = (text.replace("\n", "\r\n") if crlf else text).encode()
    with TemporaryDirectory() as root:
        path = Path(root, ".claude/compaction.json")
        path.parent.mkdir()
        path.write_bytes(data)
        set_value(root, "project", "ledger_items", "770")
        assert load_settings(root)[0].ledger_items == 770
        assert set(json.loads(path.read_bytes())) == {SCHEMA_KEY, "ledger_items", *values}
        set_value(root, "project", "ledger_items", "780")
        try:
            set_value(root, "project", "ledger_items", "1")
        except SettingsError:
            assert load_settings(root)[0].ledger_items == 780
        else:
            raise AssertionError("a value out of range was written")
        unset_value(root, "project", "ledger_items")
        assert path.read_bytes() == data
