"""`SessionStore` on SQLite and on PostgreSQL: one behaviour."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from amplihack_compaction import (
    CompactionRecord,
    CompactionStrategy,
    SessionKey,
    SessionStore,
    StoredMessage,
)
from amplihack_compaction.base.errors import (
    ScopeError,
    SessionNotFoundError,
    StoreError,
    StrategyError,
)
from amplihack_compaction.base.redaction.redact import read_user_patterns
from amplihack_compaction.store.compactions import meet_boundary, meet_summary
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.sessions import find_session, make_session, touch_session
from tests.support.sessions import write_own_settings

KEY = SessionKey("/home/me/shop", "s-1")
OTHER = SessionKey("/home/me/blog", "s-1")


@pytest.fixture
def store(store_url: str) -> Iterator[SessionStore]:
    with SessionStore(store_url) as opened:
        yield opened


def said(*texts: str) -> list[StoredMessage]:
    return [
        StoredMessage(role="user", content=text, uuid=f"u{place}", tool_name="Bash", tokens=7)
        for place, text in enumerate(texts)
    ]


def contents(store: SessionStore, key: SessionKey = KEY, *, archived: bool = False) -> list[str]:
    return [message.content for message in store.messages(key, archived=archived)]


def test_messages_come_back_as_they_were_given(store: SessionStore) -> None:
    given = StoredMessage(
        role="tool", content="Zeile 1\n中文 🙂", kind="tool_output", tool_name="Read", tokens=12,
        turn=3, said_at="2026-11-21T21:04:53.000Z", uuid="u", part=2, place=4711,
    )  # fmt: skip
    assert store.append(KEY, [given]) == 1
    assert list(store.messages(KEY)) == [given]


def test_the_same_message_is_stored_once(store: SessionStore) -> None:
    assert store.append(KEY, said("a", "b")) == 2
    assert store.append(KEY, [*said("a", "b", "c"), *said("a")]) == 1
    assert contents(store) == ["a", "b", "c"]


def test_secrets_and_what_no_database_takes_are_replaced(store: SessionStore) -> None:
    secret = "gh" + "p_" + "A1b2C3d4E5f6" * 3
    store.append(KEY, said(f"use {secret}", "a\0b", "half \ud83d"))
    first, second, third = contents(store)
    assert first == "use [redacted:github-token]"
    assert (second, third) == ("a\N{SYMBOL FOR NULL}b", "half ?")


def test_before_the_first_compaction_there_is_an_empty_record(store: SessionStore) -> None:
    store.add_session(KEY)
    assert store.get_compaction_record(KEY) == CompactionRecord(0, None, None)
    assert store.history(KEY) == []


def test_the_strategy_none_changes_nothing(store: SessionStore) -> None:
    store.append(KEY, said("a", "b"))
    assert store.compact(KEY, CompactionStrategy.none()) == CompactionRecord()
    assert contents(store) == ["a", "b"]
    assert store.history(KEY) == []


def test_a_window_keeps_the_newest_and_the_archive_the_rest(store: SessionStore) -> None:
    store.append(KEY, said(*"abcdef"))
    record = store.compact(KEY, CompactionStrategy.sliding_window(2))
    assert record.compaction_count == 1
    assert record.last_compacted_at is not None
    assert abs(datetime.now(UTC) - record.last_compacted_at) < timedelta(minutes=1)
    assert contents(store) == ["e", "f"]
    everything = list(store.messages(KEY, archived=True))
    assert [m.content for m in everything] == [*"abcdef"]
    assert [m.archived_by for m in everything] == [1, 1, 1, 1, None, None]
    (past,) = store.history(KEY)
    assert (past.messages_before, past.messages_after) == (6, 2)
    assert (past.tokens_before, past.tokens_after) == (42, 14)


def test_a_window_that_removes_nothing_is_counted_too(store: SessionStore) -> None:
    store.append(KEY, said("a"))
    assert store.compact(KEY, CompactionStrategy.sliding_window(5)).compaction_count == 1
    assert store.compact(KEY, CompactionStrategy.sliding_window(1)).compaction_count == 2
    assert contents(store) == ["a"]
    assert store.get_compaction_record(KEY).compaction_count == 2


def test_a_summary_takes_the_place_of_all_messages(store: SessionStore) -> None:
    store.append(KEY, said("a", "b"))
    record = store.compact(KEY, CompactionStrategy.summarize(), "They said a and b.")
    assert (record.compaction_count, record.summary) == (1, "They said a and b.")
    (message,) = store.messages(KEY)
    assert (message.role, message.kind, message.compactions) == ("system", "summary", 1)
    assert message.content == "They said a and b."
    store.append(KEY, [StoredMessage(role="user", content="c", uuid="later")])
    store.compact(KEY, CompactionStrategy.sliding_window(1))
    assert contents(store) == ["c"]
    assert store.get_compaction_record(KEY).summary == "They said a and b."
    assert [past.strategy for past in store.history(KEY)] == ["summarize", "sliding_window"]
    assert contents(store, archived=True) == ["a", "b", "They said a and b.", "c"]


@pytest.mark.parametrize("length", [1, 200])
def test_half_a_character_of_a_summary_is_stored_as_a_question_mark(
    store: SessionStore, length: int
) -> None:
    store.append(KEY, said("a"))
    record = store.compact(KEY, CompactionStrategy.summarize(), "\ud83d" + "x" * length)
    assert record.summary == "?" + "x" * length
    assert contents(store) == ["?" + "x" * length]


@pytest.mark.parametrize("summary", [None, "", "  \n"])
def test_a_summary_that_is_missing_is_an_error_and_changes_nothing(
    store: SessionStore, summary: str | None
) -> None:
    store.append(KEY, said("a"))
    with pytest.raises(StrategyError, match="needs a summary"):
        store.compact(KEY, CompactionStrategy.summarize(), summary)
    assert contents(store) == ["a"]
    assert store.get_compaction_record(KEY) == CompactionRecord()


@pytest.mark.parametrize("size", [0, -3])
def test_a_window_without_room_is_an_error(size: int) -> None:
    with pytest.raises(StrategyError, match="at least 1"):
        CompactionStrategy.sliding_window(size)


def test_an_unknown_session_is_an_error_by_name(store: SessionStore) -> None:
    with pytest.raises(SessionNotFoundError, match="s-1"):
        store.compact(KEY, CompactionStrategy.sliding_window(1))
    with pytest.raises(SessionNotFoundError):
        store.get_compaction_record(KEY)
    with pytest.raises(SessionNotFoundError):
        store.verify_scope(KEY)


def test_another_projects_session_is_refused(store: SessionStore) -> None:
    store.append(KEY, said("a"))
    store.verify_scope(KEY)
    for refused in (
        lambda: store.verify_scope(OTHER),
        lambda: store.get_compaction_record(OTHER),
        lambda: store.compact(OTHER, CompactionStrategy.summarize(), "x"),
        lambda: list(store.messages(OTHER)),
    ):
        with pytest.raises(ScopeError, match="another project"):
            refused()
    assert contents(store) == ["a"]


def test_a_store_for_one_project_refuses_all_others(store_url: str) -> None:
    with SessionStore(store_url, scope=KEY.scope) as store:
        store.append(KEY, said("a"))
        with pytest.raises(ScopeError, match="opened for"):
            store.append(OTHER, said("b"))
        with pytest.raises(ScopeError, match="opened for"):
            store.compact(OTHER, CompactionStrategy.none())


def test_the_same_id_in_two_projects_is_two_sessions(store: SessionStore) -> None:
    store.append(KEY, said("shop"))
    store.append(OTHER, said("blog"))
    assert (contents(store, KEY), contents(store, OTHER)) == (["shop"], ["blog"])


def test_what_fails_halfway_leaves_nothing(
    store: SessionStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    from amplihack_compaction.store import compactions

    store.append(KEY, said("a", "b"))

    def fail(*_: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(compactions, "touch_session", fail)
    with pytest.raises(StoreError, match="full"):
        store.compact(KEY, CompactionStrategy.summarize(), "They said a and b.")
    assert contents(store) == ["a", "b"]
    assert store.history(KEY) == []


def test_another_connection_sees_what_was_stored(store: SessionStore, store_url: str) -> None:
    store.append(KEY, said(*(str(number) for number in range(1200))))
    with SessionStore(store_url) as second:
        assert contents(second) == [str(number) for number in range(1200)]


def test_a_key_is_its_scope_and_id() -> None:
    assert SessionKey("/a", "s") == SessionKey("/a", "s")
    assert SessionKey("/a", "s") != SessionKey("/b", "s")
    assert {SessionKey("/a", "s"): 1}[SessionKey("/a", "s")] == 1
    assert repr(SessionKey("/a", "s")) == "SessionKey(scope='/a', session_id='s')"


def test_a_session_that_is_gone_on_with_elsewhere_is_known_by_its_new_transcript(
    database: Database,
) -> None:
    for path in ("/t/one.jsonl", "/t/two.jsonl", ""):
        with database.transaction():
            row = make_session(database, KEY, path)
            touch_session(database, row, "2026-11-30T21:00:00.000Z")
    assert row.transcript == "/t/two.jsonl"
    assert find_session(database, KEY).transcript == "/t/two.jsonl"


def test_a_summary_that_the_transcript_tells_is_recorded_once(database: Database) -> None:
    with database.transaction():
        row = make_session(database, KEY)
        meet_summary(database, row, boundary="unknown", text="x", place=0, at="")
        for _ in range(2):
            meet_boundary(database, row, uuid="b", place=7, cause="", at="")
            meet_summary(database, row, boundary="b", text="They talked.", place=9, at="")
        # A boundary of an older window that was read again comes behind the newest.
        meet_boundary(database, row, uuid="c", place=20, cause="manual", at="2026-11-21")
        meet_summary(database, row, boundary="c", text="More.", place=21, at="2026-11-21")
    told = database.rows("SELECT number, cause, summary, place FROM compaction ORDER BY number")
    assert told == [(1, "client", "They talked.", 7), (2, "manual", "More.", 20)]
    assert find_session(database, KEY).summary == "More."


def test_what_has_become_a_secret_since_is_not_told(
    store: SessionStore, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.append(KEY, said("the badge 4711-B is mine"))
    write_own_settings(redact_patterns=["[0-9]{4}-B"])
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(project))
    read_user_patterns()
    assert contents(store) == ["the badge [redacted:user-pattern] is mine"]


def test_the_users_patterns_count_for_every_session(store: SessionStore, project: Path) -> None:
    key = SessionKey(str(project), "s-2")
    write_own_settings(redact_patterns=["[0-9]{4}-B"])
    store.append(key, said("the badge 4711-B is mine"))
    store.compact(key, CompactionStrategy.summarize(), "of 4712-B")
    assert store.get_compaction_record(key).summary == "of [redacted:user-pattern]"
    assert "4711-B" not in str(contents(store, key, archived=True))


def test_a_text_where_a_number_belongs_is_damage_that_is_named(tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    with SessionStore(place) as store:
        store.append(KEY, said("one"))
    with closing(sqlite3.connect(place)) as file, file:
        file.execute("UPDATE session SET message_count = 'many'")
    with SessionStore(place) as store, pytest.raises(StoreError, match="damaged"):
        store.append(KEY, said("two"))
