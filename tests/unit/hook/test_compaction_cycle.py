"""A compaction as the client plays it, from PreCompact to the next Stop."""

import json
import os
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.hook import late_injection, stop
from amplihack_compaction.injection import record
from tests.support.captured import payload
from tests.support.processes import log_of, run_in_process
from tests.support.sessions import (
    HEAD,
    RULE,
    Session,
    make_own_tools,
    write_own_settings,
    write_settings,
)
from tests.support.transcripts import SESSION

RULE_2 = "Use pnpm, not npm."


@pytest.fixture
def session(project: Path) -> Session:
    """Return a session in whose window a page was to be built."""
    return Session(project)


def test_what_was_said_before_the_last_compaction_is_still_there_after_the_third(
    session: Session,
) -> None:
    session.compact()
    session.transcript.user(f"{RULE_2} The ticket is SHOP-4711.")
    session.transcript.assistant("Yes.")
    session.compact()
    session.transcript.user("Go on.")
    session.transcript.assistant("Done.")
    injected = session.compact()
    for text in (RULE, RULE_2, "SHOP-4711", "https://example.com:8443/x", "Write the docs"):
        assert text in injected
    assert len(session.events) == 3
    assert len({event["window_start"] for event in session.events}) == 3


def test_a_lost_ledger_is_folded_again(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    session.compact()
    ledger = session.runtime / "sessions" / SESSION / "ledger.json"
    for content in (None, b"", b"{", b'{"version": 1, "covered_bytes": -5}', b"[]"):
        ledger.unlink()
        if content is not None:
            ledger.write_bytes(content)
        session.transcript.user("More.")
        assert RULE in session.compact()


def test_a_ledger_of_a_newer_version_is_left_alone(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    ledger = session.runtime / "sessions" / SESSION / "ledger.json"
    ledger.parent.mkdir(parents=True, exist_ok=True)
    ledger.write_text('{"version": 99, "secret": "of the future"}')
    assert RULE in session.compact()
    assert "of the future" in ledger.read_text()


def test_firing_twice_makes_one_event_and_one_injection(session: Session) -> None:
    assert [bool(session.pre_compact()) for _ in range(3)] == [True, False, False]
    assert session.session_start() != ""
    assert session.session_start() == ""
    session.post_compact()
    session.post_compact()
    assert len(session.events) == 1


def test_a_second_pre_compact_a_round_later_tells_the_summariser_again(session: Session) -> None:
    assert RULE in session.pre_compact()
    session.transcript.assistant("The summary could not be made; going on.")
    assert RULE in session.pre_compact()


def test_an_early_pre_compact_is_refreshed_at_session_start(session: Session) -> None:
    session.pre_compact()
    session.transcript.user(f"By the way: {RULE_2}")
    session.transcript.assistant("Noted.")
    assert RULE_2 in session.session_start()
    (event,) = session.events
    assert RULE_2 in Path(event["pre_compaction_transcript_path"]).read_text()


@pytest.mark.parametrize("is_link", [True, False])
def test_the_user_is_told_where_nothing_can_be_stored(
    session: Session, tmp_path: Path, *, is_link: bool
) -> None:
    """A repository can bring such a thing along, and then no call is held against the rules."""
    runtime = session.project / ".claude" / "runtime"
    runtime.parent.mkdir()
    if is_link:
        runtime.symlink_to(tmp_path)
    else:
        runtime.write_text("")
    answer = session.hook("SessionStart", "SessionStart.compact").json
    assert RULE in answer["hookSpecificOutput"]["additionalContext"]
    why = "is a link" if is_link else "is a file"
    assert f"runtime {why}" in answer["systemMessage"]
    assert " doctor` says more." in answer["systemMessage"]


def test_a_compaction_that_is_asked_for_before_the_first_prompt_is_no_trouble(
    project: Path,
) -> None:
    gone, link = project / "none.jsonl", project / "link.jsonl"
    link.symlink_to(gone)
    asked = payload("PreCompact.manual", transcript_path=str(gone))
    assert run_in_process("PreCompact", asked, project).stdout == ""
    assert log_of(project) == []
    run_in_process("PreCompact", {**asked, "transcript_path": str(link)}, project)
    assert "it is a link" in log_of(project)[-1]


@pytest.mark.parametrize("event", ["prompt", "tool_use"])
def test_a_missed_session_start_is_made_up_for_once(session: Session, event: str) -> None:
    session.boundary()
    given = getattr(session, event)()
    assert RULE in given
    session.transcript.attachment("hook_additional_context", content=[given])
    session.transcript.assistant("I see.")
    assert session.prompt() == ""
    assert session.tool_use() == ""
    assert session.stop().stdout == ""
    (recorded,) = session.events
    assert recorded["messages_removed"] == 4
    assert RULE in Path(recorded["pre_compaction_transcript_path"]).read_text()


def test_an_injection_that_never_arrived_is_given_again_once(session: Session) -> None:
    session.pre_compact()
    assert session.session_start() != ""
    session.boundary()
    session.transcript.assistant("I know of nothing.")
    assert RULE in session.tool_use()
    session.transcript.assistant("Still nothing.")
    assert session.tool_use() == ""


def test_a_compaction_that_never_came_gives_its_receipt_back(session: Session) -> None:
    session.pre_compact()
    assert session.session_start() != ""
    # The client died before it wrote the boundary; the session was resumed and went on.
    session.transcript.user("Where were we?")
    session.transcript.assistant("Here.")
    assert RULE in session.compact()
    assert "set aside" in log_of(session.project)[-1]


def test_stop_names_what_is_missing_once(session: Session) -> None:
    session.pre_compact()
    session.boundary()  # nothing was injected, and the summary says nothing
    session.transcript.assistant("What now?")
    text = session.stop().context
    for line in (f"- rule: {RULE}", "- still to do: Write the docs",
                 "- how the work is checked: pytest -q"):  # fmt: skip
        assert line in text.splitlines()
    assert text.splitlines()[-1].startswith("The whole state from before the compaction is in `")
    assert text.endswith(".md`.")
    assert "Draw the form" not in text
    assert session.stop().stdout == ""


def test_half_a_rule_in_the_models_own_words_does_not_keep_it(session: Session) -> None:
    session.transcript.user("Never push to release; open a pull request instead.")
    session.pre_compact()
    session.boundary()
    session.transcript.assistant("I will open a pull request when done.")
    text = session.stop().context
    rule = "- rule: Never push to release; open a pull request instead."
    assert f"{rule} (missing of it: push, release)" in text.splitlines()


def test_of_many_missing_items_the_first_are_named_and_the_others_counted(session: Session) -> None:
    for number in range(14):
        session.transcript.user(f"Never touch the file config{number}.toml, it is Ada's own.")
        session.transcript.assistant("Good.")
    session.pre_compact()
    session.boundary()
    lines = [line for line in session.stop().context.splitlines() if line.startswith("- ")]
    assert len(lines) == 13
    assert lines[-1].startswith("- … and ")
    assert lines[-1].endswith(" more")


def test_of_a_compaction_long_ago_stop_says_how_long(session: Session) -> None:
    session.pre_compact()
    session.boundary()
    at = (datetime.now(UTC) - timedelta(hours=30)).isoformat()
    for line in session.transcript.lines:
        line["timestamp"] = at
    path = session.runtime / "compaction_events.json"
    path.write_text(json.dumps([{**event, "timestamp": at} for event in session.events]))
    assert "That compaction was 30 hours ago: some may be settled." in session.stop().context


def test_what_the_summary_kept_is_not_missing(session: Session) -> None:
    summary = (
        f"The user wants the login page built at https://example.com:8443/x. Rule: {RULE}\n"
        "Open: Write the docs. Tests are run with `pytest -q` and passed."
    )
    session.pre_compact()
    session.boundary(summary=summary)
    session.transcript.assistant("Going on.")
    assert session.stop().stdout == ""


def test_a_turn_that_a_hook_prolonged_is_never_prolonged_again(session: Session) -> None:
    session.pre_compact()
    session.boundary()
    assert session.stop(stop_hook_active=True).stdout == ""


def test_on_loss_off_says_nothing(session: Session) -> None:
    write_own_settings(on_loss="off")
    session.pre_compact()
    session.boundary()
    assert session.stop().stdout == ""


def test_on_loss_block_blocks_with_the_items(session: Session) -> None:
    write_settings(session.project, on_loss="block")
    session.pre_compact()
    session.boundary()
    answer = session.stop().json
    assert answer["decision"] == "block"
    assert RULE in answer["reason"]


def test_on_loss_prompt_waits_for_the_next_prompt(session: Session) -> None:
    write_own_settings(on_loss="prompt")
    session.pre_compact()
    session.session_start()
    session.boundary()
    assert session.stop().stdout == ""
    session.transcript.attachment("hook_additional_context", content=[f"{HEAD} late"])
    assert RULE in session.prompt()
    assert session.prompt() == ""
    assert session.tool_use() == ""


def test_power_steering_can_be_switched_off(session: Session) -> None:
    folder = make_own_tools()
    (folder / ".power_steering_config").write_text('{"enabled": false}')
    session.pre_compact()
    session.boundary()
    assert session.stop().stdout == ""


def test_a_repository_does_not_switch_power_steering_off(session: Session) -> None:
    folder = session.project / ".claude/tools/amplihack"
    folder.mkdir(parents=True)
    (folder / ".power_steering_config").write_text('{"enabled": false}')
    session.pre_compact()
    session.boundary()
    session.transcript.assistant("What now?")
    assert f"- rule: {RULE}" in session.stop().context


def test_broken_settings_are_named_in_the_log_and_defaults_serve(session: Session) -> None:
    (session.project / ".claude").mkdir()
    (session.project / ".claude/compaction.json").write_text("{oops")
    assert session.pre_compact() != ""
    assert "compaction.json: not a JSON object" in log_of(session.project)[0]


def test_a_secret_is_neither_stored_nor_injected(session: Session) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    session.transcript.user(f"Never print the token {secret} anywhere.")
    session.transcript.tool("Bash", {"command": f"curl -H 'x: {secret}'"}, f"used {secret}")
    injected = session.compact()
    session.stop()
    assert secret not in injected
    assert "Never print the token [redacted:github-token] anywhere." in injected
    for parent, _, names in os.walk(session.project):
        for name in names:
            assert secret.encode() not in (Path(parent) / name).read_bytes(), name


def test_a_project_that_nothing_can_be_written_in_still_gets_its_injection(
    session: Session,
) -> None:
    (session.project / ".claude").write_text("a file where the folder should be")
    assert RULE in session.session_start()
    assert session.pre_compact() != ""


def test_task_files_tell_how_tasks_stand_now(session: Session) -> None:
    folder = session.path.parent.parent.parent / "tasks" / SESSION
    folder.mkdir(parents=True)
    task = {"id": "1", "subject": "Write the parser", "description": "", "status": "pending",
            "blocks": [], "blockedBy": []}  # fmt: skip
    (folder / "1.json").write_text(json.dumps(task))
    (folder / "torn.json").write_text("{")
    assert "- [ ] Write the parser" in session.compact()
    (folder / "1.json").write_text(json.dumps({**task, "status": "completed"}))
    session.transcript.user("Go on.")
    injected = session.compact()
    assert "- [ ] Write the parser" not in injected


def test_a_fork_folds_its_copy_of_the_transcript(session: Session) -> None:
    session.compact()
    session.transcript.user("Go on.")
    session.transcript.assistant("Yes.")
    fork = "11111111-2222-4333-8444-555555555555"
    copy = session.path.with_name(f"{fork}.jsonl")
    session.transcript.write(copy)
    stdin = payload("PreToolUse.Bash", session_id=fork, transcript_path=str(copy))
    assert run_in_process("PreToolUse", stdin, session.project).stdout == ""
    stdin = payload("SessionStart.compact", session_id=fork, transcript_path=str(copy))
    assert RULE in run_in_process("SessionStart", stdin, session.project).context


def test_a_number_of_thousands_of_digits_costs_one_line(session: Session) -> None:
    session.transcript.write(session.path)
    session.transcript.write = lambda path: path  # type: ignore[method-assign]
    with session.path.open("a") as stream:
        stream.write('{"type":"user","uuid":"x","n":' + "9" * 5_000 + "}\n")
    assert RULE in session.session_start()


def test_a_bug_in_storing_does_not_take_the_injection_along(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError("a bug")

    monkeypatch.setattr(record, "copy_window", fail)
    monkeypatch.setattr(record, "take_snapshot", fail)
    monkeypatch.setattr(record, "record_event", fail)
    assert RULE in session.session_start()
    assert len(log_of(session.project)) == 3


def test_a_try_that_fails_is_not_paid_for_with_every_tool_call(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def fail(*_: object, **__: object) -> None:
        calls.append(1)
        raise TranscriptError("nothing")

    monkeypatch.setattr(late_injection, "record_past_compaction", fail)
    session.boundary()
    for _ in range(5):
        assert session.tool_use() == ""
    assert len(calls) == 2


def test_the_rest_of_a_torn_prompt_is_read_before_it_is_injected(session: Session) -> None:
    session.transcript.user(f"One more thing: {RULE_2}")
    session.transcript.write(session.path)
    whole = session.path.read_bytes()
    session.path.write_bytes(whole[:-300])
    stdin = payload("PreCompact.auto", session_id=SESSION, transcript_path=str(session.path))
    run_in_process("PreCompact", stdin, session.project)
    session.path.write_bytes(whole)
    stdin = payload("SessionStart.compact", session_id=SESSION, transcript_path=str(session.path))
    assert RULE_2 in run_in_process("SessionStart", stdin, session.project).context


def test_a_pasted_private_key_is_neither_stored_nor_injected(session: Session) -> None:
    body = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ" * 40
    key = f"-----BEGIN OPENSSH PRIVATE KEY-----\n{body}\n-----END OPENSSH PRIVATE KEY-----"
    session.transcript.user(f"Deploy with this key:\n{key}")
    session.transcript.tool("Bash", {"command": f"echo '{key}' > k"}, key)
    injected = session.compact()
    assert body[:30] not in injected
    for parent, _, names in os.walk(session.project):
        for name in names:
            assert body[:30].encode() not in (Path(parent) / name).read_bytes(), name


def test_an_answer_of_several_blocks_is_one_message(session: Session) -> None:
    session.transcript.assistant(
        "Reading.", [{"id": f"t{n}", "name": "Read", "input": {}} for n in range(3)]
    )
    session.compact()
    session.stop()
    assert session.events[0]["messages_removed"] == 5


def test_a_linked_runtime_folder_is_not_written_through(session: Session, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (session.project / ".claude/runtime").mkdir(parents=True)
    session.runtime.symlink_to(outside)
    session.pre_compact()
    assert RULE in session.session_start()
    session.post_compact()
    assert os.listdir(outside) == []


def test_session_end_removes_what_a_crashed_hook_left(session: Session) -> None:
    session.compact()
    folder = session.runtime / "sessions" / SESSION
    left = folder / "ledger.json.123.abcd.tmp"
    left.write_text("half")
    os.utime(left, (0, 0))
    fresh = folder / "ledger.json.124.abcd.tmp"
    fresh.write_text("just being written")
    log = session.runtime / "store.db.123.abcd.tmp-wal"
    log.write_text("of a store that was not made to its end")
    ahead = time.time() + 1_000_000  # the clock was set back since
    os.utime(log, (ahead, ahead))
    assert session.hook("SessionEnd", "SessionEnd.other").stdout == ""
    assert not left.exists()
    assert not log.exists()
    assert fresh.exists()


def test_a_copy_of_a_killed_hook_stands_in_the_event_of_the_next(session: Session) -> None:
    session.pre_compact()
    events = session.runtime / "compaction_events.json"
    path = session.events[0]["pre_compaction_transcript_path"]
    events.unlink()
    (session.runtime / "sessions" / SESSION / "prepared").unlink()
    session.session_start()
    assert session.events[0]["pre_compaction_transcript_path"] == path
    assert Path(path).is_file()
    session.boundary()
    events.unlink()
    Path(path).unlink()
    session.stop()
    assert session.events[0]["pre_compaction_transcript_path"] == path
    assert Path(path).is_file()


def test_a_check_that_was_killed_is_made_up_for_once(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    class KilledError(BaseException):
        """Ends the hook as a signal does."""

    def die(*_: object, **__: object) -> None:
        calls.append(1)
        raise KilledError

    calls: list[int] = []
    session.pre_compact()
    session.boundary(HEAD)
    with monkeypatch.context() as patch:
        patch.setattr(stop, "record_past_compaction", die)
        with pytest.raises(KilledError):
            session.stop()
    assert RULE in session.stop().context
    assert session.stop().stdout == ""
    session.boundary(HEAD)
    monkeypatch.setattr(stop, "record_past_compaction", die)
    for _ in range(2):
        with pytest.raises(KilledError):
            session.stop()
    assert session.stop().stdout == ""
    assert len(calls) == 3


def test_a_ledger_that_cannot_be_stored_is_named_by_the_hook_after_the_compaction(
    session: Session,
) -> None:
    session.compact()
    (session.runtime / "sessions" / SESSION / "ledger.json").mkdir()
    session.post_compact()
    assert any("the ledger stays as it was" in line for line in log_of(session.project))
    assert session.events[0]["loss_report"]
