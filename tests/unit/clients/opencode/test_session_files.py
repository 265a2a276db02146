"""OpenCode's sessions, out of its database into files of session lines."""

import os
import sqlite3
from pathlib import Path

import pytest

from amplihack_compaction.clients import reading
from amplihack_compaction.clients.opencode import session_files
from amplihack_compaction.transcript.session import Kind, Node
from tests.support.opencode import PROJECT, SESSION, Database


@pytest.fixture
def database() -> Database:
    return Database(Path(os.environ["XDG_DATA_HOME"]))


def the_file() -> Path:
    (found,) = session_files.project_transcripts(PROJECT, [])
    return found


def prompts() -> list[str]:
    windows = reading.read_windows(the_file())
    return [node.text for window in windows for node in window.chain if node.kind is Kind.PROMPT]


def nodes() -> list[Node]:
    return [node for window in reading.read_windows(the_file()) for node in window.chain]


def test_a_session_of_the_real_client_is_read_whole(database: Database) -> None:
    windows = list(reading.read_windows(the_file()))
    assert prompts() == [
        "Never push to main. Use pnpm, not npm. Read @a.txt",
        "Now add rate limiting to the login endpoint",
        "And the third prompt",
    ]
    told = ["The user and the assistant talked about the project.", "Third."]
    assert [window.summary for window in windows[1:]] == told
    used = [
        (tool.name, tool.used_on, tool.succeeded)
        for node in windows[0].chain
        for tool in node.tools
    ]
    assert used == [
        ("Read", f"{PROJECT}/a.txt", True),
        ("TodoWrite", "", True),
        ("Bash", "echo 3 passed; exit 1", False),
        ("Edit", f"{PROJECT}/a.txt", True),
        ("Write", f"{PROJECT}/c.txt", True),
        ("invalid", "", True),
    ]
    bounds = [node.boundary for node in nodes() if node.boundary is not None]
    assert [(bound.trigger, bound.pre_tokens) for bound in bounds] == [("auto", 99_020)] * 2
    assert the_file() in reading.project_transcripts(PROJECT)
    assert reading.session_transcript(PROJECT, SESSION) == the_file()
    assert the_file().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("odd", ["", "../x", "ses_other", "a/b", "x" * 200])
def test_no_other_session_is_found(database: Database, odd: str) -> None:
    assert session_files.session_transcript(PROJECT, odd) is None
    with pytest.raises(LookupError):
        session_files.bring_up_to_date(odd)


def test_sessions_of_other_projects_and_of_subagents_are_left_out(database: Database) -> None:
    assert session_files.project_transcripts("/home/dev/other", []) == []
    with database.connection as connection:
        connection.execute("UPDATE session SET parent_id = 'ses_above'")
    assert session_files.project_transcripts(PROJECT, []) == []
    with pytest.raises(LookupError):
        session_files.bring_up_to_date(SESSION)


def test_without_the_client_there_is_nothing() -> None:
    problems: list[str] = []
    assert session_files.project_transcripts(PROJECT, problems) == []
    assert problems == []


def test_a_database_that_cannot_be_read_is_told(database: Database) -> None:
    with database.connection as connection:
        connection.execute("DROP TABLE part")
    problems: list[str] = []
    assert session_files.project_transcripts(PROJECT, problems) == []
    assert "no such table: part" in problems[0]


def test_a_file_grows_by_what_is_new_and_keeps_what_it_has(database: Database) -> None:
    before = the_file().read_bytes()
    database.say("Use Postgres.")
    after = the_file().read_bytes()
    assert after.startswith(before)
    assert after.count(b"Use Postgres.") == 1
    assert the_file().read_bytes() == after


def test_what_was_taken_back_is_not_kept(database: Database) -> None:
    last = database.say("Drop the table.")
    assert "Drop the table." in prompts()
    database.delete(last)
    assert "Drop the table." not in prompts()
    assert len(prompts()) == 3


def test_a_torn_line_is_cut_off(database: Database) -> None:
    whole = the_file().read_bytes()
    the_file().write_bytes(whole + b'{"type":"user","uu')
    database.say("Use Postgres.")
    assert prompts()[-1] == "Use Postgres."
    assert the_file().read_bytes().startswith(whole)


def test_an_answer_is_written_when_it_is_finished(database: Database) -> None:
    database.say("Go on.")
    said = {"type": "text", "text": "Half of it"}
    answer = database.add("assistant", said, time={"created": database.now})
    assert "Half of it" not in [node.text for node in nodes()]
    database.end(answer, time={"created": database.now, "completed": database.now})
    assert "Half of it" in [node.text for node in nodes()]


def test_an_answer_that_was_broken_off_does_not_hold_up_the_rest(database: Database) -> None:
    database.say("Go on.")
    database.add("assistant", {"type": "text", "text": "Half"}, time={"created": database.now})
    database.say("Are you there?")
    database.add("assistant", {"type": "text", "text": "Yes."})
    assert prompts()[-2:] == ["Go on.", "Are you there?"]


def test_a_compaction_waits_until_it_may_be_written(database: Database) -> None:
    asked = database.ask()
    waiting = session_files.bring_up_to_date(SESSION)
    assert waiting is not None
    assert (waiting.id, waiting.trigger, waiting.summary) == (asked, "auto", None)
    database.summarise(asked)
    waiting = session_files.bring_up_to_date(SESSION, hold=True)
    assert waiting is not None
    assert waiting.summary is not None
    assert (waiting.id, waiting.summary.text) == (asked, "They talked.")
    mark = b'"subtype":"compact_boundary"'
    path = session_files.sessions_folder() / f"{SESSION}.jsonl"
    assert path.read_bytes().count(mark) == 2
    assert session_files.bring_up_to_date(SESSION) is None
    assert path.read_bytes().count(mark) == 3


def test_a_compaction_that_failed_is_none(database: Database) -> None:
    database.summarise(database.ask(), "", error={"name": "ContextOverflowError"})
    database.say("Go on.")
    assert the_file().read_bytes().count(b'"subtype":"compact_boundary"') == 2


def test_the_clients_database_is_only_read(database: Database) -> None:
    before = database.connection.execute("PRAGMA data_version").fetchone()
    the_file()
    assert database.connection.execute("PRAGMA data_version").fetchone() == before
    with (
        pytest.raises(sqlite3.OperationalError, match="readonly"),
        session_files._opened() as opened,
    ):
        opened.execute("DELETE FROM message")


def test_secrets_are_not_written(database: Database) -> None:
    key = "AKIA" + "Q7RK2VW9XT4LM8NP"  # apart, so that no scanner takes it for a leak
    database.say(f"The key is {key}, keep it.")
    assert key.encode() not in the_file().read_bytes()


def test_what_no_client_writes_stops_nothing(database: Database) -> None:
    database.add("assistant", summary=True, parentID=["no", "id"])
    deep: dict[str, object] = {}
    for _ in range(900):
        deep = {"in": deep}
    told = {"status": "completed", "input": deep, "output": "ok"}
    database.add("assistant", {"type": "tool", "tool": "bash", "callID": "1", "state": told})
    database.say("And a prompt behind it")
    for odd in ("yesterday", b"\x00", -1, 10**18):
        database.connection.execute("UPDATE session SET time_updated = ?", (odd,))
        database.connection.commit()
        assert prompts()[-1] == "And a prompt behind it"
