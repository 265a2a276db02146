"""Deleting really deletes: from the messages, the index, the words, the file and its log."""

import sqlite3
from contextlib import closing
from pathlib import Path

from amplihack_compaction.store.compactions import SUMMARIZE, compact_session
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.messages import StoredMessage, insert_messages
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.sessions import SessionKey, make_session, touch_session
from amplihack_compaction.store.upkeep import (
    delete_session,
    delete_sessions,
    is_purge_due,
    purge,
    surplus_sessions,
)


def tell(database: Database, name: str, text: str, count: int = 1, at: str = "2026-11-21") -> int:
    with database.transaction():
        session = make_session(database, SessionKey("/shop", name))
        insert_messages(
            database,
            session,
            [
                StoredMessage(
                    "user",
                    f"{text} {number}",
                    "prompt",
                    tokens=100,
                    turn=1,
                    said_at=at,
                    uuid=f"{name}-{number}",
                    place=number,
                )
                for number in range(count)
            ],
        )
        database.run(
            "UPDATE session SET updated_at = :at WHERE id = :id", {"at": at, "id": session.id}
        )
        session.updated_at = at
        touch_session(database, session, at)
    return session.id


def test_what_is_deleted_is_in_no_byte_of_the_files(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    with open_store(str(place), "") as database:
        gone = tell(database, "gone", "The zanzibarword is hidden 秘密結社 here", 700)
        with database.transaction():
            session = make_session(database, SessionKey("/shop", "gone"))
            compact_session(database, session, SUMMARIZE, "zanzibarword")
        tell(database, "stays", "Other words")
        update_words(database)
        raw = [path for path in tmp_path.iterdir() if b"zanzibarword" in path.read_bytes()]
        assert raw  # the same search finds it while it is there
        assert delete_session(database, gone) == 701
        purge(database)
        for path in tmp_path.iterdir():
            content = path.read_bytes()
            for secret in (b"zanzibarword", b"zanz", "秘密".encode(), b"gone-1"):
                assert secret not in content, path
        assert recall(database, "other words").hits
        assert database.one("PRAGMA integrity_check") == ("ok",)
        database.run("INSERT INTO search (search) VALUES ('integrity-check')")
        database.run("INSERT INTO word_part (word_part) VALUES ('integrity-check')")


def test_a_deletion_that_was_begun_is_brought_to_its_end_by_whoever_purges(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store.db"), "") as database:
        gone = tell(database, "gone", "zebra crossing", 700)
        tell(database, "stays", "zebra stripes")
        assert delete_session(database, gone) == 700
        assert not purge(database, 0)
    with open_store(str(tmp_path / "store.db"), "") as database:
        assert purge(database)
        assert not is_purge_due(database)  # or the next hook would do all of it again
        assert database.rows("SELECT session_id FROM session") == [("stays",)]
        assert [hit.session_id for hit in recall(database, "zebra").hits] == ["stays"]
        assert database.rows("SELECT name FROM meta WHERE name LIKE 'delete %'") == []


def test_while_another_process_reads_what_is_deleted_it_stays_due(tmp_path: Path) -> None:
    place = tmp_path / "store.db"
    with open_store(str(place), "") as database:
        gone = tell(database, "gone", "zebra crossing")
        with closing(sqlite3.connect(place)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM message").fetchall()
            delete_session(database, gone)
            database.run("PRAGMA busy_timeout = 10")
            assert not purge(database)
            assert is_purge_due(database)
        assert purge(database)
        assert not is_purge_due(database)
        assert not any(b"zebra" in path.read_bytes() for path in tmp_path.iterdir())


def test_nothing_of_a_deleted_session_is_found_again(database: Database) -> None:
    gone = tell(database, "gone", "zebra crossing")
    tell(database, "stays", "zebra stripes")
    assert [hit.session_id for hit in recall(database, "zebr").hits] == ["stays", "gone"]
    delete_session(database, gone)
    purge(database)
    assert [hit.session_id for hit in recall(database, "zebra").hits] == ["stays"]
    assert recall(database, "crossing").hits == []
    words = {word for (word,) in database.rows("SELECT word FROM word")}
    assert words == {"zebra", "stripes"}
    for table in ("message", "session"):
        assert database.one(f"SELECT count(*) FROM {table}") == (1,)


def test_what_is_stored_behind_a_deleted_session_is_found_by_parts_of_words(
    database: Database,
) -> None:
    gone = tell(database, "gone", "zebra crossing", 30)
    update_words(database)
    delete_session(database, gone)
    purge(database)
    tell(database, "new", "Rename it to makeStripeClientFactory.")
    for asked in ("StripeClient", "makeStripeClientFactroy"):
        assert [hit.session_id for hit in recall(database, asked).hits] == ["new"]


def test_the_number_of_a_deleted_session_is_given_to_no_other(database: Database) -> None:
    gone = tell(database, "gone", "zebra crossing")
    delete_session(database, gone)
    purge(database)
    assert tell(database, "new", "zebra stripes") > gone


def test_the_oldest_sessions_are_beyond_the_size(database: Database) -> None:
    old = tell(database, "old", "old words", 400, at="2026-01-01")
    middle = tell(database, "middle", "middle words", 400, at="2026-02-01")
    new = tell(database, "new", "new words", 400, at="2026-03-01")
    used = database.number(database.used)
    assert surplus_sessions(database, used, 0) == []
    assert surplus_sessions(database, used * 9 // 10, 0) == [old]
    assert surplus_sessions(database, used // 2, 0) == [old, middle]
    assert surplus_sessions(database, 1, 0) == [old, middle]  # the newest always stays
    delete_sessions(database, [old, middle])
    purge(database)
    assert surplus_sessions(database, used // 2, 0) == []  # also where tables stay as they were
    assert database.rows("SELECT id FROM session") == [(new,)]


def test_sessions_that_were_left_long_ago_are_beyond_the_age(database: Database) -> None:
    old = tell(database, "old", "old", at="2001-01-01T00:00:00.000Z")
    tell(database, "new", "new", at="2999-01-01T00:00:00.000Z")
    assert surplus_sessions(database, 10**12, 30) == [old]
    assert surplus_sessions(database, 10**12, 0) == []
