"""Hooks that carry a Claude Code session's state across context compaction.

Importing this package imports nothing else: a hook starts with every tool call. Public names
load their module when they are first used (PEP 562).
"""

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing itself costs 14 ms of start-up
    from amplihack_compaction.backups.entry import CompactionHistoryEntry as CompactionHistoryEntry
    from amplihack_compaction.compaction.context import CompactionContext as CompactionContext
    from amplihack_compaction.compaction.context import CompactionEvent as CompactionEvent
    from amplihack_compaction.compaction.context import ValidationResult as ValidationResult
    from amplihack_compaction.compaction.validator import CompactionValidator as CompactionValidator
    from amplihack_compaction.context.model import CompactionConfig as CompactionConfig
    from amplihack_compaction.context.model import CompactionLevel as CompactionLevel
    from amplihack_compaction.context.model import ContextStatus as ContextStatus
    from amplihack_compaction.context.model import ContextWarning as ContextWarning
    from amplihack_compaction.continuity.auto import AutoCompactionManager as AutoCompactionManager
    from amplihack_compaction.continuity.auto import (
        create_auto_compaction_manager as create_auto_compaction_manager,
    )
    from amplihack_compaction.continuity.auto import (
        trigger_auto_compaction as trigger_auto_compaction,
    )
    from amplihack_compaction.continuity.fresh_start import CompactedContext as CompactedContext
    from amplihack_compaction.continuity.fresh_start import FreshStartContext as FreshStartContext
    from amplihack_compaction.continuity.fresh_start import (
        inject_compacted_context as inject_compacted_context,
    )
    from amplihack_compaction.continuity.fresh_start import (
        prepare_fresh_start as prepare_fresh_start,
    )
    from amplihack_compaction.continuity.handoff import HandoffDocument as HandoffDocument
    from amplihack_compaction.continuity.handoff_files import (
        create_handoff_document as create_handoff_document,
    )
    from amplihack_compaction.facade.context_compactor import ContextCompactor as ContextCompactor
    from amplihack_compaction.facade.state_manager import StateManager as StateManager
    from amplihack_compaction.features.compactor import CompactionOptions as CompactionOptions
    from amplihack_compaction.features.model import CompactedItem as CompactedItem
    from amplihack_compaction.features.model import CompactionResult as CompactionResult
    from amplihack_compaction.features.model import SummarizeResult as SummarizeResult
    from amplihack_compaction.preservation.handler import CompactionHandler as CompactionHandler
    from amplihack_compaction.pruning.pruner import MemoryPruner as MemoryPruner
    from amplihack_compaction.pruning.pruner import PruneResult as PruneResult
    from amplihack_compaction.steering.checker import PowerSteeringChecker as PowerSteeringChecker
    from amplihack_compaction.store.sessions import SessionKey as SessionKey
    from amplihack_compaction.store.store import CompactionRecord as CompactionRecord
    from amplihack_compaction.store.store import CompactionStrategy as CompactionStrategy
    from amplihack_compaction.store.store import SessionStore as SessionStore
    from amplihack_compaction.store.store import StoredMessage as StoredMessage
    from amplihack_compaction.tokens.counter import TokenCounter as TokenCounter
    from amplihack_compaction.tokens.counter import TokenCountResult as TokenCountResult
    from amplihack_compaction.tokens.counter import token_counter as token_counter

_HOMES = {
    "AutoCompactionManager": "continuity.auto",
    "CompactedContext": "continuity.fresh_start",
    "CompactedItem": "features.model",
    "CompactionConfig": "context.model",
    "CompactionContext": "compaction.context",
    "CompactionEvent": "compaction.context",
    "CompactionHandler": "preservation.handler",
    "CompactionHistoryEntry": "backups.entry",
    "CompactionLevel": "context.model",
    "CompactionOptions": "features.compactor",
    "CompactionRecord": "store.store",
    "CompactionResult": "features.model",
    "CompactionStrategy": "store.store",
    "CompactionValidator": "compaction.validator",
    "ContextCompactor": "facade.context_compactor",
    "ContextStatus": "context.model",
    "ContextWarning": "context.model",
    "FreshStartContext": "continuity.fresh_start",
    "HandoffDocument": "continuity.handoff",
    "MemoryPruner": "pruning.pruner",
    "PowerSteeringChecker": "steering.checker",
    "PruneResult": "pruning.pruner",
    "SessionKey": "store.sessions",
    "SessionStore": "store.store",
    "StateManager": "facade.state_manager",
    "StoredMessage": "store.store",
    "SummarizeResult": "features.model",
    "TokenCountResult": "tokens.counter",
    "TokenCounter": "tokens.counter",
    "ValidationResult": "compaction.context",
    "create_auto_compaction_manager": "continuity.auto",
    "create_handoff_document": "continuity.handoff_files",
    "inject_compacted_context": "continuity.fresh_start",
    "prepare_fresh_start": "continuity.fresh_start",
    "token_counter": "tokens.counter",
    "trigger_auto_compaction": "continuity.auto",
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
