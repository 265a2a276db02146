"""Stores that version 1 wrote, in `tests/captures/stores`: brought up, also when ended half way."""

import gzip
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from amplihack_compaction.store.database import VERSION, stored_version
from amplihack_compaction.store.open_store import open_store
from amplihack_compaction.store.search import recall
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.store import SessionStore, StoredMessage
from amplihack_compaction.store.upkeep import purge
from tests.support.postgres import KINDS, Server
from tests.support.processes import CHECKOUT

STORES = CHECKOUT / "tests/captures/stores"
KEY = SessionKey("/shop", "session-1")
KILLED = """
import os, signal, sys
from amplihack_compaction.store import {module} as module
from amplihack_compaction.store.open_store import open_store

real = module.migrate

def migrate(*given):
    real(*given)
    os.kill(os.getpid(), signal.SIGKILL)

module.migrate = migrate
open_store(sys.argv[1], "")
"""


@pytest.fixture(params=KINDS)
def first_version(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """Return the URL of a store that version 1 wrote."""
    if request.param == "sqlite":
        place = tmp_path / "version_1.db"
        place.write_bytes(gzip.decompress((STORES / "version_1.db.gz").read_bytes()))
        yield f"sqlite:///{place}"
        return
    server: Server = request.getfixturevalue("postgres")
    url = server.create()
    dump = gzip.decompress((STORES / "version_1.sql.gz").read_bytes()).decode()
    commands = [line for line in dump.splitlines() if not line.startswith("\\")]
    with psycopg.connect(url) as connection:
        connection.execute("\n".join(commands).encode())
    yield url


def texts(url: str) -> list[str]:
    with SessionStore(url) as store:
        return [message.content for message in store.messages(KEY, archived=True)]


def test_what_version_1_wrote_is_found_and_gone_on_with(first_version: str) -> None:
    with open_store(first_version, "") as database:
        assert stored_version(database) == VERSION
        (hit,) = recall(database, '"keep the port 8003 for the gateway_1"').hits
        assert (hit.session_id, hit.kind, hit.archived_by) == ("session-1", "prompt", 1)
    before = texts(first_version)
    assert len(before) == 25
    with SessionStore(first_version) as store:
        store.append(KEY, [StoredMessage(role="user", content="The port is 9000 now. " * 20)])
        assert len(store.history(KEY)) == 1
    assert texts(first_version) == [*before, "The port is 9000 now. " * 20]
    with open_store(first_version, "") as database:
        purge(database)
        assert recall(database, "9000").hits
    assert texts(first_version) == [*before, "The port is 9000 now. " * 20]


def test_an_upgrade_that_was_killed_is_made_by_the_next_one(first_version: str) -> None:
    module = "sqlite" if first_version.startswith("sqlite") else "postgresql"
    done = subprocess.run(
        [sys.executable, "-c", KILLED.format(module=module), first_version],
        env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=False,
    )  # fmt: skip
    assert done.returncode == -signal.SIGKILL
    if module == "postgresql":
        with psycopg.connect(first_version) as connection:
            found = connection.execute(b"SELECT value FROM meta WHERE name = 'schema_version'")
            assert found.fetchone() == ("1",)
    with open_store(first_version, "") as database:
        assert stored_version(database) == VERSION
    assert len(texts(first_version)) == 25
