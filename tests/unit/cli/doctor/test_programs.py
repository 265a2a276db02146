"""Interpreters, versions and the client, as real programs that answer in each way."""

import os
import shlex
import sys
from pathlib import Path

import pytest

from amplihack_compaction.cli.doctor import programs
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.programs import (
    check_client,
    check_interpreters,
    check_versions,
    probe_interpreters,
)
from amplihack_compaction.clients.claude_code.wiring.hook_entries import Runner, running_package
from tests.unit.cli.doctor.conftest import Register, grades, texts

SCRIPTS = running_package().folder


def program(path: Path, *lines: str) -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return path


def test_the_interpreter_of_the_hooks_is_started_and_timed(
    project: Path, register: Register
) -> None:
    register()
    register("user")
    found = probe_interpreters(find_installation(str(project)))
    (python,) = found.values()
    assert not python.is_shim
    assert python.bare_ms > 0
    assert python.version == sys.version_info[:2]
    assert grades(check_interpreters(found)) == []


def test_a_shim_is_named_with_what_it_costs(
    project: Path, register: Register, tmp_path: Path
) -> None:
    shim = program(
        tmp_path / "shims/python", "sleep 0.05", f'exec {shlex.quote(sys.executable)} "$@"'
    )
    register(runner=Runner(str(shim), SCRIPTS))
    (row,) = check_interpreters(probe_interpreters(find_installation(str(project))))
    assert row.grade == "warning"
    assert f"{shim} only starts {sys.executable}: that costs every hook" in row.text


def test_a_link_to_an_interpreter_is_no_shim(
    project: Path, register: Register, tmp_path: Path
) -> None:
    link = tmp_path / "python"
    link.symlink_to(os.path.realpath(sys.executable))
    register(runner=Runner(str(link), SCRIPTS))
    assert grades(check_interpreters(probe_interpreters(find_installation(str(project))))) == []


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("echo 3 9; echo /x/python", "is Python 3.9; the hooks need 3.11"),
        ("exit 3", "cannot be run"),
        ("echo hello", "cannot be run"),
    ],
)
def test_what_is_no_interpreter_for_the_hooks_is_a_failure(
    project: Path, register: Register, tmp_path: Path, line: str, message: str
) -> None:
    register(runner=Runner(str(program(tmp_path / "python", line)), SCRIPTS))
    (row,) = check_interpreters(probe_interpreters(find_installation(str(project))))
    assert row.grade == "failure"
    assert message in row.text


@pytest.mark.parametrize("scope", ["project", "local"])
def test_nothing_that_a_project_brings_along_is_run(
    project: Path, register: Register, tmp_path: Path, scope: str
) -> None:
    ran = tmp_path / "ran"
    inside = program(project / "bin/python", f"touch {ran}")
    outside = tmp_path / "link"
    outside.symlink_to(inside)
    for path in (str(inside), str(outside), os.path.relpath(inside)):
        register(scope, Runner(path, SCRIPTS))
        assert probe_interpreters(find_installation(str(project))) == {}
    register(scope, Runner(sys.executable, str(project / "hooks")))
    assert probe_interpreters(find_installation(str(project))) == {}
    assert not ran.exists()


def test_what_the_user_registered_is_run_wherever_it_lies(
    project: Path, register: Register
) -> None:
    inside = program(project / "bin/python", f'exec {shlex.quote(sys.executable)} "$@"')
    register("user", Runner(str(inside), SCRIPTS))
    assert list(probe_interpreters(find_installation(str(project)))) == [str(inside)]


def test_hooks_of_another_version_are_named(
    project: Path, register: Register, tmp_path: Path
) -> None:
    package = tmp_path / "site/amplihack_compaction"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text('"""Doc."""\n\n__version__ = "0.0.7"\n')
    register(runner=Runner(sys.executable, str(tmp_path / "site/amplihack_compaction_hooks")))
    rows = check_versions(find_installation(str(project)))
    assert grades(rows) == ["warning"]
    assert "are of version 0.0.7" in texts(rows)


def test_own_hooks_are_of_the_own_version(project: Path, register: Register) -> None:
    register()
    assert grades(check_versions(find_installation(str(project)))) == []


@pytest.mark.parametrize(
    ("lines", "grade", "message"),
    [
        (["echo '2.1.330 (Claude Code)'"], "pass", "Claude Code 2.1.330"),
        (["echo '1.0.12 (Claude Code)'"], "warning", "does not mark its compactions"),
        (["echo hello"], "warning", "nothing that is a version"),
        (["exit 1"], "warning", "nothing that is a version"),
        (["exec sleep 20"], "warning", "nothing that is a version"),
    ],
)
def test_the_client_is_asked_for_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: list[str], grade: str, message: str
) -> None:
    monkeypatch.setattr(programs, "_CLIENT_SECONDS", 1.0)
    program(tmp_path / "claude", *lines)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    row = check_client()
    assert (str(row.grade), message in row.text) == (grade, True)


def test_without_a_client_on_the_path_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert check_client().grade == "warning"
