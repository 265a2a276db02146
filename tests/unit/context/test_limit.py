"""The limit, from the first source that knows it."""

import errno
import json
import posix
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.files import replace_atomically
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.settings import Settings
from amplihack_compaction.clients.claude_code.compaction_limits import (
    FAMILIES,
    family_of,
    family_window,
    parse_window,
    read_client_settings,
)
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.context import meter as told
from amplihack_compaction.context.meter import (
    Limit,
    model_notes_path,
    note_compaction,
    note_window,
    read_model_notes,
    resolve_limit,
)
from tests.support.signing import signed_text

OPUS = "claude-opus-5-5"
SONNET = "claude-sonnet-4-5-20250929"
WINDOW = "CLAUDE_CODE_AUTO_COMPACT_WINDOW"
PERCENT = "CLAUDE_AUTOCOMPACT_PCT_OVERRIDE"


def limit_of(
    project: Path,
    model: str = OPUS,
    env: dict[str, str] | None = None,
    used: int = 0,
    tokens: int | None = None,
) -> Limit:
    settings = Settings(context_limit_tokens=tokens)
    return resolve_limit(str(project), model, settings, env or {}, used)


def write_client_settings(path: Path, **values: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\ufeff" + json.dumps(values), encoding="utf-8")


# What was measured in the client; see the module's own words on where each number is from.
@pytest.mark.parametrize(
    ("model", "env", "tokens"),
    [
        (OPUS, {}, 967_000),
        ("claude-sonnet-5-20260101", {}, 967_000),
        (OPUS, {PERCENT: "10"}, 98_000),
        (OPUS, {PERCENT: "99"}, 967_000),
        (OPUS, {WINDOW: "300k"}, 267_000),
        (OPUS, {WINDOW: "50000"}, 67_000),
        (OPUS, {WINDOW: "150k"}, 117_000),
        (SONNET, {}, 180_000),
        ("claude-opus-4-6[1m]", {}, 980_000),
        (SONNET, {PERCENT: "50"}, 180_000),
        (SONNET, {PERCENT: "50", WINDOW: "200k"}, 90_000),
        (SONNET, {WINDOW: "1m"}, 167_000),
        (OPUS, {"DISABLE_AUTO_COMPACT": "1"}, 980_000),
        (OPUS, {"DISABLE_COMPACT": "true", WINDOW: "200k"}, 980_000),
        (OPUS, {"DISABLE_AUTO_COMPACT": "0"}, 967_000),
        (OPUS, {PERCENT: "nonsense"}, 967_000),
        (OPUS, {PERCENT: "0"}, 967_000),
        (OPUS, {PERCENT: "150"}, 967_000),
        (OPUS, {WINDOW: "wide"}, 967_000),
        (OPUS, {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "8000"}, 979_000),
        (OPUS, {"CLAUDE_CODE_MAX_OUTPUT_TOKENS": "many"}, 967_000),
        (OPUS, {"DISABLE_COMPACT": "1", "CLAUDE_CODE_MAX_CONTEXT_TOKENS": "500000"}, 480_000),
        ("glm-9", {}, 167_000),
        ("glm-9", {"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "128000"}, 95_000),
        ("", {}, 167_000),
    ],
)
def test_the_limit_is_where_the_client_compacts(
    project: Path, model: str, env: dict[str, str], tokens: int
) -> None:
    assert limit_of(project, model, env).tokens == tokens


def test_the_users_own_number_goes_before_all(project: Path) -> None:
    limit = limit_of(project, env={WINDOW: "300k"}, tokens=150_000)
    assert limit == Limit(150_000, 1_000_000, "settings")


def test_the_source_is_named(project: Path) -> None:
    assert limit_of(project, env={WINDOW: "300k"}).source == f"client: {WINDOW}"
    assert limit_of(project, env={PERCENT: "20"}).source == f"client: {PERCENT}"
    assert limit_of(project, env={"DISABLE_COMPACT": "1"}).source == "client: DISABLE_COMPACT"
    assert limit_of(project).source == "model family claude-opus-5"
    assert limit_of(project, "glm-9").source == "unknown model"
    note_window(str(project), OPUS, 500_000, "s")
    assert limit_of(project) == Limit(467_000, 500_000, "statusline")


def test_what_an_automatic_compaction_taught_goes_before_the_table(project: Path) -> None:
    for tokens in (213_002, 167_009, 166_612):
        note_compaction(str(project), OPUS, tokens, None)
    assert limit_of(project) == Limit(166_612, 1_000_000, "learnt")
    note_compaction(str(project), SONNET, 158_145, 20_000)
    assert limit_of(project, SONNET) == Limit(158_145, 200_000, "learnt")
    note_window(str(project), OPUS, 1_000_000, "s")
    assert limit_of(project).source == "statusline"


def test_notes_that_cannot_be_read_for_a_moment_are_added_to(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note_compaction(str(project), OPUS, 166_612, None)

    def fail(*_: object) -> bytes | None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(told, "read_kept", fail)
        with pytest.raises(OSError, match="Input/output error"):
            note_compaction(str(project), OPUS, 167_009, None)
        limit = limit_of(project)
        assert limit.source == "model family claude-opus-5"
        assert (
            limit.problem == f"{model_notes_path(str(project))} cannot be read: Input/output error"
        )
    assert limit_of(project) == Limit(166_612, 1_000_000, "learnt")
    note_compaction(str(project), OPUS, 167_009, None)
    assert json.loads(Path(model_notes_path(str(project))).read_text())["models"] == {
        OPUS: {"limits": [166_612, 167_009]}
    }


def test_a_compaction_above_the_window_teaches_nothing(project: Path) -> None:
    note_compaction(str(project), SONNET, 190_000, None)
    assert limit_of(project, SONNET).source.startswith("model family claude-sonnet-4")


def test_a_window_smaller_than_what_was_sent_is_not_believed(project: Path) -> None:
    assert limit_of(project, SONNET, used=250_000).window_tokens == 1_000_000
    note_window(str(project), OPUS, 200_000, "s")
    assert limit_of(project, used=250_000).window_tokens == 1_000_000
    assert limit_of(project, "claude-opus-5-5[1m]", used=1).window_tokens == 200_000
    assert limit_of(project, "glm-9", used=250_000).tokens == 980_000


def test_the_clients_files_are_read_from_the_user_to_the_local_one(project: Path) -> None:
    user = config_folder() / "settings.json"
    shared = project / ".claude" / "settings.json"
    local = project / ".claude" / "settings.local.json"
    write_client_settings(user, autoCompactWindow=400_000)
    assert limit_of(project).tokens == 367_000
    write_client_settings(shared, autoCompactWindow=300_000, env={PERCENT: 50})
    assert limit_of(project).tokens == 140_000
    write_client_settings(local, autoCompactEnabled=False)
    assert limit_of(project).source == "client: autoCompactEnabled"
    write_client_settings(local, modelSettings={"claude-opus-5-5": {"autoCompactWindow": 150_000}})
    assert limit_of(project).tokens == 65_000
    write_client_settings(local, autoCompactWindow="auto", modelSettings={"other": 7, "x": {}})
    assert limit_of(project).tokens == 140_000
    assert limit_of(project, env={WINDOW: "200k"}).source == f"client: {WINDOW}"


def test_the_older_clients_state_file_can_switch_it_off(project: Path) -> None:
    state = config_folder().with_name(".claude.json")
    state.write_text('{"autoCompactEnabled": false}')
    assert limit_of(project).source == "client: autoCompactEnabled"
    write_client_settings(config_folder() / "settings.json", autoCompactEnabled=True)
    assert limit_of(project).tokens == 967_000


def test_a_named_config_folder_is_honoured(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "config"))
    write_client_settings(tmp_path / "config" / ".claude.json", autoCompactEnabled=False)
    seen = {"CLAUDE_CONFIG_DIR": str(tmp_path / "config")}
    assert read_client_settings(str(project), OPUS, seen).off_name == "autoCompactEnabled"


@pytest.mark.parametrize("text", ["", "[]", "{", "\x00"])
def test_a_file_of_the_client_that_does_not_parse_says_nothing(project: Path, text: str) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.json").write_text(text)
    assert limit_of(project).tokens == 967_000


@pytest.mark.parametrize(
    ("value", "tokens"),
    [
        ("200k", 200_000), (" 1M ", 1_000_000), (300_000, 300_000), ("1.5m", 1_500_000),
        (50_000, 100_000), ("200", 100_000), (2e5, 200_000), (True, None), (None, None),
        ([], None), ("k", None), ("auto", None), (0, None), (-5, None), ("nan", None),
        ("inf", None), (10**15, None),
    ],
)  # fmt: skip
def test_a_window_is_a_number_or_a_short_text(value: Any, tokens: int | None) -> None:
    assert parse_window(value) == tokens


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-5-5", "claude-opus-5"),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4"),
        ("Claude-Opus-4-8@20260101", "claude-opus-4-8"),
        ("claude-3-5-sonnet-20241022", "claude-3"),
        ("gpt-7", ""),
    ],
)
def test_a_model_is_told_in_every_vendors_spelling(model: str, name: str) -> None:
    assert family_of(model).name == name


def test_the_table_is_in_order() -> None:
    for number, family in enumerate(FAMILIES):
        assert family_of(family.name) is family, f"{family.name} is hidden by one before {number}"
        assert family.window_tokens <= family.longest_window_tokens
    assert family_window("claude-opus-4-6") == 200_000


def test_what_was_told_outlives_a_torn_notebook(project: Path) -> None:
    root = str(project)
    assert note_window(root, OPUS, 1_000_000, "s")
    assert not note_window(root, OPUS + "[1m]", 1_000_000, "s")
    for overhead in (20_000, 44_000, 21_000):
        note_compaction(root, OPUS, None, overhead)
    assert read_model_notes(root, OPUS).overhead_tokens == 21_000
    assert not note_compaction(root, OPUS, None, None)
    for text in ("", "{", "[]", '{"version": 2, "models": {}}'):
        path = Path(model_notes_path(root))
        path.write_text(signed_text(text, path))
        told = read_model_notes(root, OPUS)
        assert (told.window_tokens, told.limit_tokens, told.overhead_tokens) == (None,) * 3
        assert note_compaction(root, OPUS, 5_000, None)
        assert read_model_notes(root, OPUS).limit_tokens == 5_000


def test_two_sessions_of_one_model_have_windows_of_their_own(project: Path) -> None:
    root = str(project)
    assert note_window(root, OPUS, 1_000_000, "long")
    assert note_window(root, OPUS, 200_000, "short")
    notebook = Path(model_notes_path(root))
    before = notebook.stat().st_mtime_ns
    for _ in range(3):  # with every line of their status bars
        assert not note_window(root, OPUS, 1_000_000, "long")
        assert not note_window(root, OPUS, 200_000, "short")
    assert notebook.stat().st_mtime_ns == before
    windows = {
        session: resolve_limit(root, OPUS, Settings(), {}, 0, session).window_tokens
        for session in ("long", "short", "new", "")
    }
    assert windows == {"long": 1_000_000, "short": 200_000, "new": 200_000, "": 200_000}
    assert read_model_notes(root, SONNET, "long").window_tokens is None


@pytest.mark.parametrize(
    "content", ["", "{", "[]", '{"version": 2}', '{"version": 1, "model": "claude-opus-5-5"}',
                '{"version": 1, "model": "claude-opus-5-5", "window_tokens": -1}']
)  # fmt: skip
def test_a_torn_note_of_a_sessions_window_leaves_the_models(project: Path, content: str) -> None:
    root = str(project)
    note_window(root, OPUS, 1_000_000, "s")
    Path(session_folder(root, "s"), "window.json").write_text(content)
    note_window(root, OPUS, 200_000, "other")
    assert read_model_notes(root, OPUS, "s").window_tokens == 200_000


def test_a_window_whose_telling_was_cut_off_is_told_again(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(project)
    for kept in (session_folder(root, "s"), model_notes_path(root)):

        def write(path: str, data: bytes, kept: str = kept) -> None:
            if path.startswith(kept):
                raise KeyboardInterrupt
            replace_atomically(path, data)

        with monkeypatch.context() as patch:
            patch.setattr(told, "replace_atomically", write)
            with pytest.raises(KeyboardInterrupt):
                note_window(root, OPUS, 500_000, "s")
        assert note_window(root, OPUS, 500_000, "s")
        assert limit_of(project).source == "statusline"
        Path(model_notes_path(root)).unlink()
        (Path(session_folder(root, "s")) / "window.json").unlink()


def test_notes_that_cannot_be_read_now_are_not_written_over(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    root = str(project)
    note_compaction(root, OPUS, 166_612, None)
    with monkeypatch.context() as patch:
        patch.setattr(posix, "pread", fail)
        with pytest.raises(OSError, match="Input/output"):
            note_compaction(root, SONNET, 158_145, None)
        assert read_model_notes(root, OPUS).limit_tokens is None
    assert read_model_notes(root, OPUS).limit_tokens == 166_612
    Path(model_notes_path(root)).write_bytes(b" " * 300_000)  # not what we wrote
    note_compaction(root, SONNET, 158_145, None)
    assert read_model_notes(root, SONNET).limit_tokens == 158_145
