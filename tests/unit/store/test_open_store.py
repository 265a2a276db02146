"""Opening a store: made once, by whoever comes first; refused with what to do about it."""

import builtins
import re
import shutil
import socket
import sqlite3
import threading
from pathlib import Path
from types import ModuleType

import pytest

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.base.folders import lock_file
from amplihack_compaction.store import postgresql, sqlite
from amplihack_compaction.store.database import SET_META, VERSION, VERSION_OF_STORE, statements
from amplihack_compaction.store.messages import StoredMessage
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.store import SessionStore
from tests.support.postgres import Server


def test_a_new_store_has_this_packages_schema(store_url: str) -> None:
    for _ in range(2):
        with open_store(store_url, "") as database:
            assert database.number(VERSION_OF_STORE) == VERSION


def test_both_databases_get_the_same_tables() -> None:
    def tables(dialect: str) -> set[str]:
        found = (
            re.search(r"^CREATE TABLE (\w+)", text, re.MULTILINE) for text in statements(dialect)
        )
        return {table[1] for table in found if table}

    assert tables("sqlite") == tables("postgresql") - {"search"}
    assert "message" in tables("sqlite")


def test_a_newer_store_is_refused_and_left_alone(store_url: str) -> None:
    with open_store(store_url, "") as database:
        database.run("UPDATE meta SET value = '999' WHERE name = 'schema_version'")
    with pytest.raises(StoreError, match="newer amplihack-compaction"):
        open_store(store_url, "")


def test_many_that_come_first_at_once_make_one_store(store_url: str) -> None:
    problems: list[StoreError] = []
    gate = threading.Barrier(8)

    def open_it() -> None:
        gate.wait()
        try:
            open_store(store_url, "").close()
        except StoreError as error:
            problems.append(error)

    threads = [threading.Thread(target=open_it) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert problems == []
    with open_store(store_url, "") as database:
        assert database.number(VERSION_OF_STORE) == VERSION


def test_a_store_is_in_wal_and_for_its_owner_alone(tmp_path: Path) -> None:
    place = tmp_path / "deep" / "store.db"
    place.parent.mkdir()
    with open_store(str(place), "") as database:
        assert database.one("PRAGMA journal_mode") == ("wal",)
        assert database.one("PRAGMA secure_delete") == (1,)
        for path in place.parent.iterdir():
            assert path.stat().st_mode & 0o777 == 0o600, path
    assert [path.name for path in place.parent.iterdir()] == ["store.db"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "damaged"),
        (b"SQLite format 3\0" + b"\xff" * 4096, "damaged"),
        (b"hello " * 2000, "damaged"),
    ],
)
def test_a_file_that_is_no_store_is_left_as_it_is(
    tmp_path: Path, content: bytes, said: str
) -> None:
    place = tmp_path / "store.db"
    place.write_bytes(content)
    with pytest.raises(StoreError, match=said):
        open_store(str(place), "")
    assert place.read_bytes() == content


def test_places_that_cannot_be_a_store_are_named(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    with pytest.raises(StoreError, match=r"folder\.db"):
        open_store(str(tmp_path / "folder.db"), "")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(str(tmp_path / "none" / "store.db"), "")
    with pytest.raises(StoreError, match="cannot be made"):
        open_store(None, str(tmp_path / "no project"))


def test_a_drive_without_shared_locks_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite.SqliteDatabase, "one", lambda *_: ("delete",))
    with pytest.raises(StoreError, match="without shared locks"):
        open_store(str(tmp_path / "store.db"), "")


@pytest.mark.parametrize(
    ("said", "advice"),
    [
        ("database disk image is malformed", "store sync"),
        ("database or disk is full", "Make room"),
        ("attempt to write a readonly database", "writable"),
        ("locking protocol", "local drive"),
        ("disk I/O error", "the drive is full, or fails, or does not give"),
        ("database is locked", "in a moment"),
        ("no such module: fts5", "SQLite is too old"),
        ("something else", "something else"),
    ],
)
def test_each_of_sqlites_errors_says_what_to_do(said: str, advice: str) -> None:
    error = sqlite.explained(sqlite3.OperationalError(said), "/store.db")
    assert advice in str(error)
    assert str(error).startswith("/store.db: ")


def test_another_writer_is_waited_for_and_then_named(tmp_path: Path) -> None:
    place = str(tmp_path / "store.db")
    with open_store(place, "") as first, open_store(place, "", wait_seconds=0.05) as second:
        with (
            first.transaction(),
            pytest.raises(StoreError, match="another process has been writing"),
            second.transaction(),
        ):
            pass
        with second.transaction():
            second.run("UPDATE meta SET value = value")


def test_an_error_inside_a_transaction_undoes_it(store_url: str) -> None:
    with open_store(store_url, "") as database:

        def fail() -> None:
            with database.transaction():
                database.run("UPDATE meta SET value = '77' WHERE name = 'schema_version'")
                database.run("NO SUCH STATEMENT")

        with pytest.raises(StoreError):
            fail()
        assert database.number(VERSION_OF_STORE) == VERSION
        with pytest.raises(StoreError):
            database.run_alone("NO SUCH STATEMENT")


def test_a_server_that_is_not_there_is_said_without_its_password() -> None:
    url = "postgresql://me:" + "hunter2" + "@127.0.0.1:9/none?connect_timeout=2"
    with pytest.raises(StoreError, match="Is the server running") as caught:
        open_store(url, "")
    assert "hunter2" not in str(caught.value)


def test_a_server_that_accepts_and_never_answers_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(postgresql, "CONNECT_SECONDS", 2)
    silent = socket.create_server(("127.0.0.1", 0))
    with silent, pytest.raises(StoreError, match="timeout expired"):
        open_store(f"postgresql://me@127.0.0.1:{silent.getsockname()[1]}/none", "")


def test_who_opens_a_store_that_stands_does_not_wait_for_who_makes_tables(postgres: Server) -> None:
    url = postgres.create()
    with open_store(url, "") as database, database.transaction():
        database.rows("SELECT pg_advisory_xact_lock(:lock)", {"lock": postgresql._MAKING_LOCK})
        other = threading.Thread(target=lambda: open_store(url, "").close())
        other.start()
        other.join(20)
        is_waiting = other.is_alive()
    other.join()
    assert not is_waiting


def test_a_statement_that_takes_too_long_is_ended(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = postgres.create()
    open_store(url, "").close()
    monkeypatch.setattr(postgresql, "READ_SECONDS", 0.6)
    with open_store(url, "", only_read=True) as database:
        with pytest.raises(StoreError, match="longer than a statement may"):
            database.rows("SELECT pg_sleep(30)")
        assert database.one("SELECT 1") == (1,)
        assert database.one("SHOW random_page_cost") == ("1.1",)
    own = url + "&options=-c%20statement_timeout%3D0%20-c%20random_page_cost%3D2"
    with open_store(own, "", only_read=True) as database:
        assert database.one("SHOW statement_timeout") == ("0",)
        assert database.one("SHOW random_page_cost") == ("2",)
        monkeypatch.setattr(postgresql, "_GRACE_SECONDS", 0.0)
        # As a server that is cut off, which ends no statement itself.
        with pytest.raises(StoreError, match="has not answered for 1 s"):
            database.rows("SELECT pg_sleep(30)")
        assert database.one("SELECT 1") == (1,)


def test_what_a_server_refuses_is_said_in_words(postgres: Server) -> None:
    url = postgres.create()
    with open_store(url, "") as database:
        for statement, words in (
            ("SELECT * FROM nowhere", "a table of the store is missing"),
            ("SELECT 1 / 0", "the server cannot keep"),
            ("SET TRANSACTION READ ONLY; DELETE FROM session", "takes no changes"),
        ):
            with pytest.raises(StoreError, match=words) as caught:
                database.rows(statement)
            assert "\n" not in str(caught.value)
    for wrong, words in (
        (url.replace("/store", "/nostore"), "database .* does not exist"),
        (url.replace("test@", "nobody@"), 'role "nobody" does not exist'),
        (url + "x", "Is the server running"),
        (url + "&nonsense=1", 'invalid URI query parameter: "nonsense"'),
        (url + "&connect_timeout=soon", "connect_timeout"),
        (url + "&options=-c%20nonsense%3D1", "unrecognized configuration parameter"),
    ):
        with pytest.raises(StoreError, match=rf"\Apostgresql://.*{words}"):
            open_store(wrong, "")


def test_a_database_of_another_encoding_is_refused_before_it_gets_tables(postgres: Server) -> None:
    for encoding in ("SQL_ASCII", "LATIN1"):
        url = postgres.create(f"ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
        for _ in range(2):
            with pytest.raises(StoreError, match=f"{encoding}.* make it with encoding 'UTF8'"):
                open_store(url, "")


@pytest.mark.parametrize("password", ["hunter2", "hun@ter2", "hun/ter2", "hun?ter2"])
@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://me:{}@[::1/x", "is no URL of a database"),
        ("postgresql://me:{}@host:port/x", "port"),
        ("postgres://host:port/x?user=me&password={}", "port"),
        ("postgresql+psycopg://host:port/x?password={}&user=me", "port"),
    ],
)
def test_a_url_that_is_none_is_said_without_its_password(
    url: str, words: str, password: str
) -> None:
    with pytest.raises(StoreError, match=words) as caught:
        open_store(url.format(password), "")
    assert not re.search("hun|ter2", str(caught.value))


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def refuse(name: str, *rest: object) -> ModuleType:
        if name == "psycopg":
            raise ImportError(name)
        return real(name, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(builtins, "__import__", refuse)
    with pytest.raises(StoreError, match=r"amplihack-compaction\[postgres\]"):
        open_store("postgresql://host/x", "")


def test_a_new_store_is_whole_without_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a disk refuses when the log is taken over, at the end, is told to nobody."""
    made = tmp_path / "copy.db"

    def close(self: sqlite.SqliteDatabase) -> None:
        if ".tmp" in self.place:
            made.write_bytes(Path(self.place).read_bytes())
        real(self)

    real = sqlite.SqliteDatabase.close
    monkeypatch.setattr(sqlite.SqliteDatabase, "close", close)
    sqlite.open_sqlite(str(tmp_path / "store.db")).close()
    with sqlite.SqliteDatabase(str(made), 1.0) as database:
        assert database.number(VERSION_OF_STORE) == VERSION
        assert database.one("PRAGMA journal_mode") == ("wal",)
        assert database.one("PRAGMA auto_vacuum") == (2,)


def test_a_store_that_cannot_be_made_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: sqlite.SqliteDatabase) -> None:
        Path(f"{self.place}-wal").write_bytes(b"")
        raise StoreError("full")

    monkeypatch.setattr(sqlite.SqliteDatabase, "make_shared", refuse)
    with pytest.raises(StoreError, match="full"):
        sqlite.open_sqlite(str(tmp_path / "store.db"))
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def foreign(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the project's store as somebody else, with another key, has made it."""
    with monkeypatch.context() as other:
        other.setenv("AMPLIHACK_COMPACTION_HOME", str(project.parent / "other"))
        sqlite.open_project_store(str(project)).close()
    return Path(sqlite.default_place(str(project)))


def test_a_store_of_another_key_is_set_aside_once(project: Path, foreign: Path) -> None:
    content = foreign.read_bytes()
    aside = Path(f"{foreign}{sqlite.SET_ASIDE}")
    with open_store(None, str(project)) as database:
        assert database.number(VERSION_OF_STORE) == VERSION
    assert aside.read_bytes() == content
    assert "was set aside as" in (foreign.parent / "hooks.log").read_text()
    open_store(None, str(project), only_read=True).close()
    foreign.write_bytes(content)
    with pytest.raises(StoreError, match="move both away"):
        open_store(None, str(project))
    assert foreign.read_bytes() == aside.read_bytes() == content


def test_two_homes_keep_their_stores_in_one_folder(
    project: Path, foreign: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a host's, and a container's that works in the same folder."""
    aside = f"{foreign}{sqlite.SET_ASIDE}"
    with open_store(None, str(project)) as own:
        monkeypatch.setenv("AMPLIHACK_COMPACTION_HOME", str(project.parent / "other"))
        for only_read in (False, True):
            with open_store(None, str(project), only_read=only_read) as other:
                assert (own.place, other.place) == (str(foreign), aside)
    foreign.unlink()
    with open_store(None, str(project)) as other:
        assert other.place == aside


def test_a_store_that_cannot_be_set_aside_is_not_said_to_be(project: Path, foreign: Path) -> None:
    shutil.copy(foreign, f"{foreign}{sqlite.SET_ASIDE}")
    with pytest.raises(StoreError, match="move both away") as caught:
        open_store(None, str(project), only_read=True)
    assert "next hook" not in str(caught.value)


def test_a_store_of_another_key_is_not_read_and_left_alone(project: Path, foreign: Path) -> None:
    content = foreign.read_bytes()
    with pytest.raises(StoreError, match="not made with this user's key"):
        open_store(None, str(project), only_read=True)
    assert foreign.read_bytes() == content
    assert not Path(f"{foreign}{sqlite.SET_ASIDE}").exists()


def test_a_store_that_another_process_sets_aside_is_waited_for(
    project: Path, foreign: Path
) -> None:
    with lock_file(f"{foreign}.lock", 1.0), pytest.raises(StoreError, match="stayed locked"):
        open_store(None, str(project), wait_seconds=0.05)
    open_store(None, str(project)).close()


def test_a_store_that_another_process_has_made_anew_is_not_set_aside(project: Path) -> None:
    place = sqlite.default_place(str(project))
    open_store(None, str(project)).close()
    sqlite._set_aside(str(project), place, 1.0)
    assert Path(place).exists()
    assert not Path(f"{place}{sqlite.SET_ASIDE}").exists()


def test_whoever_only_reads_makes_no_store(project: Path) -> None:
    with open_store(None, str(project), only_read=True) as database:
        assert database.rows("SELECT * FROM message") == []
        assert (database.place, database.is_kept) == (sqlite.default_place(str(project)), False)
    assert list(project.iterdir()) == []


def test_a_store_is_not_opened_through_a_link(tmp_path: Path) -> None:
    open_store(str(tmp_path / "store.db"), "").close()
    (tmp_path / "link.db").symlink_to("store.db")
    with pytest.raises(StoreError, match="is a link"):
        open_store(str(tmp_path / "link.db"), "")


@pytest.mark.parametrize(
    "planted",
    [
        "CREATE TRIGGER t AFTER INSERT ON message BEGIN DELETE FROM message; END",
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE other (x)",
    ],
)
def test_a_store_with_more_than_its_schema_is_refused(tmp_path: Path, planted: str) -> None:
    place = str(tmp_path / "store.db")
    with open_store(place, "") as database:
        database.run(planted)
    with pytest.raises(StoreError, match="none of the store's"):
        open_store(place, "")


def test_text_that_no_store_can_hold_is_said(tmp_path: Path) -> None:
    with open_store(str(tmp_path / "store.db"), "") as database:
        with pytest.raises(StoreError, match="surrogates"):
            database.run_many("UPDATE meta SET value = :value", [{"value": "\ud800"}])
        assert database.number(VERSION_OF_STORE) == VERSION


def test_a_number_beyond_all_is_said(tmp_path: Path) -> None:
    with SessionStore(str(tmp_path / "store.db")) as store:
        store._database.run(SET_META, {"name": "newest message", "value": "9" * 30})
        with pytest.raises(StoreError, match="too large"):
            store.append(SessionKey("/shop", "s-1"), [StoredMessage("user", "Use port 8443.")])
