"""Fixtures of the end-to-end tests: the client's binary, and clients on `tmp_path`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Protocol, Unpack

import pytest
from filelock import FileLock

from .client import Client, ClientOptions, Setup
from .installation import Installation, installed_in
from .process import isolation
from .run import Run
from .scenarios import Scenario
from .script import Script

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]
FETCH = "tests/e2e/fetch_client.sh"
BINARIES = ".cache/client/node_modules/@anthropic-ai/claude-code-*/claude"


def pytest_configure(config: pytest.Config) -> None:
    """Register the marker, so that this folder also runs alone."""
    config.addinivalue_line("markers", "e2e: runs the real client, offline, against a scripted API")


@pytest.hookimpl(tryfirst=True)  # before -m looks at the marks
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test in this folder."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.e2e)


def pytest_report_header() -> str:
    """Say whether the clients run cut off from the network."""
    if isolation():
        return "e2e: each client runs in a network namespace with loopback alone"
    return "e2e: no network namespaces here; clients are only pointed at loopback"


@pytest.fixture(scope="session")
def claude_binary() -> Path:
    """Return the client's binary, from CLAUDE_BIN or the cache folder."""
    named = os.environ.get("CLAUDE_BIN")
    found = [Path(named)] if named else sorted(REPOSITORY.glob(BINARIES))
    if found and found[0].is_file():
        return found[0].resolve()
    reason = f"no client at {named or BINARIES}: run {FETCH}, or set CLAUDE_BIN"
    if os.environ.get("AMPLIHACK_E2E_REQUIRED") == "1":
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


class NewClient(Protocol):
    """Makes a client with a home and a project of its own, for one run or several."""

    def __call__(self, script: Script, **options: Unpack[ClientOptions]) -> Client: ...


class RunClient(Protocol):
    """Plays a scenario with a new client; `env` and `files` add to the scenario's own."""

    def __call__(
        self,
        scenario: Scenario,
        *,
        setup: Setup | None = None,
        env: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
    ) -> Run: ...


@pytest.fixture
def new_client(claude_binary: Path, tmp_path: Path) -> NewClient:
    """Return a factory of clients below `tmp_path`."""
    numbers = count(1)

    def make(script: Script, **options: Unpack[ClientOptions]) -> Client:
        return Client(claude_binary, tmp_path / f"client-{next(numbers)}", script, **options)

    return make


@pytest.fixture
def run_client(new_client: NewClient) -> RunClient:
    """Return a function which plays a scenario; the client behind a run is its `client`."""

    def play(
        scenario: Scenario,
        *,
        setup: Setup | None = None,
        env: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
    ) -> Run:
        client = new_client(
            scenario.script,
            setup=setup,
            files={**scenario.files, **(files or {})},
            env={**scenario.env, **(env or {})},
            model=scenario.model,
            state=scenario.state,
        )
        return client.run(scenario.turns, interactive=scenario.interactive)

    return play


@pytest.fixture(scope="session")
def installation(claude_binary: Path, tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return the product as installed once for all tests; none needs it without a client."""
    assert claude_binary.is_file()
    return installed_once(tmp_path_factory)


def installed_once(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return the product as installed by whichever test comes first."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent  # that of all workers
    with FileLock(folder / "installation.lock"):
        return installed_in(folder / "installation")


@pytest.fixture
def installed(installation: Installation) -> Setup:
    """Return the setup that registers the installed hooks in a client's project."""
    return installation.into
