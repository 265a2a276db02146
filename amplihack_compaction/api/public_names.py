"""The package's public names, and the modules that hold them.

Read when the first of them is used: a hook starts with every tool call and uses none.
"""

_NAMES = {
    "api.compaction_handler": "CompactionHandler LedgerSessionManager PreservedState",
    "api.state_manager": "ContextCompactor StateManager UnifiedState",
    "base.errors": (
        "BackupError ChangedError CompactionError CopyError FeatureError NewerVersionError"
        " OtherOwnerError ScopeError SessionNotFoundError SettingsError SnapshotError StoreError"
        " StrategyError TranscriptError"
    ),
    "compactor.archive.pruner": "MemoryPruner PruneResult",
    "compactor.backups.change_history": "CompactionHistoryEntry",
    "compactor.condense.documents": "CompactedItem",
    "compactor.features.compact_feature": "CompactionOptions",
    "compactor.features.feature": "CompactionResult SummarizeResult",
    "context.levels": "CompactionConfig CompactionLevel ContextStatus ContextWarning",
    "context.counter": "TokenCountResult TokenCounter token_counter",
    "handoff.checkpoint": "Checkpoint",
    "handoff.fresh_start": (
        "CompactedContext FreshStartContext inject_compacted_context prepare_fresh_start"
    ),
    "handoff.handoff_document": "Handoff HandoffDocument create_handoff_document",
    "handoff.level_actions": (
        "AutoCompaction AutoCompactionManager create_auto_compaction_manager"
        " trigger_auto_compaction"
    ),
    "store.messages": "StoredMessage",
    "store.sessions": "SessionKey",
    "store.store": ("CompactionRecord CompactionStrategy PastCompaction SessionInfo SessionStore"),
    "validation.events": "CompactionContext CompactionEvent Outcome ValidationResult",
    "validation.losses": "Fate LossReport",
    "validation.power_steering": (
        "CheckedConsideration Consideration PowerSteeringChecker SteeringResult"
    ),
    "validation.validator": "CompactionValidator",
}
HOMES = {name: home for home, names in _NAMES.items() for name in names.split()}
PUBLIC_NAMES = [*sorted(HOMES), "__version__"]
