"""The automatic snapshot, and what is done as the context fills."""

import json
import math
import os
from pathlib import Path

import pytest

from amplihack_compaction import (
    AutoCompactionManager,
    create_auto_compaction_manager,
    trigger_auto_compaction,
)
from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.handoff.level_actions import run_level_actions
from amplihack_compaction.handoff.session_offers import announced
from amplihack_compaction.injection.snapshot import load_snapshot
from tests.support.processes import log_of
from tests.unit.handoff.kept import RULE, Kept, read_json, status


def events(kept: Kept) -> list[dict[str, object]]:
    lines = (kept.runtime / "auto_events.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_it_triggers_from_the_threshold_on(project: Path) -> None:
    manager = create_auto_compaction_manager(project)
    assert [manager.should_trigger(ratio) for ratio in (0.0, 0.79, 0.8, 1.4)] == [
        False, False, True, True
    ]  # fmt: skip
    assert manager.should_trigger(0.5, threshold=0.5)
    assert not manager.should_trigger(math.nan)


def test_the_snapshot_holds_the_core_and_the_event_says_what_it_costs(kept: Kept) -> None:
    kept.usage(140_000)
    manager = AutoCompactionManager(kept.root)
    assert manager.get_snapshot_path() is None
    taken = manager.trigger(kept.session_id, plan_id="plan-7")
    assert manager.get_snapshot_path() == taken.snapshot_path
    assert not manager.should_trigger(0.99)
    state = load_snapshot(str(kept.folder), taken.snapshot_id).state
    assert [rule.text for rule in state.active_rules] == [RULE]
    (event,) = events(kept)
    assert event == {
        "type": "auto_compaction_complete",
        "source": "auto-compaction-manager",
        "timestamp": taken.timestamp,
        "session_id": kept.session_id,
        "plan_id": "plan-7",
        "payload": {
            "snapshotPath": taken.snapshot_path,
            "compressionRatio": round(taken.compacted_tokens / taken.original_tokens, 4),
            "originalTokens": taken.original_tokens,
            "compactedTokens": taken.compacted_tokens,
        },
    }
    assert 140_000 <= taken.original_tokens < 141_000
    assert 0 < taken.compacted_tokens < 2_100


def test_twice_in_one_window_is_refused(kept: Kept) -> None:
    manager = AutoCompactionManager(kept.root)
    manager.trigger(kept.session_id)
    for other in (manager, AutoCompactionManager(kept.root)):
        with pytest.raises(CompactionError, match="for this window already"):
            other.trigger(kept.session_id)
    kept.transcript.compact("They talked.")
    kept.say("Go on.")
    assert trigger_auto_compaction(kept.root, kept.session_id).snapshot_id
    assert len(events(kept)) == 2


def test_reset_allows_another_in_the_same_window(kept: Kept) -> None:
    manager = AutoCompactionManager(kept.root)
    manager.reset()
    first = manager.trigger(kept.session_id)
    manager.reset()
    assert manager.should_trigger(0.9)
    assert manager.get_snapshot_path() is None
    assert Path(first.snapshot_path).exists()
    assert manager.trigger(kept.session_id)


def test_reset_allows_another_where_somebody_else_took_the_first(kept: Kept) -> None:
    trigger_auto_compaction(kept.root, kept.session_id)
    manager = AutoCompactionManager(kept.root)
    with pytest.raises(CompactionError, match="until reset"):
        manager.trigger(kept.session_id)
    manager.reset()
    assert manager.trigger(kept.session_id)


def test_a_session_without_a_transcript_is_a_clear_error(project: Path) -> None:
    for session_id in ("unknown", "", "../../etc/passwd", "x" * 5000):
        with pytest.raises(TranscriptError, match="no transcript of session"):
            trigger_auto_compaction(project, session_id)


def test_without_usage_the_ratio_is_nought(kept: Kept) -> None:
    for line in kept.transcript.lines:
        line["message"].pop("usage", None)
    kept.write()
    taken = trigger_auto_compaction(kept.root, kept.session_id)
    assert (taken.original_tokens, taken.compression_ratio) == (0, 0.0)


def blocked(kept: Kept, name: str) -> Path:
    """Put a file where a folder is needed, so that nothing can be written below it."""
    path = kept.folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return path


def test_what_the_disk_refuses_is_a_clear_error_and_can_be_tried_again(kept: Kept) -> None:
    path = blocked(kept, "snapshots")
    manager = AutoCompactionManager(kept.root)
    with pytest.raises(CompactionError, match="cannot be written"):
        manager.trigger(kept.session_id)
    path.unlink()
    assert manager.trigger(kept.session_id)


def run(kept: Kept, *ratios: float) -> list[str]:
    return run_level_actions(kept.root, kept.session_id, str(kept.path), status(), ratios)


def test_each_ratio_has_its_action(kept: Kept) -> None:
    assert run(kept, 0.70, 0.85) == []
    (snapshot,) = run(kept, 0.80)
    assert Path(snapshot).parent.name == "snapshots"
    (checkpoint,) = run(kept, 0.90)
    assert read_json(Path(checkpoint))["reason"] == "context_overflow"
    (handoff,) = run(kept, 0.95)
    assert RULE in Path(handoff).read_text()


def test_one_result_that_jumps_over_all_does_all(kept: Kept) -> None:
    paths = run(kept, 0.70, 0.80, 0.85, 0.90, 0.95)
    assert [Path(path).parent.name for path in paths] == ["snapshots", "checkpoints", "handoffs"]
    assert all(Path(path).is_file() for path in paths)
    offer = announced(kept.root, kept.session_id)
    assert offer is not None
    assert offer.handoff == paths[2]


def test_a_crossing_after_a_real_fall_is_acted_on_with_what_was_said_since(kept: Kept) -> None:
    run(kept, 0.80, 0.95)
    kept.say("Never use tabs.")
    snapshot, handoff = run(kept, 0.80, 0.95)
    assert "Never use tabs." in Path(snapshot).read_text()
    assert "Never use tabs." in Path(handoff).read_text()


@pytest.mark.parametrize(
    ("name", "count"), [("snapshots", 0), ("auto", 2), ("checkpoints", 1), ("handoffs", 2)]
)
def test_disk_trouble_is_logged_and_the_rest_is_done(kept: Kept, name: str, count: int) -> None:
    blocked(kept, name)
    assert len(run(kept, 0.80, 0.90, 0.95)) == count
    assert all("could not be written" in line for line in log_of(Path(kept.root)))
    assert log_of(Path(kept.root))


def test_a_transcript_that_cannot_be_read_is_logged(kept: Kept) -> None:
    said: list[str] = []
    kept.path.write_text("")
    os.unlink(kept.path)
    done = run_level_actions(kept.root, "s", str(kept.path), status(), [0.8], said.append)
    assert done == []
    assert "could not be kept" in said[0]


def test_secrets_are_in_nothing_that_is_written(kept: Kept) -> None:
    secret = "sk-ant-" + "a1b2c3d4" * 5
    kept.say(f"Always use the key {secret} for tests.")
    paths = run(kept, 0.80, 0.90, 0.95)
    assert len(paths) == 3
    for path in kept.runtime.rglob("*"):
        if path.is_file():
            assert secret not in path.read_text(), path
            assert path.stat().st_mode & 0o777 == 0o600 or path.name == ".gitignore"
