"""Sessions read, whichever client wrote them: the one way from a file into the session model.

`EntryReader` is all that a client has to bring. Who needs a session as it was said reads windows.
The few that look into entries themselves get the client's own fields, and take these apart with
that client's functions, which are handed on here.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from amplihack_compaction.clients.claude_code import transcripts
from amplihack_compaction.clients.claude_code.session_files import (
    all_transcripts,
    project_transcripts,
    read_task_files,
    session_transcript,
    transcript_folders,
)
from amplihack_compaction.clients.claude_code.tail import (
    IMAGE_CHARACTERS,
    Usage,
    estimate_tokens,
    find_boundaries,
    newest_usage,
    text_characters,
    usage_of,
)
from amplihack_compaction.clients.claude_code.transcripts import (
    RESULT_LIMIT_CHARS,
    blocks_of,
    is_by_another,
    is_internal_line,
    is_message,
    iterate_lines,
    make_node,
    message_text,
    parse_line,
    read_boundary,
    said_with_results,
    summary_part,
    typed_prompt,
)
from amplihack_compaction.transcript.session import Entry, Node, ReadReport, Window, group_windows

if TYPE_CHECKING:
    from pathlib import Path

__all__ = [
    "IMAGE_CHARACTERS", "RESULT_LIMIT_CHARS", "Usage", "all_transcripts", "blocks_of",
    "estimate_tokens", "find_boundaries", "is_by_another", "is_internal_line", "is_message",
    "iterate_entries", "iterate_lines", "make_node", "message_text", "newest_usage", "parse_line",
    "project_transcripts", "read_boundary", "read_task_files", "read_windows",
    "said_with_results", "session_transcript", "summary_part", "text_characters",
    "transcript_folders", "typed_prompt", "usage_of", "windows_of",
]  # fmt: skip


class EntryReader(Protocol):
    """What a client tells of its sessions' files; a module of its folder has these functions."""

    def read_entries(
        self,
        path: "Path | str",
        start: int = 0,
        end: int | None = None,
        report: ReadReport | None = None,
    ) -> Iterator[Entry]:
        """Yield the conversation's entries whose lines start in `[start, end)`."""
        ...

    def make_node(self, entry: Entry) -> Node | None:
        """Return what an entry is to the conversation, or None for one outside of it."""
        ...


def reader_of(_path: "Path | str") -> EntryReader:
    """Return the reader of the client that wrote a file."""
    # Another client's files are told by their name or their first line, here and nowhere else.
    return transcripts


def iterate_entries(
    path: "Path | str", start: int = 0, end: int | None = None, report: ReadReport | None = None
) -> Iterator[Entry]:
    """Yield the conversation's entries whose lines start in `[start, end)`, in file order.

    Raises TranscriptError when the file cannot be read.
    """
    return reader_of(path).read_entries(path, start, end, report)


def read_windows(
    path: "Path | str",
    start: int = 0,
    index: int = 0,
    report: ReadReport | None = None,
    stop: int | None = None,
    on_entry: Callable[[Entry], None] | None = None,
) -> Iterator[Window]:
    """Yield the transcript's windows from `start` on, the last one still open.

    `start` is 0 or the offset of a boundary, `index` the number of the window that starts
    there; lines that start at `stop` or later are not read. `on_entry` is called with every entry,
    for who looks at more than windows do, before the window it lies in is yielded. Raises
    TranscriptError when the file cannot be read.
    """
    report = report if report is not None else ReadReport()
    entries = iterate_entries(path, start, stop, report)
    if on_entry is not None:
        entries = _shown(entries, on_entry)
    yield from windows_of(entries, start, index, report, reader_of(path))


def _shown(entries: Iterable[Entry], on_entry: Callable[[Entry], None]) -> Iterator[Entry]:
    for entry in entries:
        on_entry(entry)
        yield entry


def windows_of(
    entries: Iterable[Entry],
    start: int,
    index: int,
    report: ReadReport,
    reader: EntryReader = transcripts,
) -> Iterator[Window]:
    """Yield the windows that entries make up, for whoever reads the lines: see `read_windows`."""
    nodes = ((entry.offset, reader.make_node(entry)) for entry in entries)
    return group_windows(nodes, start, index, report)
