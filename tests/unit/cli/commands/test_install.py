"""`install` and `uninstall` as a user sees them."""

import io
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from amplihack_compaction.base import installation
from amplihack_compaction.base.installation import own_command
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.cli.app import run_command_line
from amplihack_compaction.cli.commands import install
from amplihack_compaction.cli.replay import Answer, Replay
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    TIMEOUT_SECONDS,
    Registered,
    command_of,
)
from amplihack_compaction.clients.claude_code.wiring.launchers import installed_hooks
from amplihack_compaction.compactor.transcripts.manifest import manifest_path
from tests.support.sessions import write_own_settings
from tests.support.wiring import earlier_command
from tests.unit.cli.doctor.conftest import install_plugin

Call = Callable[..., tuple[int, str, str]]
REPOSITORY = Path(__file__).parents[4]


@pytest.fixture
def call(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Return a function that runs the command line: exit code, stdout and stderr."""

    def run(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["amplihack-compaction", *map(str, arguments)])
        with pytest.raises(SystemExit) as left:
            run_command_line()
        said = capsys.readouterr()
        return int(left.value.code or 0), said.out, said.err

    return run


def settings(project: Path, name: str = "settings.local.json") -> dict[str, object]:
    value = json.loads((project / ".claude" / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def test_the_version_and_the_help_are_plain_text(call: Call) -> None:
    assert call("--version")[1].startswith("amplihack-compaction 0.")
    for command in ("install", "uninstall", "diagnose", "state"):
        code, out, _ = call(command, "--help")
        assert code == 0
        assert f"  amplihack-compaction {command}\n" in out
        assert "\x1b" not in out


@pytest.mark.parametrize(
    "arguments",
    [
        ["nothing"],
        ["install", "--user", "--local"],
        ["install", "--team", "--local"],
        ["install", "--user", "--project", "."],
        ["install", "--plugin", ".", "--user"],
        ["install", "--plugin", ".", "--dry-run"],
        ["install", "--events", "Stopp"],
        ["install", "--events", ","],
    ],
)
def test_a_call_that_cannot_be_understood_is_exit_code_2(call: Call, arguments: list[str]) -> None:
    code, out, err = call(*arguments)
    assert (code, out) == (2, "")
    assert err


def test_install_registers_in_the_current_folder(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    code, out, err = call("install", "--no-proof")
    assert (code, err) == (0, "")
    assert f"Registered in {project}/.claude/settings.local.json:\n  new: " in out
    assert f"new: {', '.join(TIMEOUT_SECONDS)}\n" in out
    assert "Replaying" not in out
    assert list(settings(project)["hooks"]) == list(EVENTS)  # type: ignore[call-overload]
    assert "Already registered" in call("install", "--no-proof")[1]
    assert "held only these hooks" in call("uninstall")[1]
    assert "There are no hooks of amplihack-compaction in " in call("uninstall")[1]


def test_the_teams_file_is_used_when_asked_for_and_wherever_it_has_the_hooks(
    call: Call, project: Path
) -> None:
    asked = ("install", "--no-proof", "--project", project, "--events", "Stop, PreCompact")
    call(*asked, "--team")
    assert list(settings(project, "settings.json")["hooks"]) == ["PreCompact", "Stop"]  # type: ignore[call-overload]
    assert "Already registered" in call(*asked)[1]
    assert not (project / ".claude" / "settings.local.json").exists()
    assert "held only these hooks" in call("uninstall", "--team", "--project", project)[1]
    call(*asked)
    assert not (project / ".claude" / "settings.json").exists()


def test_settings_name_the_command_by_its_path_and_the_teams_by_its_name(
    call: Call, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An editor starts the client with another search path than the one of the terminal."""
    script = tmp_path / "bin/amplihack-compaction"
    script.parent.mkdir()
    script.touch(0o755)
    monkeypatch.setattr(installation, "own_python", lambda: f"{script.parent}/python")
    monkeypatch.setenv("PATH", str(script.parent), prepend=os.pathsep)
    assert own_command() == "amplihack-compaction"
    for option, called in (("--local", str(script)), ("--team", "amplihack-compaction")):
        call("install", "--no-proof", "--project", project, option)
        forget = (project / ".claude/commands/forget.md").read_text()
        assert f"Bash({called} forget:*)" in forget
        call("uninstall", option, "--project", project)


def test_what_git_shares_stays_until_it_is_named(call: Call, project: Path) -> None:
    asked = ("install", "--no-proof", "--project", project)
    call(*asked, "--team")
    shared = {
        path: path.read_bytes() for path in (project / ".claude").rglob("*") if path.is_file()
    }
    assert len(shared) > 1  # the slash commands too
    named = f"stay, for the whole team; to take them out: {own_command()} uninstall --team"
    for arguments in ((), ("--dry-run",), ("--local",)):
        code, out, _ = call("uninstall", "--project", project, *arguments)
        assert code == 0
        assert f"The hooks in {project}/.claude/settings.json {named} --project {project}" in out
    call(*asked, "--local")
    out = call("uninstall", "--project", project)[1]
    assert "held only these hooks" in out
    assert named in out
    assert {path: path.read_bytes() for path in shared} == shared
    assert named not in call("uninstall", "--team", "--project", project)[1]
    assert not (project / ".claude").exists()


def test_hooks_of_all_projects_are_named_where_this_one_has_none(call: Call, project: Path) -> None:
    call("install", "--no-proof", "--user")
    code, out, _ = call("uninstall", "--project", project)
    assert code == 0
    assert "There are no hooks of amplihack-compaction in " in out
    assert "The hooks in ~/.claude/settings.json stay, for all of your projects" in out
    assert f"{own_command()} uninstall --user" in out
    out = call("uninstall", "--user")[1]
    assert "The hooks in" not in out
    assert "What was recorded of your sessions stays in each project, in .claude/runtime." in out


def test_hooks_in_another_clients_file_are_named(call: Call, project: Path) -> None:
    call("install", "--no-proof", "--client", "codex", "--project", project)
    out = call("uninstall", "--project", project)[1]
    assert ".codex/hooks.json stay, for codex" in out
    assert f"{own_command()} uninstall --client codex" in out


def test_settings_and_a_status_line_that_stay_are_named(call: Call, project: Path) -> None:
    folder = project / ".claude"
    folder.mkdir()
    line = {"type": "command", "command": "'/a b/amplihack-compaction' statusline --beside x"}
    (folder / "settings.json").write_text(json.dumps({"statusLine": line}))
    (folder / "compaction.json").write_text('{"guard": "ask"}')
    call("install", "--no-proof", "--project", project)
    out = call("uninstall", "--project", project)[1]
    assert f'"statusLine" in {folder}/settings.json still runs amplihack-compaction' in out
    assert f"settings in {folder}/compaction.json stay" in out
    line["command"] = "my-line"
    (folder / "settings.json").write_text(json.dumps({"statusLine": line}))
    (folder / "compaction.json").unlink()
    out = call("uninstall", "--project", project)[1]
    assert "statusLine" not in out
    assert "compaction.json" not in out


def test_the_user_scope_is_in_the_home(call: Call) -> None:
    assert call("install", "--no-proof", "--user")[0] == 0
    assert (Path(os.environ["HOME"]) / ".claude" / "settings.json").is_file()


def test_an_existing_file_is_backed_up_and_given_back(call: Call, project: Path) -> None:
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_bytes(b'{ "model":"opus" }')
    _, out, _ = call("install", "--no-proof", "--project", project)
    assert "(the original is kept as ~/" in out
    assert {each.name for each in path.parent.iterdir()} == {path.name, "commands"}
    assert "original content again" in call("uninstall", "--project", project)[1]
    assert path.read_bytes() == b'{ "model":"opus" }'


def test_an_edited_file_is_said_to_be_edited(call: Call, project: Path) -> None:
    path = project / ".claude" / "settings.local.json"
    path.parent.mkdir()
    path.write_bytes(b'{"model": "opus"}')
    call("install", "--no-proof", "--project", project)
    path.write_text(path.read_text(encoding="utf-8").replace("opus", "haiku"), encoding="utf-8")
    assert "everything else" in call("uninstall", "--project", project)[1]
    assert path.read_bytes() == b'{"model": "haiku"}'


def test_a_dry_run_shows_the_difference_and_changes_nothing(call: Call, project: Path) -> None:
    code, out, _ = call("install", "--dry-run", "--project", project)
    assert code == 0
    assert out.startswith("--- /dev/null\n+++ ")
    assert '+    "Stop": [' in out
    assert list(project.iterdir()) == []
    call("install", "--no-proof", "--project", project)
    assert "would not change" in call("install", "--dry-run", "--project", project)[1]
    code, out, _ = call("uninstall", "--dry-run", "--project", project)
    assert "+++ /dev/null" in out
    assert settings(project)["hooks"]


def test_a_dry_run_shows_the_slash_commands_and_gits_lines_that_would_go(
    call: Call, project: Path
) -> None:
    subprocess.run(["git", "init", "--quiet", project], check=True)
    call("install", "--no-proof", "--project", project)
    exclude, command = project / ".git/info/exclude", project / ".claude/commands/recall.md"
    before = exclude.read_bytes()
    out = call("uninstall", "--dry-run", "--project", project)[1]
    assert "Would remove the slash commands /" in out
    assert f"Would take out of {exclude} what git overlooked of them." in out
    assert (exclude.read_bytes(), command.exists()) == (before, True)
    call("uninstall", "--project", project)
    out = call("uninstall", "--dry-run", "--project", project)[1]
    assert "Would" not in out


def test_the_settings_of_the_project_and_of_the_user_that_stay_are_named(
    call: Call, project: Path
) -> None:
    write_own_settings(guard="ask")
    (project / ".claude").mkdir()
    (project / ".claude/compaction.json").write_text('{"guard": "tell"}')
    out = call("uninstall", "--project", project)[1]
    assert f"The settings in {project}/.claude/compaction.json stay; delete the file" in out
    assert "compaction.json stay, for all of your projects; delete the file" in out
    out = call("uninstall", "--user")[1]
    assert out.count("compaction.json stay") == 1


def test_a_file_that_cannot_take_hooks_is_exit_code_1(call: Call, project: Path) -> None:
    (project / ".claude").mkdir()
    (project / ".claude" / "settings.local.json").write_bytes(b"[]")
    code, out, err = call("install", "--project", project)
    assert (code, out) == (1, "")
    assert err.startswith("amplihack-compaction: ")
    assert "left as it was" in err
    assert "Traceback" not in err
    assert call("install", "--project", project / "none")[0] == 1


def test_a_torn_settings_file_is_not_said_to_have_no_hooks(call: Call, project: Path) -> None:
    (project / ".claude").mkdir()
    path = project / ".claude" / "settings.local.json"
    path.write_text('{"permissions": {"allow": [')
    code, out, err = call("uninstall", "--project", project)
    assert (code, out) == (1, "")
    assert "left as it was: it is not JSON" in err


def test_an_uninstall_says_that_the_server_was_taken_out(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    client = tmp_path / "bin" / "claude"
    client.parent.mkdir()
    client.write_text("#!/bin/sh\n")
    client.chmod(0o755)
    monkeypatch.setenv("PATH", f"{client.parent}:{os.environ['PATH']}")
    call("install", "--recall", "--no-proof", "--project", project)
    assert "no longer starts the MCP server" in call("uninstall", "--project", project)[1]
    call("install", "--no-proof", "--project", project)
    assert "MCP server" not in call("uninstall", "--project", project)[1]


def test_what_keeps_hooks_from_running_is_warned_of(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / ".claude").mkdir()
    local = project / ".claude" / "settings.local.json"
    local.write_text('{"disableAllHooks": true}', encoding="utf-8")
    monkeypatch.chdir(project)
    monkeypatch.setenv("AMPLIHACK_COMPACTION_DISABLED", "1")
    call("install", "--no-proof", "--user")
    _, _, err = call("install", "--no-proof")
    assert f'"disableAllHooks" in {local}' in err
    assert "uninstall --user" in err
    assert "AMPLIHACK_COMPACTION_DISABLED" in err
    _, _, err = call("install", "--no-proof", "--user")
    assert f"uninstall --project {project}" in err
    _, _, err = call("install", "--no-proof", "--team")
    assert f"uninstall --project {project}" in err


def test_what_became_of_each_hook_is_said(call: Call, project: Path) -> None:
    call("install", "--no-proof", "--project", project, "--events", "Stop,PreCompact,SessionEnd")
    path = project / ".claude" / "settings.local.json"
    text = path.read_text(encoding="utf-8")
    earlier = json.dumps(earlier_command("Stop"))
    path.write_text(text.replace(json.dumps(command_of("Stop")), earlier), encoding="utf-8")
    arguments = ("install", "--project", project, "--events", "Stop,PreCompact,PreToolUse")
    _, out, err = call(*arguments, "--no-proof")
    assert "  new: PreToolUse\n" in out
    assert "  brought up to date: Stop\n" in out
    assert "  taken out: SessionEnd, SessionEnd+store\n" in out
    assert "  as before: PreCompact, Stop+store\n" in out
    assert err == ""
    assert call(*arguments, "--no-proof")[2] == ""


def test_an_enabled_plugin_is_warned_of(call: Call, project: Path) -> None:
    call("install", "--no-proof", "--project", project)
    user = Path(os.environ["HOME"]) / ".claude" / "settings.json"
    user.parent.mkdir(exist_ok=True)
    user.write_text('{"enabledPlugins": {"amplihack-compaction@x": true}}', encoding="utf-8")
    install_plugin(name="amplihack-compaction@x")
    _, _, err = call("install", "--no-proof", "--project", project)
    assert "the plugin amplihack-compaction@x has them, and so have the settings" in err
    assert "claude plugin uninstall amplihack-compaction@x" in err
    assert f"{own_command()} uninstall --project {project}" in err


def test_the_plugins_hooks_are_proved_and_nothing_is_registered(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    played: list[list[Registered]] = []

    def play(hooks: list[Registered]) -> Replay:
        played.append(hooks)
        return Replay([], "Rules")

    monkeypatch.setattr(install, "replay_session", play)
    code, out, err = call("install", "--plugin", REPOSITORY)
    assert (code, err) == (0, "")
    assert {hook.event for hook in played[0]} == set(EVENTS)
    installed = installed_hooks()
    assert installed is not None
    assert f"are run by {installed.python}:" in out
    assert "All hooks work" in out
    assert "claude plugin uninstall amplihack-compaction" in out
    assert list(project.iterdir()) == []
    call("install", "--no-proof")
    _, _, err = call("install", "--plugin", REPOSITORY, "--no-proof")
    assert "the plugin amplihack-compaction has them, and so have the settings" in err
    assert f"{own_command()} uninstall --project {project}" in err
    assert len(played) == 1
    code, _, err = call("install", "--plugin", project)
    assert code == 1
    assert f"no plugin of this package in {project}" in err


def test_purging_asks_first(call: Call, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path(runtime_folder(str(project)))
    assert "Nothing is stored" in call("uninstall", "--purge", "--project", project)[1]
    folder.mkdir(parents=True)
    (folder / "hooks.log").write_text("x" * 2000, encoding="utf-8")
    out = call("uninstall", "--purge", "--dry-run", "--project", project)[1]
    assert "Would delete" in out
    assert "1 file, 2 kB: sessions as they were said, snapshots, logs)." in out
    copy = Path(manifest_path(str(project), "1f2e3d4c-0000-4000-8000-000000000001"))
    copy.parent.mkdir(parents=True)
    copy.write_text("{}")
    out = call("uninstall", "--purge", "--dry-run", "--project", project)[1]
    assert "what 1 shortened session left out comes back no more" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    code, _, err = call("uninstall", "--purge", "--project", project)
    assert (code, "nothing was changed\n" in err) == (1, True)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    code, out, err = call("uninstall", "--purge", "--project", project)
    assert (code, "without being asked, add --yes" in err) == (1, True)
    assert out.endswith("[y/N]: \n")  # what is said next has a line of its own
    assert folder.exists()
    assert call("uninstall", "--purge", "--yes", "--project", project)[0] == 0
    assert list(project.iterdir()) == []  # nor the empty folders around it


def test_whoever_says_no_to_purging_keeps_the_hooks_too(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    call("install", "--no-proof", "--project", project)
    Path(runtime_folder(str(project))).mkdir(parents=True, exist_ok=True)
    before = (project / ".claude/settings.local.json").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    assert call("uninstall", "--purge", "--project", project)[0] == 1
    assert (project / ".claude/settings.local.json").read_bytes() == before


def test_what_other_commands_made_smaller_is_named(call: Call, project: Path) -> None:
    call("install", "--no-proof", "--project", project)
    write_own_settings(features_folder="docs/all/features")
    for folder in ("features/old", "docs/all/features/login"):
        (project / folder / ".compaction/backup").mkdir(parents=True)
    out = call("uninstall", "--project", project)[1]
    assert f"The backups of what was made smaller in {project / 'features/old'} stay" in out
    assert f"The backups of what was made smaller in {project / 'docs/all/features/login'}" in out


def test_uninstall_names_the_slash_commands_and_the_lines_of_git_that_it_takes_out(
    call: Call, project: Path
) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    call("install", "--no-proof", "--project", project)
    out = call("uninstall", "--project", project)[1]
    assert re.search(r"^Removed the slash commands /.*/remember\b.*\.$", out, re.MULTILINE)
    assert f"Took out of {project}/.git/info/exclude what git overlooked of them." in out
    again = call("uninstall", "--project", project)[1]
    assert "slash commands" not in again
    assert "exclude" not in again


def test_uninstall_takes_out_what_lies_beside_settings_that_were_deleted(
    call: Call, project: Path
) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    call("install", "--no-proof", "--project", project)
    (project / ".claude/settings.local.json").unlink()
    planned = call("uninstall", "--dry-run", "--project", project)[1]
    assert "Would remove the slash commands" in planned
    out = call("uninstall", "--project", project)[1]
    assert "There are no hooks of amplihack-compaction in" in out
    assert "Removed the slash commands" in out
    assert not list(project.glob(".claude/commands/*"))
    assert "amplihack" not in (project / ".git/info/exclude").read_text()


def test_a_folder_below_says_that_the_one_above_has_the_hooks_and_leaves_its_commands(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    subprocess.run(["git", "init", "-q", project], check=True)
    below = project / "informes"
    below.mkdir()
    assert f"{project} has the hooks" not in call("install", "--no-proof", "--project", project)[1]
    monkeypatch.setenv("CLAUDE_PROJECT_DIR", str(below))
    remedy = f"-> start the client in {project}, which has the hooks, or: "
    assert remedy in call("doctor")[1]
    said = call("install", "--no-proof", "--project", below)[1]
    (line,) = [line for line in said.splitlines() if f"{project} has the hooks already" in line]
    assert line.endswith(f"uninstall --project {below}")
    status = ["git", "-C", str(project), "status", "--short"]
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""
    call("uninstall", "--project", below)
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""


def test_purging_leaves_what_others_keep_beside_it(call: Call, project: Path) -> None:
    folder = Path(runtime_folder(str(project)))
    folder.mkdir(parents=True)
    other = folder.with_name("other")
    other.mkdir()
    assert call("uninstall", "--purge", "--yes", "--project", project)[0] == 0
    assert other.is_dir()
    assert not folder.exists()


@pytest.mark.parametrize("command", [["install"], ["uninstall", "--purge", "--yes"]])
def test_a_project_without_a_name_is_not_the_current_one(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(project)
    folder = Path(runtime_folder(str(project)))
    folder.mkdir(parents=True)
    code, _, err = call(*command, "--project", "")
    assert (code, "it is empty" in err) == (2, True)
    assert folder.exists()
    assert not list((project / ".claude").glob("settings*"))


def test_nothing_is_purged_through_a_link(call: Call, project: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "power-steering").mkdir(parents=True)
    (project / ".claude").mkdir()
    (project / ".claude" / "runtime").symlink_to(tmp_path / "elsewhere")
    code, _, err = call("uninstall", "--purge", "--yes", "--project", project)
    assert code == 1
    assert "is a link" in err
    assert (tmp_path / "elsewhere" / "power-steering").is_dir()


def test_uninstall_says_how_the_environment_goes(
    call: Call, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def advised(prefix: Path) -> str:
        monkeypatch.setattr(sys, "prefix", str(prefix))
        said: str = call("uninstall", "--project", project)[1]
        return said.partition("rm -r ")[2].strip()

    home = tmp_path / "own home"
    (home / "venv").mkdir(parents=True)
    assert advised(home / "venv") == ""  # an environment that somebody else made
    (home / "venv" / "installed-from").write_text("x")
    (home / "install.log").write_text("x")
    assert advised(home / "venv") == f"'{home}'"
    said = call("uninstall", "--project", project)[1]
    assert "in any project. If none has hooks any more, delete it:\n  rm -r " in said
    (home / "thesis.txt").write_text("years of work")
    assert advised(home / "venv") == f"'{home}/venv'"
    checkout = tmp_path / "checkout"
    (checkout / ".venv").mkdir(parents=True)
    (checkout / ".venv" / "installed-from").write_text("x")
    assert advised(checkout / ".venv") == ""


def test_a_folder_that_cannot_be_purged_is_said(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(runtime_folder(str(project))).mkdir(parents=True)

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(shutil, "rmtree", refuse)
    code, _, err = call("uninstall", "--purge", "--yes", "--project", project)
    assert code == 1
    assert "Permission denied" in err


def test_the_proof_shows_what_the_model_is_told(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [Answer("SessionStart", "x" * 40, 50.0), Answer("PreToolUse", "", 9.0)]
    replay = Replay(answers, "Rules\nnever push")
    monkeypatch.setattr(install, "replay_session", lambda _: replay)
    code, out, err = call("install", "--project", project)
    assert (code, err) == (0, "")
    assert "  Rules\n  never push\n" in out
    assert "SessionStart         1    50       50  40 characters" in out
    assert "PreToolUse           1     9        9  nothing" in out
    assert "All hooks work" in out
    assert f"uninstall --project {project}" in out


def test_a_failing_proof_names_the_hook_and_the_way_back(
    call: Call, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [Answer("Stop", "", 9.0, "exit code 3"), Answer("Stop", "", 9.0, "exit code 3")]
    replay = Replay(answers, "", ["Stop: exit code 3", "Stop: exit code 3"])
    monkeypatch.setattr(install, "replay_session", lambda _: replay)
    code, out, err = call("install", "--project", project)
    assert code == 1
    assert "Stop                 2     9        9  FAILED" in out
    assert err.count("FAILED  Stop: exit code 3") == 1
    assert f"uninstall --project {project}" in err
    assert settings(project)["hooks"]


def test_the_package_can_be_run_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["amplihack-compaction", "--version"])
    with pytest.raises(SystemExit) as left:
        runpy.run_module("amplihack_compaction", run_name="__main__")
    assert not left.value.code
    assert capsys.readouterr().out.startswith("amplihack-compaction ")
    runpy.run_module("amplihack_compaction.__main__", run_name="imported")
