"""Find the session that a user means, and its state at each compaction or now.

A session is named by its id, by a transcript, or is the newest of this project. States are folded
as the hooks fold them; nothing is written.
"""

import glob
import os
import re
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.paths import project_root, session_folder
from amplihack_compaction.base.settings import load_settings
from amplihack_compaction.cli.options import SESSION_VARIABLE
from amplihack_compaction.clients.claude_code.session_files import config_folder
from amplihack_compaction.clients.reading import (
    all_transcripts,
    iterate_entries,
    project_transcripts,
    read_task_files,
    session_id_of,
    transcript_folders,
)
from amplihack_compaction.compactor.transcripts.manifest import newest_session
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.ledger.stored import (
    Folded,
    continued_state,
    fold_transcript,
    states_at_boundaries,
)
from amplihack_compaction.text.words import counted
from amplihack_compaction.transcript.session import Boundary, Entry, JsonObject, Window, text_in

SESSION_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_SHOWN = 5
_FIRST_ENTRIES = 50


@dataclass(frozen=True, slots=True)
class Session:
    """A session's transcript, and the project in which our hooks keep its files."""

    id: str
    transcript: Path
    root: str

    @property
    def folder(self) -> str:
        """The folder of its snapshots and receipts, which may not exist."""
        return session_folder(self.root, self.id)


def chosen_session(named: str | None) -> Session:
    """Return the session of an id, of the first characters of one, or of a transcript's path.

    None stands for the session that this runs in, else for the newest of the current project that
    has begun; a copy that `compact transcript` made counts from when somebody goes on in it. Raises
    TranscriptError when there is none, or when several begin with these characters.
    """
    if named is None:
        root = project_root()
        every = all_transcripts(root)
        begun = [path for path in every if _has_begun(path)] or every
        running = os.environ.get(SESSION_VARIABLE, "")
        newest = next((path for path in begun if session_id_of(path) == running), None)
        newest = newest or newest_session(root, begun)
        if newest is None:
            what_to_do = sessions_above(root) or "start `claude` there and say something"
            raise TranscriptError(
                f"no session of {root} is recorded yet (in {transcript_folders(root)[0]}):"
                f" {what_to_do}, or name a session or a transcript"
            )
        return open_session(newest)
    path = Path(os.path.expanduser(named))  # noqa: PTH111 - no such user: it stays
    if path.is_dir():
        raise TranscriptError(f"{named} is a folder: name a session or a transcript")
    if path.exists():
        return open_session(path.resolve() if path.is_symlink() else path)
    if "/" in named or named.endswith(".jsonl"):
        raise TranscriptError(f"there is no transcript {named}")
    return open_session(_by_id(named))


def _has_begun(transcript: Path) -> bool:
    try:
        return transcript.is_file() and transcript.stat().st_size > 0
    except OSError:
        return True  # what is wrong with it is told when it is read


def sessions_above(root: str) -> str:
    """Return the nearest folder above a project without sessions that has some, and what to do.

    Nothing where there is none. They are not taken for this project's: a folder may lie in another
    project by chance.
    """
    own = Path(root).absolute()
    if project_transcripts(str(own)):
        return ""
    for folder in map(str, own.parents):
        if found := project_transcripts(folder):
            many = counted(len(found), "session")
            return f"the folder above, {folder}, has {many}: call it there"
    return ""


def running_session(named: str | None) -> Session:
    """Return the session that is named, the one that this runs in, or the newest of the project."""
    return chosen_session(named or os.environ.get(SESSION_VARIABLE) or None)


def _by_id(named: str) -> Path:
    own = project_transcripts(project_root())
    found = [path for path in own if session_id_of(path).startswith(named)]
    found = found or sorted((config_folder() / "projects").glob(f"*/{glob.escape(named)}*.jsonl"))
    found = [path for path in found if session_id_of(path) == named][:1] or found
    if not found:
        raise TranscriptError(f"no session {named} in {config_folder() / 'projects'}")
    if len(found) > 1:
        shown = ", ".join(session_id_of(path) for path in found[:_SHOWN])
        more = f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
        raise TranscriptError(f"several sessions begin with {named}: {shown}{more}")
    return found[0]


def open_session(path: Path) -> Session:
    """Return the session of a transcript; a copy under another name keeps its session's id.

    For what was found in the client's folders, where no link is followed. Raises TranscriptError
    when it cannot be read.
    """
    if not path.is_file():
        raise TranscriptError(f"{path} is not a regular file")
    first = [entry.data for entry in islice(iterate_entries(path), _FIRST_ENTRIES)]
    if not any("type" in data for data in first):
        raise TranscriptError(f"{path} is not a transcript: no line in it is an entry of one")
    ids = (data.get("sessionId") for data in first)
    named = next((each for each in ids if isinstance(each, str) and each), "")
    own = session_id_of(path)
    session_id = own if SESSION_ID.fullmatch(own) or not named else named
    folders = [data["cwd"] for data in first if _is_folder(data.get("cwd"))]
    roots = [project_root(), *folders[:1]]
    with_files = (root for root in roots if Path(session_folder(root, session_id)).is_dir())
    root = next(with_files, roots[-1])
    return Session(session_id, path.absolute(), root)  # what lies beside it is told by its folders


def _is_folder(value: object) -> bool:
    """Return whether a value names a folder, which may be gone.

    A transcript tells where its project lay; in a forged one that is anything.
    """
    if not isinstance(value, str) or not value.startswith("/"):
        return False
    try:
        return stat.S_ISDIR(Path(value).stat().st_mode)
    except FileNotFoundError:
        return True
    except (OSError, ValueError):
        return False


def session_states(
    session: Session, on_entry: Callable[[Entry], None] | None = None
) -> Iterator[tuple[Window, SessionState]]:
    """Yield each window of a session with the state at its end, the open one last.

    `on_entry` is called with every entry of the transcript, before its window is yielded. Raises
    TranscriptError when the transcript cannot be read.
    """
    limit = load_settings(session.root)[0].ledger_items
    base = continued_state(session.folder, session.id)
    path, folder = str(session.transcript), session.folder
    return states_at_boundaries(path, session.id, limit, base, on_entry, folder)


def state_before(session: Session, number: int) -> tuple[Boundary, SessionState]:
    """Return a compaction, counted from 1, and the state when it came.

    Raises TranscriptError when the session has no compaction of that number.
    """
    seen = 0
    for seen, (window, state) in enumerate(session_states(session), 1):
        if window.ended is not None and seen == number:
            return window.ended, state
    compactions = max(0, seen - 1)  # the last window is still open
    had = f"has {compactions}" if compactions else "was not compacted so far"
    raise TranscriptError(f"there is no compaction {number}: session {session.id} {had}")


def folded_now(session: Session) -> Folded:
    """Return a session's state as of now. Raises TranscriptError when it cannot be read."""
    path, folder = str(session.transcript), session.folder
    limit = load_settings(session.root)[0].ledger_items
    base = continued_state(folder, session.id)
    tasks = read_task_files(path, session.id)
    return fold_transcript(path, session.id, base, tasks, limit, folder=folder)


@dataclass(frozen=True, slots=True)
class HookTrace:
    """A hook call: `kind` is the client's word for what came of it, empty in a sum at a turn's end.

    `milliseconds` is None where the client wrote none down.
    """

    kind: str
    event: str
    command: str
    use_id: str
    milliseconds: float | None


def hook_traces(data: JsonObject) -> Iterator[HookTrace]:
    """Yield the hook calls that an entry of a transcript tells of."""
    attachment, infos = data.get("attachment"), data.get("hookInfos")
    if isinstance(attachment, dict) and attachment.get("hookEvent"):
        event, use_id = text_in(attachment, "hookEvent"), text_in(attachment, "toolUseID")
        yield _trace(text_in(attachment, "type"), event, use_id, attachment)
    elif data.get("subtype") == "stop_hook_summary" and isinstance(infos, list):
        for info in infos:
            if isinstance(info, dict):
                yield _trace("", "Stop", text_in(data, "toolUseID"), info)


def _trace(kind: str, event: str, use_id: str, told: JsonObject) -> HookTrace:
    took: Any = told.get("durationMs")
    milliseconds = float(took) if type(took) in (int, float) and 0 <= took < inf else None
    return HookTrace(kind, event, text_in(told, "command"), use_id, milliseconds)
