"""A server's tables are in parts by session, which old sessions leave as a whole."""

import threading
from collections.abc import Iterator

import pytest

from amplihack_compaction.store import upkeep
from amplihack_compaction.store.database import PARTITION_IDS, Database
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.query import update_words
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.upkeep import delete_sessions, purge, surplus_sessions
from tests.support.postgres import Server
from tests.unit.store.test_upkeep import tell


@pytest.fixture
def url(postgres: Server) -> str:
    return postgres.create()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    with open_store(url, "") as opened:
        yield opened


def parts(database: Database) -> set[str]:
    rows = database.rows("SELECT tablename FROM pg_tables WHERE tablename ~ '_[0-9]+$'")
    return {str(row[0]) for row in rows}


def named(*numbers: int) -> set[str]:
    return {f"{table}_{number}" for table in ("message", "content", "search") for number in numbers}


def begin_part(database: Database, number: int) -> None:
    database.rows("SELECT setval('ids', :id)", {"id": number * PARTITION_IDS + 1})


def found(database: Database, text: str) -> list[str]:
    return sorted(hit.session_id for hit in recall(database, text).hits)


def test_old_sessions_go_with_their_part_of_the_tables(database: Database) -> None:
    ids = {}
    for number in range(5):
        begin_part(database, number)
        for name in (f"first{number}", f"second{number}"):
            text, year = f"zebra {name}word", f"200{number}-01-01T00:00:00.000Z"
            ids[name] = tell(database, name, text, 3, at=year)
    update_words(database)
    assert parts(database) == named(0, 1, 2, 3, 4)
    due = [one for one in surplus_sessions(database, 10**12, 1) if one != ids["first2"]]
    assert len(due) == 8
    delete_sessions(database, due)
    assert found(database, "zebra") == ["first2"] * 3 + ["second4"] * 3
    purge(database)
    # Of the newest two parts nothing is dropped: sessions may still come into them.
    assert parts(database) == named(2, 3, 4)
    for table in ("message", "content", "search"):
        assert database.one(f"SELECT count(*) FROM {table}") == (6,)
    words = {word for (word,) in database.rows("SELECT word FROM word")}
    assert words == {"zebra", "first2word", "second4word"}


def test_a_part_with_a_session_that_goes_on_stays(database: Database) -> None:
    for number in range(3):
        begin_part(database, number)
        tell(database, f"s{number}", f"zebra of {number}", at="2001-01-01")
    begin_part(database, 3)
    tell(database, "s0", "it went on", 2, at="2999-01-01")
    assert parts(database) == named(0, 1, 2, 3)
    sessions = surplus_sessions(database, 10**12, 1)
    assert len(sessions) == 2
    delete_sessions(database, sessions)
    purge(database)
    assert "message_0" in parts(database)
    assert found(database, "zebra") == ["s0"]


def test_writers_that_need_a_new_part_at_once_make_one(url: str, database: Database) -> None:
    begin_part(database, 7)
    gate, problems = threading.Barrier(8), []

    def write(name: str) -> None:
        with open_store(url, "") as own:
            gate.wait()
            try:
                tell(own, name, "zebra", 2)
            except Exception as error:  # noqa: BLE001 - told by the assertion below
                problems.append(error)

    threads = [threading.Thread(target=write, args=(f"s{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    assert database.one("SELECT count(*) FROM message_7") == (16,)


def test_a_part_that_others_hold_is_dropped_the_next_time(
    url: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(upkeep, "_DROP_WAIT", "100ms")
    for number in range(4):
        begin_part(database, number)
        tell(database, f"s{number}", f"zebra of {number}", at=f"200{number}-01-01")
    (first, *_) = surplus_sessions(database, 10**12, 1)
    delete_sessions(database, [first])
    with open_store(url, "") as other, other.transaction():
        other.rows("SELECT count(*) FROM message")
        purge(database)
        assert "message_0" in parts(database)
    purge(database)
    assert "message_0" not in parts(database)
    assert found(database, "zebra") == ["s1", "s2", "s3"]
