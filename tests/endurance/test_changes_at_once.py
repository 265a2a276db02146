"""Processes that compact one feature at once: one does it, and none fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

from amplihack_compaction import ContextCompactor
from tests.support.processes import CHECKOUT
from tests.support.trees import picture

COMMAND = (sys.executable, "-m", "amplihack_compaction", "feature", "compact", "login", "--json")


def test_of_several_at_once_one_does_it_and_none_fails(project: Path) -> None:
    login = project / "features" / "login"
    login.mkdir(parents=True)
    log = "\n".join(f"12:00:{number % 60:02} INFO request {number} served" for number in range(400))
    (login / "progress.md").write_text(f"# Progress\n\nThe form is drawn.\n\n```\n{log}\n```\n")
    (login / "logo.png").write_bytes(b"\x89PNG\x00\xff")
    before = picture(login)
    environment = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    running = [
        subprocess.Popen(COMMAND, cwd=project, env=environment, stdout=subprocess.PIPE)
        for _ in range(3)
    ]
    said = [json.loads(process.communicate()[0]) for process in running]
    assert [process.returncode for process in running] == [0] * 3
    [identifier] = [each["history_id"] for each in said if each["history_id"]]
    ContextCompactor(project).revert_compaction("login", identifier)
    assert picture(login) == before
