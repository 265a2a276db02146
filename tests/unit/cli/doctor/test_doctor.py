"""The command `doctor` as a whole: what it prints, its exit code, and what --fix does."""

import json
import shutil
import tempfile
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.cli.app import app
from amplihack_compaction.cli.commands import doctor
from amplihack_compaction.cli.commands.doctor import examine_project
from amplihack_compaction.cli.doctor.configuration import check_data, check_own_settings
from amplihack_compaction.cli.doctor.rows import Grade, Repair, Row, worst
from amplihack_compaction.clients.claude_code.wiring.launchers import launchers_folder
from amplihack_compaction.context import estimate as ranks
from amplihack_compaction.text.classifier import USER_TABLE
from amplihack_compaction.text.pasted import REMARKS_TABLE
from tests.support.processes import modes_below
from tests.support.sessions import Session, write_own_settings, write_settings
from tests.unit.cli.doctor.conftest import Register, grades, texts
from tests.unit.cli.doctor.test_programs import program


@pytest.fixture
def here(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the project, which the test runs in; a client is on the path."""
    monkeypatch.chdir(project)
    program(tmp_path / "bin/claude", "echo '2.1.330 (Claude Code)'")
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    return project


@pytest.fixture
def unfired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no hook be run where nothing is asked about them: each takes a process."""
    monkeypatch.setattr(doctor, "check_hooks", lambda _: [])


def call(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["doctor", *arguments])


def everything_below(folder: Path) -> dict[str, tuple[int, bytes]]:
    return {
        str(path): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in folder.rglob("*")
    }


def test_an_installed_project_passes(here: Path, register: Register) -> None:
    register()
    result = call()
    assert result.exit_code == 0
    assert "\x1b" not in result.output
    for group in ("programs", "registration", "switches", "hooks", "settings", "storage"):
        assert f"\n{group}\n" in result.output
    # A busy machine's hooks may be called slow.
    assert "All " in result.output or "0 failures" in result.output


def test_what_is_all_in_order_is_said_so(here: Path, register: Register, unfired: None) -> None:
    register()
    assert "are in order." in call().output


def test_a_failure_gives_exit_code_1_and_json_says_which(here: Path) -> None:
    result = call("--json")
    assert result.exit_code == 1
    told = json.loads(result.output)
    assert told["result"] == "failure"
    failed = [row for row in told["rows"] if row["result"] == "failure"]
    assert [row["group"] for row in failed] == ["registration"]
    assert failed[0]["remedy"] == f"{own_command()} install"
    assert told["project"] == str(here)


def test_warnings_alone_give_exit_code_0(here: Path, register: Register, unfired: None) -> None:
    register()
    write_settings(here, on_los="off")
    result = call()
    assert result.exit_code == 0
    assert "did you mean 'on_loss'" in result.output
    assert "0 failures, " in result.output


def test_nothing_is_touched_without_fix(here: Path, register: Register) -> None:
    register()
    shutil.rmtree(launchers_folder())
    session = Session(here)
    session.compact()
    (session.runtime / "x.1.aa.tmp").write_text("half")
    session.runtime.chmod(0o755)
    before = everything_below(here)
    result = call()
    assert result.exit_code == 1
    assert "doctor --fix` mends 2" in result.output
    assert everything_below(here) == before


def test_fix_does_what_is_safe_and_looks_again(
    here: Path, register: Register, unfired: None
) -> None:
    register()
    shutil.rmtree(launchers_folder())
    session = Session(here)
    session.compact()
    session.runtime.chmod(0o755)
    result = call("--fix")
    assert result.exit_code == 0, result.output
    assert "wrote the hooks to ~/.local/share/amplihack-compaction/hooks" in result.output
    assert "rights for you alone" in result.output
    assert set(modes_below(session.runtime).values()) == {0o600, 0o700}
    again = json.loads(call("--fix", "--json").output)
    assert (again["fixed"], again["result"]) == ([], "pass")


def test_what_cannot_be_mended_is_said(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise SettingsError("the file is write-protected")

    for grade in (Grade.FAILURE, Grade.WARNING):
        broken = Row(grade, "broken", repair=Repair("mended it", fail))
        monkeypatch.setattr(doctor, "examine_project", lambda _, row=broken: {"x": [row, row]})
        result = call("--fix")
        assert result.exit_code == 1
        said = "not fixed could not have mended it: the file is write-protected"
        assert result.output.count(said) == 1


def test_what_a_file_says_cannot_steer_the_terminal(
    here: Path, register: Register, unfired: None
) -> None:
    register()
    write_settings(here, **{"a\x1b[31m\nb": 1})
    assert "\x1b" not in call().output


def test_a_folder_that_is_gone_is_explained(here: Path) -> None:
    here.rmdir()
    assert "folder is gone" in str(call().exception)


def test_the_worst_row_counts() -> None:
    rows = [Row(grade, "") for grade in Grade]
    assert worst(rows) is Grade.FAILURE
    assert worst(rows[:2]) is Grade.WARNING
    assert worst([]) is Grade.PASS


def test_settings_are_counted_and_their_problems_named(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "the defaults are in force" in texts(check_own_settings(str(project)))
    write_own_settings(snapshots=3)
    assert "1 of" in texts(check_own_settings(str(project)))
    monkeypatch.setenv("AMPLIHACK_COMPACTION_SNAPSHOT", "3")
    write_own_settings(snapshots=0)
    assert grades(check_own_settings(str(project))) == ["warning", "warning"]


def test_a_pattern_that_is_left_out_is_named(project: Path) -> None:
    write_own_settings(redact_patterns=["(hunter2)+x", "ACME-[0-9]{6}"])
    rows = check_own_settings(str(project))
    assert grades(rows) == ["warning"]
    assert "redact_patterns: pattern 1 repeats" in texts(rows)
    assert "hunter2" not in texts(rows)


def test_the_packages_files_that_are_missing_or_torn_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_data() == []
    monkeypatch.setattr(ranks, "_CARRIER", "no_such_package_here")
    torn = tmp_path / "remarks.weights"
    torn.write_bytes(Path(REMARKS_TABLE.path).read_bytes()[:-20])
    monkeypatch.setattr(REMARKS_TABLE, "path", str(torn))
    tokens, weights = check_data()
    assert "the list of tokens is missing" in tokens.text
    assert str(torn) in weights.text
    assert "typed.weights" not in weights.text
    assert {row.grade for row in (tokens, weights)} == {"warning"}
    assert "install the package anew" in weights.remedy
    monkeypatch.setattr(USER_TABLE, "path", str(tmp_path / "typed.weights"))
    assert f"{tmp_path / 'typed.weights'}, {torn}" in texts(check_data())


def test_ranks_of_another_file_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "other_ranks" / "data").mkdir(parents=True)
    (tmp_path / "other_ranks" / "__init__.py").touch()
    (tmp_path / "other_ranks" / "data" / "cl100k_base.tiktoken.gz").write_bytes(b"x")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(ranks, "_CARRIER", "other_ranks")
    assert "is not the file that is expected" in texts(check_data())


def test_an_examination_has_every_group_once_and_in_order(project: Path) -> None:
    groups = [group for group, rows in examine_project(str(project)).items() if rows]
    assert groups == [
        "programs", "registration", "switches", "settings", "storage", "compactions"
    ]  # fmt: skip


def test_without_room_for_a_temporary_project_it_is_said(
    here: Path, register: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    register()
    monkeypatch.setattr(tempfile, "tempdir", "/nowhere")
    result = call("--json")
    assert result.exit_code == 1
    assert "could not be fired" in result.output
