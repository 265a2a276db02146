"""The roles and the row-level security that `docs/store.md` has the SQL of, on a real server."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest

from amplihack_compaction.base.errors import StoreError
from amplihack_compaction.store.database import Database
from amplihack_compaction.store.open_store import open_store, open_to_read
from amplihack_compaction.store.postgresql import PARTITION_IDS
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.upkeep import delete_session
from tests.support.postgres import Server
from tests.support.processes import CHECKOUT
from tests.unit.store.test_upkeep import tell

DOCUMENTED = re.findall(
    r"^```sql\n(.*?)^```", (CHECKOUT / "docs/store.md").read_text("utf-8"), re.MULTILINE | re.DOTALL
)


def execute(url: str, sql: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(sql.encode())


def seen(database: Database) -> set[str]:
    return {hit.session_id for hit in recall(database, "zebra").hits}


def test_each_role_can_do_what_the_documents_say(postgres: Server) -> None:
    url = postgres.create()

    @contextmanager
    def opened(user: str, *, to_read: bool = False) -> Iterator[Database]:
        named = url.replace("test@", f"{user}@")
        with open_to_read(named, "") if to_read else open_store(named, "") as database:
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
        for table in ("message_0", "content_3", "search_3"):
            with pytest.raises(StoreError, match="this role may not do that"):
                database.rows(f"SELECT * FROM {table}")
    with opened("eve", to_read=True) as database:
        assert seen(database) == {"of-ada", "of-bob"}
        with pytest.raises(StoreError, match="this role may not do that"):
            tell(database, "of-eve", "The zebra of Eve")
    with opened("ada") as database:
        assert seen(database) == {"of-ada"}
        assert delete_session(database, hers) == 1
        assert seen(database) == set()
