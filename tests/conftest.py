"""Marks by folder, files in memory, strict hooks, and a home that no test reaches by accident."""

import gc
import os
import shutil
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main
import typer.testing
from hypothesis import HealthCheck, settings

from amplihack_compaction.base.settings import SETTINGS, variable_of
from tests.support.postgres import database, postgres, store_url
from tests.support.user_patterns import forget_patterns

__all__ = ["database", "postgres", "store_url"]

settings.register_profile(
    "default",
    deadline=None,
    max_examples=60,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("default")

KINDS = ("unit", "property", "integration", "endurance", "e2e", "bench")
TESTS = Path(__file__).parent
_MEMORY_FILES = Path("/dev/shm")
_LEAST_FREE_BYTES = 2 << 30


def pytest_configure() -> None:
    """Let tests write into memory, unless TMPDIR names a place: disks are slow to sync and delete.

    It has to have room for a database server's files.
    """
    if "TMPDIR" in os.environ or not os.access(_MEMORY_FILES, os.W_OK):
        return
    if shutil.disk_usage(_MEMORY_FILES).free >= _LEAST_FREE_BYTES:
        os.environ["TMPDIR"] = tempfile.tempdir = str(_MEMORY_FILES)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test the mark of its folder."""
    for item in items:
        parts = item.path.relative_to(TESTS).parts
        kind = parts[0] if parts[0] in KINDS else "unit"
        item.add_marker(getattr(pytest.mark, kind))


def pytest_collection_finish() -> None:
    """Take what was collected, which stays, out of what is looked through for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def one_command_line() -> Iterator[None]:
    """Make the command line once: a process does it once, and here many tests call it."""
    make = cache(typer.main.get_command)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(typer.main, "get_command", make)
        patch.setattr(typer.testing, "_get_command", make)
        yield


@pytest.fixture(scope="session")
def homes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where all homes lie; beside the tests' folders each would be looked through."""
    return tmp_path_factory.mktemp("homes")


@pytest.fixture(scope="session", autouse=True)
def nothing_of_this_machine() -> Iterator[None]:
    """Take away what this machine's user set, once: what a test sets goes with the test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AMPLIHACK_COMPACTION_STRICT", "1")
        for name in (
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_PROJECT_DIR",
            "AMPLIHACK_COMPACTION_DISABLED",
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_PID",
            "CLAUDE_PLUGIN_ROOT",
            "CLAUDE_PLUGIN_DATA",
            "AMPLIHACK_COMPACTION_HOME",
            *map(variable_of, SETTINGS),
        ):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, homes: Path) -> None:
    """Point everything that could lead outside a test at a folder of its own."""
    home = tempfile.mkdtemp(dir=homes)
    for name, folder in (("HOME", ""), ("XDG_DATA_HOME", "/data"), ("XDG_CACHE_HOME", "/cache")):
        monkeypatch.setenv(name, home + folder)
    # What is in force in a process stays so; no test may know what another one set.
    forget_patterns(monkeypatch)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return an empty project folder."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder
