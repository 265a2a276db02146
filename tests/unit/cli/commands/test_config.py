"""The commands `config show|check|set|schema`."""

import json
import os
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from amplihack_compaction.base.errors import SettingsError
from amplihack_compaction.cli.app import app
from amplihack_compaction.clients.claude_code.session_files import config_folder
from tests.support.sessions import write_own_settings


@pytest.fixture
def here(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(project)
    return project


def config(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["config", *arguments])


def file_of(project: Path) -> Path:
    return project / ".claude" / "compaction.json"


def test_show_says_what_one_setting_does(here: Path) -> None:
    assert "a call that breaks a standing rule" in config("show", "guard").output
    assert "one of off, tell, ask" in config("show", "guard").output
    assert isinstance(config("show", "gard").exception, SettingsError)


def test_show_says_where_each_value_comes_from(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config("set", "backup_days", "60")
    config("set", "on_loss", "block", "--team")
    monkeypatch.setenv("AMPLIHACK_COMPACTION_SNAPSHOTS", "7")
    lines = {line.split()[0]: line for line in config("show").output.splitlines() if line}
    assert "project .claude/compaction.json" in lines["on_loss"]
    assert "environment" in lines["snapshots"]
    assert str(config_folder()) in lines["backup_days"]
    assert lines["auto"].split()[1:] == ["false", "default"]
    shown = json.loads(config("show", "--json").output)
    assert shown["settings"]["snapshots"]["value"] == 7
    assert shown["settings"]["snapshots"]["from"] == "environment"
    assert shown["problems"] == []


def test_check_names_each_problem_and_the_nearest_key(here: Path) -> None:
    assert config("check").exit_code == 0
    file_of(here).parent.mkdir()
    file_of(here).write_text('{"on_los": 1, "snapshots": 0}')
    result = config("check")
    assert result.exit_code == 1
    assert "did you mean 'on_loss'" in result.output
    assert "snapshots: must lie between 1 and 1000; 0 is not used" in result.output
    assert "2 problems: " in config("show").output


def test_set_keeps_every_other_byte(here: Path) -> None:
    file_of(here).parent.mkdir()
    before = '{\n\t"ledger_items" :  804,\n\n\t"mine": [1,2]\n}\n'
    file_of(here).write_text(before)
    file_of(here).chmod(0o640)
    assert config("set", "ledger_items", "805", "--team").exit_code == 0
    assert file_of(here).read_text() == before.replace("804", "805")
    assert file_of(here).stat().st_mode & 0o777 == 0o640
    assert "has it so already" in config("set", "ledger_items", "805", "--team").output
    config("set", "store", "off", "--team")
    assert json.loads(file_of(here).read_text())["store"] == "off"
    config("set", "store", "--unset", "--team")
    assert file_of(here).read_text() == before.replace("804", "805")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["snapshots", "0"], "must lie between"),
        (["on_loss", "maybe"], "must be one of"),
        (["on_los", "off"], "did you mean 'on_loss'"),
        (["features_folder", "../x"], "below the project"),
        (["compact_ratio", "0.82"], "compact_ratio 0.82 is not below snapshot_ratio 0.8"),
        (["token_api", "true"], "leave out --team"),
        (["on_loss", "off"], "only make it stricter"),
        (["backup_days", "5"], "leave out --team"),
        (["auto", "true"], "leave out --team"),
        (["fresh_start", "inject"], "leave out --team"),
        (["features_folder", "a\udce9b"], "JSON cannot hold that"),
    ],
)
def test_a_value_that_cannot_be_used_is_refused(
    here: Path, arguments: list[str], message: str
) -> None:
    result = config("set", *arguments, "--team")
    assert isinstance(result.exception, SettingsError)
    assert message in str(result.exception)
    assert not file_of(here).exists()


def test_a_broken_file_is_left_as_it_is(here: Path) -> None:
    file_of(here).parent.mkdir()
    for text in ("[1]", "{oops", '{"a": 1} x'):
        file_of(here).write_text(text)
        for arguments in (["snapshots", "3"], ["snapshots", "--unset"]):
            result = config("set", *arguments, "--team")
            assert isinstance(result.exception, SettingsError)
            assert "is left as it was" in str(result.exception)
        assert file_of(here).read_text() == text


def test_the_users_own_file_is_readable_by_nobody_else(here: Path) -> None:
    assert config("set", "auto", "on").exit_code == 0
    own = config_folder() / "compaction.json"
    assert own.stat().st_mode & 0o777 == 0o600
    assert not file_of(here).exists()


def test_unset_without_a_file_makes_none(here: Path) -> None:
    result = config("set", "snapshots", "--unset", "--team")
    assert result.exit_code == 0
    assert "does not set snapshots: nothing to take out." in result.output
    assert not file_of(here).exists()


def test_a_file_in_which_nothing_is_left_is_removed(here: Path) -> None:
    config("set", "ledger_items", "800", "--team")
    assert file_of(here).exists()
    assert "removed" in config("set", "ledger_items", "--unset", "--team").output
    assert not file_of(here).exists()


def test_an_unknown_key_can_be_taken_out_wherever_it_stands(here: Path) -> None:
    file_of(here).parent.mkdir()
    file_of(here).write_text('{"on_los": 1, "snapshots": 3, "on_los": 2}')
    config("set", "on_los", "--unset", "--team")
    assert json.loads(file_of(here).read_text()) == {"snapshots": 3}


def test_a_value_or_unset_has_to_be_given(here: Path) -> None:
    assert config("set", "snapshots").exit_code == 2
    assert config("set", "snapshots", "3", "--unset").exit_code == 2


def test_at_home_the_users_own_file_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(os.environ["HOME"])
    config("set", "token_api", "true", "--team")
    assert "true" in (config_folder() / "compaction.json").read_text()


def test_a_folder_that_is_gone_is_explained(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here.rmdir()
    result = config("set", "snapshots", "3")
    assert "folder is gone" in str(result.exception)


def test_the_schema_is_printed_or_located(here: Path) -> None:
    schema = json.loads(config("schema").output)
    path = Path(config("schema", "--path").output.strip())
    assert schema["properties"]["snapshots"]["maximum"] == 1000
    assert json.loads(path.read_text()) == schema


def test_patterns_are_set_as_a_list_or_one_and_shown(here: Path) -> None:
    assert "leave out --team" in str(
        config("set", "redact_patterns", "ACME-[0-9]{6}", "--team").exception
    )
    assert not file_of(here).exists()
    assert config("set", "redact_patterns", "ACME-[0-9]{6,10}").exit_code == 0
    result = config("set", "redact_patterns", '["aaaa", "bbbb+"]')
    assert '["aaaa", "bbbb+"]' in result.output
    shown = json.loads(config("show", "--json").output)["settings"]["redact_patterns"]
    assert shown["value"] == ["aaaa", "bbbb+"]
    assert config("check").exit_code == 0


@pytest.mark.parametrize(
    ("value", "why"),
    [
        ("(a+)+", "pattern 1 repeats"),
        ('["aaaa", "("]', "pattern 2 does not compile"),
        ("a*", "pattern 1 can match fewer than 4 characters"),
        ("[1]", "pattern 1 must be a text"),
    ],
)
def test_a_pattern_that_cannot_be_used_is_refused_by_name(here: Path, value: str, why: str) -> None:
    result = config("set", "redact_patterns", value)
    assert result.exit_code == 1
    assert isinstance(result.exception, SettingsError)
    assert why in str(result.exception)
    given = json.loads(value) if value[:2] in ("[1", '["') else [value]
    write_own_settings(redact_patterns=given)
    checked = config("check")
    assert checked.exit_code == 1
    assert why in checked.output
