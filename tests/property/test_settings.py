"""Settings files of any content, and edits of files of any layout."""

import json
import posix
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.redaction.user_patterns import read_patterns
from amplihack_compaction.base.settings.settings import (
    RATIOS,
    SCHEMA_KEY,
    SETTINGS,
    USER,
    Settings,
    Switch,
    layer_of_text,
    load_settings,
    resolve_layers,
)
from amplihack_compaction.base.settings.settings_files import variable_of
from amplihack_compaction.cli.commands.config import set_value, unset_value
from amplihack_compaction.store.upkeep import read_bounds
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


STORE_VALUES = st.one_of(
    VALUES, st.sampled_from(["on", "off", 0, 1, 7, 10_000_000, 10_000_001, True, 2.0])
)
STORE_FILES = st.dictionaries(
    st.sampled_from(["store", "store_megabytes", "store_days"]), STORE_VALUES
)


def written(
    folder: Path, patch: pytest.MonkeyPatch, own: dict[str, Any], shared: dict[str, Any]
) -> Path:
    """Write the user's own settings and a project's; return the project."""
    root, home = folder / "project", folder / "home"
    for path, values in ((home, own), (root / ".claude", shared)):
        path.mkdir(parents=True)
        (path / "compaction.json").write_text(json.dumps(values))
    patch.setenv("CLAUDE_CONFIG_DIR", str(home))
    patch.setitem(posix.environ, b"CLAUDE_CONFIG_DIR", str(home).encode())
    return root


@given(
    STORE_FILES,
    STORE_FILES,
    st.dictionaries(
        st.sampled_from(["store", "store_megabytes", "store_days"]),
        st.sampled_from(["", "7", "0", "many", "99999999999", "off"]),
    ),
)
@example({"store": "off"}, {"store": "on"}, {})
@example({"store": "maybe"}, {"store": "off"}, {"store": "postgresql://x"})
def test_the_hook_that_stores_reads_what_the_settings_resolve(
    own: dict[str, Any], shared: dict[str, Any], variables: dict[str, str]
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = written(Path(folder), patch, own, shared)
        for name, text in variables.items():
            patch.setenv(variable_of(name), text)
            patch.setitem(posix.environ, variable_of(name).encode(), text.encode())
        settings, _ = load_settings(str(root))
        expected = (settings.store is Switch.ON, settings.store_megabytes, settings.store_days)
        assert read_bounds(str(root)) == expected


PATTERNS = st.sampled_from(["ACME-[0-9]{6}", "room [A-Z]{4}", "(a+)+", "abc", "[", 5, None])
PATTERN_FILES = st.fixed_dictionaries(
    {}, optional={"redact_patterns": st.one_of(VALUES, st.lists(PATTERNS, max_size=3))}
)


@given(PATTERN_FILES, PATTERN_FILES, st.sampled_from(["", "ACME-x", "[1]", '["aaaa"]', "(", "5"]))
def test_the_patterns_that_are_read_are_those_that_the_settings_resolve(
    own: dict[str, Any], shared: dict[str, Any], variable: str
) -> None:
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        root = written(Path(folder), patch, own, shared)
        patch.setenv(variable_of("redact_patterns"), variable)
        assert tuple(read_patterns(str(root))) == load_settings(str(root))[0].redact_patterns


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
