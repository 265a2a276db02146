"""The table of the original's names in docs/api.md: each can still be called as it was there."""

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

import amplihack_compaction
from tests.publish_api import HEAD

# Its parameters in their order, with their defaults; of records, their fields.
ORIGINALS = {
    "CompactionValidator": "project_root",
    "CompactionValidator.load_compaction_context": "session_id",
    "CompactionValidator.validate": "transcript, session_id",
    "CompactionValidator.validate_todos": "pre_compaction, post_compaction",
    "CompactionValidator.validate_objectives": "pre_compaction, post_compaction",
    "CompactionValidator.validate_recent_context": "pre_compaction, post_compaction, context",
    "CompactionContext": "has_compaction_event=False, turn_at_compaction=0, messages_removed=0,"
    " pre_compaction_transcript=None, timestamp=None, is_stale=False, age_hours=0.0,"
    " has_security_violation=False",
    "CompactionContext.get_diagnostic_summary": "",
    "ValidationResult": "passed, warnings=[], recovery_steps=[],"
    " compaction_context=CompactionContext(), used_fallback=False",
    "ValidationResult.get_summary": "",
    "PowerSteeringChecker": "project_root",
    "PowerSteeringChecker.check": "transcript, session_id",
    "PowerSteeringChecker._check_compaction_handling": "transcript, session_id",
    "CompactionEvent": "timestamp, turn_number, messages_removed, pre_compaction_transcript_path,"
    " session_id",
    "CompactionHandler": "session_manager",
    "CompactionHandler.preserve_state": "session_id",
    "CompactionHandler.restore_state": "session_id",
    "AutoCompactionManager": "project, snapshot_dir, events_dir",
    "AutoCompactionManager.should_trigger": "usage_ratio, threshold=0.8",
    "AutoCompactionManager.trigger": "session_id, plan_id=None",
    "AutoCompactionManager.get_snapshot_path": "",
    "AutoCompactionManager.reset": "",
    "StateManager.trigger_compaction": "feature, level",
    "StateManager.handle_context_warning": "feature, warning",
    "StateManager.before_tool_use": "feature",
    "StateManager.load_unified_state": "feature",
    "ContextCompactor.get_context_status": "feature",
    "ContextCompactor.should_compact": "feature",
    "ContextCompactor.compact": "feature, options",
    "ContextCompactor.summarize": "feature",
    "ContextCompactor.create_handoff_document": "feature",
    "ContextCompactor.revert_compaction": "feature, history_id",
    "CompactionConfig": "thresholds, token_counter, pruning, compaction",
    "CompactionLevel": "level, threshold, description",
    "ContextStatus": "current_tokens, max_tokens, usage_percentage, level, recommendation,"
    " can_continue",
    "CompactionHistoryEntry": "timestamp, level, tokens_before, tokens_after, items_compacted",
    "TokenCounter.count": "text, *, model=None",
    "TokenCounter.invalidate_cache": "",
    "TokenCounter.get_cache_stats": "",
    "CompactionStrategy.none": "",
    "CompactionStrategy.sliding_window": "max_messages",
    "CompactionStrategy.summarize": "",
    "SessionKey": "scope, session_id",
    "SessionStore.compact": "key, strategy, summary=None",
    "SessionStore.get_compaction_record": "key",
    "SessionStore.get_session_info": "key",
    "MemoryPruner.prune_feature": "feature, dry_run",
    "MemoryPruner.prune_project_context": "dry_run",
    "prepare_fresh_start": "snapshot_id='latest'",
    "inject_compacted_context": "snapshot_id",
}
# Argument -> the name that it has here: a session's id serves, too.
RENAMED = {"feature": "feature_or_session"}
ROWS = [row.strip("|").split("|") for row in HEAD.splitlines() if row.startswith("| ")][1:]


def test_each_name_is_called_with_the_arguments_of_the_original() -> None:
    by_keyword = set()
    for name, told in ORIGINALS.items():
        ours = [each for each in _signature(_public(name)) if each.name != "self"]
        wanted = list(_parameters(told))
        assert len(wanted) <= len(ours), name
        if is_dataclass(_public(name)) and ours[0].kind is inspect.Parameter.KEYWORD_ONLY:
            by_keyword.add(name)
            named = {each.name: each for each in ours}
            ours = [*(named.pop(each.name) for each in wanted), *named.values()]
        for theirs, mine in zip(wanted, ours, strict=False):
            assert mine.name in (theirs.name, RENAMED.get(theirs.name)), name
            if theirs.default is not inspect.Parameter.empty:
                assert _default(name, mine) == theirs.default, f"{name}({mine.name})"
        if name not in by_keyword:
            assert all(each.default is not each.empty for each in ours[len(wanted) :]), name
    told = next(row[2] for row in ROWS if "`CompactionLevel`" in row[0])
    assert "by keyword" in told
    assert by_keyword == set(re.findall(r"`(\w+)`", " ".join(r[0] for r in ROWS if r[2] == told)))


def test_the_table_and_the_names_that_are_compared_are_the_same() -> None:
    rows = [row[0] + row[1] for row in ROWS if row[1] != " the same, of `StateManager` "]
    listed = {name for row in rows for name in re.findall(r"\w+", row)}
    listed = {"StateManager", *listed.intersection(amplihack_compaction.__all__)}
    assert listed == {name.partition(".")[0] for name in ORIGINALS}


def test_what_the_table_has_as_methods_of_the_state_manager_are_such() -> None:
    (methods,) = (row[0] for row in ROWS if row[1] == " the same, of `StateManager` ")
    for name in re.findall(r"`(\w+)`", methods):
        assert callable(getattr(amplihack_compaction.StateManager, name))


@pytest.mark.parametrize("name", ["CompactionContext", "ValidationResult"])
def test_what_is_added_to_a_record_stands_behind_what_it_had(name: str) -> None:
    had = [each.name for each in _parameters(ORIGINALS[name])]
    assert [field.name for field in fields(_public(name))][: len(had)] == had


def _public(name: str) -> Any:
    owner, _, method = name.partition(".")
    found = getattr(amplihack_compaction, owner)
    return getattr(found, method) if method else found


def _signature(called: Any) -> list[inspect.Parameter]:
    return list(inspect.signature(called).parameters.values())


def _parameters(told: str) -> Iterator[inspect.Parameter]:
    made = ast.unparse(ast.parse(f"def original({told}): pass"))
    scope: dict[str, Any] = {"CompactionContext": amplihack_compaction.CompactionContext}
    exec(made, scope)
    yield from _signature(scope["original"])


def _default(name: str, parameter: inspect.Parameter) -> Any:
    """Return a parameter's default; of a record, what its field has when it is not given."""
    called = _public(name)
    if not is_dataclass(called):
        return parameter.default
    needed = [p.name for p in _signature(called) if p.default is p.empty]
    made: Any = called
    return getattr(made(**dict.fromkeys(needed, True)), parameter.name)
