"""A fresh start from a snapshot, from a planning folder, from both and from nothing."""

import json
import os
import time
from pathlib import Path

import pytest

from amplihack_compaction import inject_compacted_context, prepare_fresh_start
from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.size_limits import INJECTION_LIMIT_UTF16, STATE_HEAD
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.handoff.checkpoint import create_checkpoint, snapshot_now
from amplihack_compaction.handoff.fresh_start import collect, next_action
from amplihack_compaction.injection.snapshot import open_snapshot, project_snapshots, take_snapshot
from amplihack_compaction.ledger.stored import continue_from, continued_state, current_state
from amplihack_compaction.text.words import utf16_length
from tests.support.sessions import write_settings
from tests.support.signing import signed_text
from tests.support.states import full_state
from tests.unit.handoff.kept import OBJECTIVE, OTHER, RULE, TODO, Kept


def full_snapshot(project: Path) -> str:
    """Take a snapshot in which every field is filled."""
    folder = project / ".claude/runtime/power-steering/sessions/s"
    return take_snapshot(str(folder), full_state(), 0, "/t.jsonl", 9).id


def test_everything_is_restored_with_the_next_action(project: Path) -> None:
    identifier = full_snapshot(project)
    fresh = prepare_fresh_start(project=project)
    assert fresh is not None
    compacted = fresh.compacted
    assert compacted.snapshot_id == identifier
    assert compacted.decisions == ("Which database? -> Postgres (because: we know it)",)
    assert "The test of x fails" in compacted.unresolved_issues
    assert (compacted.phase, compacted.task) == ("Write the lexer", "Run it")
    assert compacted.recent_learnings == ("The clock is mocked",)
    assert compacted.next_action == "Run it"
    assert fresh.prompt.startswith(STATE_HEAD)
    assert fresh.prompt.endswith(fresh.instructions)
    assert "Next action: Run it" in fresh.instructions
    for known in ("Never push to main.", "Postgres", "The clock is mocked", "Write the docs"):
        assert known in fresh.prompt


def test_latest_is_the_newest_of_all_sessions(kept: Kept) -> None:
    first = snapshot_now(kept.moment())
    other = Kept(Path(kept.root), OTHER)
    second = snapshot_now(other.moment())
    newest = kept.folder / "snapshots" / f"{first}.json"
    os.utime(newest, ns=(time.time_ns(), time.time_ns() + 10**9))
    for name, expected in (("latest", first), (first, first), (second, second)):
        fresh = prepare_fresh_start(name, kept.root)
        assert fresh is not None
        assert fresh.compacted.snapshot_id == expected


def test_a_checkpoints_id_leads_to_its_snapshot(kept: Kept) -> None:
    checkpoint = create_checkpoint(kept.moment(), "x")
    fresh = prepare_fresh_start(checkpoint.id, kept.root)
    assert fresh is not None
    assert fresh.compacted.snapshot_id == checkpoint.snapshot
    assert fresh.compacted.objective == f"{RULE} {OBJECTIVE} The port is 8443."
    assert fresh.compacted.open_todos == (TODO, "Ship it")


def test_without_anything_recorded_it_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    assert prepare_fresh_start() is None
    assert inject_compacted_context().startswith("# No context snapshot available")
    for name in ("20200101-000000-0000", "../../x", ""):
        with pytest.raises(SnapshotError, match="there is no snapshot"):
            prepare_fresh_start(name)


def test_a_snapshot_that_was_named_wrong_is_told_with_what_there_is(kept: Kept) -> None:
    known = snapshot_now(kept.moment())
    with pytest.raises(SnapshotError, match=f"known snapshots: {known}"):
        prepare_fresh_start("20200101-000000-0000", kept.root)
    assert "cannot be used" in inject_compacted_context("20200101-000000-0000", kept.root)


def broken(kept: Kept, content: str) -> str:
    """Put something that cannot be used before the session's good snapshot."""
    snapshot_now(kept.moment())
    path = kept.folder / "snapshots" / "20990101-000000-ffff.json"
    path.write_text(signed_text(content, path))
    os.utime(path, ns=(time.time_ns(), time.time_ns() + 10**10))
    return path.stem


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "cannot be read"),
        ("", "cannot be read"),
        ('{"version": 99}', "version 99; update"),
        (json.dumps({"version": 1, "session_id": "another", "created": "", "window_start": 0,
                     "transcript_path": "", "transcript_bytes": 0, "state": {}}),
         "folder of another one"),
    ],
)  # fmt: skip
def test_a_snapshot_that_cannot_be_used_is_named_and_an_older_one_serves(
    kept: Kept, content: str, reason: str
) -> None:
    identifier = broken(kept, content)
    with pytest.raises(SnapshotError, match=reason):
        prepare_fresh_start(identifier, kept.root)
    assert reason in inject_compacted_context(identifier, kept.root)
    fresh = prepare_fresh_start("latest", kept.root)
    assert fresh is not None
    assert reason in fresh.skipped[0]
    assert "What may be newer was passed over" in fresh.prompt
    assert RULE in fresh.prompt
    path = kept.folder / "snapshots" / f"{identifier}.json"
    assert path.read_text() == signed_text(content, path)


def test_only_snapshots_that_cannot_be_used_are_an_error(kept: Kept) -> None:
    identifier = broken(kept, "{")
    for file in kept.files("snapshots/*.json"):
        if file.stem != identifier:
            file.unlink()
    with pytest.raises(SnapshotError, match="cannot be read"):
        prepare_fresh_start("latest", kept.root)
    plan(Path(kept.root), STATE="Phase: 2\n")
    fresh = prepare_fresh_start("latest", kept.root)
    assert fresh is not None
    assert "What may be newer was passed over" in fresh.instructions  # a folder serves, and says so


def test_another_users_snapshot_is_not_read(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot_now(kept.moment())
    (file,) = project_snapshots(kept.root)
    me = os.geteuid()
    monkeypatch.setattr("posix.geteuid", lambda: me + 1)
    with pytest.raises(SnapshotError, match="belongs to another user"):
        open_snapshot(file)


def test_a_long_text_stays_below_the_clients_limit_with_its_instructions(kept: Kept) -> None:
    write_settings(Path(kept.root), injection_tokens=20_000)
    for number in range(300):
        kept.transcript.user(f"Never touch the file number {number} of the old application.")
    kept.say("Go on.")
    identifier = snapshot_now(kept.moment())
    fresh = prepare_fresh_start(identifier, kept.root)
    assert fresh is not None
    assert 5_000 < utf16_length(fresh.prompt) <= INJECTION_LIMIT_UTF16
    assert fresh.prompt.endswith(fresh.instructions)
    smaller = prepare_fresh_start(identifier, kept.root, budget_tokens=600)
    assert smaller is not None
    assert len(smaller.prompt) < len(fresh.prompt)


def plan(project: Path, **files: str) -> None:
    folder = project / ".planning"
    folder.mkdir()
    for name, text in files.items():
        (folder / f"{name}.md").write_text(text)


def test_a_planning_folder_serves_where_there_is_no_snapshot(project: Path) -> None:
    plan(project, STATE="Phase: 2 of 4\n\n## Decisions\n- Use SQLite\n", PLAN="# Plan\n- [ ] Do x")
    fresh = prepare_fresh_start(project=project)
    assert fresh is not None
    assert fresh.compacted.source == "planning"
    assert fresh.compacted.state is None
    assert "Phase: 2 of 4" in fresh.prompt
    assert "- Use SQLite" in fresh.prompt
    assert "Next action: Do x" in fresh.prompt
    assert STATE_HEAD not in fresh.prompt
    told = ["# From the planning folder (STATE.md, PLAN.md)", "Phase: 2 of 4", "Plan: Plan"]
    told += ["Task: Do x", "Next action: Do x", "## Decisions", "- Use SQLite"]
    assert fresh.prompt.splitlines() == told  # what there is, alone


def test_what_is_empty_has_no_line(project: Path) -> None:
    plan(project, STATE="## Decisions\n- Use SQLite\n")
    fresh = prepare_fresh_start(project=project)
    assert fresh is not None
    told = ["# From the planning folder (STATE.md)", "## Decisions", "- Use SQLite"]
    assert fresh.instructions.splitlines() == told


def test_snapshot_and_planning_folder_are_joined(kept: Kept) -> None:
    snapshot_now(kept.moment())
    plan(Path(kept.root), STATE="Phase: 2\nPlan: 02-01\n## Lessons\n- Clocks drift\n")
    compacted = prepare_fresh_start(project=kept.root)
    assert compacted is not None
    assert compacted.compacted.source == "snapshot+planning"
    assert (compacted.compacted.phase, compacted.compacted.plan) == ("2", "02-01")
    assert compacted.compacted.recent_learnings == ("Clocks drift",)
    assert RULE in compacted.prompt
    assert "- Clocks drift" in compacted.prompt


def test_what_a_planning_folder_says_is_not_told_as_the_sessions(project: Path) -> None:
    full_snapshot(project)
    plan(project, STATE="Phase: 2\nNext: Push it\n## Blockers\n- The sandbox is down\n")
    fresh = prepare_fresh_start(project=project)
    assert fresh is not None
    session, _, folder = fresh.prompt.partition("# From the planning folder (STATE.md)\n")
    assert "Phase: Write the lexer\n" in session
    assert "The sandbox is down" not in session
    assert "Next action: Run it\n" in session
    told = ["Phase: 2", "Unresolved issues: 1", "- The sandbox is down", "Next action: Push it"]
    assert folder.splitlines() == told


def test_nothing_collected_says_what_is_not_recorded() -> None:
    assert collect(None, None).source == ""
    assert next_action(SessionState()) == ""
    assert next_action(full_state()) == "Run it"


def test_a_slash_command_is_no_next_action(kept: Kept) -> None:
    kept.transcript.lines.clear()
    kept.say(OBJECTIVE)
    kept.say("/review the login page")
    assert next_action(kept.moment().state) == OBJECTIVE


def test_the_session_that_runs_is_no_earlier_one(kept: Kept) -> None:
    own = snapshot_now(kept.moment())
    assert prepare_fresh_start(project=kept.root, running=kept.session_id) is None
    named = prepare_fresh_start(own, kept.root, running=kept.session_id)
    assert named is not None
    other = snapshot_now(Kept(Path(kept.root), OTHER).moment())
    fresh = prepare_fresh_start(project=kept.root, running=kept.session_id)
    assert fresh is not None
    assert fresh.compacted.snapshot_id == other


def test_a_session_that_goes_on_has_the_rules_of_the_one_before(kept: Kept) -> None:
    state = kept.moment().state
    new = Kept(Path(kept.root), OTHER)
    new.transcript.lines.clear()
    new.say("Never use tabs. Go on.")
    continue_from(str(new.folder), OTHER, state)
    folded = current_state(str(new.folder), OTHER, str(new.path))
    assert [rule.text for rule in folded.state.active_rules] == [RULE, "Never use tabs."]
    assert [todo.text for todo in folded.state.open_todos] == [TODO, "Ship it"]
    assert folded.state.turns == 1
    new.transcript.compact("They talked.")
    new.say("More.")
    again = current_state(str(new.folder), OTHER, str(new.path))
    assert [rule.text for rule in again.state.active_rules] == [RULE, "Never use tabs."]
    (new.folder / "ledger.json").write_text("{")
    assert current_state(str(new.folder), OTHER, str(new.path)).state == again.state


def test_what_is_no_state_to_go_on_from_is_passed_over(kept: Kept) -> None:
    folder = kept.folder
    continue_from(str(folder), "someone else", full_state())
    assert continued_state(str(folder), kept.session_id) is None
    (folder / "continues.json").write_text("{")
    assert continued_state(str(folder), kept.session_id) is None
    assert kept.moment().state.active_rules
