"""Checkpoints: a moment of a session that can be gone back to, with the reason it was kept for.

A checkpoint names a snapshot: the ledger is cumulative, so a window's newest snapshot holds what
its checkpoints saw, and none needs a copy of its own.
"""

import json
import posix
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import (
    create_exclusively,
    list_names,
    names_in,
    parse_object,
    read_kept,
)
from amplihack_compaction.base.folders import remove_oldest
from amplihack_compaction.base.paths import prepare_runtime, runtime_folder, session_folder
from amplihack_compaction.base.records import read_record
from amplihack_compaction.base.settings import Settings, load_settings
from amplihack_compaction.base.signature import own_part, signed
from amplihack_compaction.base.timestamps import next_stamp, utc_text
from amplihack_compaction.compactor.features.feature import active_feature, plain_name
from amplihack_compaction.context.levels import ContextStatus
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.handoff.session_offers import Offer
from amplihack_compaction.injection.snapshot import take_snapshot, whole_snapshot_of_window
from amplihack_compaction.ledger.stored import Folded, current_state, fold_transcript
from amplihack_compaction.text.words import one_line

CHECKPOINT_VERSION = 1
OVERFLOW = "context_overflow"
_LIMIT_BYTES = 64 * 1024
_REASON_CHARS = 200
_SETS_WORK_CHANCE = 0.3
_NO_FEATURE_BRANCHES = frozenset({"", "HEAD", "main", "master", "trunk", "develop"})


@dataclass(frozen=True, slots=True)
class Moment:
    """A session as it stands now: what was said in it, and how full its context is."""

    root: str
    session_id: str
    transcript_path: str
    folded: Folded
    settings: Settings
    status: ContextStatus | None = None

    @property
    def folder(self) -> str:
        """The session's folder."""
        return session_folder(self.root, self.session_id)

    @property
    def state(self) -> SessionState:
        """The session's state, the open window included."""
        return self.folded.state

    @property
    def window_start(self) -> int:
        """The byte offset at which the open window begins."""
        return self.folded.window.start

    @property
    def has_begun(self) -> bool:
        """Whether more was said than a greeting, which may be all that a session is after."""
        state = self.state
        begun = state.objective is not None and (
            state.tool_uses > 0 or state.objective.chance >= _SETS_WORK_CHANCE
        )
        return bool(begun or state.active_rules or state.open_todos)

    def offer(self, snapshot: str, handoff: str = "") -> Offer:
        """Return what a new session is told that it may go on with."""
        return Offer(
            session_id=self.session_id, snapshot=snapshot,
            transcript_path=self.transcript_path, handoff=handoff,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """A checkpoint as it is stored; see the module."""

    id: str
    session_id: str
    feature: str
    reason: str
    created: str
    snapshot: str
    window_start: int = 0
    transcript_bytes: int = 0
    tokens: int | None = None


def read_moment(
    root: str,
    session_id: str,
    transcript_path: str,
    status: ContextStatus | None = None,
    folded: Folded | None = None,
) -> Moment:
    """Return a session as of now. Raises TranscriptError when its transcript cannot be read.

    Its ledger is brought up to date, but where nothing may be written: a project that is gone is
    not made again, and no link in it is followed. `folded` is what the caller has just read of it:
    most of a hook's time is not spent a second time.
    """
    settings, _ = load_settings(root)
    if folded is None:
        limit = settings.ledger_items
        try:
            prepare_runtime(root)
        except OSError:  # whoever goes on to keep the moment is told why it cannot be
            folded = fold_transcript(transcript_path, session_id, limit=limit)
        else:
            folder = session_folder(root, session_id)
            folded = current_state(folder, session_id, transcript_path, limit)
    return Moment(root, session_id, transcript_path, folded, settings, status)


def snapshot_now(moment: Moment) -> str:
    """Bring the snapshot of the open window up to now and return its id.

    Raises OSError when it cannot be written, FileNotFoundError when the project is gone.
    """
    prepare_runtime(moment.root)
    with suppress(OSError):  # where it cannot be read which one there is, it is taken anew
        known, covered = whole_snapshot_of_window(moment.folder, moment.window_start)
        if known and covered == moment.state.covered_bytes:
            return known
    return take_snapshot(
        moment.folder,
        moment.state,
        moment.window_start,
        moment.transcript_path,
        moment.settings.snapshots,
    ).id


def create_checkpoint(moment: Moment, reason: str, feature: str = "") -> Checkpoint:
    """Keep the moment under a reason; its snapshot is brought up to now first.

    Without a feature's name the one the session works on is taken. Raises OSError when it cannot
    be written.
    """
    made = Checkpoint(
        id="",
        session_id=moment.session_id,
        feature=plain_name(feature) or feature_of(moment.root, moment.state),
        reason=one_line(reason, _REASON_CHARS) or "manual",
        created=utc_text(),
        snapshot=snapshot_now(moment),
        window_start=moment.window_start,
        transcript_bytes=moment.state.covered_bytes,
        tokens=moment.status.current_tokens if moment.status else None,
    )
    folder = f"{moment.folder}/checkpoints"
    while True:
        made = replace(made, id=f"{next_stamp(list_names(folder))}-{posix.urandom(2).hex()}")
        content = {"version": CHECKPOINT_VERSION, **asdict(made)}
        path = f"{folder}/{made.id}.json"
        if create_exclusively(path, signed(json.dumps(content).encode(), path)):
            break
    remove_oldest(folder, ".json", moment.settings.snapshots)
    return made


def list_checkpoints(root: str, problems: list[str] | None = None) -> list[Checkpoint]:
    """Return the checkpoints of a project that can be understood, newest first.

    `problems` gets a sentence for each file and folder that cannot be read now, so that nobody
    takes what is newest of the rest for the newest.
    """
    said = problems if problems is not None else []
    sessions = f"{runtime_folder(root)}/sessions"
    found = []
    for name in names_in(sessions, said):
        folder = f"{sessions}/{name}/checkpoints"
        for file in names_in(folder, said):
            try:
                found.append(_read(f"{folder}/{file}") if file.endswith(".json") else None)
            except OSError as error:
                said.append(f"{folder}/{file} cannot be read: {reason_of(error)}")
    known = [checkpoint for checkpoint in found if checkpoint is not None]
    return sorted(known, key=lambda checkpoint: (checkpoint.id, checkpoint.created), reverse=True)


def feature_of(root: str, state: SessionState) -> str:
    """Return what the session works on: the active feature, else its branch, else the project."""
    branch = "" if state.branch in _NO_FEATURE_BRANCHES else plain_name(state.branch)
    return active_feature(root) or branch or plain_name(Path(root).name) or "project"


def _read(path: str) -> Checkpoint | None:
    content = parse_object(own_part(read_kept(path, _LIMIT_BYTES), path) or b"") or {}
    try:
        known = content.get("version") == CHECKPOINT_VERSION
        return read_record(Checkpoint, content) if known else None
    except ValueError:
        return None
