"""Compact a stored session by the strategy of the settings, as when a run of it ends."""

from amplihack_compaction.base.errors import SnapshotError, StrategyError
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.settings import StoreStrategy
from amplihack_compaction.injection.render import render_whole
from amplihack_compaction.injection.snapshot import kept_state
from amplihack_compaction.store.sessions import SessionKey
from amplihack_compaction.store.store import CompactionStrategy, SessionStore


def compact_stored(
    store: SessionStore, key: SessionKey, strategy: StoreStrategy, window: int
) -> tuple[int, int]:
    """Compact a session and return how many messages its working history had, and has now.

    A summary is the session's state as the hooks keep it, else the summary it was compacted with
    last. Nothing happens to a history that is no longer than what would be left of it. Raises
    StrategyError where there is neither, and what `SessionStore.compact` raises.
    """
    before = store.get_session_info(key).message_count
    most = {StoreStrategy.SLIDING_WINDOW: window, StoreStrategy.SUMMARIZE: 1}.get(strategy, before)
    if before <= most:
        return before, before
    if strategy is StoreStrategy.SLIDING_WINDOW:
        store.compact(key, CompactionStrategy.sliding_window(window))
    else:
        store.compact(key, CompactionStrategy.summarize(), _summary(store, key))
    return before, store.get_session_info(key).message_count


def _summary(store: SessionStore, key: SessionKey) -> str:
    try:
        return render_whole(kept_state(session_folder(key.scope, key.session_id)))
    except SnapshotError as error:
        known = store.get_compaction_record(key).summary
        if known:
            return known
        raise StrategyError(f"nothing to summarize {key.session_id} by: {error}") from error
