"""What a person waits for: the help, `doctor`, and `diagnose` and `report` on 50 MB."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from amplihack_compaction.clients.claude_code.session_files import transcript_folder
from amplihack_compaction.clients.claude_code.wiring.launchers import write_launchers
from amplihack_compaction.clients.claude_code.wiring.settings_file import (
    apply_registration,
    plan_registration,
    scopes,
)
from tests.bench.hot_path.costs import Command, bare, measure
from tests.bench.hot_path.sessions import grown, working_session
from tests.support.processes import CHECKOUT
from tests.support.transcripts import SESSION

MEGABYTES = 50
PAGE_BYTES = 2_000_000
BARE_ROUNDS = 10
ENTRY = (
    "import sys; sys.path.insert(0, sys.argv.pop(1))\n"
    "from amplihack_compaction.__main__ import main; main()"
)


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a project with registered hooks and one session of 50 MB, at home below `tmp_path`."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    project = tmp_path / "project"
    project.mkdir()
    transcript = transcript_folder(str(project)) / f"{SESSION}.jsonl"
    transcript.parent.mkdir(parents=True)
    grown(transcript, working_session(), MEGABYTES)
    apply_registration(plan_registration(scopes(project)["project"]))
    write_launchers()
    return project


def call(place: Path, *arguments: str) -> Command:
    nothing = place.parent / "nothing"
    nothing.touch()
    env = {"PATH": os.environ["PATH"], "HOME": os.environ["HOME"], "CLAUDE_PROJECT_DIR": str(place)}
    argv = [sys.executable, "-I", "-c", ENTRY, str(CHECKOUT), *arguments]
    return Command(argv, nothing, env)


@pytest.mark.parametrize(
    ("arguments", "rounds"),
    [
        (["--help"], 10),
        (["doctor"], 3),
        (["diagnose", SESSION], 1),  # seconds, which the machine's noise changes little
        (["report", SESSION, "--out", "page.html"], 1),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_command_that_a_person_waits_for(
    place: Path,
    report: Callable[[str], None],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    rounds: int,
) -> None:
    monkeypatch.chdir(place)
    (base,) = measure([bare(place.parent)], BARE_ROUNDS)
    (cost,) = measure([call(place, *arguments)], rounds)
    page = place / "page.html"
    size = f"  {page.stat().st_size / 1e6:.2f} MB" if page.exists() else ""
    report(
        f"{arguments[0]:10} {cost.cpu_seconds / base.cpu_seconds:6.1f} x bare"
        f"  {cost.cpu_seconds:5.2f} s CPU  {cost.peak_megabytes:6.1f} MB{size}"
    )
    assert not page.exists() or page.stat().st_size < PAGE_BYTES
