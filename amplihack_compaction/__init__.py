"""Hooks that carry a Claude Code session's state across context compaction.

Importing this package imports nothing else: a hook starts with every tool call. Public names
load their module when they are first used (PEP 562); `__init__.pyi` tells type checkers of them.
"""

__version__ = "0.1.0"

_HOMES = {
    "AutoCompaction": "handoff.level_actions",
    "AutoCompactionManager": "handoff.level_actions",
    "CheckedConsideration": "validation.power_steering",
    "Checkpoint": "handoff.checkpoint",
    "CompactedContext": "handoff.fresh_start",
    "CompactedItem": "compactor.features.results",
    "CompactionConfig": "context.levels",
    "CompactionContext": "validation.events",
    "CompactionEvent": "validation.events",
    "CompactionHandler": "api.compaction_handler",
    "CompactionHistoryEntry": "compactor.backups.change_history",
    "CompactionLevel": "context.levels",
    "CompactionOptions": "compactor.features.compact_feature",
    "CompactionRecord": "store.store",
    "CompactionResult": "compactor.features.results",
    "CompactionStrategy": "store.store",
    "CompactionValidator": "validation.validator",
    "Consideration": "validation.power_steering",
    "ContextCompactor": "api.context_compactor",
    "ContextStatus": "context.levels",
    "ContextWarning": "context.levels",
    "Fate": "validation.losses",
    "FreshStartContext": "handoff.fresh_start",
    "Handoff": "handoff.handoff_files",
    "HandoffDocument": "handoff.handoff_document",
    "LedgerSessionManager": "api.compaction_handler",
    "LossReport": "validation.losses",
    "MemoryPruner": "compactor.archive.pruner",
    "Outcome": "validation.events",
    "PastCompaction": "store.store",
    "PowerSteeringChecker": "validation.power_steering",
    "PreservedState": "api.compaction_handler",
    "PruneResult": "compactor.archive.pruner",
    "SessionInfo": "store.store",
    "SessionKey": "store.sessions",
    "SessionStore": "store.store",
    "StateManager": "api.state_manager",
    "SteeringResult": "validation.power_steering",
    "StoredMessage": "store.store",
    "SummarizeResult": "compactor.features.results",
    "TokenCountResult": "context.tokens.counter",
    "TokenCounter": "context.tokens.counter",
    "UnifiedState": "api.state_manager",
    "ValidationResult": "validation.events",
    "create_auto_compaction_manager": "handoff.level_actions",
    "create_handoff_document": "handoff.handoff_files",
    "inject_compacted_context": "handoff.fresh_start",
    "prepare_fresh_start": "handoff.fresh_start",
    "token_counter": "context.tokens.counter",
    "trigger_auto_compaction": "handoff.level_actions",
}
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    """Import the module that holds a public name, on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the lazy names too."""
    return sorted([*globals(), *_HOMES])
