"""Where the client keeps its transcripts: `<config>/projects/<project>/<session>.jsonl`.

`pathlib` is imported where a `Path` is made: that takes half of a bare start, and a compaction
makes none.
"""

import os
import re
from typing import TYPE_CHECKING

from amplihack_compaction.base.errors import TranscriptError, reason_of
from amplihack_compaction.base.files import names_in
from amplihack_compaction.base.settings.settings_files import config_path

if TYPE_CHECKING:
    from pathlib import Path

_NOT_PLAIN = re.compile(r"[^a-zA-Z0-9]")


def config_folder() -> "Path":
    """Return the client's own folder."""
    from pathlib import Path

    return Path(config_path() or "/")


def transcript_folder(project: str) -> "Path":
    """Return where the client keeps the transcripts of a project."""
    return config_folder() / "projects" / _NOT_PLAIN.sub("-", project)


def transcript_folders(root: str) -> "list[Path]":
    """Return the folders of a project named as it is, and with its links resolved."""
    spellings = dict.fromkeys([root, os.path.realpath(root)])
    return [transcript_folder(spelling) for spelling in spellings]


def project_transcripts(root: str, problems: list[str] | None = None) -> "list[Path]":
    """Return the transcripts of a project's sessions, newest first.

    `problems` gets a sentence for each that cannot be looked at, and for each folder of them.
    """
    from pathlib import Path

    said = problems if problems is not None else []
    found = []
    for folder in transcript_folders(root):
        paths = (Path(folder, name) for name in names_in(str(folder), said))
        for path in (path for path in paths if path.suffix == ".jsonl"):
            try:
                found.append((path.stat().st_mtime_ns, path))
            except FileNotFoundError:
                continue  # gone since it was listed
            except OSError as error:
                said.append(f"{path} cannot be looked at: {reason_of(error)}")
    return [path for _, path in sorted(found, reverse=True)]


def all_transcripts(root: str) -> "list[Path]":
    """Return the transcripts of a project's sessions, newest first, for who goes by the newest.

    Raises TranscriptError when one cannot be looked at: it may be the newest.
    """
    problems: list[str] = []
    found = project_transcripts(root, problems)
    if problems:
        raise TranscriptError(f"{problems[0]}; run it again, or name the session")
    return found


def session_transcript(root: str, session_id: str) -> "Path | None":
    """Return the transcript of a project's session; None without one."""
    if not session_id or "/" in session_id or "\0" in session_id:
        return None
    for folder in transcript_folders(root):
        path = folder / f"{session_id}.jsonl"
        try:
            if path.is_file():
                return path
        except OSError:  # a name longer than the file system allows
            continue
    return None
