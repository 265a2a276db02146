"""`snapshot`, `fresh-start`, `handoff` and `feature`: what they print and how they end."""

import json
import os
import posix
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.files import read_if_there
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.cli.commands import fresh_start
from amplihack_compaction.handoff import checkpoint, handoff_document
from amplihack_compaction.handoff.checkpoint import create_checkpoint, snapshot_now
from amplihack_compaction.handoff.level_actions import run_level_actions
from amplihack_compaction.handoff.session_offers import announced
from amplihack_compaction.ledger.guard import read_guard
from amplihack_compaction.ledger.stored import continued_state
from tests.support.processes import run_in_process
from tests.support.transcripts import Transcript
from tests.unit.handoff.kept import OBJECTIVE, OTHER, RULE, TODO, Kept, status

Out = pytest.CaptureFixture[str]


@pytest.fixture
def kept(project: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Return a session of the project that the commands run in."""
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    return Kept(project)


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *arguments])
    with pytest.raises(SystemExit) as left:
        run_command_line()
    return int(left.value.code or 0)


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: Out) -> Any:
    """Return a function that runs a command and gives its exit code, stdout and stderr."""

    def do(*arguments: str) -> tuple[int, str, str]:
        code = run(monkeypatch, *arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return do


def test_snapshots_are_listed_with_their_checkpoints(kept: Kept, call: Any) -> None:
    assert "No snapshots" in call("snapshot", "list")[1]
    checkpoint = create_checkpoint(kept.moment(), "before the rewrite", "login")
    (kept.folder / "snapshots" / "20200101-000000-0000.json").write_text("{")
    code, out, err = call("snapshot", "list")
    assert (code, err.count("snapshot 20200101-000000-0000 cannot be read: it is torn")) == (1, 1)
    head, *rows = out.splitlines()
    first = next(row for row in rows if row.startswith(checkpoint.snapshot))
    assert head.split() == ["SNAPSHOT", "SESSION", "WINDOW", "TAKEN", "TODO", "OBJECTIVE"]
    assert first.startswith(f"{checkpoint.snapshot}  {kept.session_id[:8]}       1  20")
    assert first.index(RULE) == head.index("OBJECTIVE")
    assert "one for each of its windows" in out
    assert f"checkpoint {checkpoint.id}  login  before the rewrite" in out
    assert "20200101-000000-0000  cannot be used: " in out
    (kept.folder / "snapshots" / f"{checkpoint.snapshot}.json").write_text("{")
    assert f"checkpoint {checkpoint.id}  login" in call("snapshot", "list")[1]
    rows = json.loads(call("snapshot", "list", "--json")[1])["snapshots"]
    assert {row["id"] for row in rows} == {checkpoint.snapshot, "20200101-000000-0000"}
    assert rows[1]["checkpoints"] == [
        {"id": checkpoint.id, "reason": "before the rewrite", "feature": "login"}
    ] or rows[0]["checkpoints"]  # fmt: skip


def test_a_snapshot_is_shown_whole(kept: Kept, call: Any) -> None:
    for number in range(200):
        kept.transcript.user(f"Never touch the file number {number} of the old application.")
    kept.say("Go on.")
    identifier = snapshot_now(kept.moment())
    code, out, _ = call("snapshot", "show", identifier)
    assert code == 0
    assert "file number 0 " in out
    assert "Not shown" not in out
    shown = json.loads(call("snapshot", "show", "--json")[1])
    assert shown["compacted"]["snapshot_id"] == identifier
    assert len(shown["compacted"]["rules"]) == 201


@pytest.mark.parametrize("arguments", [["show"], ["show", "x"], ["restore"], ["restore", "x"]])
def test_without_a_snapshot_it_says_so(kept: Kept, call: Any, arguments: list[str]) -> None:
    code, _, err = call("snapshot", *arguments)
    assert code == 1
    assert "there is no snapshot" in err


def test_a_restored_snapshot_comes_with_the_next_prompt(kept: Kept, call: Any) -> None:
    identifier = snapshot_now(kept.moment())
    new = Kept(Path(kept.root), OTHER)
    code, out, _ = call("snapshot", "restore", identifier, "--session", OTHER)
    assert code == 0
    assert f"Session {OTHER} is given snapshot {identifier}" in out
    stdin = {
        "session_id": OTHER,
        "transcript_path": str(new.path),
        "hook_event_name": "UserPromptSubmit",
        "prompt": "x",
    }
    assert RULE in run_in_process("UserPromptSubmit", stdin, Path(kept.root)).context
    assert continued_state(str(new.folder), OTHER) is not None


def test_an_older_snapshot_does_not_pass_for_one_that_cannot_be_seen(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    identifier = snapshot_now(kept.moment())
    new = Kept(Path(kept.root), OTHER)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    unseen = kept.runtime / "sessions" / "unseen" / "snapshots"
    unseen.mkdir(parents=True)
    look = posix.listdir

    def refuse(path: str) -> list[str]:
        if path == str(unseen):
            raise OSError(5, "Input/output error", path)
        return look(path)

    withdrawn: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(posix, "listdir", refuse)
        patch.setattr(fresh_start, "withdraw", lambda _root, session: withdrawn.append(session))
        for path in (kept.path, new.path):  # or its newest session would be gone by
            path.rename(path.with_suffix(".away"))
        code, out, err = call("fresh-start")
        assert (code, RULE in out, "Input/output error" in out) == (0, True, True)
        assert "name it: `fresh-start ID`" in err
        for path in (kept.path, new.path):
            path.with_suffix(".away").rename(path)
        code, _, err = call("snapshot", "restore", "latest", "--session", OTHER)
        assert (code, "Input/output error" in err) == (1, True)
        for words in ([], ["--json"]):
            code, _, err = call("snapshot", "list", *words)
            assert (code, "Input/output error" in err) == (1, True)
        assert continued_state(str(new.folder), OTHER) is None
        assert withdrawn == []  # the older session may still be offered
        assert call("fresh-start", identifier)[0] == 0
        assert withdrawn == [kept.session_id]
        assert continued_state(str(new.folder), OTHER) is not None


def test_what_cannot_be_restored_is_a_clear_error(kept: Kept, call: Any) -> None:
    snapshot_now(kept.moment())
    Kept(Path(kept.root), OTHER)
    (kept.runtime / "sessions" / OTHER).mkdir()
    (kept.runtime / "sessions" / OTHER / "pending").mkdir()
    code, _, err = call("snapshot", "restore", "latest", "--session", OTHER)
    assert code == 1
    assert f"{OTHER}/pending" in err


def test_without_an_id_it_is_the_newest_sessions_as_it_is_now(kept: Kept, call: Any) -> None:
    snapshot_now(kept.moment())
    kept.say("Never rename a table.")
    assert "Never rename a table." in call("fresh-start")[1]
    newer = Kept(Path(kept.root), OTHER)
    newer.say("Never drop a column.")
    os.utime(kept.path, (1, 1))
    assert "Never drop a column." in call("fresh-start")[1]


def test_a_session_that_alone_has_snapshots_is_told_so(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", kept.session_id)
    assert "snapshot show" not in call("fresh-start")[1]
    identifier = snapshot_now(kept.moment())
    assert f"snapshot show {identifier}`" in call("fresh-start")[1]
    assert RULE in call("snapshot", "show", identifier)[1]


def test_fresh_start_prints_the_context_and_the_session_goes_on_from_it(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_level_actions(kept.root, kept.session_id, str(kept.path), status(), [0.8])
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    code, out, _ = call("fresh-start")
    assert code == 0
    for known in (RULE, OBJECTIVE, f"- [ ] {TODO}", "Next action"):
        assert known in out
    assert continued_state(str(kept.runtime / "sessions" / OTHER), OTHER) is not None
    assert [rule.text for rule in read_guard(str(kept.runtime / "sessions" / OTHER))] == [RULE]
    assert announced(kept.root, kept.session_id) is None
    assert json.loads(call("fresh-start", "--json")[1])["compacted"]["open_todos"] == [
        TODO, "Ship it"
    ]  # fmt: skip


def test_where_nothing_was_recorded_it_says_so(
    project: Path, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    assert call("fresh-start")[1].startswith("# No context snapshot available")
    assert json.loads(call("fresh-start", "--json")[1])["prompt"] is None


@pytest.mark.parametrize("planning", [False, True])
def test_before_any_snapshot_a_fresh_start_goes_on_from_the_newest_session_with_work(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch, planning: bool
) -> None:
    if planning:
        (Path(kept.root) / ".planning").mkdir()
        (Path(kept.root) / ".planning/STATE.md").write_text("Phase: two\n")
    assert call("remember", "Always sign the commits.")[0] == 0
    greeted = Transcript("0c7f1c7e-1111-4222-8333-444444444444")
    greeted.user("Hi")
    greeted.write(kept.path.with_name(f"{greeted.session_id}.jsonl"))
    broken = kept.path.with_name("0d7f1c7e-1111-4222-8333-444444444444.jsonl")
    broken.write_text("{}\n")
    Kept(Path(kept.root), OTHER)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    code, out, _ = call("fresh-start")
    assert code == 0
    for known in (RULE, "Always sign the commits.", f"- [ ] {TODO}", kept.session_id):
        assert known in out
    assert ("Phase: two" in out) is planning
    assert continued_state(str(kept.runtime / "sessions" / OTHER), OTHER) is not None


def test_a_sessions_own_state_is_not_gone_on_from(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_now(kept.moment())
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", kept.session_id)
    assert call("fresh-start")[0] == 0
    assert not (kept.folder / "continues.json").exists()


def test_a_fresh_start_is_printed_even_where_nothing_can_be_written(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_now(kept.moment())
    (kept.runtime / "sessions" / OTHER).write_text("")
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", OTHER)
    code, out, err = call("fresh-start")
    assert code == 0
    assert RULE in out
    assert "could not be taken over" in err


def test_a_named_snapshot_that_is_missing_is_an_error(kept: Kept, call: Any) -> None:
    code, out, err = call("fresh-start", "20200101-000000-0000")
    assert (code, out) == (1, "")
    assert "there is no snapshot" in err


def test_a_handoff_is_written_printed_and_gone_on_with(kept: Kept, call: Any) -> None:
    code, out, _ = call("handoff")
    assert code == 0
    path = Path(out.splitlines()[0].removeprefix("Written to "))
    assert out.splitlines()[1] == f"To go on: {own_command()} feature continue {path.stem}"
    text = path.read_text()
    assert f"## NEXT STEPS\n1. {TODO}\n2. Ship it\n\n" in text
    printed = call("handoff", "--session", kept.session_id[:8], "--print", "--keep")[1]
    assert len(kept.files("handoffs/*.txt")) == 2
    task = text.partition("## CURRENT TASK\n")[2].partition("\n")[0]
    assert f"## CURRENT TASK\n{task}\n" in printed
    assert json.loads(call("handoff", "--json")[1])["next_steps"] == [TODO, "Ship it"]
    assert call("handoff", "--json", "--print")[0] == 2
    assert call("handoff", "--keep")[0] == 2
    code, out, _ = call("feature", "continue", "feat/login")
    assert code == 0
    for known in ("HANDOFF DOCUMENT: feat/login", RULE, f"- [ ] {TODO}", "Next action"):
        assert known in out
    as_json = json.loads(call("feature", "continue", "feat/login", "--json")[1])
    assert as_json["handoff"]["feature"] == "feat/login"
    assert as_json["handoff"]["next_steps"] == [TODO, "Ship it"]
    assert "HANDOFF DOCUMENT: feat/login" in as_json["text"]
    assert RULE in as_json["prompt"]


def test_of_another_projects_session_a_handoff_names_where_one_goes_on_with_it(
    kept: Kept, call: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(tmp_path))
    for how in ([], ["--print", "--keep"]):
        told = call("handoff", "--session", kept.session_id, *how)[1].splitlines()[-1]
        assert told.startswith(f"To go on: {own_command()} feature continue ")
        assert told.endswith(f" (in {kept.root})")


def test_a_handoff_that_is_only_printed_leaves_everything_as_it_was(kept: Kept, call: Any) -> None:
    before = sorted(Path(kept.root).rglob("*"))
    code, out, _ = call("handoff", "--print")
    assert (code, f"## NEXT STEPS\n1. {TODO}\n2. Ship it\n\n" in out) == (0, True)
    assert "Checkpoint: none, only printed\n" in out
    assert out.endswith(f"To keep it: {own_command()} handoff --session {kept.session_id}\n")
    assert sorted(Path(kept.root).rglob("*")) == before


def test_of_a_project_that_is_gone_a_handoff_is_printed_and_not_written(
    kept: Kept, call: Any
) -> None:
    shutil.rmtree(kept.root)
    code, _, err = call("handoff")
    assert (code, f"{kept.root}: the project's folder is gone" in err) == (1, True)
    assert "make it anew, empty, with `mkdir -p`" in err
    assert "`handoff --print`" in err
    code, out, _ = call("handoff", "--print")
    assert (code, TODO in out) == (0, True)
    assert not Path(kept.root).exists()


def test_an_older_handoff_is_not_taken_for_the_newest_without_a_word(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        call("handoff")
    older, newer = (Path(path) for path in sorted(kept.files("handoffs/*.txt")))

    def fail(path: str, limit_bytes: int) -> bytes | None:
        if path == str(newer):
            raise OSError(5, "Input/output error", path)
        return read_if_there(path, limit_bytes)

    monkeypatch.setattr(handoff_document, "read_if_there", fail)
    said = f"amplihack-compaction: {newer} cannot be read: Input/output error\n"
    code, out, err = call("feature", "continue", "feat/login")
    assert (code, older.read_text() in out, err) == (1, True, said)
    assert call("feature", "continue", "feat/login", "--json")[::2] == (1, said)
    assert call("feature", "status", "feat/login")[::2] == (1, said)
    older.unlink()

    def refuse(path: str, limit_bytes: int) -> bytes | None:
        raise OSError(5, "Input/output error", path)

    monkeypatch.setattr(checkpoint, "read_kept", refuse)
    code, _, err = call("feature", "continue", "feat/login")
    assert (code, "no handoff or checkpoint" in err, "cannot be read" in err) == (1, True, True)


def test_a_handoff_is_of_the_session_it_runs_in(
    kept: Kept, call: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    Kept(Path(kept.root), OTHER)
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", kept.session_id)
    assert f"Session: {kept.session_id}" in call("handoff", "--print")[1]
    monkeypatch.setenv("CLAUDE_CODE_SESSION_ID", "gone")
    assert "no session gone" in call("handoff", "--print")[2]


def test_a_feature_goes_on_from_a_handoff_whose_snapshot_is_gone(kept: Kept, call: Any) -> None:
    call("handoff")
    for path in kept.files("snapshots/*"):
        path.unlink()
    code, out, err = call("feature", "continue", "feat/login")
    assert code == 1
    assert "HANDOFF DOCUMENT" in out
    assert "The state behind it cannot be used" in out
    assert "The state behind it cannot be used" in err
    code, out, err = call("feature", "continue", "feat/login", "--json")
    assert (code, json.loads(out)["problem"]) == (1, err.partition(": ")[2].strip())
    call("handoff")
    assert call("feature", "continue", "feat/login")[0] == 0


def test_the_help_takes_an_id_only_where_the_command_does(kept: Kept, call: Any) -> None:
    assert "a checkpoint's id, or a session's" in call("feature", "continue", "--help")[1]
    told = call("feature", "checkpoint", "--help")[1]
    assert "NAME  A feature's name, also a new one." in told


def test_a_feature_goes_on_from_a_checkpoint_alone(kept: Kept, call: Any) -> None:
    code, out, _ = call("feature", "checkpoint", "login", "--reason", "context_overflow")
    assert code == 0
    assert "of login: context_overflow" in out
    assert call("feature", "checkpoint", "login", "--quiet")[1] == ""
    code, out, _ = call("feature", "continue", "login")
    assert code == 0
    assert RULE in out
    assert json.loads(call("feature", "continue", "login", "--json")[1])["handoff"] is None
    for path in kept.files("snapshots/*"):
        path.unlink()
    assert call("feature", "continue", "login")[0] == 1


def test_a_feature_of_which_nothing_was_kept_is_an_error(kept: Kept, call: Any) -> None:
    code, _, err = call("feature", "continue", "login")
    assert code == 1
    assert "nor of any other feature" in err
    call("feature", "checkpoint", "payments")
    assert "features with one: payments" in call("feature", "continue", "login")[2]


def test_the_status_of_a_feature_without_a_folder_is_what_was_kept_of_it(
    kept: Kept, call: Any
) -> None:
    assert call("feature", "status", "feat/login")[0] == 1
    call("handoff")
    code, out, _ = call("feature", "status", "feat/login")
    assert code == 0
    assert "Feature feat/login\n  folder      none" in out
    assert f"  kept        handoff of session {kept.session_id[:8]}, 20" in out
    assert f"  to go on    {own_command()} feature continue feat/login\n" in out
    call("feature", "checkpoint", "payments now")
    out = call("feature", "status", "payments now")[1]
    assert "kept        checkpoint of session" in out
    assert "feature continue 'payments now'" in out
    shown = json.loads(call("feature", "status", "feat/login", "--json")[1])
    assert (shown["folder"], shown["kept"]["kind"]) == (None, "handoff")
    (Path(kept.root) / "features" / "payments now").mkdir(parents=True)
    out = call("feature", "status", "payments now")[1]
    assert "files       0 texts" in out
    assert "kept        checkpoint of session" in out


def test_what_the_disk_refuses_is_a_clear_error(kept: Kept, call: Any) -> None:
    kept.folder.mkdir(parents=True)
    (kept.folder / "checkpoints").write_text("")
    for arguments in (("handoff",), ("feature", "checkpoint", "login")):
        code, _, err = call(*arguments)
        assert code == 1
        assert "is a file where a folder is needed; move it away; run it again" in err
