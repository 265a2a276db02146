"""The original's interface for keeping a session's state: `CompactionHandler`.

`session_manager.get_state(session_id)` returns an object (or nested dicts) with

    workflow.current_phase        text, or None
    todos.pending                 texts, or objects with `content` or `description`
    error_recovery.strike_count   a number
    tool_history                  objects with `name` (or `tool`) and `success`

What the original did at `experimental.session.compacting` happens here at the client's PreCompact
and SessionStart(compact); `LedgerSessionManager` gives the state that those hooks keep.
"""

import json
import logging
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from amplihack_compaction.base.files import parse_object, read_bytes, replace_atomically
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.size_limits import STATE_END, STATE_HEAD
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.injection.snapshot import kept_state
from amplihack_compaction.text.words import inert

FAILED = "<!-- AMPLIHACK state preservation failed -->"
RECENT_TOOLS = 10
_LIMIT_BYTES = 1024 * 1024
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
    """Turns a session manager's state into markdown before a compaction, and back after it.

    With a `project` (that of the manager, if it has one) what is preserved lies in the session's
    folder, where another process finds it: PreCompact preserves each session so.
    """

    def __init__(self, session_manager: SessionManager, project: str | None = None) -> None:
        self._manager = session_manager
        self._root = project or getattr(session_manager, "project_root", None)
        self._preserved: dict[str, PreservedState] = {}

    def preserve_state(self, session_id: str) -> str:
        """Return the session's state as markdown; on failure the comment `FAILED`, logged."""
        try:
            given = self._manager.get_state(session_id)
            if given is None:
                _log.warning("the session manager knows no session %r", session_id)
            state = _read(session_id, given)
        except Exception as error:  # noqa: BLE001 - a manager of any kind is called here
            _log.warning("the state of session %r cannot be preserved: %s", session_id, error)
            return FAILED
        self._preserved[session_id] = state
        if self._root is not None:
            try:
                path = self._path(session_id)
                replace_atomically(path, signed(json.dumps(asdict(state)).encode(), path))
            except OSError as error:
                _log.warning("the state of session %r is not on disk: %s", session_id, error)
        return _markdown(state)

    def restore_state(self, session_id: str) -> PreservedState | None:
        """Return what was preserved of the session last; None, logged, when nothing was."""
        known, path = self._preserved.get(session_id), self._path(session_id)
        if known is None and self._root:
            content = parse_object(own_part(read_bytes(path, _LIMIT_BYTES), path) or b"") or {}
            with suppress(KeyError, TypeError, ValueError):
                known = PreservedState(
                    str(content["session_id"]),
                    str(content["current_phase"]),
                    tuple(map(str, content["pending_todos"])),
                    int(content["strike_count"]),
                    tuple((str(name), bool(ok)) for name, ok in content["recent_tools"]),
                )
        if known is None:
            _log.warning("nothing was preserved of session %r", session_id)
        return known

    def _path(self, session_id: str) -> str:
        return f"{session_folder(str(self._root), session_id)}/preserved.json"


class LedgerSessionManager:
    """Gives the state that the hooks keep of a project's sessions, or what is given as `now`."""

    def __init__(self, project_root: str, now: SessionState | None = None) -> None:
        self.project_root = str(project_root)
        self._now = now

    def get_state(self, session_id: str) -> dict[str, Any]:
        """Return the session's state from its newest snapshot, else from its ledger.

        Raises SnapshotError when there is neither.
        """
        state = self._now or kept_state(session_folder(self.project_root, session_id))
        return {
            "workflow": {"current_phase": state.phase.name},
            "todos": {"pending": [todo.text for todo in state.open_todos]},
            "error_recovery": {"strike_count": state.strikes.count},
            "tool_history": [{"name": t.name, "success": bool(t.succeeded)} for t in state.tools],
        }


def _read(session_id: str, state: Any) -> PreservedState:
    todos = _field(_field(state, "todos"), "pending") or ()
    history = list(_field(state, "tool_history") or ())
    return PreservedState(
        session_id,
        str(_field(_field(state, "workflow"), "current_phase") or "unknown"),
        # A text has neither of these.
        tuple(str(_field(t, "content") or _field(t, "description") or t) for t in todos),
        int(_field(_field(state, "error_recovery"), "strike_count") or 0),
        tuple(
            (str(_field(t, "name") or _field(t, "tool") or "unknown"), bool(_field(t, "success")))
            for t in history[-RECENT_TOOLS:]
        ),
    )


def _field(value: Any, name: str) -> Any:
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)


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
