# ruff: noqa: E501 - a table in markdown
"""Write docs/api.md, the reference of the public names, from their docstrings.

python -m tests.publish_api
"""

import inspect
from collections.abc import Iterator
from dataclasses import is_dataclass
from enum import Enum
from pathlib import Path

import amplihack_compaction
from amplihack_compaction.base import errors

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
HEAD = """# Library

Made from the docstrings by `python -m tests.publish_api`. `from amplihack_compaction import NAME`
loads the module behind a name when it is first used. Every error that is raised on purpose is a
`CompactionError`.

## The original's names

What the modules of amplihack that this package replaces are called here. Where nothing is said, the
name, the arguments and the results are the original's.

| the original | here | what differs, and why |
|---|---|---|
| `compaction_validator.CompactionValidator`, `CompactionContext`, `ValidationResult` | the same; module `amplihack_compaction.compaction_validator` is an alias | Stop and `validate` call it, and `diagnose` and the report show the same judgement: `ValidationResult.losses` has it item by item. Rules, decisions and verify commands count too; each lost todo is named (there: an alarm when more than half are gone). A time without a zone is local, as `datetime.now()` writes it (there: UTC) |
| `power_steering_checker.PowerSteeringChecker` | the same; module `power_steering_checker` is an alias | `check` returns a `SteeringResult`; Stop speaks by it, with `is_switched_by_project` off: no file of a repository silences it |
| `CompactionEvent`, `compaction_events.json` | the same | further keys stay as they are; the hooks write the file |
| `CompactionHandler(session_manager)` | `CompactionHandler(session_manager, project=None)` | `restore_state` returns a `PreservedState`; with a project it finds what another process preserved. PreCompact preserves every session. An unknown session is logged |
| `experimental.session.compacting` | the hooks PreCompact and SessionStart | the client has no such plugin event |
| `AutoCompactionManager(project, snapshot_dir, events_dir)` | the same | without folders, snapshots and `auto_events.jsonl` lie in the runtime folder |
| `StateManager.trigger_compaction(feature, level)` | the same | acts when it is called; `auto` only decides what happens unasked |
| `StateManager.handle_context_warning(feature, warning)` | the same | changes a feature's files only where `auto` is on: a warning comes unasked |
| `before_tool_use`, `load_unified_state`, `save_unified_state`, `create_checkpoint`, `create_handoff_document` | the same, of `StateManager` | a session's id serves in place of a feature |
| `ContextCompactor` | the same | without a name the active feature is meant. Every change has a backup: `revert_compaction` |
| `CompactionConfig`, `CompactionLevel`, `ContextStatus`, `CompactionHistoryEntry` | the same | their fields are given by keyword: they are stored, and later versions may have more. Values out of range raise SettingsError |
| JSON with `usagePercentage` | `feature status --tokens --json` | `source` says who counted, `recommendation` what can be done |
| `TokenCounter`, `token_metrics.jsonl` | the same | the API is asked only with the setting `token_api`; the hooks write the metrics |
| `CompactionStrategy` (none, sliding window, summarize) | the same; settings `store_strategy`, `store_window`; `store compact` | what leaves the working history stays in the archive |
| a session's message count and times | `SessionStore.get_session_info`, by its `SessionKey` | the store is SQLite or PostgreSQL; the scope is the project |
| `prepare_fresh_start`, `inject_compacted_context` | the same, with `project=None` | the folder that one is in, where none is named |
| `MemoryPruner` | the same | what is pruned goes to the archive first |
| slash commands | `install` writes them to `.claude/commands` | the plugin brings its own |
"""


def reference() -> str:
    """Return the whole page."""
    found = inspect.getmembers(errors, inspect.isclass)
    names = {name for name in amplihack_compaction.__all__ if not name.startswith("_")}
    parts = [HEAD]
    for name in sorted(names - {name for name, _ in found}):
        parts += _describe(name, getattr(amplihack_compaction, name))
    parts.append("## Errors\n")
    for name, error in sorted(found, key=lambda each: (each[1].__mro__[::-1][3:], each[0])[1]):
        above = error.__mro__[1].__name__
        parts.append(f"- `{name}` ({above}): {_summary(error)}")
    return "\n".join(parts).rstrip("\n") + "\n"


def _describe(name: str, value: object) -> Iterator[str]:
    if inspect.isclass(value):
        yield f"## class `{name}`\n\n{_text(value)}\n"
        if is_dataclass(value):
            fields = ", ".join(f"`{each}`" for each in value.__dataclass_fields__)
            yield f"Fields: {fields}.\n"
        if issubclass(value, Enum):
            yield f"Values: {', '.join(f'`{each.value}`' for each in value)}.\n"
        yield from _members(value)
    elif callable(value):
        yield f"## `{name}{_signature(value)}`\n\n{_text(value)}\n"
    else:
        yield f"## `{name}`\n\nA `{type(value).__name__}`, ready to use.\n"


def _members(owner: type) -> Iterator[str]:
    for name, member in vars(owner).items():
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"### `{owner.__name__}.{name}`\n\n{_text(member.fget)}\n"
        elif isinstance(member, staticmethod | classmethod) or inspect.isfunction(member):
            function = getattr(owner, name)
            yield f"### `{owner.__name__}.{name}{_signature(function)}`\n\n{_text(function)}\n"


def _signature(function: object) -> str:
    assert callable(function)
    parameters = list(inspect.signature(function).parameters.values())
    shown = [p.replace(annotation=p.empty) for p in parameters if p.name != "self"]
    return str(inspect.Signature(shown))


def _text(value: object) -> str:
    text = inspect.getdoc(value) or ""
    assert text, f"{value!r} has no docstring"
    return text


def _summary(value: object) -> str:
    return " ".join(_text(value).split("\n\n")[0].split())


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
