"""Extract what one window says: run every extractor, redact, and keep it as a `WindowState`."""

from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass, replace
from enum import Enum
from typing import Any, TypeVar

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


def extract_window(window: Window, task_files: Sequence[JsonObject] = ()) -> WindowState:
    """Return what the window says, without secrets.

    `task_files` are the client's task files; they tell the state of now, and so belong to the
    window that is still open.
    """
    content = read_content(window)
    todos = extract_todos(content, task_files)
    decisions = extract_decisions(content)
    found = WindowState(
        index=window.index,
        start=window.start,
        objectives=extract_objectives(content),
        prompts=extract_prompts(content),
        long_prompts=extract_long_prompts(content),
        rules=extract_rules(content),
        retractions=extract_retractions(content),
        decisions=decisions,
        remarks=extract_remarks(content, decisions),
        todos=todos,
        values=extract_values(content),
        verify=extract_verify(content),
        phase=extract_phase(content, todos),
        strikes=extract_strikes(content),
        tools=extract_tools(content),
        files=extract_files(content),
        failed=extract_failed(content),
        issues=extract_issues(content),
        solved=extract_solved(content),
        acts=extract_acts(content),
        learnings=extract_learnings(content),
        progress=extract_progress(content),
        recent=extract_recent(content),
        addresses=extract_addresses(content),
        running=extract_running(content),
        ended=extract_ended(content),
        ended_well=extract_ended_well(content),
        instructions=extract_instructions(content),
        root=window.root,
        branch=extract_branch(content),
        changed_offset=extract_change(content),
        committed_offset=extract_commit(content),
        model=window.model,
        turns=len(window.prompts),
        messages=window.count_messages(),
        tool_uses=sum(1 for _ in content.uses),
    )
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
