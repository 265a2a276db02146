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
from amplihack_compaction.clients.claude_code.wiring.hook_entries import EVENTS
from amplihack_compaction.clients.claude_code.wiring.launchers import LAUNCHERS
from amplihack_compaction.clients.claude_code.wiring.settings_file import PLUGIN_NAME, plugin_hooks
from tests.support.wiring import hook_group

REPOSITORY = Path(__file__).parents[2]
VERSION = amplihack_compaction.__version__
SAYS_EVENT = '#!/bin/sh\necho "${0##*/} $(wc -c)"\n'


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
    """Return a home with launchers that only say that they ran."""
    home = tmp_path / 'it\'s "home" $HOME'
    hooks_in(home).mkdir(parents=True)
    for name in LAUNCHERS:
        (hooks_in(home) / name).write_text(SAYS_EVENT, encoding="utf-8")
        (hooks_in(home) / name).chmod(0o755)
    install(home, VERSION)
    return home


def hooks_in(home: Path) -> Path:
    return home / ".local/share/amplihack-compaction/hooks"


def install(home: Path, version: str, python: str = sys.executable) -> None:
    (hooks_in(home) / "installed").write_text(f"{version}\n{python}\n/packages\n")


def test_every_event_is_wired_as_in_the_settings() -> None:
    hooks = read("hooks/hooks.json")["hooks"]
    assert list(hooks) == list(EVENTS)
    for event, groups in hooks.items():
        assert groups[0] == hook_group(event)
        assert len(groups) == (2 if event == "SessionStart" else 1)


def test_names_and_versions_agree() -> None:
    plugin, market = read(".claude-plugin/plugin.json"), read(".claude-plugin/marketplace.json")
    (entry,) = market["plugins"]
    assert plugin["name"] == entry["name"] == PLUGIN_NAME
    assert plugin["version"] == VERSION
    assert entry["source"] == "./"


@pytest.mark.parametrize("event", EVENTS)
def test_a_command_finds_the_launcher_and_hands_over_the_payload(home: Path, event: str) -> None:
    done = shell(command_of(event), {"HOME": str(home)}, '{"a": 1}')
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{event} 8\n"


@pytest.mark.parametrize("gone", ["launchers", "home"])
def test_without_launchers_every_command_succeeds(home: Path, gone: str) -> None:
    shutil.rmtree(hooks_in(home))
    env = {} if gone == "home" else {"HOME": str(home)}
    for hook in plugin_hooks(REPOSITORY):
        done = shell(hook.command, env)
        assert (done.returncode, done.stdout) == (0, "")


def test_a_hook_that_fails_does_not_fail_the_command(home: Path) -> None:
    (hooks_in(home) / "Stop").write_text("#!/bin/sh\nexit 2\n", encoding="utf-8")
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


def test_set_up_there_is_nothing_to_notice(session: dict[str, str]) -> None:
    assert noticed(session) == ""
    assert not Path(session["CLAUDE_PLUGIN_DATA"]).exists()


def test_a_missing_environment_is_said_once(session: dict[str, str], home: Path) -> None:
    shutil.rmtree(hooks_in(home))
    said = noticed(session)
    assert "does nothing yet" in said
    assert "/amplihack-compaction:compaction-setup" in said
    assert noticed(session) == ""


def test_an_older_environment_is_said_once_for_each_version(
    session: dict[str, str], home: Path
) -> None:
    install(home, VERSION, "/gone/python")
    assert "does nothing yet" in noticed(session)
    for older in ("0.0.1", "0.0.2"):
        install(home, older)
        assert f"version {older}, the plugin {VERSION}" in noticed(session)
        assert noticed(session) == ""
    install(home, '0.0.3", "x": "')
    assert noticed(session) == ""
    install(home, "")
    assert "version ?" in noticed(session)


@pytest.mark.parametrize(
    ("name", "value"),
    [("CLAUDE_CODE_SESSION_ATTENDED", "0"), ("AMPLIHACK_COMPACTION_DISABLED", "1")],
)
def test_where_nobody_would_read_it_nothing_is_said(
    session: dict[str, str], home: Path, name: str, value: str
) -> None:
    shutil.rmtree(hooks_in(home))
    assert noticed({**session, name: value}) == ""
    assert noticed({**session, "AMPLIHACK_COMPACTION_DISABLED": "Off"}) != ""


def test_where_it_cannot_be_kept_in_mind_it_is_said_all_the_same(
    session: dict[str, str], home: Path
) -> None:
    shutil.rmtree(hooks_in(home))
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


def test_the_command_line_is_that_of_the_hooks(home: Path) -> None:
    command = home / "its python"
    command.write_text('#!/bin/sh\nshift 3; printf "<%s>" "$@"; exit 7\n', encoding="utf-8")
    command.chmod(0o755)
    install(home, VERSION, str(command))
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
    left_out = shutil.ignore_patterns(
        ".git", ".venv", ".*cache", ".hypothesis", "__pycache__", "captures", "acts", "voices"
    )
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
    assert not {name for name in wheel if name.startswith(("commands", "tests", "bin"))}
    commands = {f"commands/{path.name}" for path in (REPOSITORY / "commands").iterdir()}
    assert archive >= commands | {
        ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json", "hooks/hooks.json",
        "hooks/setup_notice.sh", "bin/amplihack-compaction", "install.sh", "settings.example.json",
    }  # fmt: skip


def test_nothing_that_was_left_lying_about_gets_into_the_source_archive(
    built: tuple[set[str], set[str]],
) -> None:
    assert {name.partition("/")[0] for name in built[1]} == {
        ".ci", ".claude-plugin", ".gitignore", "LICENSE", "PKG-INFO", "README.md",
        "amplihack_compaction", "bin", "commands", "hooks", "install.sh", "pyproject.toml",
        "settings.example.json",
    }  # fmt: skip
