"""The launchers, versions and the client, as real programs that answer in each way."""

import shutil
from pathlib import Path

import pytest

from amplihack_compaction.cli.doctor import programs
from amplihack_compaction.cli.doctor.installation import find_installation
from amplihack_compaction.cli.doctor.programs import check_client, check_versions
from amplihack_compaction.clients.claude_code.wiring.launchers import launchers_folder
from tests.unit.cli.doctor.conftest import Register, grades, texts


def program(path: Path, *lines: str) -> Path:
    """Write a shell script that can be run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(("#!/bin/sh", *lines, "")))
    path.chmod(0o755)
    return path


def test_what_runs_the_hooks_is_named(project: Path, register: Register) -> None:
    register()
    rows = check_versions(find_installation(str(project)))
    assert grades(rows) == []
    assert "the hooks are run by" in texts(rows)


@pytest.mark.parametrize("gone", ["all", "launcher", "interpreter", "version"])
def test_launchers_that_are_not_in_order_are_written_anew(
    project: Path, register: Register, gone: str
) -> None:
    register()
    folder = Path(launchers_folder())
    noted = (folder / "installed").read_text().split("\n")
    if gone == "all":
        shutil.rmtree(folder)
    elif gone == "launcher":
        (folder / "Stop").unlink()
    elif gone == "interpreter":
        (folder / "installed").write_text("\n".join([noted[0], "/gone/python", *noted[2:]]))
    else:
        (folder / "installed").write_text("\n".join(["0.0.7", *noted[1:]]))
    _, row = check_versions(find_installation(str(project)))
    said = {"all": "no hooks in ~/", "launcher": "hooks/Stop is missing",
            "interpreter": "/gone/python is missing", "version": "of version 0.0.7"}  # fmt: skip
    assert said[gone] in row.text
    assert row.grade == ("warning" if gone == "version" else "failure")
    assert row.repair is not None
    row.repair.run()
    assert grades(check_versions(find_installation(str(project)))) == []


def test_hooks_that_are_newer_than_the_command_are_left_alone(
    project: Path, register: Register
) -> None:
    register()
    path = Path(launchers_folder()) / "installed"
    path.write_text("\n".join(["99.0.0", *path.read_text().split("\n")[1:]]))
    _, row = check_versions(find_installation(str(project)))
    assert (row.grade, row.repair) == ("warning", None)
    assert "update this command" in str(row.remedy)


def test_hooks_of_another_folder_are_named(project: Path, register: Register) -> None:
    register()
    path = Path(launchers_folder()) / "installed"
    noted = path.read_text().split("\n")
    elsewhere = project / "elsewhere"
    (elsewhere / "amplihack_compaction").mkdir(parents=True)
    path.write_text("\n".join([*noted[:2], str(elsewhere), ""]))
    _, row = check_versions(find_installation(str(project)))
    assert row.grade == "pass"
    assert f"of the package in {elsewhere}, while this command is of" in row.text


@pytest.mark.parametrize(
    ("lines", "grade", "message"),
    [
        (["echo '2.1.330 (Claude Code)'"], "pass", "Claude Code 2.1.330"),
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
