"""Extract what one window says: run every extractor, redact, and keep it as a `WindowState`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import is_dataclass, replace
from enum import Enum
from functools import partial
from typing import Any, TypeVar

from amplihack_compaction.base.hook_log import attempted
from amplihack_compaction.base.redaction.redact import is_client_id, redact
from amplihack_compaction.extract.decisions import extract_decisions, extract_remarks
from amplihack_compaction.extract.files_and_branch import (
    extract_branch,
    extract_change,
    extract_commit,
    extract_files,
    extract_instructions,
)
from amplihack_compaction.extract.issues import (
    extract_acts,
    extract_failed,
    extract_issues,
    extract_solved,
)
from amplihack_compaction.extract.notes import extract_learnings, extract_progress
from amplihack_compaction.extract.objective import extract_objectives, extract_phase
from amplihack_compaction.extract.recent_context import (
    extract_long_prompts,
    extract_prompts,
    extract_recent,
    extract_strikes,
    extract_tools,
    extract_went_well,
)
from amplihack_compaction.extract.rules import (
    RETRACTIONS_LIMIT,
    RULES_LIMIT,
    extract_retractions,
    extract_rules,
)
from amplihack_compaction.extract.running_work import (
    extract_ended,
    extract_ended_well,
    extract_running,
)
from amplihack_compaction.extract.statements import WindowState, field_values
from amplihack_compaction.extract.todos import TODOS_LIMIT, extract_todos
from amplihack_compaction.extract.values import VALUES_LIMIT, extract_addresses, extract_values
from amplihack_compaction.extract.verify_commands import extract_verify
from amplihack_compaction.extract.window_content import WindowContent, read_content
from amplihack_compaction.transcript.session import JsonObject, Window

T = TypeVar("T")
# By these a state fits to its transcript, whatever patterns of the user's own match.
_ID_FIELDS = frozenset({"uuid", "covered_uuid", "session_id"})


_EXTRACTORS: dict[str, Callable[[WindowContent], Any]] = {
    "objectives": extract_objectives,
    "prompts": extract_prompts,
    "long_prompts": extract_long_prompts,
    "rules": extract_rules,
    "retractions": extract_retractions,
    "decisions": extract_decisions,
    "values": extract_values,
    "verify": extract_verify,
    "strikes": extract_strikes,
    "tools": extract_tools,
    "files": extract_files,
    "failed": extract_failed,
    "issues": extract_issues,
    "solved": extract_solved,
    "acts": extract_acts,
    "went_well": extract_went_well,
    "learnings": extract_learnings,
    "progress": extract_progress,
    "recent": extract_recent,
    "addresses": extract_addresses,
    "running": extract_running,
    "ended": extract_ended,
    "ended_well": extract_ended_well,
    "instructions": extract_instructions,
    "branch": extract_branch,
    "changed_offset": extract_change,
    "committed_offset": extract_commit,
}


def extract_window(window: Window, task_files: Sequence[JsonObject] = ()) -> WindowState:
    """Return what the window says, without secrets; what could not be extracted is logged.

    `task_files` are the client's task files; they tell the state of now, and so belong to the
    window that is still open.
    """
    content, nothing = read_content(window), WindowState()
    parts = {
        name: attempted(name, partial(extract, content), getattr(nothing, name))
        for name, extract in _EXTRACTORS.items()
    }
    found = WindowState(
        **parts,
        todos=attempted("todos", partial(extract_todos, content, task_files), ()),
        remarks=attempted("remarks", partial(extract_remarks, content, parts["decisions"]), ()),
        index=window.index,
        start=window.start,
        root=window.root,
        model=window.model,
        turns=len(window.prompts),
        messages=window.count_messages(),
        tool_uses=sum(1 for _ in content.uses),
    )
    phase = attempted("phase", partial(extract_phase, content, found.todos), nothing.phase)
    found = replace(found, phase=phase)
    return replace(redacted(found), cut=tuple(_beyond_bounds(content, found)))


def _beyond_bounds(content: WindowContent, found: WindowState) -> Iterator[str]:
    """Yield what the extractors' bounds left out: only windows of extreme size have any."""
    prompts = len(content.window.prompts)
    if left := prompts - len(content.prompts):
        yield f"the oldest {left} of {prompts} prompts"
    for noun, items, limit in (
        ("rules", found.rules, RULES_LIMIT),
        ("retractions", found.retractions, RETRACTIONS_LIMIT),
        ("values", found.values, VALUES_LIMIT),
        ("todos", found.todos, TODOS_LIMIT),
    ):
        if len(items) >= limit:
            yield f"{noun} beyond the newest {limit}"


def redacted(value: T) -> T:
    """Return the same value with every text in it redacted, but for the client's ids."""
    result: Any = value
    if isinstance(value, str):
        result = value if isinstance(value, Enum) else redact(value)
    elif isinstance(value, tuple):
        result = tuple([redacted(item) for item in value])
    elif is_dataclass(value):
        changed = {
            name: new
            for name, old in field_values(value).items()
            if (new := _redacted_field(name, old)) != old
        }
        result = replace(result, **changed) if changed else value
    return result  # type: ignore[no-any-return]


def _redacted_field(name: str, value: Any) -> Any:
    return value if name in _ID_FIELDS and is_client_id(value) else redacted(value)
