"""Hooks that carry a Claude Code session's state across context compaction.

Importing this package imports nothing else: a hook starts with every tool call. Public names
load their module when they are first used (PEP 562).
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 14 ms of start-up
    from amplihack_compaction.api.compaction_handler import CompactionHandler as CompactionHandler
    from amplihack_compaction.api.context_compactor import ContextCompactor as ContextCompactor
    from amplihack_compaction.api.state_manager import StateManager as StateManager
    from amplihack_compaction.compactor.archive.pruner import MemoryPruner as MemoryPruner
    from amplihack_compaction.compactor.archive.pruner import PruneResult as PruneResult
    from amplihack_compaction.compactor.backups.change_history import (
        CompactionHistoryEntry as CompactionHistoryEntry,
    )
    from amplihack_compaction.compactor.features.compact_feature import (
        CompactionOptions as CompactionOptions,
    )
    from amplihack_compaction.compactor.features.results import CompactedItem as CompactedItem
    from amplihack_compaction.compactor.features.results import CompactionResult as CompactionResult
    from amplihack_compaction.compactor.features.results import SummarizeResult as SummarizeResult
    from amplihack_compaction.context.levels import CompactionConfig as CompactionConfig
    from amplihack_compaction.context.levels import CompactionLevel as CompactionLevel
    from amplihack_compaction.context.levels import ContextStatus as ContextStatus
    from amplihack_compaction.context.levels import ContextWarning as ContextWarning
    from amplihack_compaction.context.tokens.counter import TokenCounter as TokenCounter
    from amplihack_compaction.context.tokens.counter import TokenCountResult as TokenCountResult
    from amplihack_compaction.context.tokens.counter import token_counter as token_counter
    from amplihack_compaction.handoff.fresh_start import CompactedContext as CompactedContext
    from amplihack_compaction.handoff.fresh_start import FreshStartContext as FreshStartContext
    from amplihack_compaction.handoff.fresh_start import (
        inject_compacted_context as inject_compacted_context,
    )
    from amplihack_compaction.handoff.fresh_start import (
        prepare_fresh_start as prepare_fresh_start,
    )
    from amplihack_compaction.handoff.handoff_document import HandoffDocument as HandoffDocument
    from amplihack_compaction.handoff.handoff_files import (
        create_handoff_document as create_handoff_document,
    )
    from amplihack_compaction.handoff.level_actions import (
        AutoCompactionManager as AutoCompactionManager,
    )
    from amplihack_compaction.handoff.level_actions import (
        create_auto_compaction_manager as create_auto_compaction_manager,
    )
    from amplihack_compaction.handoff.level_actions import (
        trigger_auto_compaction as trigger_auto_compaction,
    )
    from amplihack_compaction.store.sessions import SessionKey as SessionKey
    from amplihack_compaction.store.store import CompactionRecord as CompactionRecord
    from amplihack_compaction.store.store import CompactionStrategy as CompactionStrategy
    from amplihack_compaction.store.store import SessionStore as SessionStore
    from amplihack_compaction.store.store import StoredMessage as StoredMessage
    from amplihack_compaction.validation.events import CompactionContext as CompactionContext
    from amplihack_compaction.validation.events import CompactionEvent as CompactionEvent
    from amplihack_compaction.validation.events import ValidationResult as ValidationResult
    from amplihack_compaction.validation.power_steering import (
        PowerSteeringChecker as PowerSteeringChecker,
    )
    from amplihack_compaction.validation.validator import CompactionValidator as CompactionValidator

_HOMES = {
    "AutoCompactionManager": "handoff.level_actions",
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
    "ContextCompactor": "api.context_compactor",
    "ContextStatus": "context.levels",
    "ContextWarning": "context.levels",
    "FreshStartContext": "handoff.fresh_start",
    "HandoffDocument": "handoff.handoff_document",
    "MemoryPruner": "compactor.archive.pruner",
    "PowerSteeringChecker": "validation.power_steering",
    "PruneResult": "compactor.archive.pruner",
    "SessionKey": "store.sessions",
    "SessionStore": "store.store",
    "StateManager": "api.state_manager",
    "StoredMessage": "store.store",
    "SummarizeResult": "compactor.features.results",
    "TokenCountResult": "context.tokens.counter",
    "TokenCounter": "context.tokens.counter",
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
