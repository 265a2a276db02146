"""Read what is known of a session's last hook calls, without reading its whole transcript.

The client writes a line where a hook printed something or failed, and one at the end of each turn;
our own hooks leave receipts of what they gave, and a log of problems.
"""

import posix
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from amplihack_compaction.base.files import open_regular, read_bytes, read_range
from amplihack_compaction.base.json_objects import parse_object
from amplihack_compaction.base.limits import LOG_LIMIT_BYTES
from amplihack_compaction.base.paths import runtime_folder
from amplihack_compaction.base.redaction.redact import redact
from amplihack_compaction.cli.sessions import Session
from amplihack_compaction.injection.delivery import list_receipts

CALLS_LIMIT = 20
_TAIL_BYTES = 256 * 1024
_LOG_LINES = 20
_OUTCOMES = {
    "hook_success": "ran",
    "hook_additional_context": "told the model",
    "hook_system_message": "told the user",
    "hook_blocking_error": "stopped it",
    "hook_non_blocking_error": "failed",
    "hook_cancelled": "was cancelled",
    "hook_stopped_continuation": "ended the turn",
    "async_hook_response": "answered later",
}


@dataclass(frozen=True, slots=True)
class HookCall:
    """One call: when (ISO time), for which event, what became of it, and how long it took."""

    at: str
    event: str
    outcome: str
    milliseconds: float | None = None
    is_problem: bool = False


def last_hook_calls(session: Session) -> list[HookCall]:
    """Return the last 20 calls that left a trace, newest first."""
    calls = [*_of_transcript(str(session.transcript)), *_of_receipts(session.folder)]
    calls += _of_log(session.root)
    return sorted(calls, key=lambda call: call.at, reverse=True)[:CALLS_LIMIT]


def _of_transcript(path: str) -> Iterator[HookCall]:
    try:
        descriptor = open_regular(path)
    except (OSError, ValueError):
        return
    try:
        size = posix.fstat(descriptor).st_size
        tail = read_range(descriptor, max(0, size - _TAIL_BYTES), _TAIL_BYTES)
    finally:
        posix.close(descriptor)
    for line in tail.split(b"\n"):
        entry = parse_object(line) if b'"hook' in line or b"_hook_" in line else None
        if entry is not None:
            yield from _of_entry(entry)


def _of_entry(entry: dict[str, Any]) -> Iterator[HookCall]:
    at, attachment, infos = (
        _text(entry.get("timestamp")),
        entry.get("attachment"),
        entry.get("hookInfos"),
    )
    if isinstance(attachment, dict) and attachment.get("type") in _OUTCOMES:
        kind = _text(attachment.get("type"))
        outcome = f"{_OUTCOMES[kind]} {_command(attachment)}".rstrip()
        problem = kind in ("hook_non_blocking_error", "hook_cancelled")
        event = _text(attachment.get("hookEvent"))
        yield HookCall(at, event, outcome, _duration(attachment), problem)
    elif entry.get("subtype") == "stop_hook_summary" and isinstance(infos, list):
        for info in infos:
            if isinstance(info, dict):
                yield HookCall(at, "Stop", f"ran {_command(info)}".rstrip(), _duration(info))


def _of_receipts(folder: str) -> Iterator[HookCall]:
    for receipt in list_receipts(folder):
        size = receipt.get("utf16")
        told = f"gave the state, {size:,} characters" if isinstance(size, int) else "gave the state"
        yield HookCall(_text(receipt.get("at")), _text(receipt.get("event")), told)


def _of_log(root: str) -> Iterator[HookCall]:
    """Yield the newest problems; a line is `TIME EVENT pid=N message`."""
    data = read_bytes(f"{runtime_folder(root)}/hooks.log", 2 * LOG_LIMIT_BYTES) or b""
    for line in data.decode("utf-8", "replace").splitlines()[-_LOG_LINES:]:
        at, _, rest = line.partition(" ")
        event, _, message = rest.partition(" ")
        told = message.partition(" ")[2] if message.startswith("pid=") else message
        yield HookCall(at, event, redact(told), None, is_problem=True)


def _command(told: dict[str, Any]) -> str:
    return redact(_text(told.get("command")))


def _duration(told: dict[str, Any]) -> float | None:
    value = told.get("durationMs")
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
