"""The original's interface for compacting a feature: `ContextCompactor`."""

from pathlib import Path

from amplihack_compaction.api.state_manager import StateManager
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.compactor.backups.change_history import CompactionHistoryEntry
from amplihack_compaction.compactor.backups.revert import OnChanged
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
    summarize_feature,
)
from amplihack_compaction.compactor.features.feature import (
    CompactionResult,
    SummarizeResult,
    feature_context,
    feature_history,
    revert_feature,
)
from amplihack_compaction.context.levels import CompactionLevel, ContextStatus, compaction_config
from amplihack_compaction.handoff.handoff_document import Handoff


class ContextCompactor:
    """Compacts the features of a project, and takes it back; without a name the active one.

    Every method raises FeatureError when there is no such feature.
    """

    def __init__(self, project: Path | str) -> None:
        self._root = str(Path(project).absolute())

    def get_context_status(self, feature: str = "") -> ContextStatus:
        """Return how large the feature's texts are, measured against `feature_tokens`."""
        return feature_context(self._root, feature)

    def should_compact(self, feature: str = "") -> CompactionLevel:
        """Return the level that the feature has reached; on `raw` there is nothing to do."""
        status = self.get_context_status(feature)
        levels = compaction_config(load_settings(self._root)[0]).thresholds
        return next(level for level in levels if level.level == status.level)

    def compact(
        self, feature: str = "", options: CompactionOptions | None = None
    ) -> CompactionResult:
        """Shorten the feature's texts, or summarise them where the options say so.

        Raises BackupError when it cannot be done; then every file is as it was.
        """
        return compact_feature(self._root, feature, options)

    def summarize(
        self, feature: str = "", options: CompactionOptions | None = None
    ) -> SummarizeResult:
        """Put one summary in the place of the feature's prose: lossy, and still reversible.

        Raises BackupError when it cannot be done; then every file is as it was.
        """
        return summarize_feature(self._root, feature, options)

    def create_handoff_document(self, feature: str = "") -> Handoff:
        """Write the handoff document of the newest session under the feature's name.

        Raises TranscriptError without a session, CompactionError when it cannot be written.
        """
        return StateManager(self._root).create_handoff_document(feature)

    def revert_compaction(
        self,
        feature: str,
        history_id: str,
        *,
        on_changed: OnChanged = "refuse",
        force: bool = False,
    ) -> bool:
        """Give the feature's files back as they were; True when it was done.

        Raises ChangedError, which names them, when files were changed since, and BackupError
        when the change is too old, reverted already, or its backup is not what was kept.
        """
        revert_feature(self._root, feature, history_id, on_changed=on_changed, force=force)
        return True

    def history(self, feature: str) -> list[CompactionHistoryEntry]:
        """Return what was done to the feature, oldest first."""
        return feature_history(self._root, feature)[0]
