"""Hooks fired as processes: what works, and what does not in each way."""

import json
from pathlib import Path

import pytest

from amplihack_compaction.cli.doctor import programs as firing
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.programs import check_hooks
from amplihack_compaction.cli.doctor.rows import Row
from amplihack_compaction.clients.claude_code.wiring.hook_entries import TIMEOUT_SECONDS
from amplihack_compaction.clients.claude_code.wiring.launchers import (
    launchers_folder,
    write_launchers,
)
from tests.support.sessions import write_own_settings
from tests.unit.cli.doctor.conftest import Register, Write, grades, install_plugin, texts

ALL_ANSWER = f"{len(TIMEOUT_SECONDS)} hooks answer as they should"


@pytest.fixture(autouse=True)
def no_hook_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Call no hook slow, however busy the machine is."""
    monkeypatch.setattr(firing, "_FREQUENT_MS", 60_000)
    monkeypatch.setattr(firing, "_LIMIT_PART", 1)


def fire(project: Path) -> list[Row]:
    return check_hooks(find_installation(str(project)))


def launcher(event: str, *lines: str) -> None:
    """Put a shell script in the place of an event's launcher."""
    (Path(launchers_folder()) / event).write_text("\n".join(("#!/bin/sh", *lines, "")))


def test_every_registered_hook_is_fired_and_one_row_says_so(
    project: Path, register: Register
) -> None:
    register()
    register("user")  # the same commands, which are fired once
    rows = fire(project)
    assert grades(rows) == []
    assert [row.text.split(",")[0] for row in rows] == [ALL_ANSWER]
    # Fired elsewhere: the project itself has nothing of it.
    assert sorted(path.name for path in (project / ".claude").iterdir()) == ["settings.json"]


def test_settings_that_shorten_what_is_told_do_not_make_it_fail(
    project: Path, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_INJECTION_TOKENS", "200")
    register(events=["PreCompact", "SessionStart"])
    write_own_settings(injection_tokens=400)
    assert grades(fire(project)) == []


def test_an_interpreter_without_our_packages_is_a_failure(
    project: Path, register: Register
) -> None:
    register(events=["PreCompact", "SessionStart"])
    for event in ("PreCompact", "SessionStart", "Store"):
        launcher(event, "cat > /dev/null", "echo 'No module' >&2", "exit 1")
    rows = fire(project)
    assert set(grades(rows)) == {"failure"}
    assert "PreCompact: No module" in texts(rows)
    assert "after the compaction the model was told nothing" in texts(rows)


def test_a_slow_hook_is_named(
    project: Path, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(firing, "_FREQUENT_MS", 200)
    monkeypatch.setattr(firing, "_LIMIT_PART", 0.01)
    register(events=["PreToolUse", "Stop"])
    for event in ("PreToolUse", "Stop"):
        launcher(event, "sleep 0.4")
    rows = [row for row in fire(project) if row.text.split()[0] in ("PreToolUse", "Stop")]
    assert grades(rows) == ["warning", "warning"]
    assert "every turn pays for that" in rows[0].remedy
    assert 'raise its "timeout"' in rows[1].remedy


@pytest.mark.parametrize(
    "command",
    [
        "touch RAN; ~/.local/share/amplihack-compaction/hooks/Stop||:",
        '"$(touch RAN)" ~/.local/share/amplihack-compaction/hooks/Stop||:',
    ],
)
def test_a_command_that_install_does_not_write_is_not_fired(
    project: Path, register: Register, tmp_path: Path, command: str
) -> None:
    ran = tmp_path / "ran"
    path = register("user", events=["Stop"])
    data = json.loads(path.read_text())
    data["hooks"]["Stop"][0]["hooks"][0]["command"] = command.replace("RAN", str(ran))
    del data["hooks"]["Stop"][0]["hooks"][1:]
    path.write_text(json.dumps(data))
    assert len(find_installation(str(project)).registered) == 1
    assert fire(project) == []
    assert not ran.exists()


def test_hooks_that_are_not_installed_are_not_fired(project: Path, register: Register) -> None:
    register()
    (Path(launchers_folder()) / "Stop").unlink()
    assert fire(project) == []


def test_the_plugins_hooks_are_fired_as_the_client_runs_them(
    project: Path, settings: Write
) -> None:
    settings("user", enabledPlugins={"amplihack-compaction@market": True})
    install_plugin()
    assert fire(project) == []  # not set up yet
    write_launchers()
    rows = fire(project)
    assert grades(rows) == []
    assert [row.text.split(",")[0] for row in rows] == [ALL_ANSWER]
