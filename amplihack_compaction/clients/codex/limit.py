"""When Codex compacts by itself: what its settings say, else nine tenths of its model's window.

Of the window the client tells nineteen twentieths in its rollout, the part that it lets be filled.
"""

import os
import tomllib
from typing import Any

from amplihack_compaction.base.files import parse_object, read_bytes, read_range
from amplihack_compaction.base.folders import opened
from amplihack_compaction.clients.codex.session_files import codex_home
from amplihack_compaction.transcript.session import as_object

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
    with opened(transcript_path) as descriptor:
        size = os.fstat(descriptor).st_size
        lines = read_range(descriptor, max(0, size - _TAIL_BYTES), _TAIL_BYTES).split(b"\n")
    for line in reversed(lines):
        found = parse_object(line) if _WINDOW_MARK in line else None
        payload = as_object((found or {}).get("payload"))
        told = (as_object(payload.get("info")) or payload).get("model_context_window")
        if type(told) is int and told > 0:
            return told * 20 // 19
    return 0
