"""Where Codex keeps its sessions: `<home>/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

All projects' lie together; the first line of each names the folder that it was begun in.
"""

import os
from pathlib import Path

from amplihack_compaction.clients.claude_code.session_files import newest_first

_FIRST_BYTES = 8 * 1024
_ID_CHARACTERS = 36


def codex_home() -> Path:
    """Return the client's own folder: `$CODEX_HOME`, else `~/.codex`."""
    named = os.environ.get("CODEX_HOME")
    return Path(named) if named else Path(os.path.expanduser("~/.codex"))  # noqa: PTH111


def rollout_id(path: Path) -> str:
    """Return the id of the session that a rollout is of: its name's end."""
    return path.stem[-_ID_CHARACTERS:]


def project_transcripts(root: str, problems: list[str]) -> list[Path]:
    """Return the rollouts of the sessions that a user began in a project, newest first.

    `problems` gets a sentence for each that cannot be looked at.
    """
    folders = {os.fsencode(spelling) for spelling in (root, os.path.realpath(root))}
    paths = (codex_home() / "sessions").glob("*/*/*/rollout-*.jsonl")
    return newest_first(paths, problems, lambda path: _is_of(path, folders))


def session_transcript(root: str, session_id: str) -> Path | None:
    """Return the rollout of a project's session; None without one."""
    del root  # ids are one client's, whatever the project
    if len(session_id) != _ID_CHARACTERS or not session_id.replace("-", "").isalnum():
        return None
    return next((codex_home() / "sessions").glob(f"*/*/*/rollout-*-{session_id}.jsonl"), None)


def _is_of(path: Path, folders: set[bytes]) -> bool:
    """Return whether a rollout's first line names one of the folders, and no agent's thread."""
    with path.open("rb") as stream:
        head = stream.read(_FIRST_BYTES).partition(b"\n")[0]
    if b'"thread_source":"' in head and b'"thread_source":"user"' not in head:
        return False
    named = head.partition(b'"cwd":"')[2].partition(b'"')[0]
    return named.replace(b"\\\\", b"\\").replace(b"\\/", b"/") in folders
