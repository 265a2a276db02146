"""The hooks in a session of Codex, whose boundary is written before its SessionStart; and beside
sessions of Claude Code in the same project."""

from pathlib import Path
from typing import Any

import pytest

from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.handoff.session_offers import Offer, announce, mark_ended
from amplihack_compaction.injection.position import is_pending, read_position
from amplihack_compaction.injection.receipts import list_receipts
from amplihack_compaction.injection.snapshot import list_snapshots
from amplihack_compaction.validation.events import read_events
from tests.support.processes import Answer, log_of, run_in_process
from tests.support.sessions import Session
from tests.support.transcripts import SESSION
from tests.unit.clients.codex.test_transcripts import ROLLOUT

ID = ROLLOUT.stem[-36:]
TICKET = "Every commit needs a ticket number like SHOP-1."


class Rollout:
    """The client's part in the captured session, up to a line of it."""

    def __init__(self, project: Path) -> None:
        self.project = project
        self.path = project.parent / "codex/sessions/2026/11/23" / ROLLOUT.name
        self.path.parent.mkdir(parents=True)
        (project.parent / "codex/config.toml").write_text("model_auto_compact_token_limit = 50000")
        self.lines = ROLLOUT.read_bytes().splitlines(keepends=True)
        self.boundaries = [n for n, line in enumerate(self.lines) if b'"type":"compacted"' in line]

    def until(self, mark: bytes, after: int = 0) -> int:
        """Return the number of the first line that holds a mark."""
        return next(n for n in range(after, len(self.lines)) if mark in self.lines[n])

    def hook(self, event: str, lines: int, **fields: Any) -> Answer:
        self.path.write_bytes(b"".join(self.lines[:lines]))
        stdin = {
            "session_id": ID, "transcript_path": str(self.path), "hook_event_name": event,
            "cwd": str(self.project), "model": "gpt-5.5", **fields,
        }  # fmt: skip
        return run_in_process(event, stdin, self.project)

    def compact(self, number: int, *, prepared: bool = True) -> str:
        """Run the hooks of a compaction, and return what the model is told."""
        boundary = self.boundaries[number]
        told = self.until(b"AMPLIHACK STATE", boundary)
        if prepared:
            # Behind it come the numbers of the request for a summary.
            records = [n for n in range(boundary) if b'"token_usage_record"' in self.lines[n]]
            self.hook("PreCompact", records[-1], trigger="auto")
        self.hook("PostCompact", told, trigger="auto")
        return self.hook("SessionStart", told, source="compact").context

    @property
    def folder(self) -> str:
        return session_folder(str(self.project), ID)


@pytest.fixture
def rollout(project: Path, monkeypatch: pytest.MonkeyPatch) -> Rollout:
    monkeypatch.setenv("CODEX_HOME", str(project.parent / "codex"))
    return Rollout(project)


@pytest.mark.parametrize("prepared", [True, False])
def test_the_state_is_told_once_for_each_compaction(rollout: Rollout, prepared: bool) -> None:
    for number in (0, 1):
        told = rollout.compact(number, prepared=prepared)
        assert "Use pnpm, not npm." in told
        assert "- [ ] Write the migration" in told
        assert "sessions are kept in Postgres" in told
        assert rollout.hook("SessionStart", len(rollout.lines), source="resume").stdout == ""
        again = rollout.until(b"AMPLIHACK STATE", rollout.boundaries[number])
        assert rollout.hook("SessionStart", again, source="compact").stdout == ""
    windows = [receipt["window_start"] for receipt in list_receipts(rollout.folder)]
    assert windows == [0, len(b"".join(rollout.lines[: rollout.boundaries[0]]))]
    late = "the injection for the window at byte"
    assert [late in line for line in log_of(rollout.project)] == ([] if prepared else [True] * 2)


def test_what_arrived_is_not_given_again(rollout: Rollout) -> None:
    rollout.compact(0)
    end = rollout.boundaries[1]
    assert rollout.hook("UserPromptSubmit", end, prompt="x").stdout == ""
    position = read_position(rollout.folder)
    assert position is not None
    assert position.settled == position.boundary > 0


def test_what_never_arrived_is_given_with_the_next_prompt(rollout: Rollout) -> None:
    rollout.compact(0)
    rollout.lines = [line for line in rollout.lines if b"hooks.additional_context" not in line]
    given = rollout.hook("UserPromptSubmit", rollout.boundaries[1] - 1, prompt="x").context
    assert "Use pnpm, not npm." in given


def test_the_losses_are_judged_by_the_summary_of_the_rollout(rollout: Rollout) -> None:
    rollout.compact(0)
    (event,) = read_events(str(rollout.project)).events
    assert event.extra["trigger"] == "auto"
    assert event.extra["window_start"] == 0
    assert "Use pnpm, not npm." in Path(str(event.extra["loss_report"])).read_text()
    assert log_of(rollout.project) == []


def test_what_stop_has_to_say_waits_for_the_next_prompt(rollout: Rollout) -> None:
    rollout.compact(0)
    rollout.lines = [line for line in rollout.lines if b"hooks.additional_context" not in line]
    end = rollout.until(b"task_complete", rollout.boundaries[0])
    stop = rollout.hook("Stop", end, last_assistant_message="Done.", stop_hook_active=False)
    assert stop.stdout == ""
    assert is_pending(rollout.folder)


def test_a_patch_is_held_against_the_rules(rollout: Rollout) -> None:
    line = rollout.until(b"Never push to main")
    rollout.lines[line] = rollout.lines[line].replace(
        b"Never push to main.", b"Don't touch vendor/."
    )
    rollout.compact(0)
    for path, said in (("src/a.py", False), ("vendor/a.py", True), ("vendor/b.py", False)):
        patch = f"*** Begin Patch\n*** Update File: {path}\n@@\n-a\n+b\n*** End Patch\n"
        call = {"tool_name": "apply_patch", "tool_input": {"command": patch}}
        told = rollout.hook("PreToolUse", rollout.boundaries[1], **call).context
        assert ("Don't touch vendor/." in told) is said, path


def test_claude_code_goes_on_with_what_was_said_in_codex(
    rollout: Rollout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_FRESH_START", "inject")
    rollout.compact(0)
    rollout.hook("Stop", rollout.boundaries[1], last_assistant_message="", stop_hook_active=False)
    rollout.hook("SessionEnd", rollout.boundaries[1], reason="other")
    claude = Session(rollout.project)
    assert "Use pnpm, not npm." in claude.hook("SessionStart", "SessionStart.startup").context
    claude.hook("PreCompact", "PreCompact.auto")
    told = claude.hook("SessionStart", "SessionStart.compact").context
    assert "Use pnpm, not npm." in told  # said in Codex
    assert "- [ ] Write the docs" in told  # said in Claude Code


def test_codex_goes_on_with_what_was_said_in_claude_code(
    rollout: Rollout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AMPLIHACK_COMPACTION_FRESH_START", "inject")
    root = str(rollout.project)
    claude = Session(rollout.project)
    claude.transcript.user(TICKET)
    claude.hook("PreCompact", "PreCompact.auto")
    (snapshot,) = list_snapshots(session_folder(root, SESSION))
    offer = Offer(session_id=SESSION, snapshot=snapshot, transcript_path=str(claude.path))
    announce(root, offer)
    mark_ended(root, SESSION)
    assert TICKET in rollout.hook("SessionStart", 3, source="startup").context
    assert TICKET in rollout.compact(0)
    assert TICKET in rollout.compact(1)
