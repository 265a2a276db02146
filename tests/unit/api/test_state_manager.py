"""The original's interface over what the hooks do."""

import errno
import json
import os
from pathlib import Path

import pytest

from amplihack_compaction import CompactionResult, ContextWarning, StateManager
from amplihack_compaction.api import state_manager
from amplihack_compaction.base.errors import CompactionError, SnapshotError, TranscriptError
from amplihack_compaction.context.levels import Level
from amplihack_compaction.handoff.checkpoint import list_checkpoints
from amplihack_compaction.handoff.handoff_document import Handoff
from tests.support.processes import run_in_process
from tests.support.sessions import write_own_settings
from tests.support.signing import signed_text
from tests.unit.handoff.kept import OTHER, RULE, Kept

WINDOW = {"CLAUDE_CODE_AUTO_COMPACT_WINDOW": "200000"}
LIMIT_TOKENS = 167_000


@pytest.fixture(autouse=True)
def limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give the session a limit of 167,000 tokens."""
    for name, value in WINDOW.items():
        monkeypatch.setenv(name, value)


def fill(kept: Kept, ratio: float) -> None:
    kept.usage(int(ratio * LIMIT_TOKENS) + 1)


def test_a_level_is_told_once_until_the_context_really_falls(kept: Kept) -> None:
    manager = StateManager(kept.root)
    told = []
    for ratio in (0.5, 0.71, 0.75, 0.69, 0.72, 0.86, 0.96, 0.97, 0.4, 0.96):
        fill(kept, ratio)
        warning = manager.before_tool_use()
        told.append(f"{warning.severity} {warning.level}" if warning else "")
    assert told == [
        "", "warning compact", "", "", "", "critical summarize", "emergency handoff", "", "",
        "emergency handoff",
    ]  # fmt: skip


def test_a_jump_does_all_that_is_due_and_tells_the_highest(kept: Kept) -> None:
    fill(kept, 0.97)
    warning = StateManager(kept.root).before_tool_use(kept.session_id)
    assert warning is not None
    assert (warning.severity, warning.level) == ("emergency", "handoff")
    assert warning.action
    for folder in ("snapshots", "checkpoints", "handoffs"):
        assert f"/{folder}/" in warning.message
        assert kept.files(f"{folder}/*")


def test_what_the_hook_has_told_is_not_told_again(kept: Kept) -> None:
    fill(kept, 0.86)
    stdin = {
        "session_id": kept.session_id,
        "transcript_path": str(kept.path),
        "hook_event_name": "PreToolUse",
        "tool_name": "Bash",
    }
    assert "% full" in run_in_process("PreToolUse", stdin, Path(kept.root)).context
    assert StateManager(kept.root).before_tool_use() is None


def test_the_status_and_each_check_are_kept_as_metrics(kept: Kept) -> None:
    fill(kept, 0.5)
    manager = StateManager(kept.root, kept.session_id)
    status = manager.get_context_status("login")
    assert status is not None
    assert (status.max_tokens, status.level) == (LIMIT_TOKENS, "raw")
    manager.before_tool_use()
    lines = (kept.runtime / "token_metrics.jsonl").read_text().splitlines()
    metrics = [json.loads(line) for line in lines]
    assert [m["tokens"] for m in metrics] == [status.current_tokens] * 2
    assert metrics[0]["percent"] == status.usage_percentage


def test_a_session_that_told_no_numbers_has_no_status(kept: Kept) -> None:
    for line in kept.transcript.lines:
        line["message"].pop("usage", None)
    kept.write()
    manager = StateManager(kept.root)
    assert manager.get_context_status() is None
    assert manager.before_tool_use() is None
    assert manager.load_unified_state().token_count == 0


def test_values_are_saved_with_the_state_and_the_levels_checked(kept: Kept) -> None:
    fill(kept, 0.72)
    manager = StateManager(kept.root)
    warning = manager.save_unified_state({"progress": 40, "note": "half"}, "login")
    assert warning is not None
    assert warning.level == "compact"
    assert manager.save_unified_state() is None
    loaded = StateManager(kept.root).load_unified_state()
    assert (loaded.feature, loaded.data) == ("login", {"progress": 40, "note": "half"})
    assert LIMIT_TOKENS * 0.72 < loaded.token_count < LIMIT_TOKENS * 0.73
    assert [rule.text for rule in loaded.state.active_rules] == [RULE]
    assert kept.files("snapshots/*.json")


def test_each_feature_has_its_own_values(kept: Kept) -> None:
    manager = StateManager(kept.root)
    for feature in ("login", "search", "export"):
        manager.save_unified_state({"step": feature}, feature)
    manager.save_unified_state(None, "search")
    for feature in ("login", "search", "export"):
        loaded = manager.load_unified_state(feature)
        assert (loaded.feature, loaded.data) == (feature, {"step": feature})
    assert manager.load_unified_state().feature == "search"
    loaded = manager.load_unified_state("billing")
    assert (loaded.feature, loaded.data) == ("billing", {})


def test_values_that_are_no_json_are_a_clear_error(kept: Kept) -> None:
    with pytest.raises(CompactionError, match="cannot be saved"):
        StateManager(kept.root).save_unified_state({"x": object()})


def test_secrets_in_values_are_not_stored(kept: Kept) -> None:
    key = "sk-ant-" + "a1b2c3d4" * 5
    StateManager(kept.root).save_unified_state({"key": key})
    assert key not in (kept.folder / "unified.json").read_text()


@pytest.mark.parametrize(
    ("content", "reason"), [("{", "cannot be read"), ('{"version": 9, "data": {}}', "version 9")]
)
def test_values_that_cannot_be_read_are_a_clear_error_and_stay(
    kept: Kept, content: str, reason: str
) -> None:
    path = kept.folder / "unified.json"
    path.parent.mkdir(parents=True)
    path.write_text(signed_text(content, path))
    manager = StateManager(kept.root)
    with pytest.raises(SnapshotError, match=reason):
        manager.load_unified_state()
    with pytest.raises(SnapshotError, match=reason):
        manager.save_unified_state({"x": 1})
    assert path.read_text() == signed_text(content, path)
    path.write_text(content)
    with pytest.raises(SnapshotError, match="no mark of this user's: move it away"):
        manager.load_unified_state()


def test_values_that_cannot_be_read_for_a_moment_are_not_written_over(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = StateManager(kept.root)
    manager.save_unified_state({"progress": 40})

    def fail(*_: object) -> bytes | None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(state_manager, "read_if_there", fail)
        with pytest.raises(SnapshotError, match="cannot be read: Input/output error"):
            manager.save_unified_state()
        with pytest.raises(SnapshotError, match="cannot be read: Input/output error"):
            manager.load_unified_state()
    assert manager.load_unified_state().data == {"progress": 40}


def test_checkpoint_and_handoff_are_made_under_the_features_name(kept: Kept) -> None:
    manager = StateManager(kept.root)
    assert manager.create_checkpoint("context_overflow", "login").feature == "login"
    assert manager.create_checkpoint("x", kept.session_id).feature == "feat/login"
    handoff = manager.create_handoff_document("login")
    assert Path(handoff.path).is_file()
    assert len(list_checkpoints(kept.root)) == 3


def test_what_the_disk_refuses_is_a_clear_error(kept: Kept) -> None:
    fill(kept, 0.9)
    kept.folder.mkdir(parents=True)
    for name in ("checkpoints", "snapshots", "levels"):
        (kept.folder / name).write_text("")
    manager = StateManager(kept.root)
    with pytest.raises(CompactionError, match="checkpoint cannot be written"):
        manager.create_checkpoint("x")
    with pytest.raises(CompactionError, match="handoff cannot be written"):
        manager.create_handoff_document()
    with pytest.raises(CompactionError, match="levels cannot be written"):
        manager.before_tool_use()


def test_the_session_is_the_one_named_else_the_newest(kept: Kept) -> None:
    other = Kept(Path(kept.root), OTHER)
    os.utime(kept.path, (1, 1))
    assert StateManager(kept.root).load_unified_state().session_id == OTHER
    assert StateManager(kept.root).load_unified_state(kept.session_id).session_id == kept.session_id
    named = StateManager(kept.root, kept.session_id)
    assert named.load_unified_state("login").session_id == kept.session_id
    assert named.load_unified_state(other.session_id).session_id == OTHER
    with pytest.raises(TranscriptError, match="no transcript of session gone"):
        StateManager(kept.root, "gone").load_unified_state()
    with pytest.raises(TranscriptError, match="is recorded"):
        StateManager(f"{kept.root}/elsewhere").get_context_status()


def test_a_warning_is_handled_where_the_user_wants_it(kept: Kept, project: Path) -> None:
    feature = project / "features" / "login"
    feature.mkdir(parents=True)
    log = "".join(f"2026-01-02 10:00:00 INFO request {n} served\n" for n in range(400))
    (feature / "progress.md").write_text(f"# Progress\n\n```\n{log}```\n")
    manager = StateManager(project)
    levels: tuple[Level, ...] = ("raw", "compact", "summarize", "handoff")
    warnings = {
        level: ContextWarning(severity="warning", message="", action="", level=level)
        for level in levels
    }
    assert manager.handle_context_warning("login", warnings["compact"]) is None
    write_own_settings(auto=True)
    assert manager.handle_context_warning("login", warnings["raw"]) is None
    compacted = manager.handle_context_warning("login", warnings["compact"])
    assert isinstance(compacted, CompactionResult)
    assert compacted.saved_tokens > 0
    assert manager.trigger_compaction() is None
    # A session is no feature: its active one is meant, and none is.
    assert manager.handle_context_warning(kept.session_id, warnings["compact"]) is None
    handed = manager.handle_context_warning("login", warnings["handoff"])
    assert isinstance(handed, Handoff)
