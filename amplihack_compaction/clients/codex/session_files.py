"""Where Codex keeps its sessions: `<home>/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

All projects' lie together; the first line of each names the folder that it was begun in.

When it compacts by itself, its settings say, else nine tenths of its model's window: of that the
client tells nineteen twentieths in its rollout, the part that it lets be filled.
"""

import os
import tomllib
from pathlib import Path
from typing import Any

from amplihack_compaction.base.files import parse_object, read_bytes
from amplihack_compaction.base.folders import read_end
from amplihack_compaction.clients.claude_code.session_files import newest_first
from amplihack_compaction.transcript.session import as_object

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
    return _rollouts(root, "rollout-*.jsonl", problems)


def session_transcript(root: str, session_id: str) -> Path | None:
    """Return the rollout of a project's session; None without one."""
    if len(session_id) != _ID_CHARACTERS or not session_id.replace("-", "").isalnum():
        return None
    return next(iter(_rollouts(root, f"rollout-*-{session_id}.jsonl", [])), None)


def _rollouts(root: str, pattern: str, problems: list[str]) -> list[Path]:
    folders = {os.fsencode(spelling) for spelling in (root, os.path.realpath(root))}
    paths = (codex_home() / "sessions").glob(f"*/*/*/{pattern}")
    return newest_first(paths, problems, lambda path: _is_of(path, folders))


def _is_of(path: Path, folders: set[bytes]) -> bool:
    """Return whether a rollout's first line names one of the folders, and no agent's thread."""
    with path.open("rb") as stream:
        head = stream.read(_FIRST_BYTES).partition(b"\n")[0]
    if b'"thread_source":"' in head and b'"thread_source":"user"' not in head:
        return False
    named = head.partition(b'"cwd":"')[2].partition(b'"')[0]
    return named.replace(b"\\\\", b"\\").replace(b"\\/", b"/") in folders


_SETTING = "model_auto_compact_token_limit"
_WINDOW_MARK = b'"model_context_window":'
_SIZE_LIMIT_BYTES = 1024 * 1024
_TAIL_BYTES = 256 * 1024


def read_limit(transcript_path: str) -> tuple[int, int, str] | None:
    """Return the tokens at which a rollout's session compacts, its window, and who said so.

    None while the client has told neither. Raises OSError when the rollout cannot be read.
    """
    window = _told_window(transcript_path)
    try:
        content = read_bytes(str(codex_home() / "config.toml"), _SIZE_LIMIT_BYTES, follow=True)
        config = tomllib.loads((content or b"").decode("utf-8", "replace"))
    except tomllib.TOMLDecodeError:
        config = {}
    named: Any = config.get(_SETTING)
    if type(named) is int and named > 0:
        return named, max(window, named), f"client: {_SETTING}"
    return (window * 9 // 10, window, "client: model_context_window") if window else None


def _told_window(transcript_path: str) -> int:
    lines = read_end(transcript_path, _TAIL_BYTES).split(b"\n")
    for line in reversed([line for line in lines if _WINDOW_MARK in line]):
        payload = as_object((parse_object(line) or {}).get("payload"))
        told = (as_object(payload.get("info")) or payload).get("model_context_window")
        if type(told) is int and told > 0:
            return told * 20 // 19
    return 0
