"""`doctor` as a process, in a project in which the hooks are installed and have run."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.captured import session
from tests.support.processes import CHECKOUT, run_hook


def command(project: Path, *arguments: str, **env: str) -> "subprocess.CompletedProcess[str]":
    """Run the command line in a project, as a user does."""
    return subprocess.run(
        [sys.executable, "-m", "amplihack_compaction", *arguments],
        cwd=project,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(project.parent / "home"),
            "PYTHONPATH": str(CHECKOUT),
            **env,
        },
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def checkup(project: Path, *arguments: str, **env: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the rows of a checkup."""
    done = command(project, "doctor", "--json", *arguments, **env)
    assert done.stderr == ""
    # What the machine lacks is no matter of this test.
    found = json.loads(done.stdout)["rows"]
    return done.returncode, [row for row in found if "`claude`" not in row["text"]]


def rows(project: Path, *arguments: str, **env: str) -> tuple[int, list[dict[str, Any]]]:
    """Return the exit code and the rows of a checkup that are not passed.

    That a hook is slow is told of a busy machine too.
    """
    code, found = checkup(project, *arguments, **env)
    return code, [row for row in found if row["result"] != "pass" and " took " not in row["text"]]


@pytest.fixture
def installed(project: Path) -> Path:
    """Return a project with registered hooks that one session ran through."""
    (project.parent / "home").mkdir()
    done = command(project, "install", "--no-proof")
    assert done.returncode == 0, done.stderr
    stdin = {
        "session_id": "43f6be61-5f69-45af-8f67-811000900ffd",
        "transcript_path": str(session("short_todowrite")),
        "hook_event_name": "PreCompact",
        "trigger": "auto",
    }
    home = str(project.parent / "home")
    assert run_hook("PreCompact", stdin, project, HOME=home).code == 0
    return project


def test_an_installed_project_is_in_order_and_left_as_it_is(installed: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in installed.rglob("*")}
    code, found = checkup(installed)
    # A busy machine's hooks may be called slow, which is a warning.
    others = {row["result"] for row in found if row["group"] != "hooks"}
    assert (code, others) == (0, {"pass"})
    fired = [row for row in found if row["group"] == "hooks"]
    assert fired
    assert all(row["result"] == "warning" or "10 hooks answer" in row["text"] for row in fired)
    assert {path: path.stat().st_mtime_ns for path in installed.rglob("*")} == before


def test_each_thing_that_is_broken_has_its_row_and_fix_mends_what_is_ours(installed: Path) -> None:
    settings = installed / ".claude" / "settings.local.json"
    runtime = installed / ".claude/runtime/power-steering"
    text = settings.read_text()
    settings.write_text(text.replace("/hooks/SessionStart", "/moved/SessionStart"))
    (runtime / "sessions").chmod(0o755)
    leftover = runtime / "half.json.1.ab.tmp"
    leftover.touch(0o600)
    os.utime(leftover, (1, 1))
    (installed / ".claude" / "compaction.json").write_text('{"snapshot": 3}')
    code, found = rows(installed, AMPLIHACK_COMPACTION_DISABLED="1")
    assert code == 1
    said = "\n".join(f"{row['group']} {row['result']} {row['text']}" for row in found)
    for expected in (
        "registration warning",  # the moved script is in no folder of ours
        "switches warning AMPLIHACK_COMPACTION_DISABLED is set",
        "settings warning .claude/compaction.json: unknown key 'snapshot'",
        "storage warning not for you alone: 1 file",
        "storage warning left by hooks that were killed: 1 temporary file",
    ):
        assert expected in said
    settings.write_text(text)
    code, found = rows(installed, "--fix")
    assert (code, [row["group"] for row in found]) == (0, ["settings"])
    assert not leftover.exists()


def test_launchers_that_are_gone_are_written_anew_by_fix(installed: Path) -> None:
    home = installed.parent / "home"
    (home / ".local/share/amplihack-compaction/hooks/Stop").unlink()
    code, found = rows(installed)
    assert code == 1
    assert [(row["result"], row["fixable"]) for row in found] == [("failure", True)]
    code, found = rows(installed, "--fix")
    assert (code, found) == (0, [])
