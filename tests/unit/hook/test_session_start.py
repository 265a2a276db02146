"""What a new session is offered at SessionStart, by setting, source and how the last ended."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.installation import own_command
from amplihack_compaction.handoff.level_actions import run_level_actions
from amplihack_compaction.handoff.session_offers import announced, offers_folder
from amplihack_compaction.injection.snapshot import list_snapshots
from amplihack_compaction.ledger.guard import read_guard
from tests.support.processes import log_of, run_in_process
from tests.support.sessions import Session, write_own_settings, write_settings
from tests.support.signing import change_signed
from tests.unit.handoff.kept import OTHER, RULE, TODO, Kept, status

PID = "4711"


@pytest.fixture
def kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Return a session in the client of process 4711 that the hooks have seen."""
    monkeypatch.setenv("CLAUDE_PID", PID)
    session = Kept(project)
    session.folder.mkdir(parents=True)
    return session


def hook(kept: Kept, event: str, session_id: str = "", **fields: Any) -> dict[str, Any]:
    stdin = {
        "session_id": session_id or kept.session_id,
        "transcript_path": str(kept.path if not session_id else kept.path.with_name("new.jsonl")),
        "hook_event_name": event,
        **fields,
    }
    answer = run_in_process(event, stdin, Path(kept.root))
    return json.loads(answer.stdout) if answer.stdout else {}


def end(kept: Kept, reason: str = "other") -> None:
    assert hook(kept, "SessionEnd", reason=reason) == {}


def start(kept: Kept, source: str = "startup", session_id: str = OTHER) -> str:
    answer = hook(kept, "SessionStart", session_id, source=source)
    return str(answer.get("hookSpecificOutput", {}).get("additionalContext", ""))


def automatic(kept: Kept, *ratios: float) -> None:
    run_level_actions(kept.root, kept.session_id, str(kept.path), status(), ratios or (0.8,))


def test_by_default_one_line_is_offered_to_user_and_model(kept: Kept) -> None:
    automatic(kept)
    end(kept)
    answer = hook(kept, "SessionStart", OTHER, source="startup")
    line = answer["hookSpecificOutput"]["additionalContext"]
    assert answer["systemMessage"] == line
    assert "\n" not in line
    (identifier,) = list_snapshots(str(kept.folder))
    assert f"{own_command()} fresh-start {identifier}`" in line
    assert RULE not in line
    assert start(kept) == ""


def test_the_command_is_named_such_that_the_shell_finds_it(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = tmp_path / "my env" / "bin"
    own.mkdir(parents=True)
    for name in ("python", "amplihack-compaction"):
        (own / name).write_text("")
        (own / name).chmod(0o700)
    monkeypatch.setattr("sys.prefix", str(own.parent))
    monkeypatch.setattr("sys.base_prefix", "/usr")
    for path, command in ((str(own), "`amplihack-compaction "), ("/none", f"`'{own}/amplihack")):
        monkeypatch.setenv("PATH", path)
        automatic(kept)
        end(kept)
        assert command in start(kept)


def test_where_the_slash_command_is_there_it_is_named(kept: Kept) -> None:
    commands = Path(kept.root) / ".claude" / "commands"
    commands.mkdir()
    (commands / "fresh-start.md").write_text("x")
    automatic(kept, 0.8, 0.95)
    end(kept)
    line = start(kept)
    assert "`/fresh-start " in line
    assert str(kept.files("handoffs/*.txt")[0]) in line


def test_in_the_plugin_its_slash_command_is_named(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PLUGIN_ROOT", "/plugins/amplihack-compaction")
    automatic(kept)
    end(kept)
    assert "`/amplihack-compaction:fresh-start " in start(kept)


def test_with_inject_the_whole_context_is_given_and_the_ledger_goes_on(kept: Kept) -> None:
    write_own_settings(fresh_start="inject")
    automatic(kept)
    kept.say("Never use tabs.")
    end(kept)
    answer = hook(kept, "SessionStart", OTHER, source="startup")
    assert "goes on from snapshot" in answer["systemMessage"]
    text = answer["hookSpecificOutput"]["additionalContext"]
    for known in (RULE, "Never use tabs.", f"- [ ] {TODO}", "Next action"):
        assert known in text
    continues = kept.runtime / "sessions" / OTHER / "continues.json"
    assert json.loads(continues.read_text())["session_id"] == OTHER
    assert RULE in [rule.text for rule in read_guard(str(continues.parent))]  # at once


def test_switched_off_nothing_is_said_and_the_offer_stays(kept: Kept) -> None:
    automatic(kept)
    write_settings(Path(kept.root), fresh_start="off")
    end(kept, "clear")
    assert start(kept) == ""
    assert start(kept, "clear") == ""
    assert announced(kept.root, kept.session_id) is not None
    file = Path(offers_folder(kept.root)) / f"{kept.session_id}.json"
    change_signed(file, at=1_000_000.0)
    assert start(kept) == ""
    assert not file.exists()  # a day old, it is nobody's any more


def test_an_ordinary_session_leaves_nothing(kept: Kept) -> None:
    end(kept)
    assert not Path(offers_folder(kept.root)).exists()
    assert list_snapshots(str(kept.folder)) == []
    assert start(kept) == start(kept, "clear") == ""
    assert log_of(Path(kept.root)) == []


def test_a_cleared_session_that_was_compacted_is_offered(kept: Kept) -> None:
    run_in_process(
        "PreCompact",
        {"session_id": kept.session_id, "transcript_path": str(kept.path),
         "hook_event_name": "PreCompact", "trigger": "manual"},
        Path(kept.root),
    )  # fmt: skip
    end(kept, "clear")
    assert "fresh-start" in start(kept, "clear")


def test_with_inject_every_cleared_session_is_gone_on_with(kept: Kept) -> None:
    write_own_settings(fresh_start="inject")
    end(kept, "clear")
    assert RULE in start(kept, "clear")


def test_another_client_does_not_get_what_this_one_cleared(
    kept: Kept, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_own_settings(fresh_start="inject")
    automatic(kept)
    end(kept, "clear")
    monkeypatch.setenv("CLAUDE_PID", "4712")
    assert start(kept, "clear") == ""
    assert start(kept, "startup") == ""
    monkeypatch.setenv("CLAUDE_PID", PID)
    assert RULE in start(kept, "clear")


@pytest.mark.parametrize("pid", ["", "x", "٣", "1" * 40])
def test_without_a_process_id_nothing_is_paired(
    kept: Kept, monkeypatch: pytest.MonkeyPatch, pid: str
) -> None:
    monkeypatch.setenv("CLAUDE_PID", pid)
    write_own_settings(fresh_start="inject")
    end(kept, "clear")
    assert start(kept, "clear") == ""


def test_nothing_is_offered_while_the_session_runs_or_again(kept: Kept) -> None:
    automatic(kept)
    assert start(kept) == ""
    end(kept)
    assert start(kept, "resume", kept.session_id) == ""
    assert start(kept) == ""
    assert start(kept, "fork") == ""
    end(kept)
    assert start(kept) != ""


def test_a_session_without_work_is_not_offered(kept: Kept) -> None:
    write_own_settings(fresh_start="inject")
    kept.transcript.lines.clear()
    kept.transcript.attachment("date")
    kept.write()
    end(kept, "clear")
    assert start(kept, "clear") == ""


def test_an_offer_whose_snapshot_cannot_be_used_is_logged(kept: Kept) -> None:
    write_own_settings(fresh_start="inject")
    automatic(kept)
    end(kept)
    for path in kept.files("snapshots/*.json"):
        path.write_text("{")
    assert start(kept) == ""
    assert "could not be gone on with" in log_of(Path(kept.root))[-1]


def test_where_the_ledger_cannot_be_written_the_context_is_still_given(kept: Kept) -> None:
    write_own_settings(fresh_start="inject")
    automatic(kept)
    end(kept)
    (kept.runtime / "sessions" / OTHER).write_text("")
    assert RULE in start(kept)
    assert "could not be taken over" in log_of(Path(kept.root))[-1]


def test_a_missing_transcript_at_the_end_is_logged_and_the_end_marked(kept: Kept) -> None:
    automatic(kept)
    os.unlink(kept.path)
    end(kept)
    assert (kept.folder / "ended").exists()
    assert "could not be kept" in log_of(Path(kept.root))[-1]


def test_an_end_that_cannot_be_written_is_logged(kept: Kept) -> None:
    (kept.folder / "ended").mkdir()
    end(kept)
    assert "end could not be written" in log_of(Path(kept.root))[-1]


def test_an_automatic_snapshot_does_not_keep_a_compaction_from_its_window_copy(kept: Kept) -> None:
    automatic(kept)
    run_in_process(
        "PreCompact",
        {"session_id": kept.session_id, "transcript_path": str(kept.path),
         "hook_event_name": "PreCompact", "trigger": "auto"},
        Path(kept.root),
    )  # fmt: skip
    (event,) = json.loads((kept.runtime / "compaction_events.json").read_text())
    assert RULE in Path(event["pre_compaction_transcript_path"]).read_text()


def test_clear_offers_what_there_is_at_any_fill(kept: Kept) -> None:
    kept.folder.rmdir()  # no hook was called in it but the last
    end(kept, "clear")
    line = start(kept, "clear")
    assert "(1 rule, 2 open todos, what it was after)" in line
    assert RULE not in line
    assert start(kept, "clear") == ""


@pytest.mark.parametrize("said", ["", "Hello."])
def test_clear_offers_nothing_where_nothing_was_said(kept: Kept, said: str) -> None:
    kept.transcript.lines.clear()
    if said:
        kept.say(said)
    else:
        kept.path.unlink()
    end(kept, "clear")
    assert start(kept, "clear") == ""
    assert log_of(Path(kept.root)) == []


def test_compactions_in_a_loop_have_the_user_told(project: Path) -> None:
    session = Session(project)
    told = []
    for _ in range(4):
        session.pre_compact()
        answer = session.hook("SessionStart", "SessionStart.compact").json
        told.append(answer.get("systemMessage", ""))
        session.boundary(answer["hookSpecificOutput"]["additionalContext"])
        session.transcript.user("Go on.")
        session.transcript.assistant("Yes.")
    assert [bool(text) for text in told] == [False, False, True, True]
    assert told[2].startswith("Compacted 3 times")
    assert max(map(len, told)) <= 120
    for number in range(20):
        session.transcript.tool("Bash", {"command": f"echo {number}"}, "1")
    session.pre_compact()
    assert "systemMessage" not in session.hook("SessionStart", "SessionStart.compact").json
