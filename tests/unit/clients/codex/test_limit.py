"""When Codex compacts: by its settings, else by its model's window."""

import json
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.clients.codex.session_files import read_limit


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "codex"
    folder.mkdir()
    monkeypatch.setenv("CODEX_HOME", str(folder))
    return folder


def rollout(folder: Path, *payloads: Any) -> str:
    path = folder / "rollout-1.jsonl"
    lines = [json.dumps({"type": "event_msg", "payload": payload}) for payload in payloads]
    # A window that a text only quotes is no number of the client's.
    torn = '{"payload": {"model_context_window":'
    path.write_text("\n".join([*lines, '{"a": "model_context_window"}', torn]) + "\n")
    return str(path)


def test_nine_tenths_of_the_window_are_the_limit(home: Path) -> None:
    told = {"info": {"model_context_window": 190_000}}
    path = rollout(home, {"model_context_window": 95_000}, told, {"model_context_window": 0})
    assert read_limit(path) == (180_000, 200_000, "client: model_context_window")
    path = rollout(home, told, {"info": None, "model_context_window": 95_000})
    assert read_limit(path) == (90_000, 100_000, "client: model_context_window")


def test_the_settings_name_the_limit(home: Path) -> None:
    config = home / "config.toml"
    config.write_text("model_auto_compact_token_limit = 60000\n")
    named = "client: model_auto_compact_token_limit"
    assert read_limit(rollout(home)) == (60_000, 60_000, named)
    path = rollout(home, {"model_context_window": 95_000})
    assert read_limit(path) == (60_000, 100_000, named)
    for unusable in (
        "model_auto_compact_token_limit = -1",
        "model_auto_compact_token_limit = [",
        "",
    ):
        config.write_text(unusable)
        assert read_limit(path) == (90_000, 100_000, "client: model_context_window")


def test_without_either_nothing_is_known(home: Path) -> None:
    assert read_limit(rollout(home, {"info": {"model_context_window": "large"}}, "text")) is None
    with pytest.raises(OSError, match="rollout"):
        read_limit(str(home / "rollout-2.jsonl"))
