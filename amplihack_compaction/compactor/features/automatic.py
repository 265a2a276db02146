"""Compact the active feature by itself, where the user has set `auto`: never otherwise."""

from amplihack_compaction.base.settings.settings import Settings
from amplihack_compaction.compactor.features.focus import active_feature
from amplihack_compaction.compactor.features.model import (
    CompactionResult,
    FeatureLevel,
    revert_command,
)


def compact_active_feature(
    root: str, level: FeatureLevel, settings: Settings, feature: str = ""
) -> CompactionResult | None:
    """Compact a feature, without a name the active one, at a level.

    None where `auto` is off or no feature is active. Raises FeatureError when there is no such
    feature, and BackupError when it cannot be done; then every file is as it was.
    """
    name = feature or active_feature(root)
    if not settings.auto or not name:
        return None
    from amplihack_compaction.compactor.features.compactor import CompactionOptions, compact_feature

    return compact_feature(root, name, CompactionOptions(level=level))


def describe(result: CompactionResult) -> str:
    """Return what a compaction did and how it is undone, in a few words; empty for nothing."""
    if result.history_id is None:
        return ""
    return (
        f"feature {result.feature} {_DONE[result.level]} from {result.original_tokens:,} to"
        f" {result.compacted_tokens:,} tokens (undo: {revert_command(result.feature)})"
    )


_DONE: dict[FeatureLevel, str] = {"compact": "compacted", "summarize": "summarised"}
