from amplihack_compaction.api.compaction_handler import CompactionHandler as CompactionHandler
from amplihack_compaction.api.compaction_handler import LedgerSessionManager as LedgerSessionManager
from amplihack_compaction.api.compaction_handler import PreservedState as PreservedState
from amplihack_compaction.api.state_manager import ContextCompactor as ContextCompactor
from amplihack_compaction.api.state_manager import StateManager as StateManager
from amplihack_compaction.api.state_manager import UnifiedState as UnifiedState
from amplihack_compaction.base.errors import BackupError as BackupError
from amplihack_compaction.base.errors import ChangedError as ChangedError
from amplihack_compaction.base.errors import CompactionError as CompactionError
from amplihack_compaction.base.errors import CopyError as CopyError
from amplihack_compaction.base.errors import FeatureError as FeatureError
from amplihack_compaction.base.errors import NewerVersionError as NewerVersionError
from amplihack_compaction.base.errors import OtherOwnerError as OtherOwnerError
from amplihack_compaction.base.errors import ScopeError as ScopeError
from amplihack_compaction.base.errors import SessionNotFoundError as SessionNotFoundError
from amplihack_compaction.base.errors import SettingsError as SettingsError
from amplihack_compaction.base.errors import SnapshotError as SnapshotError
from amplihack_compaction.base.errors import StoreError as StoreError
from amplihack_compaction.base.errors import StrategyError as StrategyError
from amplihack_compaction.base.errors import TranscriptError as TranscriptError
from amplihack_compaction.compactor.archive.pruner import MemoryPruner as MemoryPruner
from amplihack_compaction.compactor.archive.pruner import PruneResult as PruneResult
from amplihack_compaction.compactor.backups.change_history import (
    CompactionHistoryEntry as CompactionHistoryEntry,
)
from amplihack_compaction.compactor.condense.documents import CompactedItem as CompactedItem
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions as CompactionOptions,
)
from amplihack_compaction.compactor.features.feature import CompactionResult as CompactionResult
from amplihack_compaction.compactor.features.feature import SummarizeResult as SummarizeResult
from amplihack_compaction.context.counter import TokenCounter as TokenCounter
from amplihack_compaction.context.counter import TokenCountResult as TokenCountResult
from amplihack_compaction.context.counter import token_counter as token_counter
from amplihack_compaction.context.levels import CompactionConfig as CompactionConfig
from amplihack_compaction.context.levels import CompactionLevel as CompactionLevel
from amplihack_compaction.context.levels import ContextStatus as ContextStatus
from amplihack_compaction.context.levels import ContextWarning as ContextWarning
from amplihack_compaction.handoff.checkpoint import Checkpoint as Checkpoint
from amplihack_compaction.handoff.fresh_start import CompactedContext as CompactedContext
from amplihack_compaction.handoff.fresh_start import FreshStartContext as FreshStartContext
from amplihack_compaction.handoff.fresh_start import (
    inject_compacted_context as inject_compacted_context,
)
from amplihack_compaction.handoff.fresh_start import prepare_fresh_start as prepare_fresh_start
from amplihack_compaction.handoff.handoff_document import Handoff as Handoff
from amplihack_compaction.handoff.handoff_document import HandoffDocument as HandoffDocument
from amplihack_compaction.handoff.handoff_document import (
    create_handoff_document as create_handoff_document,
)
from amplihack_compaction.handoff.level_actions import AutoCompaction as AutoCompaction
from amplihack_compaction.handoff.level_actions import (
    AutoCompactionManager as AutoCompactionManager,
)
from amplihack_compaction.handoff.level_actions import (
    create_auto_compaction_manager as create_auto_compaction_manager,
)
from amplihack_compaction.handoff.level_actions import (
    trigger_auto_compaction as trigger_auto_compaction,
)
from amplihack_compaction.store.messages import StoredMessage as StoredMessage
from amplihack_compaction.store.sessions import SessionKey as SessionKey
from amplihack_compaction.store.store import CompactionRecord as CompactionRecord
from amplihack_compaction.store.store import CompactionStrategy as CompactionStrategy
from amplihack_compaction.store.store import PastCompaction as PastCompaction
from amplihack_compaction.store.store import SessionInfo as SessionInfo
from amplihack_compaction.store.store import SessionStore as SessionStore
from amplihack_compaction.validation.events import CompactionContext as CompactionContext
from amplihack_compaction.validation.events import CompactionEvent as CompactionEvent
from amplihack_compaction.validation.events import Outcome as Outcome
from amplihack_compaction.validation.events import ValidationResult as ValidationResult
from amplihack_compaction.validation.losses import Fate as Fate
from amplihack_compaction.validation.losses import LossReport as LossReport
from amplihack_compaction.validation.power_steering import (
    CheckedConsideration as CheckedConsideration,
)
from amplihack_compaction.validation.power_steering import Consideration as Consideration
from amplihack_compaction.validation.power_steering import (
    PowerSteeringChecker as PowerSteeringChecker,
)
from amplihack_compaction.validation.power_steering import SteeringResult as SteeringResult
from amplihack_compaction.validation.validator import CompactionValidator as CompactionValidator

__version__: str
__all__: list[str]
