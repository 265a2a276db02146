"""Lines of what was remembered or pinned by hand: they come first, and stand nowhere else."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from amplihack_compaction.extract.statements import Item, SessionState
from amplihack_compaction.ledger.edits import EDIT_CHARS, is_kept, list_items
from amplihack_compaction.text.words import inert

_I = TypeVar("_I", bound=Item)


def kept_lines(state: SessionState) -> Iterator[str]:
    """Yield what was kept by hand, newest first; what the model had noted is marked as its own."""
    kept = [item for item in list_items(state) if item.pinned] if state.pinned else []
    for item in sorted(kept, key=lambda item: -item.said.offset):
        text = inert(item.text, EDIT_CHARS)
        told = f"model: {text}" if item.by_model or item.kind == "note" else f'"{text}"'
        yield f"- {item.kind}: {told}"


def without_kept(state: SessionState) -> SessionState:
    """Return the state without what stands in the lines of what was kept by hand."""
    if not state.pinned:
        return state
    return replace(
        state,
        rules=_others(state, "rule", state.rules),
        decisions=_others(state, "decision", state.decisions),
        values=_others(state, "value", state.values),
        todos=_others(state, "todo", state.todos),
        learnings=_others(state, "note", state.learnings),
        remarks=_others(state, "remark", state.remarks),
    )


def _others(state: SessionState, kind: str, items: tuple[_I, ...]) -> tuple[_I, ...]:
    return tuple(item for item in items if not is_kept(state, kind, item))
