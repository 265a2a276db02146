"""The roles and the row-level security that `docs/store.md` has the SQL of, on a real server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import PARTITION_IDS, Database
from amplihack_compaction.store.importing import import_transcripts
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.sessions import SessionKey, find_session
from amplihack_compaction.store.upkeep import delete_session
from tests.support.postgres import Server
from tests.support.processes import CHECKOUT
from tests.support.transcripts import Transcript
from tests.unit.store.test_upkeep import tell

DOCUMENTED = re.findall(
    r"^```sql\n(.*?)^```", (CHECKOUT / "docs/store.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)

ROW_OF = {
    "session": "(id, scope, session_id, created_at, updated_at, owner)"
    " VALUES (-1, '', '', '', '', 'ada')",
    "message": "SELECT nextval('ids'), {session}, archived, compactions, kind, role, tool, tokens,"
    " turn, said_at, 'forged', part, place FROM message LIMIT 1",
    "content": "VALUES ({session}, 1, 'forged')",
    "search": "VALUES ({session}, 1, 'forged')",
    "compaction": "VALUES ({session}, 7, '', '', '', '', '', 0, 0, 0, 0, 0)",
    "progress": "VALUES ({session}, 0, '', '')",
}
"""What puts a row into each table that row-level policies guard."""


def execute(url: str, sql: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(sql.encode())


def seen(database: Database) -> set[str]:
    return {hit.session_id for hit in recall(database, "zebra").hits}


def check_cannot_write(database: Database, others: int) -> None:
    """Check that a role changes and deletes nothing of another's session, and forges nothing."""
    for table, values in ROW_OF.items():
        session = "id" if table == "session" else "session"
        rows = f"{table} WHERE {session} = {others}"
        assert database.rows(f"SELECT count(*) FROM {rows}") == [(0 if table == "progress" else 1,)]
        assert database.run(f"DELETE FROM {rows}") == 0
        assert database.run(f"UPDATE {table} SET {session} = {session} WHERE {session} > 0") == 1
        with pytest.raises(StoreError, match="this role may not do that"):
            database.run(f"INSERT INTO {table} {values.format(session=others)}")


def test_each_role_can_do_what_the_documents_say(postgres: Server, tmp_path: Path) -> None:
    url = postgres.create()

    @contextmanager
    def opened(user: str, *, to_read: bool = False) -> Iterator[Database]:
        named = url.replace("test@", f"{user}@")
        with open_store(named, "", only_read=to_read) as database:
            yield database

    make_roles, *rest = DOCUMENTED
    execute(url, make_roles)
    execute(url, "CREATE ROLE bob LOGIN IN ROLE store_writer")
    execute(url, "CREATE ROLE eve LOGIN IN ROLE store_reader")
    with opened("own"):
        pass
    for sql in rest:
        execute(url.replace("test@", "own@"), sql)
    with opened("ada") as database:
        hers = tell(database, "of-ada", "The zebra of Ada")
    with opened("own") as database:
        database.rows("SELECT setval('ids', :id)", {"id": 3 * PARTITION_IDS})
    with opened("bob") as database:
        tell(database, "of-bob", "The zebra of Bob")  # in a part that only the owner can make
        assert seen(database) == {"of-bob"}
        assert database.rows("SELECT count(*) FROM content") == [(1,)]
        assert delete_session(database, hers) == 0
        with pytest.raises(StoreError, match=r"session of-ada .* belongs to another role"):
            tell(database, "of-ada", "The zebra of Bob")
        paths = []
        for name in ("of-ada", "of-bob-too"):
            said = Transcript(name)
            said.user("The zebra of Bob")
            paths.append(said.write(tmp_path / f"{name}.jsonl"))
        imported = import_transcripts(lambda: opened("bob"), paths, 0, "/shop")
        assert [problem[:14] for problem in imported.problems] == ["session of-ada"]
        assert seen(database) == {"of-bob", "of-bob-too"}
        delete_session(database, find_session(database, SessionKey("/shop", "of-bob-too")).id)
        execute(url, "UPDATE session SET owner = 'bob' WHERE session_id = 'of-ada'")
        assert tell(database, "of-ada", "The zebra of Bob") == hers
        assert seen(database) == {"of-ada", "of-bob"}
        execute(url, "UPDATE session SET owner = 'ada' WHERE session_id = 'of-ada'")
        for table in ("message_0", "content_3", "search_3"):
            with pytest.raises(StoreError, match="this role may not do that"):
                database.rows(f"SELECT * FROM {table}")
    with opened("eve", to_read=True) as database:
        assert seen(database) == {"of-ada", "of-bob"}
        with pytest.raises(StoreError, match="this role may not do that"):
            tell(database, "of-eve", "The zebra of Eve")
    execute(url, "CREATE ROLE cat LOGIN IN ROLE store_reader, store_writer")
    with opened("cat") as database:
        own = tell(database, "of-cat", "The zebra of Cat")
        for session in (hers, own):
            for table in ("progress", "compaction"):
                execute(url, f"INSERT INTO {table} {ROW_OF[table].format(session=session)}")
        assert seen(database) == {"of-ada", "of-bob", "of-cat"}
        check_cannot_write(database, hers)
        with pytest.raises(StoreError, match=r"session of-ada .* belongs to another role"):
            find_session(database, SessionKey("/shop", "of-ada"), to_write=True)
        assert delete_session(database, hers) == 0
        assert seen(database) == {"of-ada", "of-bob", "of-cat"}
        assert delete_session(database, own) == 1
    with opened("ada") as database:
        assert seen(database) == {"of-ada"}
        assert delete_session(database, hers) == 1
        assert seen(database) == set()
