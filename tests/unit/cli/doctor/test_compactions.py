"""The last compactions: which hooks ran, and which the client should have fired and did not."""

import json
import os
import time
from pathlib import Path

import pytest

from amplihack_compaction.base.hook_log import log_line
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.cli.doctor.compactions import check_history
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.rows import Grade, Row
from amplihack_compaction.clients.claude_code.session_files import config_folder, transcript_folder
from tests.support.sessions import HEAD, Session
from tests.support.transcripts import SESSION
from tests.unit.cli.doctor.conftest import Register, grades, install_plugin, texts

# Before and after every time in the transcripts that are made here.
LONG_AGO, LATER = 1_700_000_000, 4_000_000_000


@pytest.fixture
def session(project: Path, register: Register) -> Session:
    """Return a session of a project in which the hooks are registered, long since."""
    os.utime(register(), (LONG_AGO, LONG_AGO))
    made = Session(project)
    made.path = transcript_folder(str(project)) / f"{SESSION}.jsonl"
    return made


def check(session: Session) -> list[Row]:
    session.transcript.write(session.path)
    return check_history(find_installation(str(session.project)))


def test_without_compactions_there_is_nothing_to_say(session: Session) -> None:
    rows = check(session)
    assert grades(rows) == []
    assert "no compaction so far; 1 transcript of this project" in texts(rows)


def test_a_compaction_is_shown_with_what_was_told(session: Session) -> None:
    injected = session.compact()
    session.transcript.assistant("Going on.")
    rows = check(session)
    assert grades(rows) == []
    assert f"SessionStart told the model {len(injected)} characters" in texts(rows)
    assert f"session {SESSION[:8]}" in texts(rows)


def test_hooks_that_the_client_did_not_fire_are_named(session: Session) -> None:
    session.boundary()
    rows = check(session)
    assert grades(rows) == ["warning"]
    assert "SessionStart and PostCompact did not run" in texts(rows)


def test_a_compaction_from_before_the_registration_is_nobodys_fault(session: Session) -> None:
    session.boundary()
    os.utime(session.project / ".claude" / "settings.json", (LATER, LATER))
    rows = check(session)
    assert grades(rows) == []
    assert "nothing of ours was told, before the hooks were registered" in texts(rows)


def test_a_session_that_hooks_ran_in_is_judged_whatever_was_written_since(session: Session) -> None:
    session.compact()
    os.utime(session.project / ".claude" / "settings.json", (LATER, LATER))
    session.boundary()
    assert grades(check(session)) == ["warning"]


def test_without_registration_nothing_is_missed(session: Session) -> None:
    session.boundary()
    (session.project / ".claude" / "settings.json").unlink()
    assert grades(check(session)) == []


def test_the_plugins_hooks_are_missed_in_sessions_that_they_ran_in(session: Session) -> None:
    (session.project / ".claude" / "settings.json").unlink()
    path = config_folder() / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text('{"enabledPlugins": {"amplihack-compaction@market": true}}')
    install_plugin()
    session.boundary()
    assert "before the hooks were registered" in texts(check(session))
    session.transcript.user("Go on.")
    session.compact()
    session.boundary()
    assert "SessionStart and PostCompact did not run" in texts(check(session))


def test_one_hook_that_did_not_run_is_named_alone(session: Session) -> None:
    session.pre_compact()
    session.boundary(session.session_start())
    assert "PostCompact did not run" in texts(check(session))


def test_a_pre_compact_that_did_not_run_is_named(session: Session) -> None:
    injected = session.session_start()  # it makes up for what PreCompact would have stored
    session.post_compact()
    session.boundary(injected)
    rows = check(session)
    assert grades(rows) == ["warning"]
    assert "; PreCompact did not run" in texts(rows)


def test_an_event_of_an_older_version_says_nothing_of_pre_compact(session: Session) -> None:
    injected = session.session_start()
    session.post_compact()
    session.boundary(injected)
    (event,) = session.events
    del event["pre_compact_at"]
    (session.runtime / "compaction_events.json").write_text(json.dumps([event]))
    assert grades(check(session)) == []


def test_hooks_installed_in_mid_session_are_not_blamed_for_what_was_before(
    session: Session,
) -> None:
    session.boundary()
    os.utime(session.project / ".claude" / "settings.json", (LATER, LATER))
    session.transcript.user("Go on.")
    session.tool_use()  # the first of our hooks in this session
    session.prompt()
    session.stop()
    rows = check(session)
    assert "did not run" not in texts(rows)
    session.transcript.user("And on.")
    session.compact()
    assert "did not run" not in texts(check(session))


def test_a_text_that_did_not_arrive_is_named(session: Session) -> None:
    session.pre_compact()
    session.session_start()
    session.post_compact()
    session.boundary()
    assert grades(check(session)) == []  # the client may not have written it yet
    session.transcript.assistant("Going on.")
    rows = check(session)
    assert grades(rows) == ["warning"]
    assert "the transcript does not show it" in texts(rows)


def test_what_a_later_compaction_was_told_is_not_taken_for_an_earlier_ones(
    session: Session,
) -> None:
    session.boundary()
    session.transcript.user("Go on.")
    session.compact()
    later, earlier = [row for row in check(session) if "session" in row.text]
    assert "SessionStart told the model" in later.text
    assert "SessionStart and PostCompact did not run" in earlier.text


def test_only_the_last_compactions_are_shown(session: Session) -> None:
    for _ in range(7):
        session.transcript.user("Go on.")
        session.transcript.assistant("Yes.")
        session.boundary(HEAD)
    rows = [row for row in check(session) if "session" in row.text]
    assert len(rows) == 5
    assert rows == sorted(rows, key=lambda row: row.text, reverse=True)


def test_a_forks_copies_are_not_told_twice(session: Session) -> None:
    session.compact()
    session.transcript.write(session.path)
    fork = session.path.with_name("0f0f0f0f-0000-4000-8000-000000000000.jsonl")
    fork.write_bytes(session.path.read_bytes())
    rows = [row for row in check(session) if "session" in row.text]
    assert len(rows) == 1
    assert "SessionStart told the model" in rows[0].text


def test_a_transcript_that_is_no_file_is_passed_over(session: Session) -> None:
    session.path.parent.mkdir(parents=True)
    os.mkfifo(session.path.with_name("fifo.jsonl"))
    assert grades(check(session)) == []


def test_a_transcript_that_hooks_leave_alone_is_named(session: Session, tmp_path: Path) -> None:
    session.compact()
    real = session.path.rename(tmp_path / "real.jsonl")
    session.path.symlink_to(real)
    rows = check_history(find_installation(str(session.project)))
    assert "no compaction so far; 0 transcripts of this project" in texts(rows)
    (row,) = (row for row in rows if "not all transcripts" in row.text)
    assert row.grade is Grade.WARNING
    assert row.details == (f"{session.path}: it is a link, and none is followed here",)
    assert "put the file itself there" in str(row.remedy)


def test_what_the_hooks_logged_lately_is_shown(session: Session) -> None:
    root = str(session.project)
    log_line(root, "Stop", "something \x1b[31m went wrong")
    rows = check(session)
    assert grades(rows) == ["warning"]
    assert "went wrong" in rows[-1].details[0]
    path = Path(runtime_folder(root)) / "hooks.log"
    stamp = time.strftime("%Y", time.gmtime())
    path.write_text(path.read_text().replace(stamp, "2001", 1))
    assert grades(check(session)) == []


def test_nothing_is_read_through_a_link(session: Session, tmp_path: Path) -> None:
    session.compact()
    (session.project / ".claude").rename(tmp_path / "elsewhere")
    (session.project / ".claude").symlink_to(tmp_path / "elsewhere")
    assert check(session) == []
