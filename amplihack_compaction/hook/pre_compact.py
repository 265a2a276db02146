"""PreCompact: put the state on disk and tell the summariser what to keep.

It fires several times for one compaction, early, or for one that never comes, so it only
refreshes. Its answer is plain text.

Wired by the settings and by the plugin, it is run twice by the client, at the same moment, and one
of the two acts. Nothing in payload or environment names the firing, so it is told by the
transcript's size: a summary that failed is asked for again after another round.
`<session>/firings/newest` has the size of the one that acts, written under the folder's lock.
"""

import posix
import time
from typing import Any

from amplihack_compaction.api.compaction_handler import CompactionHandler, LedgerSessionManager
from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.files import make_folder, read_bytes, replace_atomically
from amplihack_compaction.base.folders import lock_folder
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime, session_folder
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.context.levels import crossed_stages
from amplihack_compaction.context.meter import read_status, record_metric
from amplihack_compaction.injection.position import observe
from amplihack_compaction.injection.receipts import prepare
from amplihack_compaction.injection.record import (
    STORING_FAULTS,
    Log,
    Recorded,
    prepared_injection,
    record_compaction,
)
from amplihack_compaction.injection.render import MANUAL_HINT_CHARACTERS, summary_hint

_TOGETHER_SECONDS = 10.0
"""Hooks of one firing start within this, on the slowest machine; a round takes longer, mostly."""
_LOCK_SECONDS = 2.0
_SIZE_BYTES = 40


def answer_pre_compact(payload: dict[str, Any], root: str) -> str:
    """Record the window and return what the summary must keep word for word.

    The client joins what all hooks print: wired twice, one of them is silent.
    """
    if not _is_first(payload, root):
        return ""
    log, trigger = logger(root, "PreCompact"), payload.get("trigger")
    session_id, path = payload["session_id"], payload["transcript_path"]
    try:
        recorded = record_compaction(
            root, session_id, path, log, trigger=trigger, pre_compact_at=utc_text()
        )
    except TranscriptError as error:
        # Asked to compact before the first prompt, the client has none yet, and goes no further.
        if not isinstance(error.__cause__, FileNotFoundError):
            log(str(error))
        return ""
    most = recorded.settings.summary_hint_characters
    if trigger == "manual":
        most = min(most, MANUAL_HINT_CHARACTERS)
    hint = summary_hint(recorded.folded.state, most)
    if recorded.folded.state.skipped:
        log(f"lines of the transcript that are broken or too long: {recorded.folded.state.skipped}")
    if recorded.folder:
        try:
            prepare(recorded.folder, prepared_injection(recorded))
        except OSError as error:
            log(f"the injection could not be prepared: {error}")
        manager = LedgerSessionManager(root, recorded.folded.state)
        CompactionHandler(manager).preserve_state(session_id)
        if trigger == "auto":
            try:
                _act_on_levels(root, path, recorded, log)
            except STORING_FAULTS as error:
                log(f"what was due before the compaction could not be done: {error!r}")
    return hint


def claim_firing(folder: str, transcript_path: str) -> bool:
    """Return whether this process is the first that the firing started; one of them is.

    Raises OSError when the transcript is not there, or nothing can be written.
    """
    size, claim = b"%d" % posix.stat(transcript_path).st_size, f"{folder}/firings/newest"
    make_folder(f"{folder}/firings")
    # Of the folder itself, so that no file lies beside the claim; filelock opens files alone.
    with lock_folder(f"{folder}/firings", _LOCK_SECONDS):
        is_known = read_bytes(claim, _SIZE_BYTES) == size
        if is_known and abs(time.time() - posix.lstat(claim).st_mtime) < _TOGETHER_SECONDS:
            return False
        replace_atomically(claim, size)
    return True


def _is_first(payload: dict[str, Any], root: str) -> bool:
    try:
        prepare_runtime(root)
        folder = session_folder(root, payload["session_id"])
        return claim_firing(folder, payload["transcript_path"])
    except OSError:
        return True  # what the transcript or the disk lacks is said by what comes next


def _act_on_levels(root: str, transcript_path: str, recorded: Recorded, log: Log) -> None:
    """Do what is still due: a large result filled the context since, or a hook was killed."""
    folder, settings = recorded.folder, recorded.settings
    session_id = recorded.folded.state.session_id
    position = observe(root, folder, transcript_path)
    status = read_status(root, session_id, transcript_path, settings=settings)
    ratios = settings.ratios
    if position is None or status is None:
        return
    record_metric(root, session_id, status)
    ratio = status.current_tokens / status.max_tokens
    # A summary that is made early, at four fifths of the window, needs nothing of it.
    is_early = ratio < ratios[-1]
    with crossed_stages(folder, position.boundary, ratio, ratios, only_begun=is_early) as crossed:
        if crossed is not None and crossed[0]:
            from amplihack_compaction.handoff.level_actions import run_level_actions

            due, folded = [ratios[stage - 1] for stage in crossed[0]], recorded.folded
            run_level_actions(root, session_id, transcript_path, status, due, log, folded)
