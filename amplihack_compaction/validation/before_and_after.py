"""Read both sides of a compaction: what was there before, and what the model was sent since.

A path in a file is not to be trusted: what was checked must be what is opened, inside the project
only, and never waiting.

A flat message is `{"role": ..., "content": ...}`, content being a string or a list of blocks. A
real one is an entry of a transcript. Lists may mix both, and become windows.

After a compaction the model has the `<summary>` part of the summary, the messages that were kept,
the files the client read again, what hooks injected, and what was said since. An item that stands
in one of these is not lost.
"""

import errno
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import read_whole
from amplihack_compaction.base.folders import open_inside
from amplihack_compaction.clients.reading import iterate_entries, read_windows, windows_of
from amplihack_compaction.clients.session_lines import is_internal_line, parse_line
from amplihack_compaction.clients.speakers import blocks_of, message_text, summary_part
from amplihack_compaction.extract.statements import SessionState
from amplihack_compaction.transcript.session import (
    Boundary,
    Entry,
    JsonObject,
    Node,
    ReadReport,
    Window,
)

TRANSCRIPT_LIMIT_BYTES = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TranscriptRead:
    """A transcript file's messages, or None and the `problem` that kept them from being read.

    `is_violation` says that the path leads out of the project.
    """

    messages: list[JsonObject] | None = None
    is_violation: bool = False
    problem: str = ""


def read_transcript(root: str, named: str) -> TranscriptRead:
    """Read the transcript that an event names: a JSON array or JSONL, inside the project only.

    Relative names start at the project root. `..` and whatever resolves outside the root, links
    included, are refused as a violation; FIFOs, devices, folders and files above 64 MiB are
    refused without waiting for them. Never raises.
    """
    found = _locate(root, named)
    if isinstance(found, TranscriptRead):
        return found
    real_root, inside = found
    try:
        return parse_messages(read_whole(open_inside(real_root, inside), TRANSCRIPT_LIMIT_BYTES))
    except OSError as error:
        problem = f"the transcript cannot be read: {reason_of(error)}"
        return TranscriptRead(is_violation=error.errno == errno.ELOOP, problem=problem)


def leads_outside(root: str, named: str) -> bool:
    """Return whether a transcript's path is refused, since it leads out of the project."""
    found = _locate(root, named)
    return isinstance(found, TranscriptRead) and found.is_violation


def _locate(root: str, named: str) -> TranscriptRead | tuple[str, str]:
    """Return the project's real root and the path below it, or what is wrong with the path."""
    if not named or "\0" in named:
        return TranscriptRead(problem="the event names no pre-compaction transcript")
    if ".." in named.split("/"):
        return TranscriptRead(is_violation=True, problem="the transcript's path holds `..`")
    try:
        real_root = os.path.realpath(root)
        resolved = os.path.realpath(os.path.join(root, named))  # noqa: PTH118 - may be absolute
    except (OSError, ValueError):  # a lone surrogate is no file name
        return TranscriptRead(problem="the transcript's path is no file name")
    inside = os.path.relpath(resolved, real_root)
    if inside == ".." or inside.startswith("../"):
        return TranscriptRead(is_violation=True, problem="the transcript lies outside the project")
    return real_root, inside


def parse_messages(data: bytes) -> TranscriptRead:
    """Return the messages of a JSON array or of JSONL; what is no object is skipped."""
    stripped = data.removeprefix(b"\xef\xbb\xbf").strip()
    if stripped.startswith(b"["):
        try:
            values = json.loads(stripped.decode("utf-8", "replace"))
        except (ValueError, RecursionError):
            return TranscriptRead(problem="the transcript is no valid JSON")
        return TranscriptRead([value for value in values if isinstance(value, dict)])
    messages: list[JsonObject] = []
    for line in stripped.splitlines():
        if line.strip() and not is_internal_line(line):
            messages += parse_line(line, ReadReport())
    if not messages:
        return TranscriptRead(problem="nothing in the transcript could be read")
    return TranscriptRead(messages)


def root_text(project_root: Path | str) -> str:
    """Return a project root as text, absolute."""
    return os.path.abspath(project_root)  # noqa: PTH100 - resolving links here would hide them


LATER_WINDOW = 1
"""Index of the first window made here: whether it is the session's first is not known."""
SUMMARY_HEAD = "This session is being continued from a previous conversation"
"""How the message begins that holds a compaction's summary."""
_ROLES = {
    **dict.fromkeys(("user", "human"), "user"),
    **dict.fromkeys(("assistant", "ai", "model"), "assistant"),
}


def windows_in(
    messages: Sequence[JsonObject], start: int = 0, index: int = LATER_WINDOW
) -> list[Window]:
    """Return the windows that messages make up, one at least, of flat and real ones alike.

    Offsets are list positions, counted from `start`, windows from `index`.
    """
    entries: list[Entry] = []
    for place, message in enumerate(_with_results(messages), start):
        above = entries[-1].data["uuid"] if entries else None
        entries.append(Entry(place, _as_entry(message, place, above)))
    return list(windows_of(entries, start, index, ReadReport()))


def _with_results(messages: Sequence[JsonObject]) -> Iterator[JsonObject]:
    """Yield the messages; a plain text that answers tool uses, as some lists do, is their result.

    No user speaks between a tool use and its result.
    """
    open_uses: list[str] = []
    for message in messages:
        content = content_of(message)
        if open_uses and isinstance(content, str) and message.get("role") == "user":
            block = {"type": "tool_result", "tool_use_id": open_uses.pop(0), "content": content}
            yield {**message, "content": [block]}
            continue
        open_uses = [str(block.get("id")) for block in blocks_of(content, "tool_use")]
        yield message


def _as_entry(message: JsonObject, place: int, above: str | None) -> JsonObject:
    """Return the message as an entry of a transcript."""
    if isinstance(message.get("type"), str) and isinstance(message.get("uuid"), str):
        return message
    inner = message.get("message")
    source = inner if isinstance(inner, dict) else message
    role = source.get("role") or message.get("type")
    content = source.get("content")
    kind = _ROLES.get(role) if isinstance(role, str) else None
    entry: JsonObject = {**message, "uuid": f"flat:{place}", "parentUuid": above, "type": kind}
    entry["message"] = {**source, "content": content}
    if kind == "user" and message_text(content).lstrip().startswith(SUMMARY_HEAD):
        entry["isCompactSummary"] = True
    return entry


def content_of(message: JsonObject) -> Any:
    """Return a message's content, of a flat one and of an entry alike."""
    inner = message.get("message")
    return (inner if isinstance(inner, dict) else message).get("content")


def visible_texts(messages: Iterable[JsonObject]) -> Iterator[str]:
    """Yield every text that the messages put before the model: speech, tools, attachments.

    The client's own lines (`system`) are shown to the user only.
    """
    for message in messages:
        if message.get("type") == "system":
            continue
        if isinstance(message.get("attachment"), dict):
            yield from _attachment_texts(message)
            continue
        content = content_of(message)
        if isinstance(content, (str, list)):
            yield from _strings(content)


def _attachment_texts(message: JsonObject) -> Iterator[str]:
    """Yield what an attachment shows the model: `rendered` where the client recorded it."""
    attachment = message["attachment"]
    kind = str(attachment.get("type"))
    if message.get("rendered"):
        yield from _strings(message["rendered"])
    elif kind == "hook_success":
        # Plain output reaches the model from these two events only.
        if attachment.get("hookEvent") in ("SessionStart", "UserPromptSubmit"):
            yield from _strings(attachment.get("content"))
    elif kind in _SHOWN_OF_HOOKS or not kind.startswith(_KEPT_TO_ITSELF):
        yield from _strings(attachment)


_SHOWN_OF_HOOKS = frozenset({"hook_additional_context", "hook_blocking_error"})
# What else the client notes of hooks has the output of one that failed or came too late.
_KEPT_TO_ITSELF = ("prompt_snapshot", "session_context", "hook_", "async_hook_")
_SILENT_KEYS = frozenset({"type", "id", "tool_use_id", "role", "uuid", "signature", "hookEvent"})


def _strings(value: Any, depth: int = 6) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for item in value:
            yield from _strings(item, depth - 1)
    elif isinstance(value, dict) and depth:
        for key, item in value.items():
            if key not in _SILENT_KEYS:
                yield from _strings(item, depth - 1)


def kept_texts(window: Window) -> list[str]:
    """Return what the compaction that ended a window kept of it word for word."""
    kept = window.ended.preserved if window.ended is not None else frozenset()
    return [text for node in window.chain if node.uuid in kept for text in _texts_of(node)]


def _texts_of(node: Node) -> Iterator[str]:
    yield node.text
    yield from _strings([tool.input for tool in node.tools])
    yield from (said for said, _ in node.said)
    yield from (result.text for _, result in node.results)


# More than a model's window holds is not before the model; what came first is what the client and
# the hooks put there, and what is asked for here.
_WHOLE_CHARS = 6_000_000
_TEXT_CHARS = 200_000
# Other lines of a transcript are the client's own notes.
_SHOWN_TYPES = ("attachment", "user", "assistant")


@dataclass(frozen=True, slots=True)
class Compacted:
    """A compaction, with all that a judgement of it needs.

    `state` is the session's when it came, `now` that of now. `before` is the window that was
    compacted. `summary` is what took its place, `beside` everything that the model has.
    `results` are the ids of the tool uses whose result is known since, `left_out` what the
    injection has left out as seldom needed.
    """

    state: SessionState
    before: Window
    summary: str
    beside: str = ""
    now: SessionState | None = None
    results: frozenset[str] = frozenset()
    left_out: str = ""


def read_compacted(
    transcript_path: str,
    window_start: int,
    state: SessionState,
    now: SessionState,
    left_out: str,
    last_words: str = "",
) -> Compacted | None:
    """Return the transcript's last compaction; None where the window at `window_start` is open.

    `left_out` is what an injection leaves out. `last_words` are the model's, which are not always
    in the transcript yet. Raises TranscriptError when it cannot be read.
    """
    windows = list(read_windows(transcript_path, window_start, max(0, now.windows - 1)))
    if windows[0].ended is None:
        return None
    since = text_since_boundary(transcript_path, window_start, windows[0].ended)
    beside, summary = f"{since}\n{last_words}", summary_of(windows[1].summary)
    results = frozenset(result for node in windows[-1].chain for result, _ in node.results)
    return Compacted(state, windows[0], summary, beside, now, results, left_out)


def summary_of(text: str) -> str:
    """Return what was summarised; the client's own opening before it names the transcript."""
    return summary_part(text.partition("Summary:\n")[2] or text)


def text_since_boundary(transcript_path: str, window_start: int, boundary: Boundary) -> str:
    """Return the text of all that the model was sent since the boundary.

    `window_start` is where the compacted window began: the kept messages lie in it, and are
    named by the boundary, not repeated after it.
    """
    texts: list[str] = []
    room = _WHOLE_CHARS
    for text in visible_texts(_sent_since(transcript_path, window_start, boundary)):
        texts.append(text[: min(_TEXT_CHARS, room)])
        room -= len(texts[-1])
        if room <= 0:  # what lies behind is of any size
            break
    return "\n".join(filter(None, texts))


def _sent_since(path: str, window_start: int, boundary: Boundary) -> Iterator[JsonObject]:
    if boundary.preserved:
        for entry in iterate_entries(path, window_start, boundary.offset):
            uuid = entry.data.get("uuid")
            if isinstance(uuid, str) and uuid in boundary.preserved:
                yield entry.data
    for entry in iterate_entries(path, boundary.offset):
        if entry.data.get("type") in _SHOWN_TYPES and not entry.data.get("isSidechain"):
            yield entry.data
