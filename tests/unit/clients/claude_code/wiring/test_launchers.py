"""The launchers: written for wherever the package lies, harmless where anything is gone."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from amplihack_compaction import __version__
from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.clients.claude_code.wiring.hook_entries import EVENTS, command_of
from amplihack_compaction.clients.claude_code.wiring.launchers import (
    LAUNCHERS,
    InstalledHooks,
    installed_hooks,
    launcher_text,
    launchers_folder,
    running_package,
    write_launchers,
)
from tests.support.processes import CHECKOUT


def run(command: str, **env: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        ["/bin/sh", "-c", command],
        env={"HOME": os.environ["HOME"], "PATH": "/usr/bin:/bin", **env},
        input="[]",
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_command_has_its_launcher(project: Path) -> None:
    assert installed_hooks() is None
    assert write_launchers() == installed_hooks() == running_package()
    assert running_package() == InstalledHooks(__version__, running_package().python, str(CHECKOUT))
    assert running_package().missing == []
    names = {*LAUNCHERS, "installed"}
    assert {path.name for path in Path(launchers_folder()).iterdir()} == names
    for name in [*EVENTS, "Stop+store"]:
        done = run(command_of(name), CLAUDE_PROJECT_DIR=str(project))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    log = (project / ".claude/runtime/power-steering/hooks.log").read_text()
    assert log.count("stdin is not a JSON object") == len(EVENTS) + 1


@pytest.mark.parametrize("base", ["plain", "with space/and'quote", 'with"double/$HOME', "日本"])
def test_an_interpreter_and_a_package_may_lie_anywhere(tmp_path: Path, base: str) -> None:
    folder = tmp_path / base
    package = folder / "amplihack_compaction/hook"
    package.mkdir(parents=True)
    (package / "run.py").write_text("def run_hook(event): print('ran', event)\n")
    (folder / "python").symlink_to(sys.executable)
    launcher = tmp_path / "Stop"
    launcher.write_text(launcher_text("Stop", str(folder / "python"), str(folder)))
    launcher.chmod(0o755)
    assert run(str(launcher)).stdout == "ran Stop\n"
    for value in ("1", "yes", "true"):
        assert run(str(launcher), AMPLIHACK_COMPACTION_DISABLED=value).stdout == ""
    for value in ("", "0", "false", "No", "OFF"):
        assert run(str(launcher), AMPLIHACK_COMPACTION_DISABLED=value).stdout == "ran Stop\n"


@pytest.mark.parametrize("gone", ["launcher", "interpreter", "package", "home"])
def test_what_is_gone_fails_no_command(gone: str, tmp_path: Path) -> None:
    write_launchers()
    launcher = Path(launchers_folder()) / "Stop"
    if gone == "launcher":
        launcher.unlink()
    elif gone == "interpreter":
        launcher.write_text(launcher_text("Stop", "/gone/python", str(CHECKOUT)))
    elif gone == "package":
        launcher.write_text(launcher_text("Stop", sys.executable, str(tmp_path)))
    done = run(command_of("Stop"), **({"HOME": "/nowhere"} if gone == "home" else {}))
    assert (done.returncode, done.stdout) == (0, "")
    # What the shell cannot start, the shell tells: the client shows it to nobody.
    assert done.stderr == "" or gone != "package"


def test_what_is_gone_is_named(tmp_path: Path) -> None:
    write_launchers()
    gone = InstalledHooks("1", "/gone/python", str(tmp_path))
    assert gone.missing == ["/gone/python", f"{tmp_path}/amplihack_compaction"]


def test_a_home_that_takes_no_launchers_is_said(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / ".local").touch()
    for home in (str(tmp_path), "relative"):
        monkeypatch.setenv("HOME", home)
        with pytest.raises(CompactionError, match="cannot be written"):
            write_launchers()
