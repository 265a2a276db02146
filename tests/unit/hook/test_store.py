"""The hook that stores: what each event brings, and what it does without a usable store."""

import json
import os
import sqlite3
from pathlib import Path

import pytest

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.hook import store as events
from amplihack_compaction.hook.store import store_event
from amplihack_compaction.injection.record import record_compaction
from amplihack_compaction.store import sqlite
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.sqlite import default_place, open_project_store
from amplihack_compaction.store.store import SessionStore
from tests.support.processes import log_of, modes_below, run_hook
from tests.support.sessions import write_own_settings
from tests.support.transcripts import SESSION, Transcript


@pytest.fixture
def session(tmp_path: Path) -> Transcript:
    started = Transcript()
    started.user("Use port 8443.")
    started.assistant("Done.")
    started.write(tmp_path / "t.jsonl")
    return started


def fire(project: Path, event: str = "Stop", **fields: object) -> None:
    payload = {
        "session_id": SESSION,
        "transcript_path": str(project.parent / "t.jsonl"),
        "hook_event_name": event,
        **fields,
    }
    assert store_event(payload, str(project)) == ""


def rows(project: Path, sql: str) -> list[tuple[object, ...]]:
    with open_project_store(str(project)) as database:
        return database.rows(sql)


def kinds(project: Path) -> list[object]:
    return [kind for (kind,) in rows(project, "SELECT kind FROM message ORDER BY id")]


def trouble(project: Path) -> list[str]:
    return [line for line in log_of(project) if "store" in line]


def test_a_stop_stores_the_turn_for_its_owner_only(project: Path, session: Transcript) -> None:
    fire(project)
    assert kinds(project) == ["prompt", "answer"]
    assert rows(project, "SELECT scope, session_id FROM session") == [(str(project), SESSION)]
    modes = modes_below(project / ".claude")
    assert {mode for path, mode in modes.items() if "store.db" in path} == {0o600}


def test_a_compaction_is_recorded_once_with_its_summary(
    project: Path, session: Transcript, tmp_path: Path
) -> None:
    fire(project, "SessionStart", source="compact")  # no boundary yet
    assert kinds(project) == ["prompt", "answer"]
    session.compact("They chose port 8443.")
    session.write(tmp_path / "t.jsonl")
    fire(project)
    fire(project)
    session.user("Go on.")
    session.compact("They went on.")
    session.write(tmp_path / "t.jsonl")
    fire(project)
    said = "SELECT number, cause, summary, messages_before, messages_after FROM compaction"
    assert rows(project, said) == [
        (1, "auto", "They chose port 8443.", 2, 1),
        (2, "auto", "They went on.", 2, 1),
    ]
    assert kinds(project) == ["prompt", "answer", "summary", "prompt", "summary"]
    assert rows(project, "SELECT count(*) FROM compaction WHERE place IS NULL") == [(0,)]


def test_switched_off_it_stores_nothing(project: Path, session: Transcript) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "compaction.json").write_text(json.dumps({"store": "off"}))
    fire(project)
    assert not Path(default_place(str(project))).exists()


def test_a_damaged_store_is_said_once_and_kept(project: Path, session: Transcript) -> None:
    fire(project)
    place = Path(default_place(str(project)))
    place.write_bytes(b"no database " * 500)
    for _ in range(3):
        fire(project)
    (line,) = trouble(project)
    assert "damaged" in line
    assert "store sync" in line
    assert place.read_bytes().startswith(b"no database")
    place.unlink()
    fire(project)
    assert kinds(project) == ["prompt", "answer"]  # made anew from the transcript
    assert not (place.parent / "store.trouble").exists()


def test_a_damaged_store_whose_error_is_no_text_is_said_too(
    project: Path, session: Transcript
) -> None:
    fire(project)
    path = Path(default_place(str(project)))
    damaged = path.read_bytes().replace(b"PRIMARY KEY", b"PRIMARY \x9aEY")
    path.write_bytes(damaged)
    session.user("And one more thing.")
    session.write(project.parent / "t.jsonl")
    fire(project)
    assert "damaged" in trouble(project)[-1]
    assert path.read_bytes() == damaged


def test_half_a_character_is_stored_as_a_question_mark(project: Path, session: Transcript) -> None:
    fire(project, session_id="half \ud800")
    assert trouble(project) == []


def test_a_newer_store_is_left_alone(project: Path, session: Transcript) -> None:
    fire(project)
    place = default_place(str(project))
    connection = sqlite3.connect(place)
    connection.execute("UPDATE meta SET value = '999' WHERE name = 'schema_version'")
    connection.commit()
    connection.close()
    before = Path(place).read_bytes()
    fire(project)
    (line,) = trouble(project)
    assert "newer amplihack-compaction" in line
    assert Path(place).read_bytes() == before


def test_a_store_that_cannot_be_made_is_said_once(
    project: Path, session: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("amplihack_compaction.store.sqlite.posix.link", refuse)
    fire(project)
    fire(project)
    (line,) = trouble(project)
    assert "No space left" in line
    folder = Path(default_place(str(project))).parent
    assert not [name for name in os.listdir(folder) if name.startswith("store.db")]


def test_a_disk_that_fills_up_loses_nothing_that_was_stored(
    project: Path, session: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fire(project)
    place = default_place(str(project))
    connection = sqlite3.connect(place)
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.close()
    for number in range(200):
        session.assistant(f"{number} " + "words of all kinds " * 200)
    session.write(tmp_path / "t.jsonl")

    def full(root: str, wait_seconds: float) -> object:
        database = open_project_store(root, wait_seconds)
        database.run(f"PRAGMA max_page_count = {pages + 10}")
        return database

    with monkeypatch.context() as patched:
        patched.setattr(events, "open_project_store", full)
        fire(project)
    (line,) = trouble(project)
    assert "the disk is full" in line
    assert kinds(project) == ["prompt", "answer"]
    fire(project)
    assert len(kinds(project)) == 202


def test_a_hook_that_runs_out_of_time_leaves_the_rest_to_the_next(
    project: Path, session: Transcript, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3000):
        session.assistant(f"{number} words")
    session.write(tmp_path / "t.jsonl")
    with monkeypatch.context() as patched:
        patched.setattr(events, "_TIME_SECONDS", 0.0)
        fire(project)
    assert len(kinds(project)) < 3002
    for _ in range(3):
        fire(project)
    assert len(kinds(project)) == 3002


def test_a_hooks_store_ends_what_takes_too_long_or_too_much(
    project: Path, session: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    fire(project)
    monkeypatch.setattr(sqlite, "_HOOK_SECONDS", 0.05)
    monkeypatch.setattr(sqlite, "_HOOK_PAGES", 5)
    endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)"
    with (
        open_project_store(str(project), sqlite.HOOK_WAIT_SECONDS) as database,
        pytest.raises(StoreError, match="interrupted"),
    ):
        database.rows(f"{endless} SELECT count(*) FROM n")
    monkeypatch.setattr(sqlite, "_HOOK_SECONDS", 60.0)
    with (
        open_project_store(str(project), sqlite.HOOK_WAIT_SECONDS) as database,
        pytest.raises(StoreError, match="full"),
    ):
        database.run("UPDATE session SET summary = hex(zeroblob(1000000))")


def test_a_link_is_not_followed(project: Path, session: Transcript, tmp_path: Path) -> None:
    fire(project)
    place = Path(default_place(str(project)))
    place.rename(tmp_path / "elsewhere.db")
    place.symlink_to(tmp_path / "elsewhere.db")
    before = (tmp_path / "elsewhere.db").read_bytes()
    session.user("More.")
    session.write(tmp_path / "t.jsonl")
    fire(project)
    assert "link" in trouble(project)[0]
    assert (tmp_path / "elsewhere.db").read_bytes() == before


def test_the_script_stores_what_each_event_brings(
    project: Path, session: Transcript, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(project.parent))  # as the script has it
    stdin = {
        "session_id": SESSION,
        "transcript_path": str(project.parent / "t.jsonl"),
        "hook_event_name": "SessionEnd",
    }
    answer = run_hook("Store", stdin, project)
    assert (answer.stdout, answer.stderr, answer.code) == ("", "", 0)
    assert kinds(project) == ["prompt", "answer"]
    assert log_of(project) == []


def test_a_store_that_has_outgrown_its_bounds_loses_the_oldest_at_the_end(
    project: Path, session: Transcript, tmp_path: Path
) -> None:
    for number in range(60):
        session.user(f"{number} " + "words of all kinds " * 2000)
    session.write(tmp_path / "t.jsonl")
    for name in ("old", "new"):
        fire(project, session_id=name)
    write_own_settings(store_megabytes=1)
    fire(project, session_id="new")
    assert rows(project, "SELECT session_id FROM session ORDER BY id") == [("old",), ("new",)]
    fire(project, "SessionEnd", session_id="new")
    assert rows(project, "SELECT session_id FROM session") == [("new",)]
    assert log_of(project) == []


def test_sessions_that_were_left_long_ago_go_at_the_end(project: Path, session: Transcript) -> None:
    fire(project, session_id="old")
    with open_project_store(str(project)) as database:
        database.run("UPDATE session SET updated_at = '2001-01-01'")
    write_own_settings(store_days=30)
    fire(project, "SessionEnd", session_id="new")
    assert rows(project, "SELECT session_id FROM session") == [("new",)]


def test_bounds_that_make_no_sense_are_the_defaults(project: Path, session: Transcript) -> None:
    fire(project, session_id="old")
    odd: object
    for odd in ({"store_megabytes": 0}, {"store_megabytes": "1"}, {"store_days": -1}, []):
        (config_folder() / "compaction.json").parent.mkdir(exist_ok=True)
        (config_folder() / "compaction.json").write_text(json.dumps(odd))
        fire(project, "SessionEnd", session_id="new")
    assert len(rows(project, "SELECT session_id FROM session")) == 2


@pytest.mark.parametrize(
    ("strategy", "left"), [("none", 4), ("sliding_window", 2), ("summarize", 1)]
)
def test_the_end_of_a_run_compacts_the_stored_session_as_it_is_set(
    project: Path, session: Transcript, strategy: str, left: int
) -> None:
    session.user("Never push to main.")
    session.assistant("I will not.")
    path = session.write(project.parent / "t.jsonl")
    record_compaction(str(project), SESSION, str(path), print)
    write_own_settings(store_strategy=strategy, store_window=2)
    fire(project, "SessionEnd")
    with SessionStore(default_place(str(project))) as store:
        key = SessionKey(str(project), SESSION)
        assert store.get_session_info(key).message_count == left
        first = next(iter(store.messages(key)))
    assert ("Never push to main." in first.content) == (strategy != "none")
