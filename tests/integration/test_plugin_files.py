"""The plugin's files as the client uses them: its hook commands, its notice, its command line."""

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import amplihack_compaction
from amplihack_compaction.clients.claude_code.wiring.hook_entries import (
    EVENTS,
    INSTALLED_FOLDER,
    SCRIPTS,
    Runner,
    hooks_of,
)
from amplihack_compaction.clients.claude_code.wiring.wiring_problems import (
    PLUGIN_NAME,
    plugin_hooks,
)

REPOSITORY = Path(__file__).parents[2]
COMMAND = (
    'e="${AMPLIHACK_COMPACTION_HOME:-${XDG_DATA_HOME:-$HOME/.local/share}/amplihack-compaction}/venv";'
    ' p="$e/bin/python"; h="$e/site-packages/' + INSTALLED_FOLDER + '/%s";'
    ' [ -x "$p" ] && [ -f "$h" ] || exit 0; "$p" -I -S "$h" || exit 0'
)
VERSION = amplihack_compaction.__version__
SAYS_EVENT = (
    'import sys; print(__file__.rpartition("/")[2], len(sys.stdin.read()), sys.flags.isolated)'
)


def read(name: str) -> dict[str, Any]:
    value = json.loads((REPOSITORY / name).read_text(encoding="utf-8"))
    assert isinstance(value, dict)
    return value


def shell(
    command: str, env: Mapping[str, str], stdin: str = "{}"
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", command],
        env={"PATH": os.defpath, **env},
        input=stdin,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def command_of(event: str) -> str:
    return {hook.name: hook.command for hook in plugin_hooks(REPOSITORY)}[event]


def notice_command() -> str:
    (_, group) = read("hooks/hooks.json")["hooks"]["SessionStart"]
    return str(group["hooks"][0]["command"])


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Return a home with an environment whose hooks only say that they ran."""
    home = tmp_path / 'it\'s "home" $HOME'
    environment = home / ".local/share/amplihack-compaction/venv"
    for name in SCRIPTS:
        script = environment / "site-packages" / INSTALLED_FOLDER / SCRIPTS[name]
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(SAYS_EVENT, encoding="utf-8")
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(sys.executable)
    (environment / "version").write_text(VERSION + "\n", encoding="utf-8")
    return home


def data_folder(home: Path) -> Path:
    return home / ".local/share/amplihack-compaction"


def test_every_event_is_wired_as_in_the_settings() -> None:
    hooks = read("hooks/hooks.json")["hooks"]
    assert list(hooks) == list(EVENTS)
    settings = Runner("/python", f"/{INSTALLED_FOLDER}")
    for event, groups in hooks.items():
        expected = settings.group(event)
        expected["hooks"] = [
            {**settings.entry(name), "command": COMMAND % SCRIPTS[name]} for name in hooks_of(event)
        ]
        assert groups[0] == expected
        assert len(groups) == (2 if event == "SessionStart" else 1)


def test_names_and_versions_agree() -> None:
    plugin, market = read(".claude-plugin/plugin.json"), read(".claude-plugin/marketplace.json")
    (entry,) = market["plugins"]
    assert plugin["name"] == entry["name"] == PLUGIN_NAME
    assert plugin["version"] == VERSION
    assert entry["source"] == "./"


@pytest.mark.parametrize("event", EVENTS)
def test_a_command_finds_the_environment_and_hands_over_the_payload(home: Path, event: str) -> None:
    done = shell(command_of(event), {"HOME": str(home)}, '{"a": 1}')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{SCRIPTS[event]} 8 1\n"


@pytest.mark.parametrize("variable", ["AMPLIHACK_COMPACTION_HOME", "XDG_DATA_HOME"])
def test_a_command_looks_where_the_setup_puts_the_environment(home: Path, variable: str) -> None:
    folder = data_folder(home)
    named = folder if variable.startswith("AMPLIHACK") else folder.parent
    env = {"HOME": "/nowhere", variable: str(named)}
    assert shell(command_of("Stop"), env).stdout == "stop.py 2 1\n"
    assert notice_is_due(env) is False


@pytest.mark.parametrize("gone", ["all", "python", "script", "home"])
def test_without_an_environment_every_command_succeeds_in_silence(home: Path, gone: str) -> None:
    venv = data_folder(home) / "venv"
    if gone == "all":
        shutil.rmtree(data_folder(home))
    elif gone == "python":
        (venv / "bin" / "python").unlink()
    elif gone == "script":
        shutil.rmtree(venv / "site-packages")
    env = {} if gone == "home" else {"HOME": str(home)}
    for hook in plugin_hooks(REPOSITORY):
        done = shell(hook.command, env)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_hook_that_fails_does_not_fail_the_command(home: Path) -> None:
    script = data_folder(home) / "venv/site-packages" / INSTALLED_FOLDER / "stop.py"
    script.write_text("raise SystemExit(2)", encoding="utf-8")
    assert shell(command_of("Stop"), {"HOME": str(home)}).returncode == 0


@pytest.fixture
def session(home: Path) -> dict[str, str]:
    """Return the environment of a watched session's hooks, the plugin set up."""
    return {
        "HOME": str(home),
        "CLAUDE_PLUGIN_ROOT": str(REPOSITORY),
        "CLAUDE_PLUGIN_DATA": str(home / "plugin data"),
        "CLAUDE_CODE_SESSION_ATTENDED": "1",
    }


def noticed(env: Mapping[str, str]) -> str:
    done = shell(notice_command(), env)
    assert (done.returncode, done.stderr) == (0, "")
    return str(json.loads(done.stdout)["systemMessage"]) if done.stdout else ""


def notice_is_due(env: Mapping[str, str]) -> bool:
    return noticed({"CLAUDE_PLUGIN_ROOT": str(REPOSITORY), **env}) != ""


def test_set_up_there_is_nothing_to_notice(session: dict[str, str]) -> None:
    assert noticed(session) == ""
    assert not Path(session["CLAUDE_PLUGIN_DATA"]).exists()


def test_a_missing_environment_is_said_once(session: dict[str, str], home: Path) -> None:
    shutil.rmtree(data_folder(home))
    said = noticed(session)
    assert "does nothing yet" in said
    assert "/amplihack-compaction:compaction-setup" in said
    assert noticed(session) == ""


def test_an_older_environment_is_said_once_for_each_version(
    session: dict[str, str], home: Path
) -> None:
    shutil.rmtree(data_folder(home) / "venv" / "bin")
    assert "does nothing yet" in noticed(session)
    (data_folder(home) / "venv" / "bin").mkdir()
    (data_folder(home) / "venv" / "bin" / "python").symlink_to(sys.executable)
    for older in ("0.0.1", "0.0.2"):
        (data_folder(home) / "venv" / "version").write_text(older + "\n", encoding="utf-8")
        assert f"version {older}, the plugin {VERSION}" in noticed(session)
        assert noticed(session) == ""
    (data_folder(home) / "venv" / "version").write_text('0.0.3", "x": "\n', encoding="utf-8")
    assert noticed(session) == ""
    (data_folder(home) / "venv" / "version").unlink()
    assert "version ?" in noticed(session)


@pytest.mark.parametrize(
    ("name", "value"),
    [("CLAUDE_CODE_SESSION_ATTENDED", "0"), ("AMPLIHACK_COMPACTION_DISABLED", "1")],
)
def test_where_nobody_would_read_it_nothing_is_said(
    session: dict[str, str], home: Path, name: str, value: str
) -> None:
    shutil.rmtree(data_folder(home))
    assert noticed({**session, name: value}) == ""
    assert noticed(session) != ""


def test_where_it_cannot_be_kept_in_mind_it_is_said_all_the_same(
    session: dict[str, str], home: Path
) -> None:
    shutil.rmtree(data_folder(home))
    file = home / "a file"
    file.write_text("", encoding="utf-8")
    assert noticed({**session, "CLAUDE_PLUGIN_DATA": str(file / "x")}) != ""
    del session["CLAUDE_PLUGIN_DATA"]
    assert noticed(session) != ""


def test_a_plugin_that_is_being_removed_is_silent(session: dict[str, str], tmp_path: Path) -> None:
    assert noticed({**session, "CLAUDE_PLUGIN_ROOT": str(tmp_path)}) == ""
    hooks = tmp_path / "hooks"
    hooks.mkdir()
    shutil.copy2(REPOSITORY / "hooks/setup_notice.sh", hooks)
    assert noticed({**session, "CLAUDE_PLUGIN_ROOT": str(tmp_path)}) == ""


def command_line(env: Mapping[str, str], *arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [REPOSITORY / "bin" / "amplihack-compaction", *arguments],
        env={"PATH": os.defpath, **env},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_the_command_line_is_the_environments(home: Path) -> None:
    command = data_folder(home) / "venv" / "bin" / "amplihack-compaction"
    command.write_text('#!/bin/sh\nprintf "<%s>" "$@"; exit 7\n', encoding="utf-8")
    command.chmod(0o755)
    done = command_line({"HOME": str(home)}, "recall", 'it\'s "x" $HOME')
    assert (done.returncode, done.stdout) == (7, '<recall><it\'s "x" $HOME>')


def test_the_command_line_names_the_setup_where_there_is_no_environment() -> None:
    done = command_line({"HOME": "/nowhere"}, "status")
    assert (done.returncode, done.stdout) == (1, "")
    assert "/amplihack-compaction:compaction-setup" in done.stderr


@pytest.mark.parametrize("name", ["compaction-setup", "compaction-status", "compaction-doctor",
                                  "fresh-start", "handoff", "recall"])  # fmt: skip
def test_a_slash_command_has_what_the_client_shows(name: str) -> None:
    text = (REPOSITORY / "commands" / f"{name}.md").read_text(encoding="utf-8")
    head, _, body = text.removeprefix("---\n").partition("\n---\n")
    keys = {line.partition(":")[0] for line in head.splitlines()}
    assert keys == {"description", "argument-hint", "allowed-tools"}
    assert body.strip()
    if "$ARGUMENTS" in body:  # the user's words stand in a quoted here-document, and only there
        assert body.count("$ARGUMENTS") == 1
        quoted = r" - (2>&1 )?<<'END-OF-THE-USERS-WORDS'\n"
        assert re.search(quoted + r"\$ARGUMENTS\nEND-OF-THE-USERS-WORDS\n(true\n)?```\n", body)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """Return the names in the wheel and in the source archive, built from a copy."""
    hatchling = pytest.importorskip("hatchling.build", reason="the build backend is not installed")
    checkout = tmp_path_factory.mktemp("build") / "checkout"
    left_out = shutil.ignore_patterns(".git", ".venv", ".cache", "__pycache__", "captures")
    shutil.copytree(REPOSITORY, checkout, ignore=left_out)
    with contextlib.chdir(checkout):
        wheel, archive = hatchling.build_wheel("dist"), hatchling.build_sdist("dist")
    with zipfile.ZipFile(checkout / "dist" / wheel) as file:
        in_wheel = set(file.namelist())
    with tarfile.open(checkout / "dist" / archive) as file:
        in_archive = {name.partition("/")[2] for name in file.getnames()}
    return in_wheel, in_archive


def test_wheel_and_source_archive_carry_what_the_hooks_and_the_plugin_need(
    built: tuple[set[str], set[str]],
) -> None:
    wheel, archive = built
    assert {f"{INSTALLED_FOLDER}/{script}" for script in SCRIPTS.values()} <= wheel
    assert not {name for name in wheel if name.startswith(("commands", "tests", "bin"))}
    commands = {f"commands/{path.name}" for path in (REPOSITORY / "commands").iterdir()}
    assert archive >= commands | {
        ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json",
        "hooks/setup_notice.sh", "bin/amplihack-compaction", "install.sh", "settings.example.json",
    }  # fmt: skip
