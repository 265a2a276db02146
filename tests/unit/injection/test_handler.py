import logging
from types import SimpleNamespace
from typing import Any

import pytest

from amplihack_compaction import CompactionHandler
from amplihack_compaction.api.compaction_handler import FAILED, LedgerSessionManager
from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.injection.snapshot import take_snapshot
from amplihack_compaction.ledger.stored import save_ledger
from tests.support.states import full_state


class Manager:
    """Gives one state, whatever the session."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def get_state(self, session_id: str) -> Any:
        if isinstance(self.state, Exception):
            raise self.state
        return self.state


def original(**changes: Any) -> SimpleNamespace:
    state = {
        "workflow": SimpleNamespace(current_phase="testing"),
        "todos": SimpleNamespace(pending=["Write docs", SimpleNamespace(content="Run tests")]),
        "error_recovery": SimpleNamespace(strike_count=2),
        "tool_history": [
            SimpleNamespace(name="Bash", success=True), {"tool": "Edit", "success": False}
        ],
    }  # fmt: skip
    return SimpleNamespace(**{**state, **changes})


def test_the_markdown_has_the_originals_labels() -> None:
    text = CompactionHandler(Manager(original())).preserve_state("s")
    assert text.splitlines() == [
        "<!-- AMPLIHACK STATE -->",
        "Workflow Phase: testing",
        "Pending Todos: 2",
        "- [ ] Write docs",
        "- [ ] Run tests",
        "Error Recovery: 2 strike(s)",
        "Recent Tool History",
        "- Bash (success)",
        "- Edit (error)",
        "<!-- END AMPLIHACK STATE -->",
    ]


def test_only_the_last_ten_of_many_tools_are_shown() -> None:
    history = [{"name": f"T{n}", "success": True} for n in range(10_000)]
    todos = SimpleNamespace(pending=[f"todo {n}" for n in range(500)])
    state = original(tool_history=history, todos=todos)
    text = CompactionHandler(Manager(state)).preserve_state("s")
    assert text.count("(success)") == 10
    assert "- T9999 (success)" in text
    assert "Pending Todos: 500" in text


def test_what_was_preserved_is_restored() -> None:
    handler = CompactionHandler(Manager(original()))
    assert handler.restore_state("s") is None
    handler.preserve_state("s")
    restored = handler.restore_state("s")
    assert restored is not None
    assert restored.pending_todos == ("Write docs", "Run tests")
    assert (restored.current_phase, restored.strike_count) == ("testing", 2)
    assert restored.recent_tools == (("Bash", True), ("Edit", False))


def test_a_failure_gives_the_comment_and_says_why(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        text = CompactionHandler(Manager(RuntimeError("no such session"))).preserve_state("s")
    assert text == FAILED == "<!-- AMPLIHACK state preservation failed -->"
    assert "no such session" in caplog.text


@pytest.mark.parametrize("state", [None, {}, SimpleNamespace(), original(workflow=None)])
def test_what_is_missing_is_shown_as_nothing(state: Any) -> None:
    text = CompactionHandler(Manager(state)).preserve_state("s")
    assert "Workflow Phase: unknown" in text


def test_the_ledger_serves_as_a_session_manager(project: Any) -> None:
    handler = CompactionHandler(LedgerSessionManager(str(project)))
    assert handler.preserve_state("s") == FAILED
    folder = session_folder(str(project), "s")
    save_ledger(folder, full_state())
    assert "Workflow Phase: Write the lexer" in handler.preserve_state("s")
    take_snapshot(folder, full_state(), 0, "/t", 5)
    text = handler.preserve_state("s")
    assert "- [ ] Write the docs" in text
    assert "Error Recovery: 2 strike(s)" in text
    with pytest.raises(SnapshotError):
        LedgerSessionManager(str(project)).get_state("other")
