"""A PostgreSQL of the tests' own: made from the distribution's package, reached by a socket only.

It lies in a temporary folder, is started for the first test that needs it, and is ended by its
own process when the tests are over. Without the package, those tests are skipped, each by name.
"""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from amplihack_compaction.store.database import Database
from amplihack_compaction.store.open_store import open_store

_PROGRAMS = ("initdb", "postgres")
KINDS = ("sqlite", "postgresql")
_START_SECONDS = 120
# What was committed outlives a crash of the server, if not one of the machine.
_QUICK = ("fsync=off", "full_page_writes=off", "listen_addresses=")


class Server:
    """A running server; `create` makes a database in it."""

    def __init__(self, folder: Path, programs: Path, user: str | None) -> None:
        self.folder, self.programs, self.user = folder, programs, user
        self.count = 0
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        data = self.folder / "data"
        self._run("initdb", "-D", data, "-U", "test", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._launch()

    def crash(self) -> None:
        """End it at once, as when its machine goes down, and start it again."""
        assert self.process is not None
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(_START_SECONDS)
        self._launch()

    def _launch(self) -> None:
        data = self.folder / "data"
        options = [word for option in _QUICK for word in ("-c", option)]
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                [self.programs / "postgres", "-D", data, "-k", self.folder, *options],
                user=self.user, stdout=subprocess.DEVNULL, stderr=log,
            )  # fmt: skip
        until = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self.process.poll() is not None or time.monotonic() > until:
                pytest.fail(f"PostgreSQL did not start: {(self.folder / 'log').read_text()}")
            time.sleep(0.05)

    def create(self, options: str = "") -> str:
        """Return the URL of a new, empty database, made with the options of CREATE DATABASE."""
        self.count += 1
        name = f"store{self.count}"
        self._execute(f"CREATE DATABASE {name} {options}")
        return f"postgresql://test@/{name}?host={self.folder}"

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)  # its fast shutdown: clients are sent away
            self.process.wait(_START_SECONDS)

    def _answers(self) -> bool:
        try:
            self._execute("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _execute(self, statement: str) -> None:
        with psycopg.connect(
            host=str(self.folder), user="test", dbname="postgres", autocommit=True
        ) as connection:
            connection.execute(statement.encode())

    def _run(self, program: str, *arguments: object) -> None:
        done = subprocess.run(
            [self.programs / program, *map(str, arguments)],
            user=self.user, capture_output=True, cwd="/", check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr.decode()


def programs_folder() -> Path | None:
    """Return where the server's programs are: on the path, or where Debian puts them."""
    places = [Path(found).resolve().parent for found in [shutil.which("initdb")] if found]
    places += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    for folder in places:
        if all((folder / name).exists() for name in _PROGRAMS):
            return folder
    return None


def _other_user() -> str | None:
    """Return whom the server runs as: it refuses to be root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return next((name for name in ("postgres", "nobody") if name in names), None)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """Return a server of the tests' own, or skip the test that asked for it."""
    programs = programs_folder()
    if programs is None:
        pytest.skip("PostgreSQL is not installed here: not run against it")
    user = _other_user()
    # Not below a test's folder: the path of a socket has room for about a hundred characters.
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    if user is not None:
        shutil.chown(folder, user)
    server = Server(folder, programs, user)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def new_store(request: pytest.FixtureRequest, folder: Path) -> str:
    """Return the URL of a new store of the kind that the fixture asking is made for."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/store.db"
    server: Server = request.getfixturevalue("postgres")
    return server.create()


@pytest.fixture(params=KINDS)
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of a new store, of each kind in turn."""
    return new_store(request, tmp_path)


@pytest.fixture
def database(store_url: str) -> Iterator[Database]:
    """Return an open store, of each kind in turn."""
    with open_store(store_url, "") as opened:
        yield opened
