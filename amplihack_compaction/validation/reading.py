"""Read the transcript that an event names: inside the project only, and never waiting.

A path in a file is not to be trusted: what was checked must be what is opened.
"""

import errno
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from amplihack_compaction.base.contained_files import open_inside
from amplihack_compaction.base.errors import reason_of
from amplihack_compaction.base.files import read_range
from amplihack_compaction.transcript.entries import (
    JsonObject,
    ReadReport,
    is_internal_line,
    parse_line,
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
    report: ReadReport = field(default_factory=ReadReport)


def read_transcript(root: str, named: str) -> TranscriptRead:
    """Read the transcript that an event names: a JSON array or JSONL, inside the project only.

    Relative names start at the project root. `..` and whatever resolves outside the root, links
    included, are refused as a violation; FIFOs, devices, folders and files above 64 MiB are
    refused without waiting for them. Never raises.
    """
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
    try:
        descriptor = open_inside(real_root, inside)
    except OSError as error:
        swapped = error.errno == errno.ELOOP
        return TranscriptRead(
            is_violation=swapped, problem=f"the transcript cannot be opened: {reason_of(error)}"
        )
    try:
        return _read_open_file(descriptor)
    except OSError as error:
        return TranscriptRead(problem=f"the transcript cannot be read: {reason_of(error)}")
    finally:
        os.close(descriptor)


def _read_open_file(descriptor: int) -> TranscriptRead:
    if os.fstat(descriptor).st_size > TRANSCRIPT_LIMIT_BYTES:
        return TranscriptRead(problem="the transcript is larger than 64 MiB")
    return parse_messages(read_range(descriptor, 0, TRANSCRIPT_LIMIT_BYTES))


def parse_messages(data: bytes) -> TranscriptRead:
    """Return the messages of a JSON array or of JSONL; what is no object is skipped and counted."""
    stripped = data.removeprefix(b"\xef\xbb\xbf").strip()
    if stripped.startswith(b"["):
        return _parse_array(stripped)
    report = ReadReport()
    messages: list[JsonObject] = []
    for line in stripped.splitlines():
        if line.strip() and not is_internal_line(line):
            report.lines += 1
            messages += parse_line(line, report)
    if not messages:
        return TranscriptRead(problem="nothing in the transcript could be read", report=report)
    return TranscriptRead(messages, report=report)


def _parse_array(data: bytes) -> TranscriptRead:
    report = ReadReport()
    try:
        values = json.loads(data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return TranscriptRead(problem="the transcript is no valid JSON", report=report)
    messages = [value for value in values if isinstance(value, dict)]
    for _ in range(len(values) - len(messages)):
        report.skip("not an object")
    return TranscriptRead(messages, report=report)


def root_text(project_root: Path | str) -> str:
    """Return a project root as text, absolute."""
    return os.path.abspath(project_root)  # noqa: PTH100 - resolving links here would hide them
