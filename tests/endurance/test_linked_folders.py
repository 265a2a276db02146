"""A link in the place of a folder of ours, at any depth, leads no hook out of the project."""

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.support.processes import Answer, run_hook
from tests.support.sessions import Session
from tests.support.transcripts import SESSION


@pytest.mark.parametrize(
    "part", ["", "/snapshots", "/windows", "/receipts", "/losses", "/checkpoints", "/handoffs"]
)
def test_a_link_at_any_depth_leads_nothing_out(project: Path, tmp_path: Path, part: str) -> None:
    outside = tmp_path / "outside"
    for name in ("snapshots", "windows"):
        (outside / name).mkdir(parents=True)
    for name in ("a.json", "pending", "ended", "guard", "x.tmp", "snapshots/x.tmp"):
        (outside / name).write_text("mine")
        os.utime(outside / name, (1_000_000, 1_000_000))
    place = project / f".claude/runtime/power-steering/sessions/{SESSION}{part}"
    place.parent.mkdir(parents=True)
    place.symlink_to(outside)
    before = {path: path.is_file() and path.read_bytes() for path in outside.rglob("*")}

    def run(event: str, stdin: dict[str, Any], project: Path) -> Answer:
        answer = run_hook(event, stdin, project, AMPLIHACK_COMPACTION_STRICT="0")
        return replace(answer, stderr="")  # that the state is not on disk may be said there

    session = Session(project, runner=run)
    session.compact()
    session.tool_use()
    session.stop()
    session.hook("SessionEnd", "SessionEnd.other")
    assert {path: path.is_file() and path.read_bytes() for path in outside.rglob("*")} == before
