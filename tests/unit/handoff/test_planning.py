"""What is read from a planning folder."""

import os
from pathlib import Path

import pytest

from amplihack_compaction.handoff.fresh_start import read_planning

STATE = """# Project state
**Current Phase:** 3 of 5 (Payments)
- **Next action**: Write the webhook
## Accumulated decisions
- Use SQLite
* Use SQLite
- none
## Blockers/Concerns
- The sandbox is down
## Lessons learned
1. Clocks drift
"""
ROADMAP = """# Roadmap
- [x] Phase 1: Login
- [ ] Phase 2: Payments
"""
PLAN = """# Plan 03-01: Webhook
Task: Verify the signature
- [x] Read the docs
- [ ] Write the endpoint
"""


@pytest.fixture
def folder(project: Path) -> Path:
    """Return the planning folder of a project."""
    path = project / ".planning"
    path.mkdir()
    return path


def test_phase_plan_task_and_lists_are_found(project: Path, folder: Path) -> None:
    (folder / "STATE.md").write_text(STATE)
    (folder / "ROADMAP.md").write_text(ROADMAP)
    below = folder / "phases" / "03-payments"
    below.mkdir(parents=True)
    (below / "03-01-PLAN.md").write_text(PLAN)
    planning = read_planning(str(project))
    assert planning is not None
    assert planning.files == ["STATE.md", "ROADMAP.md", "phases/03-payments/03-01-PLAN.md"]
    assert planning.phase == "3 of 5 (Payments)"
    assert planning.plan == "Plan 03-01: Webhook"
    assert planning.task == "Verify the signature"
    assert planning.next_action == "Write the webhook"
    assert planning.decisions == ["Use SQLite"]
    assert planning.issues == ["The sandbox is down"]
    assert planning.learnings == ["Clocks drift"]


def test_open_checkboxes_say_what_no_line_does(project: Path, folder: Path) -> None:
    (folder / "ROADMAP.md").write_text(ROADMAP)
    (folder / "PLAN.md").write_text("# Plan\n- [x] Read the docs\n- [ ] Write the endpoint\n")
    planning = read_planning(str(project))
    assert planning is not None
    assert (planning.phase, planning.task) == ("Phase 2: Payments", "Write the endpoint")


def test_without_a_folder_or_with_an_empty_one_there_is_nothing(project: Path) -> None:
    assert read_planning(str(project)) is None
    (project / ".planning").mkdir()
    (project / ".planning" / "PLAN.md").write_text("\n\n")
    (project / ".planning" / "notes.md").write_text("Phase: 2")
    assert read_planning(str(project)) is None


def test_another_folder_can_be_named(project: Path) -> None:
    (project / "plans").mkdir()
    (project / "plans" / "plan.md").write_text("Phase: 7")
    planning = read_planning(str(project), "plans")
    assert planning is not None
    assert planning.phase == "7"


def test_nothing_outside_the_project_is_read(project: Path, folder: Path) -> None:
    secret = project.parent / "secret.md"
    secret.write_text("Phase: secret")
    (folder / "PLAN.md").symlink_to(secret)
    assert read_planning(str(project)) is None
    os.unlink(folder / "PLAN.md")
    (folder / "STATE.md").symlink_to(folder / "STATE.md")
    assert read_planning(str(project)) is None


def test_files_too_large_bytes_and_secrets_do_no_harm(project: Path, folder: Path) -> None:
    (folder / "STATE.md").write_bytes(b"x" * 300_000)
    (folder / "ROADMAP.md").write_bytes(b"\xff\xfe Phase: 1\n")
    key = "sk-ant-" + "a1b2c3d4" * 5
    items = "\n".join(f"- decision {n}" for n in range(100))
    (folder / "PLAN.md").write_text(f"# Decisions\n- The key is {key}\n{items}")
    planning = read_planning(str(project))
    assert planning is not None
    assert planning.files == ["ROADMAP.md", "PLAN.md"]
    assert key not in str(planning)
    assert len(planning.decisions) == 20
