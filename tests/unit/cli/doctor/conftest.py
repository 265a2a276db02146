"""A project whose settings can be written, and the hooks of this checkout registered in it."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.cli.doctor.rows import Row
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.claude_code.wiring.launchers import write_launchers
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    apply_registration,
    plan_registration,
    scopes,
)
from tests.support.processes import CHECKOUT

Register = Callable[..., Path]
Write = Callable[..., Path]


@pytest.fixture
def register(project: Path) -> Register:
    """Return a function that registers the hooks in a scope and returns the settings file."""

    def run(scope: str = "project", **more: Any) -> Path:
        found = scopes(project)[scope]
        write_launchers()
        apply_registration(plan_registration(found, **more))
        return found.path

    return run


@pytest.fixture
def settings(project: Path) -> Callable[..., Path]:
    """Return a function that writes the settings file of a scope."""

    def run(scope: str = "project", **values: Any) -> Path:
        path = scopes(project)[scope].path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(values), encoding="utf-8")
        return path

    return run


def grades(rows: list[Row]) -> list[str]:
    """Return the grades of rows that are not passed, in order."""
    return [str(row.grade) for row in rows if row.grade != "pass"]


def texts(rows: list[Row]) -> str:
    """Return what rows say, one on a line."""
    return "\n".join(f"{row.grade} {row.text} -> {row.remedy}" for row in rows)


def install_plugin(folder: Path = CHECKOUT, name: str = "amplihack-compaction@market") -> None:
    """Have the plugin installed from a folder, as the client notes it."""
    path = config_folder() / "plugins" / "installed_plugins.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    entry = [{"scope": "user", "installPath": str(folder), "version": "0.1.0"}]
    path.write_text(json.dumps({"version": 2, "plugins": {name: entry}}))
