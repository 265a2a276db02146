"""The original's interface for keeping a session's state: `CompactionHandler`.

`session_manager.get_state(session_id)` returns an object (or nested dicts) with

    workflow.current_phase        text, or None
    todos.pending                 texts, or objects with `content`
    error_recovery.strike_count   a number
    tool_history                  objects with `name` (or `tool`) and `success`

What the original did at `experimental.session.compacting` happens here at the client's PreCompact
and SessionStart(compact); `LedgerSessionManager` gives the state that those hooks keep.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from amplihack_compaction.base.errors import SnapshotError
from amplihack_compaction.base.limits import STATE_END, STATE_HEAD
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.redaction.redact import use_project
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.snapshot import load_snapshot
from amplihack_compaction.ledger.stored import load_ledger
from amplihack_compaction.text.words import inert

FAILED = "<!-- AMPLIHACK state preservation failed -->"
RECENT_TOOLS = 10
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class PreservedState:
    """What was preserved of a session, in the original's terms."""

    session_id: str
    current_phase: str
    pending_todos: tuple[str, ...]
    strike_count: int
    recent_tools: tuple[tuple[str, bool], ...]


class SessionManager(Protocol):
    """Knows the state of sessions; see the module for its shape."""

    def get_state(self, session_id: str) -> Any:
        """Return the session's state."""


class CompactionHandler:
    """Turns a session manager's state into markdown before a compaction, and back after it."""

    def __init__(self, session_manager: SessionManager) -> None:
        self._manager = session_manager
        self._preserved: dict[str, PreservedState] = {}

    def preserve_state(self, session_id: str) -> str:
        """Return the session's state as markdown; on failure the comment `FAILED`, logged."""
        try:
            state = _read(session_id, self._manager.get_state(session_id))
        except Exception as error:  # noqa: BLE001 - a manager of any kind is called here
            _log.warning("the state of session %r cannot be preserved: %s", session_id, error)
            return FAILED
        self._preserved[session_id] = state
        return _markdown(state)

    def restore_state(self, session_id: str) -> PreservedState | None:
        """Return what was preserved of the session last; None when nothing was."""
        return self._preserved.get(session_id)


class LedgerSessionManager:
    """Gives the state that the hooks keep of a project's sessions."""

    def __init__(self, project_root: str) -> None:
        self._root = str(project_root)
        use_project(self._root)

    def get_state(self, session_id: str) -> dict[str, Any]:
        """Return the session's state from its newest snapshot, else from its ledger.

        Raises SnapshotError when there is neither.
        """
        folder = session_folder(self._root, session_id)
        try:
            state = load_snapshot(folder).state
        except SnapshotError:
            ledger = load_ledger(folder)
            if ledger is None:
                raise
            state = ledger
        return _original_shape(state)


def _original_shape(state: SessionState) -> dict[str, Any]:
    return {
        "workflow": {"current_phase": state.phase.name},
        "todos": {"pending": [todo.text for todo in state.open_todos]},
        "error_recovery": {"strike_count": state.strikes.count},
        "tool_history": [{"name": t.name, "success": bool(t.succeeded)} for t in state.tools],
    }


def _read(session_id: str, state: Any) -> PreservedState:
    history = list(_field(state, "tool_history", None) or ())
    return PreservedState(
        session_id,
        str(_field(_field(state, "workflow", None), "current_phase", None) or "unknown"),
        tuple(_todo_texts(_field(_field(state, "todos", None), "pending", None) or ())),
        int(_field(_field(state, "error_recovery", None), "strike_count", None) or 0),
        tuple(_tool(record) for record in history[-RECENT_TOOLS:]),
    )


def _field(value: Any, name: str, default: Any) -> Any:
    return value.get(name, default) if isinstance(value, dict) else getattr(value, name, default)


def _todo_texts(todos: Iterable[Any]) -> Iterable[str]:
    for todo in todos:
        yield todo if isinstance(todo, str) else str(_field(todo, "content", None) or todo)


def _tool(record: Any) -> tuple[str, bool]:
    name = _field(record, "name", None) or _field(record, "tool", None) or "unknown"
    return str(name), bool(_field(record, "success", False))


def _markdown(state: PreservedState) -> str:
    lines = [
        STATE_HEAD,
        f"Workflow Phase: {inert(state.current_phase)}",
        f"Pending Todos: {len(state.pending_todos)}",
        *(f"- [ ] {inert(todo)}" for todo in state.pending_todos),
        f"Error Recovery: {state.strike_count} strike(s)",
        "Recent Tool History",
        *(f"- {inert(n)} ({'success' if ok else 'error'})" for n, ok in state.recent_tools),
        STATE_END,
    ]
    return "\n".join(lines)
