"""What is done when a session's context crosses a ratio: automatic snapshot, checkpoint, handoff.

That a crossing is acted on once is the caller's to see to: see `context.levels`. The automatic
snapshot puts the core of a session on disk before its context overflows.

`<runtime>/auto_events.jsonl` has one line for each; `docs/formats.md` has its keys.
`<session>/auto/<WINDOW>.snapshot` claims the window's automatic snapshot: one for each.
"""

import json
import math
import posix
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from amplihack_compaction.base.errors import CompactionError, TranscriptError
from amplihack_compaction.base.files import append_line, create_exclusively, replace_atomically
from amplihack_compaction.base.hook_log import logger
from amplihack_compaction.base.paths import prepare_runtime, runtime_folder
from amplihack_compaction.base.size_limits import LOG_LIMIT_BYTES
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.clients.reading import session_transcript
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
    describe,
)
from amplihack_compaction.compactor.features.feature import FeatureLevel, active_feature
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.context.meter import read_status
from amplihack_compaction.handoff.checkpoint import (
    OVERFLOW,
    Moment,
    create_checkpoint,
    read_moment,
    snapshot_now,
)
from amplihack_compaction.handoff.handoff_document import create_handoff_document
from amplihack_compaction.handoff.session_offers import announce
from amplihack_compaction.injection.record import STORING_FAULTS
from amplihack_compaction.injection.render import render_state
from amplihack_compaction.ledger.stored import Folded


@dataclass(frozen=True, slots=True, kw_only=True)
class AutoCompaction:
    """An automatic snapshot that was taken; `compression_ratio` is compacted by original."""

    session_id: str
    plan_id: str | None
    timestamp: str
    snapshot_id: str
    snapshot_path: str
    original_tokens: int
    compacted_tokens: int

    @property
    def compression_ratio(self) -> float:
        """The share of the context's tokens that is left, 0 where they are not known."""
        if not self.original_tokens:
            return 0.0
        return round(self.compacted_tokens / self.original_tokens, 4)

    def to_json(self) -> dict[str, object]:
        """Return the event as it is recorded."""
        return {
            "type": "auto_compaction_complete",
            "source": "auto-compaction-manager",
            "timestamp": self.timestamp,
            "session_id": self.session_id,
            "plan_id": self.plan_id,
            "payload": {
                "snapshotPath": self.snapshot_path,
                "compressionRatio": self.compression_ratio,
                "originalTokens": self.original_tokens,
                "compactedTokens": self.compacted_tokens,
            },
        }


class AutoCompactionManager:
    """Takes a session's automatic snapshot, once in each window.

    With `snapshot_dir` a copy of it lies there too, and that is the one that is named; with
    `events_dir` its event is a line of `events.jsonl` there as well.
    """

    def __init__(
        self,
        project: Path | str,
        snapshot_dir: Path | str | None = None,
        events_dir: Path | str | None = None,
    ) -> None:
        self._root = str(Path(project).absolute())
        self._snapshots = Path(snapshot_dir).absolute() if snapshot_dir else None
        self._events = Path(events_dir).absolute() if events_dir else None
        self._taken: AutoCompaction | None = None
        self._claim = ""

    def should_trigger(self, usage_ratio: float, threshold: float = 0.8) -> bool:
        """Return whether the context is full enough, as a ratio of its limit (0-1 and above).

        After a snapshot it is not, until `reset`.
        """
        if self._taken is not None or not math.isfinite(usage_ratio):
            return False
        return usage_ratio >= threshold

    def trigger(self, session_id: str, plan_id: str | None = None) -> AutoCompaction:
        """Take the snapshot of a session, record the event and return it.

        Raises CompactionError when the open window has its snapshot already, or when it cannot
        be written, and TranscriptError when the session has no transcript that can be read.
        """
        path = session_transcript(self._root, session_id)
        if path is None:
            raise TranscriptError(f"no transcript of session {session_id} in this project")
        status = read_status(self._root, session_id, str(path))
        moment = read_moment(self._root, session_id, str(path), status)
        self._claim = _claim_path(moment)  # also where another took it: `reset` allows one then
        try:
            taken = take_automatic(moment, plan_id)
        except OSError as error:
            raise CompactionError(f"the automatic snapshot cannot be written: {error}") from error
        self._taken = self._placed(taken)
        return self._taken

    def _placed(self, taken: AutoCompaction) -> AutoCompaction:
        """Put the snapshot and its event where the caller wants them, too."""
        try:
            if self._snapshots is not None:
                self._snapshots.mkdir(parents=True, exist_ok=True)
                path = self._snapshots / Path(taken.snapshot_path).name
                replace_atomically(str(path), Path(taken.snapshot_path).read_bytes())
                taken = replace(taken, snapshot_path=str(path))
            if self._events is not None:
                self._events.mkdir(parents=True, exist_ok=True)
                line = json.dumps(taken.to_json()).encode() + b"\n"
                append_line(f"{self._events}/events.jsonl", line, LOG_LIMIT_BYTES)
        except OSError as error:
            raise CompactionError(f"the automatic snapshot cannot be copied: {error}") from error
        return taken

    def get_snapshot_path(self) -> str | None:
        """Return the file of the snapshot taken by this object; None before."""
        return self._taken.snapshot_path if self._taken else None

    def reset(self) -> None:
        """Allow another snapshot in the window tried last; what was taken stays on disk."""
        if self._claim:
            with suppress(OSError):
                posix.unlink(self._claim)
        self._taken, self._claim = None, ""


def create_auto_compaction_manager(
    project: Path | str,
    snapshot_dir: Path | str | None = None,
    events_dir: Path | str | None = None,
) -> AutoCompactionManager:
    """Return a manager for a project."""
    return AutoCompactionManager(project, snapshot_dir, events_dir)


def trigger_auto_compaction(
    project: Path | str, session_id: str, plan_id: str | None = None
) -> AutoCompaction:
    """Take a session's automatic snapshot now; see `AutoCompactionManager.trigger`."""
    return AutoCompactionManager(project).trigger(session_id, plan_id)


def take_automatic(
    moment: Moment, plan_id: str | None = None, *, again: bool = False
) -> AutoCompaction:
    """Take the automatic snapshot of the open window.

    Raises CompactionError when it has one, but with `again`, for a caller that knows the ratio to
    be crossed anew. Raises OSError when it cannot be written; the window can then be tried again.
    """
    prepare_runtime(moment.root)
    if not create_exclusively(_claim_path(moment), b"1\n") and not again:
        raise CompactionError(
            f"session {moment.session_id} has its automatic snapshot for this window already;"
            " there is one until the next compaction, or until reset()"
        )
    try:
        identifier = snapshot_now(moment)
        taken = AutoCompaction(
            session_id=moment.session_id,
            plan_id=plan_id,
            timestamp=utc_text(),
            snapshot_id=identifier,
            snapshot_path=f"{moment.folder}/snapshots/{identifier}.json",
            original_tokens=moment.status.current_tokens if moment.status else 0,
            compacted_tokens=render_state(moment.state, moment.settings.injection_tokens).tokens,
        )
        line = json.dumps(taken.to_json()).encode("ascii") + b"\n"
        append_line(f"{runtime_folder(moment.root)}/auto_events.jsonl", line, LOG_LIMIT_BYTES)
        announce(moment.root, moment.offer(identifier))
    except OSError:
        with suppress(OSError):
            posix.unlink(_claim_path(moment))
        raise
    return taken


def _claim_path(moment: Moment) -> str:
    return f"{moment.folder}/auto/{moment.window_start}.snapshot"


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
    actions: list[tuple[float, str, Callable[[], str]]] = [
        (settings.compact_ratio, "compaction of the active feature",
         lambda: _compact_active(moment, "compact", say)),
        (settings.snapshot_ratio, "automatic snapshot",
         lambda: take_automatic(moment, again=True).snapshot_path),
        (settings.summarize_ratio, "summary of the active feature",
         lambda: _compact_active(moment, "summarize", say)),
        (settings.checkpoint_ratio, "safety checkpoint",
         lambda: f"{moment.folder}/checkpoints/{create_checkpoint(moment, OVERFLOW).id}.json"),
        (settings.handoff_ratio, "handoff document", lambda: create_handoff_document(moment).path),
    ]  # fmt: skip
    written = []
    for ratio, name, action in actions:
        if ratio not in due_levels:
            continue
        try:
            written.append(action())
        except STORING_FAULTS as error:
            say(f"the {name} could not be written: {error!r}")
    return list(filter(None, written))


def _compact_active(moment: Moment, level: FeatureLevel, log: Callable[[str], None]) -> str:
    name = active_feature(moment.root)
    if not moment.settings.auto or not name:
        return ""
    result = compact_feature(moment.root, name, CompactionOptions(level=level))
    for problem in result.problems:
        log(f"feature {result.feature}: {problem}")
    return describe(result)
