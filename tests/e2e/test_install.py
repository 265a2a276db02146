"""`install.sh` for real: into a home of its own, again without a network, upgraded, deleted.

The first test makes the environment from the package index; where none can be reached, all of
them are skipped, and say so.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from amplihack_compaction import __version__
from amplihack_compaction.cli.replay import EXPECTED
from amplihack_compaction.clients.claude_code.wiring.hook_entries import TIMEOUT_SECONDS
from amplihack_compaction.clients.claude_code.wiring.settings_file import plugin_hooks

REPOSITORY = Path(__file__).parents[2]
SOURCES = (
    "amplihack_compaction", "commands", "hooks", ".claude-plugin", "bin", "pyproject.toml",
    "README.md", "LICENSE", "install.sh", ".ci",
)  # fmt: skip
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_FIND_LINKS": ""}
TOOLS = ("cat", "dirname", "env", "grep", "mkdir", "mv", "rm", "sed", "sh", "tail")


@dataclass(frozen=True)
class Installation:
    """A checkout, a home and a project; `first` is what the first installation said."""

    base: Path
    first: str = ""

    @property
    def checkout(self) -> Path:
        return self.base / "check out"

    @property
    def project(self) -> Path:
        return self.base / "the user's project"

    @property
    def environment(self) -> Path:
        return self.base / "home/.local/share/amplihack-compaction/venv"

    def run(
        self, *arguments: object, env: Mapping[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run install.sh as a user would, from somewhere else."""
        passed_on = {
            name: value
            for name, value in os.environ.items()
            if name.startswith(("PIP_", "SSL_", "REQUESTS_")) or "proxy" in name.lower()
        }
        search = os.environ.get("PATH", os.defpath)
        return subprocess.run(
            [self.checkout / "install.sh", *map(str, arguments or [self.project])],
            env={**passed_on, "PATH": search, "HOME": str(self.base / "home"), **(env or {})},
            cwd=self.base,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    def commands(self) -> dict[str, str]:
        """Return the registered command of each event."""
        path = self.project / ".claude" / "settings.local.json"
        hooks = json.loads(path.read_text(encoding="utf-8"))["hooks"]
        return {event: groups[-1]["hooks"][0]["command"] for event, groups in hooks.items()}

    def fire(self, event: str, command: str, **fields: object) -> tuple[int, str, str]:
        """Run a registered command as the client does."""
        payload = {
            "session_id": "16f0d6db-b1e1-45b7-ab84-6aa98ca506ad",
            "transcript_path": str(self.base / "transcript.jsonl"),
            "cwd": str(self.project),
            "hook_event_name": event,
            **fields,
        }
        done = subprocess.run(
            ["/bin/sh", "-c", command],
            input=json.dumps(payload),
            env={
                "PATH": os.defpath,
                "HOME": str(self.base / "home"),
                "CLAUDE_PROJECT_DIR": str(self.project),
            },
            cwd="/",
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


def copy_sources(checkout: Path) -> None:
    checkout.mkdir(parents=True)
    for name in SOURCES:
        source = REPOSITORY / name
        if source.is_dir():
            shutil.copytree(source, checkout / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, checkout / name)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an installation whose settings had something in them before."""
    installation = Installation(tmp_path_factory.mktemp("install"))
    copy_sources(installation.checkout)
    settings = installation.project / ".claude" / "settings.local.json"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"model": "opus"}', encoding="utf-8")
    session = REPOSITORY / "amplihack_compaction/cli/replay_session/before.jsonl"
    shutil.copy2(session, installation.base / "transcript.jsonl")
    done = installation.run()
    if done.returncode and "pip could not install" in done.stderr:
        pytest.skip("no package index can be reached: install.sh was not run for real")
    assert done.returncode == 0, done.stdout + done.stderr
    return Installation(installation.base, done.stdout)


def test_from_a_checkout_the_proof_passes_without_any_network(project: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "amplihack_compaction", "install", "--project", str(project)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "All hooks work." in done.stdout
    told = done.stdout.partition("the model is told:")[2].partition("<!-- END")[0]
    for text in EXPECTED:
        assert text in told
    assert "src/refunds.js" in told
    assert "amplihack-compaction-" not in told  # the folder that the session was played in


def test_one_command_installs_registers_and_proves(installed: Installation) -> None:
    assert "All hooks work." in installed.first
    assert "<!-- AMPLIHACK STATE -->" in installed.first
    assert "Never push to main" in installed.first
    assert set(installed.commands()) == {
        "PreCompact", "SessionStart", "PostCompact", "PreToolUse", "UserPromptSubmit", "Stop",
        "SessionEnd",
    }  # fmt: skip
    for command in installed.commands().values():
        assert command.startswith("~/.local/share/amplihack-compaction/hooks/")


def test_the_environment_holds_a_copy_with_its_bytecode(installed: Installation) -> None:
    (site,) = installed.environment.glob("lib/python3*/site-packages")
    assert list((site / "amplihack_compaction/hook/__pycache__").glob("run.*.pyc"))
    assert not list(site.glob("*editable*"))


def test_the_doctor_and_the_schema_come_with_the_installation(installed: Installation) -> None:
    def call(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [installed.environment / "bin/amplihack-compaction", *arguments],
            cwd=installed.project,
            env={"PATH": os.defpath, "HOME": str(installed.base / "home")},
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )

    told = json.loads(call("doctor", "--json").stdout)
    assert told["result"] != "failure"
    fired = [row for row in told["rows"] if row["group"] == "hooks"]
    assert fired
    every = f"{len(TIMEOUT_SECONDS)} hooks answer as they should"
    # A busy machine's hooks may be called slow, which is a warning.
    assert all(row["result"] == "warning" or every in row["text"] for row in fired)
    schema = json.loads(call("config", "schema").stdout)
    assert schema["properties"]["on_loss"]["default"] == "continue"


def test_a_second_run_needs_no_network_and_changes_nothing(installed: Installation) -> None:
    settings = installed.project / ".claude" / "settings.local.json"
    before = settings.read_bytes()
    done = installed.run(env=OFFLINE)
    assert done.returncode == 0, done.stderr
    assert "up to date" in done.stdout
    assert "Already registered" in done.stdout
    assert settings.read_bytes() == before


def test_the_plugins_hooks_find_the_environment_and_are_proved(installed: Installation) -> None:
    settings = installed.project / ".claude" / "settings.local.json"
    before = settings.read_bytes()
    done = installed.run("--plugin", env=OFFLINE)
    assert done.returncode == 0, done.stderr
    assert "All hooks work." in done.stdout
    assert settings.read_bytes() == before
    assert [hook.command for hook in plugin_hooks(installed.checkout)]
    said = subprocess.run(
        [installed.checkout / "bin" / "amplihack-compaction", "--version"],
        env={"PATH": os.defpath, "HOME": str(installed.base / "home")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == f"amplihack-compaction {__version__}\n"


def test_the_scopes_of_the_command_are_those_of_the_script(installed: Installation) -> None:
    project = installed.base / "another project"
    project.mkdir()
    done = installed.run("--team", project, env=OFFLINE)
    assert done.returncode == 0, done.stderr
    assert [path.name for path in (project / ".claude").glob("settings*")] == ["settings.json"]
    done = installed.run("--user", env=OFFLINE)
    assert done.returncode == 0, done.stderr
    user = installed.base / "home" / ".claude" / "settings.json"
    assert user.is_file()
    user.unlink()


def test_an_upgrade_that_fails_leaves_what_was_there(installed: Installation) -> None:
    script = installed.checkout / "amplihack_compaction/hook/stop.py"
    text = script.read_text(encoding="utf-8")
    script.write_text(text + "# newer\n", encoding="utf-8")
    done = installed.run(env=OFFLINE)
    assert done.returncode == 1
    assert "pip could not install the package" in done.stderr
    code, out, err = installed.fire("PreCompact", installed.commands()["PreCompact"])
    assert (code, err) == (0, "")
    assert "Never push to main" in out
    script.write_text(text, encoding="utf-8")
    assert "up to date" in installed.run(env=OFFLINE).stdout


def test_changed_sources_are_installed(installed: Installation) -> None:
    script = installed.checkout / "amplihack_compaction/hook/stop.py"
    script.write_text(script.read_text(encoding="utf-8") + "# newer\n", encoding="utf-8")
    done = installed.run()
    assert done.returncode == 0, done.stderr
    (copy,) = installed.environment.glob(
        "lib/python3*/site-packages/amplihack_compaction/hook/stop.py"
    )
    assert copy.read_text(encoding="utf-8").endswith("# newer\n")


def test_without_the_checkout_and_then_the_environment_sessions_go_on(
    installed: Installation,
) -> None:
    commands = installed.commands()
    shutil.rmtree(installed.checkout)
    # Another session than before: of two hooks of one firing, one is silent.
    session = {"session_id": "9b0f4b3c-57a6-4a40-8f5e-0f1d2c3b4a59", "trigger": "auto"}
    code, out, err = installed.fire("PreCompact", commands["PreCompact"], **session)
    assert (code, err) == (0, "")
    assert "Never push to main" in out
    shutil.rmtree(installed.environment.parent)
    for event, command in commands.items():
        assert installed.fire(event, command)[:2] == (0, "")


@pytest.fixture
def fresh(tmp_path: Path) -> Installation:
    """Return a checkout with nothing installed from it."""
    installation = Installation(tmp_path)
    copy_sources(installation.checkout)
    installation.project.mkdir()
    return installation


def test_without_an_index_nothing_is_registered(fresh: Installation) -> None:
    home = str(fresh.base / "elsewhere")
    done = fresh.run(env={**OFFLINE, "AMPLIHACK_COMPACTION_HOME": home})
    assert done.returncode == 1
    assert "pip could not install the package" in done.stderr
    assert list(fresh.project.iterdir()) == []
    # What is left is half made, and the next run sees it.
    assert not (Path(home) / "venv" / "installed-from").exists()
    assert (
        "Making the environment"
        in fresh.run(env={**OFFLINE, "AMPLIHACK_COMPACTION_HOME": home}).stdout
    )


def test_without_a_recent_python_it_says_so(fresh: Installation) -> None:
    tools = fresh.base / "bin"
    tools.mkdir()
    for name in TOOLS:
        (tools / name).symlink_to(str(shutil.which(name)))
    old = tools / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    old.chmod(0o755)
    done = fresh.run(env={"PATH": str(tools)})
    assert done.returncode == 1
    assert "Python 3.11 or later is needed" in done.stderr
    done = fresh.run(env={"PYTHON": "/no/python"})
    assert "/no/python is none" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no such folder"], "there is no folder no such folder"),
        (["--fast"], "unknown option --fast"),
        (["--user", "--plugin"], "--user and --plugin exclude each other"),
        (["--user", "."], "--user takes no folder"),
        (["--plugin", "."], "--plugin takes no folder"),
        ([".", "."], "one project folder at a time"),
    ],
)
def test_a_wrong_call_is_explained(fresh: Installation, arguments: list[str], message: str) -> None:
    done = fresh.run(*arguments)
    assert done.returncode == 1
    assert message in done.stderr


def test_the_help_is_the_scripts_own_head(fresh: Installation) -> None:
    done = fresh.run("--help")
    assert done.returncode == 0
    assert done.stdout.startswith("Installs amplihack-compaction")
    assert "AMPLIHACK_COMPACTION_HOME" in done.stdout
    assert "set -eu" not in done.stdout
