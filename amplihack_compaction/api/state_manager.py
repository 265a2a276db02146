"""The original's interface for features: their state and context, and `ContextCompactor`.

What it does to a session is what the hooks do; they share their files, so that a level is told
once, whoever asks first. A feature's own values are kept beside the session's state, in
`<session>/unified.json`: {"version": 1, "feature", "session_id", "saved_at", "token_count",
"data": {...}, "others": {feature: {...}}}, where `feature` is the one that was saved last.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import (
    CompactionError,
    SnapshotError,
    TranscriptError,
    reason_of,
)
from amplihack_compaction.base.files import parse_object, read_if_there, replace_atomically
from amplihack_compaction.base.paths import session_folder
from amplihack_compaction.base.redaction.redact import redact, redact_value
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.timestamps import utc_text
from amplihack_compaction.clients.reading import all_transcripts, session_id_of, session_transcript
from amplihack_compaction.compactor.backups.change_history import CompactionHistoryEntry
from amplihack_compaction.compactor.backups.changes import OnChanged
from amplihack_compaction.compactor.features.compact_feature import (
    CompactionOptions,
    compact_feature,
)
from amplihack_compaction.compactor.features.feature import (
    CompactionResult,
    FeatureLevel,
    SummarizeResult,
    active_feature,
    feature_context,
    feature_history,
    plain_name,
    revert_feature,
)
from amplihack_compaction.compactor.transcripts.manifest import newest_session
from amplihack_compaction.context.levels import (
    LEVELS,
    CompactionLevel,
    ContextStatus,
    ContextWarning,
    compaction_config,
    crossed_stages,
    warning_of,
)
from amplihack_compaction.context.meter import read_status, record_metric
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.handoff.checkpoint import (
    Checkpoint,
    Moment,
    create_checkpoint,
    feature_of,
    read_moment,
    snapshot_now,
)
from amplihack_compaction.handoff.handoff_document import Handoff, create_handoff_document
from amplihack_compaction.handoff.level_actions import run_level_actions
from amplihack_compaction.injection.position import observe

UNIFIED_VERSION = 1
_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class UnifiedState:
    """A feature's values, the session's state, and how many tokens its context has.

    `token_count` is 0 while no response has told its numbers.
    """

    feature: str
    session_id: str
    state: SessionState
    token_count: int = 0
    status: ContextStatus | None = None
    data: dict[str, Any] = field(default_factory=dict)


class StateManager:
    """Keeps the state of a project's sessions; without a session the newest one is meant."""

    def __init__(self, project: Path | str, session_id: str | None = None) -> None:
        self._root = str(Path(project).absolute())
        self._session_id = session_id

    def before_tool_use(self, feature_or_session: str = "") -> ContextWarning | None:
        """Check the levels before a tool runs; return what is to be said, once for each level.

        All actions that are due are done. Raises TranscriptError without a session.
        """
        session_id, path = self._find(feature_or_session)
        status = self._measure(session_id, path)
        folder = session_folder(self._root, session_id)
        if status is None:
            return None
        position = observe(self._root, folder, path)
        ratios = load_settings(self._root)[0].ratios
        ratio = status.current_tokens / status.max_tokens
        boundary = position.boundary if position else -1
        try:
            with crossed_stages(folder, boundary, ratio, ratios) as crossed:
                if crossed is None:
                    return None
                stages, root = crossed[0], self._root
                due = [ratios[stage - 1] for stage in stages]
                written = run_level_actions(root, session_id, path, status, due) if due else []
        except OSError as error:
            raise CompactionError(f"the levels cannot be written down: {error}") from error
        warning = None if LEVELS.keys().isdisjoint(stages) else warning_of(status)
        if warning is None or not written:
            return warning
        return replace(warning, message=f"{warning.message} Written: {', '.join(written)}.")

    def get_context_status(self, feature_or_session: str = "") -> ContextStatus | None:
        """Return how full the context is; None while no response has told its numbers."""
        return self._measure(*self._find(feature_or_session))

    def load_unified_state(self, feature_or_session: str = "") -> UnifiedState:
        """Return the state of now, with its tokens and the values that were saved with it.

        Without a feature's name the one that was saved last is meant. Raises TranscriptError
        without a session, and SnapshotError when the values cannot be read, are torn or of a newer
        version.
        """
        moment, named = self._moment(feature_or_session)
        feature, data, _ = self._values(moment, named)
        return UnifiedState(
            feature=feature,
            session_id=moment.session_id,
            state=moment.state,
            token_count=moment.status.current_tokens if moment.status else 0,
            status=moment.status,
            data=data,
        )

    def save_unified_state(
        self, data: Mapping[str, Any] | None = None, feature_or_session: str = ""
    ) -> ContextWarning | None:
        """Store values beside the session's state, whose snapshot is brought up to now.

        Without values those stored stay. Afterwards the levels are checked. Raises
        CompactionError when it cannot be written, when those stored cannot be read, or when the
        values are no JSON.
        """
        moment, named = self._moment(feature_or_session)
        feature, known, others = self._values(moment, named)
        content = {
            "version": UNIFIED_VERSION,
            "feature": feature,
            "session_id": moment.session_id,
            "saved_at": utc_text(),
            "token_count": moment.status.current_tokens if moment.status else 0,
            "others": others,
        }
        values = dict(known if data is None else data)
        try:
            # As JSON has them: what is redacted is texts, and never the marks around them.
            content["data"] = redact_value(json.loads(json.dumps(values)))
            stored = json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")
            snapshot_now(moment)
            path = self._path(moment.session_id)
            replace_atomically(path, signed(stored, path))
        except (OSError, TypeError, ValueError) as error:
            raise CompactionError(f"the state cannot be saved: {error}") from error
        return self.before_tool_use(moment.session_id)

    def create_checkpoint(self, reason: str, feature_or_session: str = "") -> Checkpoint:
        """Keep this moment under a reason. Raises CompactionError when it cannot be written."""
        moment, feature = self._moment(feature_or_session)
        try:
            return create_checkpoint(moment, reason, feature)
        except OSError as error:
            raise CompactionError(f"the checkpoint cannot be written: {error}") from error

    def create_handoff_document(self, feature_or_session: str = "") -> Handoff:
        """Write the handoff document. Raises CompactionError when it cannot be written."""
        moment, feature = self._moment(feature_or_session)
        try:
            return create_handoff_document(moment, feature)
        except OSError as error:
            raise CompactionError(f"the handoff cannot be written: {error}") from error

    def handle_context_warning(
        self, feature_or_session: str, warning: ContextWarning
    ) -> CompactionResult | Handoff | None:
        """Do what a warning's level asks for: compact, summarize or hand over.

        A feature's files are touched only where the setting `auto` is on; None where nothing was
        done. Raises what `trigger_compaction` and `create_handoff_document` raise.
        """
        if warning.level == "handoff":
            return self.create_handoff_document(feature_or_session)
        if warning.level == "raw" or not load_settings(self._root)[0].auto:
            return None
        is_session = session_transcript(self._root, feature_or_session) is not None
        return self.trigger_compaction("" if is_session else feature_or_session, warning.level)

    def trigger_compaction(
        self, feature: str = "", level: FeatureLevel = "compact"
    ) -> CompactionResult | None:
        """Compact a feature now, without a name the active one, whatever the settings say of it.

        None where no feature is active. Raises FeatureError when there is no such feature, and
        BackupError when it cannot be done; then every file is as it was.
        """
        name = feature or active_feature(self._root)
        return compact_feature(self._root, name, CompactionOptions(level=level)) if name else None

    def _find(self, named: str) -> tuple[str, str]:
        """Return the session that is meant, and its transcript."""
        for session_id in filter(None, (named, self._session_id)):
            path = session_transcript(self._root, session_id)
            if path is not None:
                return session_id, str(path)
            if session_id == self._session_id:
                raise TranscriptError(f"no transcript of session {session_id} in {self._root}")
        newest = newest_session(self._root, all_transcripts(self._root))
        if newest is None:
            raise TranscriptError(f"no session of {self._root} is recorded")
        return session_id_of(newest), str(newest)

    def _moment(self, named: str) -> tuple[Moment, str]:
        """Return what a session holds now, and the feature that was named, if it was one."""
        session_id, path = self._find(named)
        moment = read_moment(self._root, session_id, path, self._measure(session_id, path))
        return moment, "" if named == session_id else named

    def _measure(self, session_id: str, path: str) -> ContextStatus | None:
        """Measure the context and log what was found."""
        try:
            status = read_status(self._root, session_id, path)
        except OSError as error:
            raise TranscriptError(f"{path} cannot be read: {error}") from error
        if status is not None:
            record_metric(self._root, session_id, status)
        return status

    def _values(
        self, moment: Moment, named: str
    ) -> tuple[str, dict[str, Any], dict[str, dict[str, Any]]]:
        """Return the feature that is meant, its values, and those of the others by their names."""
        known = self._load(moment.session_id)
        last = known.get("feature", "")
        values = {**known.get("others", {}), last: known.get("data", {})}
        feature = plain_name(named) or last or feature_of(self._root, moment.state)
        feature = redact(str(feature))
        own = values.pop(feature, {})
        return feature, own, {name: data for name, data in values.items() if name}

    def _load(self, session_id: str) -> dict[str, Any]:
        path = self._path(session_id)
        try:
            data = read_if_there(path, _LIMIT_BYTES)
        except OSError as error:
            raise SnapshotError(f"{path} cannot be read: {reason_of(error)}") from error
        if data is None:
            return {}
        content = parse_object(own_part(data, path) or b"")
        if content is None:
            why = "it bears no mark of this user's: move it away"
            raise SnapshotError(f"{path} cannot be read: {why}")
        version = content.get("version")
        if version != UNIFIED_VERSION:
            raise SnapshotError(f"{path} has version {version}; update amplihack-compaction")
        return content

    def _path(self, session_id: str) -> str:
        return f"{session_folder(self._root, session_id)}/unified.json"


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
        options = replace(options or CompactionOptions(), level="summarize")
        result = self.compact(feature, options)
        assert isinstance(result, SummarizeResult)  # noqa: S101 - by its level
        return result

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
