"""Follow a session: the one that was named, or whichever of the project began last."""

import re
from pathlib import Path

from amplihack_compaction.base.errors import TranscriptError
from amplihack_compaction.base.paths import project_root
from amplihack_compaction.cli.sessions import Session, find_session, open_session
from amplihack_compaction.clients.claude_code.locations import (
    project_transcripts,
    session_transcript,
    transcript_folders,
)
from amplihack_compaction.compactor.transcripts.manifest import without_unused_copies

_WHOLE_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Following:
    """Knows which session to look at; ask `session` again and again.

    Without a name it stays with the project's newest session until another one begins, as after
    `/clear`. A folder is listed only when something was added to it.
    """

    def __init__(self, named: str | None) -> None:
        """Look for the session. Raises TranscriptError when it is named and can never come."""
        self.root = project_root()
        self._named = named
        self._found: Session | None = None
        self._known: set[Path] = set()
        self._looked_at: tuple[int, ...] = ()
        if named is not None and not self._may_begin(named):
            self._found = find_session(named)

    def session(self) -> Session | None:
        """Return the session as of now; None while it has not begun."""
        if self._named is not None:
            if self._found is None:
                path = session_transcript(self.root, self._named)
                self._found = _opened(path) if path is not None else None
            return self._found
        ages = tuple(_age(folder) for folder in transcript_folders(self.root))
        if ages != self._looked_at or self._found is None:
            self._looked_at = ages if self._look() else ()
        return self._found

    def _may_begin(self, named: str) -> bool:
        return bool(_WHOLE_ID.fullmatch(named)) and not Path(named).exists()

    def _look(self) -> bool:
        """Go over to a session that was not there before; False when one may still begin."""
        found = [path for path in project_transcripts(self.root) if path not in self._known]
        # A copy counts from when somebody goes on in it, of which the folder shows nothing.
        paths = without_unused_copies(self.root, found)
        whole = len(paths) == len(found)
        for path in paths:
            opened = _opened(path)
            if opened is not None:
                self._found = opened
                self._known |= {path} if self._known else set(paths)
                break
            whole = False
        return whole


def _opened(path: Path) -> Session | None:
    try:
        return open_session(path)
    except (TranscriptError, OSError):
        return None


def _age(folder: Path) -> int:
    try:
        return folder.stat().st_mtime_ns
    except OSError:
        return -1
