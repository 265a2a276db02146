"""Whatever a transcript or a notebook holds, the meter answers or says nothing."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from amplihack_compaction.base.settings import Settings
from amplihack_compaction.base.signature import signed
from amplihack_compaction.clients.claude_code.compaction_limits import (
    parse_window,
    read_client_settings,
)
from amplihack_compaction.clients.reading import text_characters, usage_of
from amplihack_compaction.context.meter import (
    measure_context,
    model_notes_path,
    note_compaction,
    read_model_notes,
    resolve_limit,
)
from amplihack_compaction.context.quiet_band import read_band

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
NUMBERS = st.none() | st.integers(-(10**13), 10**13) | st.text(max_size=3) | st.booleans()
USAGE = st.dictionaries(
    st.sampled_from(
        ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens"]
    ),
    NUMBERS,
)
MESSAGE = st.fixed_dictionaries(
    {}, optional={"id": JSON, "model": JSON, "usage": USAGE | JSON, "content": JSON}
)
ENTRY = st.fixed_dictionaries(
    {"type": st.sampled_from(["assistant", "user", "attachment", "system"])},
    optional={"message": MESSAGE | JSON, "rendered": JSON, "isSidechain": JSON},
)
LINES = st.lists(st.binary(max_size=40) | st.sampled_from([b'{"type":"assistant"', b'"usage"']))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a project for all examples."""
    return tmp_path_factory.mktemp("project")


@given(ENTRY)
def test_any_entry_has_sane_numbers_or_none(entry: dict[str, object]) -> None:
    usage = usage_of(entry, 0)
    assert usage is None or 0 < usage.input_tokens <= usage.tokens
    assert text_characters(entry) >= 0


@given(LINES)
def test_any_bytes_are_measured_or_not(folder: Path, lines: list[bytes]) -> None:
    path = folder / "t.jsonl"
    path.write_bytes(b"\n".join(lines))
    measure = measure_context(str(folder), str(path))
    assert measure is None or measure.tokens > 0


@given(st.binary(max_size=200))
def test_any_notebook_and_any_band_is_read(folder: Path, data: bytes) -> None:
    root = str(folder)
    note_compaction(root, "m", 5, None)
    path = model_notes_path(root)
    Path(path).write_bytes(signed(data, path))
    assert read_model_notes(root, "m").limit_tokens is None
    (folder / "limits").write_bytes(data)
    assert read_band(root) is None or data.count(b"\n") >= 3


@given(
    st.text(max_size=20),
    st.dictionaries(
        st.sampled_from(
            ["CLAUDE_CODE_AUTO_COMPACT_WINDOW", "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE",
             "DISABLE_AUTO_COMPACT", "DISABLE_COMPACT", "CLAUDE_CODE_MAX_OUTPUT_TOKENS",
             "CLAUDE_CODE_MAX_CONTEXT_TOKENS"]
        ),
        st.text(max_size=8) | st.from_regex(r"[0-9.]{1,6}[kKmM]?", fullmatch=True),
    ),
    st.integers(0, 3_000_000),
)  # fmt: skip
def test_every_environment_gives_a_limit(
    folder: Path, model: str, env: dict[str, str], used: int
) -> None:
    limit = resolve_limit(str(folder), model, Settings(), env, used)
    assert 0 < limit.tokens <= limit.window_tokens or limit.window_tokens < 100_000
    assert limit.source


@given(JSON)
def test_any_value_is_a_window_or_none(value: object) -> None:
    window = parse_window(value)
    assert window is None or window >= 100_000


@given(st.binary(max_size=60))
def test_any_settings_file_of_the_client_is_read(folder: Path, data: bytes) -> None:
    os.makedirs(folder / ".claude", exist_ok=True)
    (folder / ".claude" / "settings.json").write_bytes(data)
    read_client_settings(str(folder), "m", {})
