"""What is done when a session's context crosses a ratio: snapshot, checkpoint, handoff.

That a crossing is acted on once is the caller's to see to: see `context.rungs`.
"""

from collections.abc import Callable, Collection
from functools import partial

from amplihack_compaction.base.errors import CompactionError
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.compactor.features.automatic import compact_active_feature, describe
from amplihack_compaction.compactor.features.model import FeatureLevel
from amplihack_compaction.context.readings import ContextStatus
from amplihack_compaction.handoff.automatic_snapshots import retake_automatic
from amplihack_compaction.handoff.checkpoint import (
    OVERFLOW,
    Moment,
    create_checkpoint,
    read_moment,
)
from amplihack_compaction.handoff.handoff_files import create_handoff_document
from amplihack_compaction.injection.record import STORING_FAULTS
from amplihack_compaction.ledger.fold import Folded


def run_level_actions(
    root: str,
    session_id: str,
    transcript_path: str,
    status: ContextStatus | None,
    due_levels: Collection[float],
    log: Callable[[str], None] | None = None,
    folded: Folded | None = None,
) -> list[str]:
    """Do what is due, and return the paths that were written, in the order of the ratios.

    `due_levels` are the ratios of the limit that were crossed upward; those of the settings
    `snapshot_ratio`, `checkpoint_ratio` and `handoff_ratio` have an action, and where `auto` is on
    also `compact_ratio` and `summarize_ratio`: the active feature is compacted. Never raises for
    what the disk or the transcript refuses: that is logged, and the rest still done. `folded` is
    what the caller has just read of the session.
    """
    say = log or logger(root, "PreToolUse")
    try:
        moment = read_moment(root, session_id, transcript_path, status, folded)
    except (CompactionError, OSError) as error:
        say(f"the session could not be kept before its context overflows: {error}")
        return []
    if moment.folded.unsaved:
        say(moment.folded.unsaved)
    settings = moment.settings
    compact = partial(_compact_active, level="compact", log=say)
    summarize = partial(_compact_active, level="summarize", log=say)
    actions: list[tuple[float, str, Callable[[Moment], str]]] = [
        (settings.compact_ratio, "compaction of the active feature", compact),
        (settings.snapshot_ratio, "automatic snapshot", _snapshot),
        (settings.summarize_ratio, "summary of the active feature", summarize),
        (settings.checkpoint_ratio, "safety checkpoint", _checkpoint),
        (settings.handoff_ratio, "handoff document", _handoff),
    ]
    written = []
    for ratio, name, action in actions:
        if ratio not in due_levels:
            continue
        try:
            written.append(action(moment))
        except STORING_FAULTS as error:
            say(f"the {name} could not be written: {error!r}")
    return list(filter(None, written))


def _compact_active(moment: Moment, level: FeatureLevel, log: Callable[[str], None]) -> str:
    result = compact_active_feature(moment.root, level, moment.settings)
    if result is None:
        return ""
    for problem in result.problems:
        log(f"feature {result.feature}: {problem}")
    return describe(result)


def _snapshot(moment: Moment) -> str:
    return retake_automatic(moment).snapshot_path


def _checkpoint(moment: Moment) -> str:
    checkpoint = create_checkpoint(moment, OVERFLOW)
    return f"{moment.folder}/checkpoints/{checkpoint.id}.json"


def _handoff(moment: Moment) -> str:
    return create_handoff_document(moment).path
