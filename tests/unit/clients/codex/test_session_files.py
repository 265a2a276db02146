"""Codex's sessions of a project, its limit and its hooks file."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.clients import reading
from amplihack_compaction.clients.claude_code.wiring.hook_entries import registered_hooks
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    apply_registration,
    apply_removal,
)
from amplihack_compaction.clients.codex import session_files, wiring
from amplihack_compaction.clients.codex.session_files import read_limit
from tests.unit.clients.codex.test_transcripts import ROLLOUT, line_of

ID = "01a20a60-98e4-7863-b0cb-7520a4a1758{}"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEX_HOME", str(tmp_path / "codex"))
    return tmp_path / "codex"


def rollout(home: Path, number: int, folder: str, source: str = "user") -> Path:
    path = home / "sessions/2026/11/23" / f"rollout-2026-11-23T10-00-00-{ID.format(number)}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    meta = {"id": ID.format(number), "cwd": folder, "thread_source": source}
    path.write_bytes(line_of(meta, "session_meta") + b"\n")
    return path


def test_the_sessions_of_a_project_are_those_that_were_begun_in_it(home: Path) -> None:
    ours = rollout(home, 1, "/p/shop")
    rollout(home, 2, "/p/shop2")
    rollout(home, 3, "/p/shop", "subagent")
    assert session_files.project_transcripts("/p/shop", []) == [ours]
    assert reading.project_transcripts("/p/shop") == [ours]
    assert reading.session_id_of(ours) == ID.format(1)


def test_a_session_is_found_by_its_id(home: Path) -> None:
    ours = rollout(home, 1, "/p/shop")
    assert reading.session_transcript("/p/shop", ID.format(1)) == ours
    assert reading.session_transcript("/p/other", ID.format(1)) is None
    for odd in (ID.format(9), "*", "", f"{ID.format(1)[:-1]}*", "../" * 12):
        assert reading.session_transcript("/p/shop", odd) is None


def test_the_limit_is_the_users_else_nine_tenths_of_the_window(home: Path) -> None:
    home.mkdir()
    assert read_limit(str(ROLLOUT)) == (90_000, 100_000, "client: model_context_window")
    (home / "config.toml").write_text("model_auto_compact_token_limit = 50000\n")
    told = (50_000, 100_000, "client: model_auto_compact_token_limit")
    assert read_limit(str(ROLLOUT)) == told
    (home / "config.toml").write_text("= no toml")
    assert read_limit(str(ROLLOUT)) == (90_000, 100_000, "client: model_context_window")


def test_the_hooks_of_others_keep_their_bytes(home: Path, tmp_path: Path) -> None:
    scope = wiring.client_file(tmp_path)
    scope.path.parent.mkdir()
    before = b'{ "hooks": {"Stop": [{"hooks": [{"type":"command","command":"say done"}]}]} }\n'
    scope.path.write_bytes(before)
    apply_registration(wiring.plan_client_registration(scope))
    hooks = registered_hooks(scope.path.read_text())
    assert len(hooks) == 10
    assert "say done" in scope.path.read_text()
    groups = json.loads(scope.path.read_text())["hooks"]["SessionEnd"]
    entries = [entry for group in groups for entry in group["hooks"]]
    assert [entry["timeout"] for entry in entries] == [3, 3]
    assert not any("async" in entry for entry in entries)
    (group,) = json.loads(scope.path.read_text())["hooks"]["PreToolUse"]
    assert group["hooks"][0]["additionalContextLimit"] == 0  # else what it tells is cut
    apply_removal(wiring.plan_client_removal(scope))
    assert scope.path.read_bytes() == before


def test_the_users_own_file_lies_in_the_clients_home(home: Path, tmp_path: Path) -> None:
    assert wiring.client_file(tmp_path, user=True).path == home / "hooks.json"
